import Foundation
import StoreAPI
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// A store in whose apps customers buy, and subscribe to one of three products.
struct AccountShop: Sendable {
    static let yearly = "com.example.shop.yearly"
    static let premium = "com.example.shop.premium"

    let shop: StorefrontShop
    let clock = SettableClock()

    init(_ environment: StoreEnvironment = .production) async throws {
        shop = try await StorefrontShop(environment, clock: clock)
        try await shop.shop.store.database.write { repositories in
            let app = try repositories.sampleApp()
            let monthly = try #require(
                try repositories.catalog.product(ProductID(SampleShop.monthly)!, in: app.id)
            ).details
            for (id, level, unit, price, title):
                (String, Int, SubscriptionPeriod.Unit, Int64, String)
                in [
                    (Self.yearly, 2, .year, 49_990, "Pro yearly"),
                    (Self.premium, 1, .month, 9_990, "Premium"),
                ]
            {
                var product = monthly
                product.productID = ProductID(id)!
                product.state = .approved
                product.texts = ["en_US": ProductText(title: title, description: "")]
                product.prices = ["USA": price]
                product.subscription?.level = level
                product.subscription?.period = SubscriptionPeriod(unit: unit, count: 1)
                try repositories.catalog.save(product, in: app.id)
            }
        }
    }

    var services: APIServices { shop.shop.store.services }
    var browser: PageBrowser { shop.browser }

    /// Changes a product of the app.
    func change(
        _ product: String, _ change: @escaping @Sendable (inout ProductDraft) -> Void
    ) async throws {
        try await shop.shop.store.database.write { repositories in
            let app = try repositories.sampleApp()
            var changed = try #require(
                try repositories.catalog.product(ProductID(product)!, in: app.id)
            ).details
            change(&changed)
            try repositories.catalog.save(changed, in: app.id)
        }
    }

    /// Buys in the app, as a device does.
    @discardableResult
    func buy(
        _ product: String, quantity: Int = 1, by email: String = TestStore.american
    ) async throws -> TransactionRecord {
        let account = try await shop.account(email)
        guard let catalog = try await services.catalog.catalog(of: SampleShop.bundleID),
            let price = catalog.products[ProductID(product)!]?.price(
                in: account.storefront, at: clock.now())
        else { throw NotSold(reason: "\(product) is not there") }
        let outcome = try await services.purchases.buy(
            PurchaseOrder(
                key: PurchaseKey(UUID().uuidString)!, productID: product, quantity: quantity,
                confirmedPrice: price, applicationUsername: nil, device: "device"), by: account,
            profile: ProfileClaim(
                bundleID: SampleShop.bundleID,
                applicationIdentifier: ApplicationIdentifier(SampleShop.bundleID),
                environment: account.environment, allowsInAppPurchase: true, generation: 1_000),
            catalog: catalog)
        guard case .success(.sold(let sale)) = outcome else {
            throw NotSold(reason: "\(outcome)")
        }
        return sale.record
    }

    private struct NotSold: Error {
        let reason: String
    }

    /// The address of an order's page.
    func path(_ record: TransactionRecord) -> String {
        "/us/account/orders/\(OrderID(record.id))"
    }

    /// The address of the page of the subscription that an order belongs to.
    func subscriptionPath(_ record: TransactionRecord) -> String {
        "/us/account/subscriptions/\(OrderID(record.entry.original.id))"
    }

    /// Asks for a refund with the form.
    func ask(
        _ record: TransactionRecord, _ reason: RefundReason? = .unintended, _ comment: String = ""
    ) async throws -> PageBrowser.Page {
        let form = try await shop.open(path(record) + "/refund")
        return try await browser.submit(
            form, "ask", ["reason": reason?.rawValue, "comment": comment])
    }

    /// What the publisher's server says about a purchase.
    func inform(
        _ record: TransactionRecord, _ preference: ConsumptionInformation.Preference,
        consumed: Int? = nil
    ) async throws {
        _ = try await services.refunds.inform(
            ConsumptionInformation(
                customerConsented: true, consumed: consumed, wasDelivered: true,
                sampleProvided: false, preference: preference),
            about: record.id, in: record.entry.details.app, record.entry.details.environment)
    }

    /// Lets time pass, and the store do what is due.
    func wait(_ seconds: TimeInterval) async throws {
        clock.advance(by: seconds)
        try await services.renewals.advance()
        try await services.refunds.advance()
    }
}
