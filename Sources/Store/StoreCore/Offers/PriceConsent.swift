import Foundation
import StoreDatabase
import StoreModel

/// The number of a question about a price.
package typealias PriceConsentID = ID<PriceConsent>

/// A question to an account, whether it agrees to a higher price.
package struct PriceConsentDraft: Sendable, Hashable {
    package var account: AccountID
    package var app: AppID
    package var productID: ProductID
    /// Thousandths of the currency.
    package var newPrice: Int64
    /// Of the storefront that the account was in when it was asked; `nil` for a question of an earlier
    /// version, which did not keep it.
    package private(set) var currency: String?
    private var currentThousandths: Int64?

    /// - Parameters:
    ///   - currentPrice: what the product costs the account now.
    ///   - newPrice: thousandths of the same currency.
    package init(
        account: AccountID, app: AppID, productID: ProductID, currentPrice: Money, newPrice: Int64
    ) {
        self.account = account
        self.app = app
        self.productID = productID
        self.newPrice = newPrice
        (currentThousandths, currency) = (currentPrice.thousandths, currentPrice.currency)
    }

    /// What the product cost the account when it was asked; `nil` for a question of an earlier version.
    package var currentPrice: Money? {
        guard let currentThousandths, let currency else { return nil }
        return Money(thousandths: currentThousandths, currency: currency)
    }

    /// Whether a customer who chooses the product at a price agrees to what is asked.
    func isAnswered(by seen: Money) -> Bool {
        isAsked(in: seen.currency) && newPrice <= seen.thousandths
    }

    /// Whether the question is of use to an account that pays in a currency.
    package func isAsked(in currency: String) -> Bool {
        self.currency == nil || self.currency == currency
    }
}

extension PriceConsentDraft: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        account = try column("account", \.account)
        app = try column("app", \.app)
        productID = try column("product_id", \.productID)
        newPrice = try column("new_price", \.newPrice)
        currency = try column("currency", \.currency)
        currentThousandths = try column("current_price", \.currentThousandths)
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
