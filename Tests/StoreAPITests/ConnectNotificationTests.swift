import Foundation
@testable import StoreCore
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// Notifications in our own part of Connect's API.
struct ConnectNotificationTests {
    private let clock = SettableClock()
    private let shop: TestStore
    private let app: App
    private let developer: ConnectClient

    private static let path = "/openstore/v1/notifications"
    private static let replays = "/openstore/v1/notificationReplays"

    init() async throws {
        shop = try await TestStore(hasContent: false, clock: clock)
        app = try await shop.store.database.read { try $0.sampleApp() }
        developer = try await ConnectClient(shop, clock: clock, role: .developer, team: "Publisher")
        var change = AppChange()
        change.sandboxStatusURL = .some("https://publisher.example/n")
        _ = try await shop.store.services.apps.update(app.id, change, by: .machine)
    }

    private func test(_ environment: String = "SANDBOX") -> JSONValue {
        [
            "type": "notifications", "attributes": ["environment": .string(environment)],
            "relationships": [
                "app": ["data": ["type": "apps", "id": .string(String(app.id.number))]]
            ],
        ]
    }

    private func replay(_ id: String) -> JSONValue {
        [
            "type": "notificationReplays",
            "relationships": [
                "notification": ["data": ["type": "notifications", "id": .string(id)]]
            ],
        ]
    }

    private var list: String { "\(Self.path)?filter[app]=\(app.id.number)" }

    @Test func `a test is made, listed, shown with its attempts, and sent again`() async throws {
        let made = try await developer.call("POST", Self.path, test(), expecting: 201)
        let id = try #require(made.at("data.id"))
        #expect(made.at("data.attributes.notificationType") == "TEST")
        #expect(made.at("data.attributes.state") == "WAITING")
        let number = NotificationID(number: try #require(Int64(id)))
        try await shop.store.database.write { repositories in
            try repositories.notifications.append(
                SendAttempt(
                    date: clock.now(), url: "https://publisher.example/n",
                    outcome: SendOutcome(.timedOut, detail: "Timeout was reached."),
                    duration: .seconds(30), isReplay: false), of: number)
            try repositories.notifications.set(
                NotificationStatus(state: .failed, attempts: 1, due: nil), of: number)
        }
        for query in ["", "&filter[failed]=true", "&filter[notificationType]=TEST"] {
            let found = try await developer.call(
                "GET", "\(list)&filter[environment]=SANDBOX\(query)", expecting: 200)
            #expect(found.ids == [id])
            // What it says is told of one only.
            #expect(found.value("data.0.attributes.payload") == nil)
            #expect(found.at("data.0.attributes.state") == "FAILED")
        }
        for query in ["", "&filter[environment]=SANDBOX&filter[notificationType]=REFUND"] {
            #expect(
                try await developer.call("GET", "\(list)\(query)", expecting: 200).ids.isEmpty)
        }
        let shown = try await developer.call("GET", "\(Self.path)/\(id)", expecting: 200)
        let payload = try #require(shown.at("data.attributes.payload"))
        #expect(payload.contains("\"notificationType\" : \"TEST\""))
        let attempts = try await developer.call(
            "GET", "\(Self.path)/\(id)/attempts", expecting: 200)
        #expect(attempts.at("data.0.attributes.result") == "TIMED_OUT")
        #expect(attempts.at("data.0.attributes.detail") == "Timeout was reached.")
        #expect(attempts.value("data.0.attributes.milliseconds") == 30_000)
        #expect(attempts.value("data.0.attributes.replay") == false)
        let itsApp = try await developer.call("GET", "\(Self.path)/\(id)/app", expecting: 200)
        #expect(itsApp.at("data.attributes.bundleId") == SampleShop.bundleID.text)

        let asked = try await developer.call("POST", Self.replays, replay(id), expecting: 201)
        #expect(
            asked.at("data.attributes.notificationUUID")
                == shown.at("data.attributes.notificationUUID"))
        let after = try await developer.call("GET", "\(Self.path)/\(id)", expecting: 200)
        #expect(after.at("data.attributes.nextAttemptDate") != nil)
    }

    @Test func `what can't be asked is refused`() async throws {
        try await developer.refused(
            "notificationURLMissing", 409, "POST", Self.path, test("PRODUCTION"))
        _ = try await developer.call("POST", Self.path, test("MOON"), expecting: 409)
        try await developer.refused("notFound", 404, "POST", Self.replays, replay("999"))
        try await developer.refused("notFound", 404, "GET", "\(Self.path)/999")
        try await developer.refused("notFound", 404, "GET", "\(Self.path)/x")
        _ = try await developer.call("GET", Self.path, expecting: 400)
        _ = try await developer.call("GET", "\(Self.path)?filter[app]=x", expecting: 404)
        _ = try await developer.call(
            "GET", "\(list)&filter[environment]=SANDBOX,PRODUCTION", expecting: 400)
        _ = try await developer.call("GET", "\(list)&cursor=x", expecting: 400)
    }

    @Test func `others have no part in it`() async throws {
        let id = try #require(
            try await developer.call("POST", Self.path, test(), expecting: 201).at("data.id"))
        let stranger = try await ConnectClient(shop, clock: clock, role: .admin, team: "Stranger")
        try await stranger.refused("notFound", 404, "GET", "\(Self.path)/\(id)")
        try await stranger.refused("notFound", 404, "GET", "\(Self.path)/\(id)/attempts")
        try await stranger.refused("notFound", 404, "GET", list)
        try await stranger.refused("notFound", 404, "POST", Self.replays, replay(id))
        try await stranger.refused("notFound", 404, "POST", Self.path, test())
        let helper = try await ConnectClient(
            shop, clock: clock, role: .customerSupport, team: "Publisher")
        _ = try await helper.call("GET", "\(Self.path)/\(id)", expecting: 200)
        _ = try await helper.call("POST", Self.replays, replay(id), expecting: 403)
        _ = try await helper.call("POST", Self.path, test(), expecting: 403)
    }
}
