import Foundation
import StoreModel

/// What was submitted of products' texts.
package struct RevisionRepository {
    let connection: any SQLConnection

    package func revision(_ id: Int64) throws -> ProductRevision? {
        try connection.row(
            "SELECT id, product, number, state, created, changed FROM product_revision WHERE id = ?1",
            [.integer(id)], read)
    }

    /// All of a product, the newest first.
    package func revisions(of product: ProductNumber) throws -> [ProductRevision] {
        try connection.rows(
            """
            SELECT id, product, number, state, created, changed FROM product_revision
            WHERE product = ?1 ORDER BY number DESC
            """, [.integer(product.number)], read)
    }

    /// The one that is being made or reviewed.
    package func open(of product: ProductNumber) throws -> ProductRevision? {
        try connection.row(
            """
            SELECT id, product, number, state, created, changed FROM product_revision
            WHERE product = ?1 AND state NOT IN ('APPROVED', 'REPLACED_WITH_NEW_VERSION')
            """, [.integer(product.number)], read)
    }

    /// The one that customers see.
    package func onSale(of product: ProductNumber) throws -> ProductRevision? {
        try connection.row(
            """
            SELECT id, product, number, state, created, changed FROM product_revision
            WHERE product = ?1 AND state = 'APPROVED'
            """, [.integer(product.number)], read)
    }

    /// Adds the next revision of a product.
    package func insert(
        of product: ProductNumber, state: RevisionState, texts: [String: ProductText],
        at date: Date
    ) throws -> ProductRevision {
        let id = try connection.row(
            """
            INSERT INTO product_revision (product, number, state, created, changed)
            VALUES (?1, 1 + (
                SELECT ifnull(max(number), 0) FROM product_revision WHERE product = ?1), ?2, ?3, ?3)
            RETURNING id
            """, [.integer(product.number), .text(state.rawValue), .date(date)]
        ) { $0.integer(0) }.orMissing("revision")
        try setTexts(texts, of: id)
        return try revision(id).orMissing("revision")
    }

    package func setState(_ state: RevisionState, of id: Int64, at date: Date) throws {
        try connection.run(
            "UPDATE product_revision SET state = ?2, changed = ?3 WHERE id = ?1",
            [.integer(id), .text(state.rawValue), .date(date)])
    }

    /// Keeps what is submitted, instead of what was before. The schema refuses it for what
    /// customers have read.
    package func setTexts(_ texts: [String: ProductText], of id: Int64) throws {
        try connection.run(
            "DELETE FROM product_revision_text WHERE revision = ?1", [.integer(id)])
        for (locale, text) in texts {
            try connection.run(
                """
                INSERT INTO product_revision_text (revision, locale, title, description)
                VALUES (?1, ?2, ?3, ?4)
                """,
                [.integer(id), .text(locale), .text(text.title), .text(text.description)])
        }
    }

    private func read(_ row: any SQLRow) throws -> ProductRevision {
        let id = row.integer(0)
        let texts = try connection.rows(
            "SELECT locale, title, description FROM product_revision_text WHERE revision = ?1",
            [.integer(id)]
        ) { ($0.text(0), ProductText(title: $0.text(1), description: $0.text(2))) }
        return ProductRevision(
            id: id, product: ProductNumber(number: row.integer(1)), number: Int(row.integer(2)),
            state: try row.value(3, RevisionState.init(rawValue:)),
            texts: Dictionary(uniqueKeysWithValues: texts), created: row.date(4),
            changed: row.date(5))
    }
}
