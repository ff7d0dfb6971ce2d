import Foundation
import StoreAPI
@testable import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

/// A shop with a publisher's server, and customers who buy.
struct ServerShop: Sendable {
    let clock: SettableClock
    let shop: TestStore
    var server: ServerClient

    init(
        altitude: Altitude = .router, role: ConnectRole = .appManager,
        change: (inout APIServices) -> Void = { _ in }
    ) async throws {
        clock = SettableClock()
        shop = try await TestStore(hasContent: false, isApproved: true, clock: clock)
        server = try await ServerClient(
            shop, clock: clock, altitude: altitude, role: role, change: change)
    }

    /// A device of a customer.
    func customer(
        _ email: String = TestStore.american, in environment: StoreEnvironment = .sandbox
    ) async throws -> APIClient {
        try await APIClient.signedIn(shop, environment: environment, as: email)
    }

    static func monthly(_ key: Int) -> PurchaseRequest {
        APIClient.order(SampleShop.monthly, key, price: APIClient.dollars(4990))
    }

    static func season(_ key: Int) -> PurchaseRequest {
        APIClient.order(SampleShop.season, key, price: APIClient.dollars(4990))
    }

    func account(
        _ email: String = TestStore.american, in environment: StoreEnvironment = .sandbox
    ) async throws -> Account {
        try await shop.store.services.accounts.account(email: email, environment: environment)
    }

    func app(_ bundleID: BundleID = SampleShop.bundleID) async throws -> App {
        try #require(
            try await shop.store.database.read { try $0.catalog.app(bundleID) })
    }

    /// An app of another team, with one purchase of the American tester.
    func otherTeamsSale() async throws -> TransactionID {
        let account = try await account()
        return try await shop.store.database.write { repositories in
            let team = try repositories.catalog.save(
                TeamDraft(name: "Others", hasPaidAgreement: true))
            let app = try repositories.catalog.save(
                AppDraft(
                    teamID: team.id, bundleID: Self.othersBundleID, name: "Others",
                    binaryState: .readyForSale, generation: 1))
            let coin = "com.example.others.coin"
            try repositories.catalog.save(
                ProductDraft(
                    productID: ProductID(coin)!, type: .consumable, referenceName: "Coin",
                    isFamilyShareable: false, state: .approved, primaryLocale: "en_US",
                    texts: [:], prices: ["USA": 990], subscription: nil), in: app.id)
            return try repositories.ledger.insert(
                Self.sale(1, of: account, in: app, product: coin)
            ).id
        }
    }

    static let othersBundleID = BundleID("com.example.others")!

    /// A sale as the ledger gets it.
    static func sale(
        _ number: Int, of account: Account, in app: App, product: String = SampleShop.credits,
        type: ProductType = .consumable, date: Date = Date(timeIntervalSince1970: 1_800_000_000)
    ) -> LedgerDraft {
        LedgerDraft(
            kind: .purchase, environment: account.environment, account: account.id, app: app.id,
            bundleID: app.bundleID, productID: ProductID(product)!, productType: type,
            key: "server-sale-\(100_000 + number)", device: "device", quantity: 1,
            unitPrice: APIClient.dollars(990), charged: APIClient.dollars(990),
            storefront: account.storefront, original: nil, applicationUsername: nil, date: date)
    }

    /// Writes many sales at once, numbered from 1.
    func sell(
        _ count: Int, to email: String = TestStore.american, from first: Int = 1
    ) async throws -> [TransactionID] {
        let (account, app) = (try await account(email), try await app())
        return try await shop.store.database.write { repositories in
            try (first..<first + count).map { number in
                try repositories.ledger.insert(
                    Self.sale(
                        number, of: account, in: app,
                        date: clock.now().addingTimeInterval(TimeInterval(number)))
                ).id
            }
        }
    }

    /// Makes the tester one of the shop's team, whose history can be cleared.
    func enroll(_ email: String = TestStore.american) async throws {
        let (account, app) = (try await account(email), try await app())
        try await shop.store.database.write { repositories in
            try repositories.testers.insert(
                TesterProfile(team: app.teamID, firstName: "", lastName: "", secret: nil),
                of: account.id, at: clock.now())
        }
    }
}
