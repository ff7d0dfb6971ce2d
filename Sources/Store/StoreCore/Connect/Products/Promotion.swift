import Foundation
import StoreDatabase
import StoreModel

/// The name of a promotion: a UUID in small letters.
package struct PromotionID: TextIdentifier, TextColumnValue {
    package static let name = "promoted purchase"
    package let text: String

    package init?(_ text: String) {
        guard let id = AssetID(text) else { return nil }
        self.text = id.text
    }

    package init(_ uuid: UUID) {
        text = uuid.uuidString.lowercased()
    }
}

/// A product that the app's page in the store shows.
package struct Promotion: Sendable, Hashable {
    /// As many as one app can promote.
    package static let limit = 20

    package let id: PromotionID
    package let app: AppID
    package let product: ProductNumber
    /// Its place among the app's, 0 for the first.
    package var position: Int
    /// Whether everybody sees it, and not only those to whom the app shows it.
    package var isVisible: Bool
    package var isEnabled: Bool
}

extension Promotion: Record {
    package static let table: StaticString = "promoted_purchase"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        app = try column("app", \.app, .immutable)
        product = try column("product", \.product, .immutable)
        position = try column("position", \.position)
        isVisible = try column("visible", \.isVisible)
        isEnabled = try column("enabled", \.isEnabled)
    }
}
