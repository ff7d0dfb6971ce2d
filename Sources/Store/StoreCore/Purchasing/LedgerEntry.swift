import Foundation
import StoreModel

/// A fact to be added to the ledger.
package struct LedgerDraft: Sendable, Hashable {
    package enum Kind: String, Sendable {
        case purchase
        case restore
    }

    package var kind: Kind
    package var environment: StoreEnvironment
    package var account: AccountID
    package var app: AppID
    package var bundleID: BundleID
    package var productID: ProductID
    package var productType: ProductType
    /// Unique on account and app: the device's key.
    package var key: String
    package var device: String
    package var quantity: Int
    package var unitPrice: Money
    /// What the account was charged: for all of the quantity, 0 where it owned it.
    package var charged: Money
    package var storefront: Storefront
    /// The purchase that this one repeats or restores; nil for a first one.
    package var original: LedgerOriginal?
    package var applicationUsername: String?
    package var date: Date

    package init(
        kind: Kind, environment: StoreEnvironment, account: AccountID, app: AppID,
        bundleID: BundleID, productID: ProductID, productType: ProductType, key: String,
        device: String, quantity: Int, unitPrice: Money, charged: Money, storefront: Storefront,
        original: LedgerOriginal?, applicationUsername: String?, date: Date
    ) {
        self.kind = kind
        self.environment = environment
        self.account = account
        self.app = app
        self.bundleID = bundleID
        self.productID = productID
        self.productType = productType
        self.key = key
        self.device = device
        self.quantity = quantity
        self.unitPrice = unitPrice
        self.charged = charged
        self.storefront = storefront
        self.original = original
        self.applicationUsername = applicationUsername
        self.date = date
    }
}

/// The first purchase of a product, as later facts refer to it.
package struct LedgerOriginal: Sendable, Hashable {
    package var id: TransactionID
    package var date: Date

    package init(id: TransactionID, date: Date) {
        self.id = id
        self.date = date
    }
}

/// A fact of the ledger.
package struct LedgerEntry: Sendable, Hashable {
    package let id: TransactionID
    package let details: LedgerDraft
    /// The paid period that a transaction of a subscription stands for, where it is none itself:
    /// it restores one, or came of an order that began none.
    package let period: TransactionID?

    package init(id: TransactionID, details: LedgerDraft, period: TransactionID? = nil) {
        self.id = id
        self.details = details
        self.period = period
    }

    /// The first purchase of the product: this one, or the one it refers to.
    package var original: LedgerOriginal {
        details.original ?? LedgerOriginal(id: id, date: details.date)
    }
}
