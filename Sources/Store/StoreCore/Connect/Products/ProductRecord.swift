import Foundation
import StoreDatabase
import StoreModel

/// What lists tell of a product.
package struct ProductSummary: Sendable, Hashable {
    package let number: ProductNumber
    package let app: AppID
    package let productID: ProductID
    package let type: ProductType
    package let referenceName: String
    package let state: ProductState
    package let isFamilyShareable: Bool
    package let hostsContent: Bool
    /// For reviewers; empty where there is none.
    package let reviewNote: String
}

extension ProductSummary: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        number = try column("id", \.number)
        app = try column("app", \.app)
        productID = try column("product_id", \.productID)
        type = try column("type", \.type)
        referenceName = try column("reference_name", \.referenceName)
        state = try column("state", \.state)
        isFamilyShareable = try column("family_shareable", \.isFamilyShareable)
        hostsContent = try column("hosts_content", \.hostsContent)
        reviewNote = try column("review_note", \.reviewNote)
    }
}

/// A product with all that its publisher maintains.
package struct ProductRecord: Sendable, Hashable {
    package let summary: ProductSummary
    package let product: Product
    /// The revision that is being made or reviewed; nil where the publisher's texts are those
    /// on sale.
    package let openRevision: ProductRevision?
    package let revisionOnSale: ProductRevision?
    package let assets: [ProductAsset]

    package var number: ProductNumber { summary.number }
    package var id: ProductID { summary.productID }
    package var state: ProductState { summary.state }

    /// The picture that shows reviewers where the app offers the product.
    package var reviewScreenshot: ProductAsset? { assets.first { $0.kind == .reviewScreenshot } }
    /// The picture that promotes the product in the store.
    package var image: ProductAsset? { assets.first { $0.kind == .image } }

    /// Where the text of a locale stands: on sale, or on its way.
    package func textState(_ locale: String) -> RevisionState {
        guard let openRevision else {
            return product.wasOnSale ? .approved : .prepareForSubmission
        }
        let approved = revisionOnSale?.texts[locale]
        if let approved, product.details.texts[locale] == approved { return .approved }
        return openRevision.state
    }
}

/// What was submitted of a product's texts, and what became of it.
package struct ProductRevision: Sendable, Hashable {
    package let id: Int64
    package let product: ProductNumber
    /// 1 for the product's first one.
    package let number: Int
    package let state: RevisionState
    /// As submitted, by locale; empty before, while they are the publisher's texts.
    package var texts: [String: ProductText]
    package let created: Date
    /// When the state last changed.
    package let changed: Date
}

/// Without its texts, which have rows of their own.
extension ProductRevision: Record {
    package static let table: StaticString = "product_revision"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        product = try column("product", \.product)
        number = try column("number", \.number)
        state = try column("state", \.state)
        texts = [:]
        created = try column("created", \.created)
        changed = try column("changed", \.changed)
    }
}
