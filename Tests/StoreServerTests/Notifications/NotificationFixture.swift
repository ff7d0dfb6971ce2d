@testable import StoreAPI
import Foundation
@testable import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

/// A store with the sample shop, whose publisher has a server.
final class NotificationFixture: Sendable {
    let shop: TestStore
    let clock = SettableClock()
    let app: App
    let delivery: NotificationDelivery

    init() async throws {
        shop = try await TestStore(
            hasContent: false, isApproved: true, clock: clock, notificationTargets: .anywhere)
        app = try await shop.store.database.read { try $0.sampleApp() }
        delivery = NotificationDelivery(store: shop.store, connection: Self.connection())
    }

    /// A connection that may reach this machine, and waits for answers as long as it takes.
    static func connection(authorities: URL? = nil) -> WebhookClient {
        WebhookClient(targets: .anywhere, authorities: authorities, timeout: .seconds(3600))
    }

    var notifications: NotificationService { shop.store.services.notifications }

    func lane(_ environment: StoreEnvironment = .sandbox) -> AppScope {
        AppScope(app: app.id, environment: environment)
    }

    /// Has notifications of both environments sent to a server.
    func send(to url: String?) async throws {
        var change = AppChange()
        change.statusURL = .some(url)
        change.sandboxStatusURL = .some(url)
        _ = try await shop.store.services.apps.update(app.id, change, by: .machine)
    }

    /// Writes a test notification down, however many there are.
    @discardableResult
    func test(_ environment: StoreEnvironment = .sandbox) async throws -> StoreNotification {
        let (lane, date) = (lane(environment), clock.now())
        return try await shop.store.database.write {
            try $0.notifications.append(
                NotificationDraft(app: lane.app, environment: environment, type: .test),
                at: date)
        }
    }

    /// Sells something to the American customer or tester, at their time.
    func buy(
        _ product: String, in environment: StoreEnvironment = .sandbox, key: Int = 1
    ) async throws -> LedgerEntry {
        let services = shop.store.services
        let buyer = try await services.accounts.account(
            email: TestStore.american, environment: environment)
        let catalog = try await shop.store.sampleCatalog()
        let sold = try #require(catalog.products[ProductID(product)!])
        let price = try #require(sold.price(in: buyer.storefront, at: clock.now()))
        let outcome = try await shop.store.database.atTime(of: buyer, in: app.id) {
            try await services.purchases.buy(
                PurchaseOrder(
                    key: PurchaseKey("purchase-key-\(1000 + key)")!, productID: product,
                    quantity: 1,
                    confirmedPrice: price,
                    applicationUsername: "7c5dbbee-8a41-4a4c-8f1a-62b1f33e8f11", device: "device"),
                by: buyer,
                profile: ProfileClaim(
                    bundleID: SampleShop.bundleID,
                    applicationIdentifier: ApplicationIdentifier(SampleShop.bundleID),
                    environment: environment, allowsInAppPurchase: true,
                    generation: catalog.app.generation), catalog: catalog)
        }
        guard case .success(.sold(let sale)) = outcome else { throw Unexpected(what: "\(outcome)") }
        return sale.entry
    }

    func status(of notification: StoreNotification) async throws -> NotificationStatus {
        let found = try await shop.store.database.read {
            try $0.notifications.notification(notification.id)
        }
        return try #require(found).status
    }

    func attempts(of notification: StoreNotification) async throws -> [SendAttempt] {
        try await shop.store.database.read { try $0.notifications.attempts(of: notification.id) }
    }

    /// What a signed payload says, once its signature has led to the store's root.
    func payload(_ jws: String) throws -> NotificationPayload {
        try decode(NotificationPayload.self, jws)
    }

    func decode<Payload: Decodable>(_ type: Payload.Type, _ jws: String) throws -> Payload {
        let data = try shop.store.services.verifier.verify(jws) { payload in
            Date(milliseconds: try WireCoding.decode(SignedDate.self, from: payload).signedDate)
        }
        return try WireCoding.decode(type, from: data)
    }
}

/// What all signed statements have.
private struct SignedDate: Decodable {
    var signedDate: Int64
}
