import Foundation
import StoreDatabase
import StoreModel

/// A fact to be added to the ledger.
package struct LedgerDraft: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
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
}

/// The first purchase of a product, as later facts refer to it.
package struct LedgerOriginal: Sendable, Hashable {
    package var id: TransactionID
    package var date: Date
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

extension LedgerDraft: Record {
    package static let table: StaticString = "ledger"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        kind = try column("kind", \.kind)
        environment = try column("environment", \.environment)
        account = try column("account", \.account)
        app = try column("app", \.app)
        bundleID = try column("bundle_id", \.bundleID)
        productID = try column("product_id", \.productID)
        productType = try column("product_type", \.productType)
        key = try column("purchase_key", \.key)
        device = try column("device", \.device)
        quantity = try column("quantity", \.quantity)
        unitPrice = try column.money("unit_price", "currency", \.unitPrice)
        charged = try column.money("charged", "currency", \.charged)
        storefront = try column("storefront", \.storefront)
        original = try column.part(\.original)
        applicationUsername = try column("application_username", \.applicationUsername)
        date = try column("date", \.date)
    }
}

extension LedgerDraft.Kind: TextColumnValue {}

extension LedgerOriginal: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("original", \.id)
        date = try column("original_date", \.date)
    }
}

/// A row of a view: what is added is a draft.
extension LedgerEntry: Record {
    package static let table: StaticString = "ledger_entry"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        details = try column.part(\.details)
        period = try column("period", \.period)
    }
}
