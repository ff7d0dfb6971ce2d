import Foundation
import StoreDatabase
import StoreModel

/// The number of a question about a price.
package struct PriceConsentID: Hashable, Sendable, NumberColumnValue {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }
}

/// A question to an account, whether it agrees to a higher price.
package struct PriceConsentDraft: Sendable, Hashable {
    package var account: AccountID
    package var app: AppID
    package var productID: ProductID
    /// Thousandths of the currency of the account's storefront.
    package var newPrice: Int64

    package init(account: AccountID, app: AppID, productID: ProductID, newPrice: Int64) {
        self.account = account
        self.app = app
        self.productID = productID
        self.newPrice = newPrice
    }
}

extension PriceConsentDraft: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        account = try column("account", \.account)
        app = try column("app", \.app)
        productID = try column("product_id", \.productID)
        newPrice = try column("new_price", \.newPrice)
    }
}

/// Such a question as it was written down.
package struct PriceConsent: Sendable, Hashable {
    package let id: PriceConsentID
    package let details: PriceConsentDraft
}

extension PriceConsent: Record {
    package static let table: StaticString = "price_consent"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        details = try column.part(\.details)
    }
}
