import Foundation
import StoreDatabase
import StoreModel

/// A purchase as it was asked for, before anybody has decided.
package struct PendingPurchaseRequest: Sendable, Hashable {
    package let id: PendingPurchaseID
    package let kind: PendingPurchase.Kind
    private let environment: StoreEnvironment
    private let account: AccountID
    private let app: AppID
    private let bundleID: BundleID
    private let productID: ProductID
    private let productType: ProductType
    private let key: String
    private let device: String
    private let quantity: Int
    private let unitPrice: Money
    private let storefront: Storefront
    private let applicationUsername: String?
    private let date: Date
    /// The offer that it was asked for with, priced where the customer is.
    package let offer: SubscriptionOffer?

    init(
        id: PendingPurchaseID, kind: PendingPurchase.Kind, _ order: LedgerDraft,
        offer: SubscriptionOffer?
    ) {
        self.id = id
        self.kind = kind
        environment = order.environment
        account = order.account
        app = order.app
        bundleID = order.bundleID
        productID = order.productID
        productType = order.productType
        key = order.key
        device = order.device
        quantity = order.quantity
        unitPrice = order.unitPrice
        storefront = order.storefront
        applicationUsername = order.applicationUsername
        date = order.date
        self.offer = offer
    }

    /// What goes into the ledger once it is approved.
    var order: LedgerDraft {
        // The price of an offer is for one; subscriptions have no other quantity.
        let charged = offer?.thousandths ?? unitPrice.thousandths * Int64(quantity)
        return LedgerDraft(
            kind: .purchase, environment: environment, account: account, app: app,
            bundleID: bundleID, productID: productID, productType: productType, key: key,
            device: device, quantity: quantity, unitPrice: unitPrice,
            charged: Money(thousandths: charged, currency: unitPrice.currency),
            storefront: storefront, original: nil, applicationUsername: applicationUsername,
            date: date)
    }
}

extension PendingPurchaseRequest: Record {
    package static let table: StaticString = "pending_purchase"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
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
        storefront = try column("storefront", \.storefront)
        applicationUsername = try column("application_username", \.applicationUsername)
        date = try column("date", \.date)
        offer = try column.optionalJSON("offer", \.offer, sample: nil)
    }
}

extension PendingPurchase.Kind: TextColumnValue {}
