import Foundation
import StoreDatabase
import StoreModel

/// What was submitted of products' texts.
package struct RevisionRepository {
    let connection: any SQLConnection

    package func revision(_ id: Int64) throws -> ProductRevision? {
        try revisions("WHERE id = \(id)").first
    }

    /// All of a product, the newest first.
    package func revisions(of product: ProductNumber) throws -> [ProductRevision] {
        try revisions("WHERE product = \(product) ORDER BY number DESC")
    }

    /// The one that is being made or reviewed.
    package func open(of product: ProductNumber) throws -> ProductRevision? {
        try revisions(
            """
            WHERE product = \(product) AND state NOT IN \(cases: RevisionState.settled)
            """
        ).first
    }

    /// The one that customers see.
    package func onSale(of product: ProductNumber) throws -> ProductRevision? {
        try revisions("WHERE product = \(product) AND state = 'APPROVED'").first
    }

    private func revisions(_ rest: SQL) throws -> [ProductRevision] {
        try connection.all(ProductRevision.self, rest).map { revision in
            var revision = revision
            let texts = try connection.all(RevisionText.self, "WHERE revision = \(revision.id)")
                .map(\.text)
            revision.texts = Dictionary(texts.map { ($0.locale, $0.text) }) { _, last in last }
            return revision
        }
    }

    /// Adds the next revision of a product.
    package func insert(
        of product: ProductNumber, state: RevisionState, texts: [String: ProductText],
        at date: Date
    ) throws -> ProductRevision {
        let last = try connection.value(
            Int?.self, "SELECT max(number) FROM product_revision WHERE product = \(product)")
        let made = try connection.inserted(
            ProductRevision(
                id: 0, product: product, number: 1 + ((last ?? nil) ?? 0), state: state, texts: [:],
                created: date, changed: date))
        try setTexts(texts, of: made.id)
        return try revision(made.id).orMissing("revision")
    }

    package func setState(_ state: RevisionState, of id: Int64, at date: Date) throws {
        try connection.run(
            "UPDATE product_revision SET state = \(state), changed = \(date) WHERE id = \(id)")
    }

    /// Keeps what is submitted, instead of what was before. The schema refuses it for what
    /// customers have read.
    package func setTexts(_ texts: [String: ProductText], of id: Int64) throws {
        try connection.run("DELETE FROM product_revision_text WHERE revision = \(id)")
        for (locale, text) in texts {
            try connection.insert(
                RevisionText(LocalizedText(locale: locale, text: text)),
                with: OtherColumn("revision", id))
        }
    }
}

extension StoreRepositories {
    package var revisions: RevisionRepository { RevisionRepository(connection: connection) }
}

/// What was submitted in one language.
private struct RevisionText: Record {
    static let table: StaticString = "product_revision_text"

    let text: LocalizedText

    init(_ text: LocalizedText) { self.text = text }

    init(_ column: borrowing RecordColumns<Self>) throws { text = try column.part(\.text) }
}
