import Foundation
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

/// A store with the sample shop, whose publisher has a server.
final class NotificationStage: Sendable {
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

    func lane(_ environment: StoreEnvironment = .sandbox) -> NotificationLane {
        NotificationLane(app: app.id, environment: environment)
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

    func standing(of notification: StoreNotification) async throws -> DeliveryStanding {
        let found = try await shop.store.database.read {
            try $0.notifications.notification(notification.id)
        }
        return try #require(found).standing
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
