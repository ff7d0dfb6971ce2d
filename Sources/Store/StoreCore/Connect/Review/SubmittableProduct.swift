import Foundation
import StoreDatabase
import StoreModel

/// A product that has something to be submitted.
package struct SubmittableProduct: Sendable, Hashable {
    package let id: ProductID
    package let referenceName: String
    package let state: ProductState
    /// Whether texts are new, and whether content is; a product that was never approved goes
    /// as a whole.
    package let hasNewTexts: Bool
    package let hasNewContent: Bool
}

extension SubmittableProduct: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("product_id", \.id)
        referenceName = try column("reference_name", \.referenceName)
        state = try column("state", \.state)
        hasNewTexts = try column("has_texts", \.hasNewTexts)
        hasNewContent = try column("has_content", \.hasNewContent)
    }
}
