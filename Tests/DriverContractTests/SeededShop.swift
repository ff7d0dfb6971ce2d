import Foundation
@testable import StoreCore
import StoreModel

/// Rows that the ledger needs before it takes any of its own: an app with a product of
/// each type, a second app, two testers and a customer.
struct SeededShop: Sendable {
    static let date = Date(timeIntervalSince1970: 1_800_000_000)
    static let chapter = ProductID("com.example.shop.chapter")!

    let app: App
    let otherApp: App
    let ada: Account
    let grace: Account
    let customer: Account

    init(in database: any ShopDatabase) async throws {
        self = try await database.write { repositories in
            let catalog = repositories.catalog
            let team = try catalog.save(TeamDraft(name: "Example", hasPaidAgreement: true))
            func app(_ bundleID: String) throws -> App {
                let app = try catalog.save(
                    AppDraft(
                        teamID: team.id, bundleID: BundleID(bundleID)!, name: "Shop",
                        binaryState: .readyForSale, generation: 1))
                try catalog.save(Self.product(Self.chapter, .nonConsumable), in: app.id)
                for type in ProductType.allCases where type != .nonConsumable {
                    try catalog.save(Self.product(Self.product(of: type), type), in: app.id)
                }
                return app
            }
            func account(_ email: String, _ environment: StoreEnvironment) throws -> Account {
                try repositories.accounts.insert(
                    AccountDraft(
                        environment: environment, email: email, passwordHash: "hash",
                        storefront: .unitedStates), at: Self.date)
            }
            return SeededShop(
                app: try app("com.example.shop"), otherApp: try app("com.example.other"),
                ada: try account("ada@example.com", .sandbox),
                grace: try account("grace@example.com", .sandbox),
                customer: try account("ada@example.com", .production))
        }
    }

    private init(app: App, otherApp: App, ada: Account, grace: Account, customer: Account) {
        self.app = app
        self.otherApp = otherApp
        self.ada = ada
        self.grace = grace
        self.customer = customer
    }

    /// The identifier of the product of a type.
    static func product(of type: ProductType) -> ProductID {
        switch type {
        case .consumable: ProductID("com.example.shop.credits")!
        case .nonConsumable: chapter
        case .nonRenewingSubscription: ProductID("com.example.shop.season")!
        case .autoRenewableSubscription: ProductID("com.example.shop.monthly")!
        }
    }

    static func product(_ id: ProductID, _ type: ProductType) -> ProductDraft {
        ProductDraft(
            productID: id, type: type, referenceName: "name", isFamilyShareable: false,
            state: .approved, primaryLocale: "en_US",
            texts: ["en_US": ProductText(title: "Title", description: "")], prices: ["USA": 990],
            subscription: type == .autoRenewableSubscription
                ? SubscriptionTerms(
                    groupID: "1", groupName: "Pro", level: 1,
                    period: SubscriptionPeriod(unit: .month, count: 1), offers: []) : nil)
    }

    /// A purchase of one, by Ada, of the chapter, as far as nothing else is said.
    func purchase(
        _ number: Int, type: ProductType = .nonConsumable, by account: Account? = nil,
        in app: App? = nil, device: String = "device", original: LedgerOriginal? = nil
    ) -> LedgerDraft {
        let account = account ?? ada
        let app = app ?? self.app
        let price = Money(thousandths: 990, currency: "USD")
        return LedgerDraft(
            kind: .purchase, environment: account.environment, account: account.id, app: app.id,
            bundleID: app.bundleID, productID: Self.product(of: type), productType: type,
            key: "purchase-key-\(1000 + number)", device: device, quantity: 1, unitPrice: price,
            charged: original == nil ? price : Money(thousandths: 0, currency: "USD"),
            storefront: .unitedStates, original: original, applicationUsername: nil,
            date: Self.date)
    }

    /// What an account has in an app, oldest first.
    func entries(
        in database: any ShopDatabase, of account: Account? = nil
    ) async throws -> [LedgerEntry] {
        let id = (account ?? ada).id
        let app = app.id
        return try await database.read { try $0.ledger.entries(account: id, app: app) }
    }
}

/// An error of a test's own.
struct Deliberate: Error, Equatable {}
