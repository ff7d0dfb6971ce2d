import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

struct EventRouteTests {
    private static func events(
        _ client: APIClient, after: Int64? = nil, wait: Int = 0
    ) async throws -> EventsAnswer {
        let response = try await client.events(
            after.map { [("after", "\($0)"), ("wait", "\(wait)")] } ?? [])
        #expect(response.status == 200)
        #expect(response.headers["Cache-Control"] == "no-store")
        return try WireCoding.decode(EventsAnswer.self, from: response.data)
    }

    @Test func `without a cursor it says where the events stand`() async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await APIClient.signedIn(shop)
        #expect(try await Self.events(client) == EventsAnswer(cursor: 0, events: [], consents: []))
        try await shop.tell(.transactions)
        try await shop.tell(.revocation(ProductID(SampleShop.badge)!))
        #expect(try await Self.events(client).cursor == 2)
        let answer = try await Self.events(client, after: 0)
        #expect(
            answer.events == [
                WireEvent(id: 1, kind: .transactions, productId: nil),
                WireEvent(id: 2, kind: .revocation, productId: SampleShop.badge),
            ])
        #expect(answer.cursor == 2)
        #expect(try await Self.events(client, after: 2).events.isEmpty)
    }

    @Test func `an account hears its own events only, in its own environment`() async throws {
        let shop = try await TestStore(hasContent: false)
        try await shop.tell(.transactions)
        for (email, environment) in [
            (TestStore.japanese, StoreEnvironment.sandbox), (TestStore.american, .production),
        ] {
            let other = try await APIClient.signedIn(shop, environment: environment, as: email)
            #expect(try await Self.events(other, after: 0).events.isEmpty)
        }
    }

    @Test func `a request that waits is answered when something happens`() async throws {
        // On a clock that stands still nobody has waited long enough: who waits is sent away at
        // the end, whatever has happened.
        let shop = try await TestStore(hasContent: false, clock: SettableClock())
        let client = try await APIClient.signedIn(shop)
        async let answer = Self.events(client, after: 0, wait: 45)
        defer { shop.store.services.events.stop() }
        try await until { shop.store.services.events.waiting > 0 }
        // Another account's event lets it wait on.
        try await shop.tell(.transactions, email: TestStore.japanese)
        try await shop.tell(.storePayment(ProductID(SampleShop.badge)!))
        #expect(
            try await answer.events == [
                WireEvent(id: 2, kind: .storePayment, productId: SampleShop.badge)
            ])
        #expect(shop.store.services.events.waiting == 0)
    }

    @Test func `a purchase on another device ends the wait of who knows the history of before`()
        async throws
    {
        // On a clock that stands still nobody has waited long enough.
        let shop = try await TestStore(hasContent: false, clock: SettableClock())
        let waiting = try await APIClient.signedIn(shop)
        var buying = waiting
        buying.device = "device-2"
        #expect(try await Self.events(waiting).history == nil)
        async let response = waiting.events([("after", "0"), ("wait", "45"), ("history", "0")])
        defer { shop.store.services.events.stop() }
        try await until { shop.store.services.events.waiting > 0 }
        _ = try await buying.buy(APIClient.credits(1))
        let news = try WireCoding.decode(EventsAnswer.self, from: try await response.data)
        #expect(news.events.isEmpty && news.history == 1)
        // What happened between two requests is told at once, too.
        _ = try await buying.buy(APIClient.credits(2))
        let late = try await waiting.events([("after", "0"), ("wait", "45"), ("history", "1")])
        #expect(try WireCoding.decode(EventsAnswer.self, from: late.data).history == 2)
    }

    @Test func `a request that waits ends with its session`() async throws {
        // On a clock that stands still nobody has waited long enough: who waits is sent away at
        // the end, whatever has happened.
        let shop = try await TestStore(hasContent: false, clock: SettableClock())
        let client = try await APIClient.signedIn(shop)
        async let response = client.events([("after", "0"), ("wait", "45")])
        defer { shop.store.services.events.stop() }
        try await until { shop.store.services.events.waiting > 0 }
        #expect(try await client.send("DELETE", DeviceRoute.session).status == 204)
        #expect(try await response.status == 401)
    }

    @Test func `a request that waits ends with the store`() async throws {
        // On a clock that stands still nobody has waited long enough: who waits is sent away at
        // the end, whatever has happened.
        let shop = try await TestStore(hasContent: false, clock: SettableClock())
        let client = try await APIClient.signedIn(shop)
        async let answer = Self.events(client, after: 0, wait: 45)
        defer { shop.store.services.events.stop() }
        try await until { shop.store.services.events.waiting > 0 }
        shop.store.services.events.stop()
        #expect(try await answer == EventsAnswer(cursor: 0, events: [], consents: []))
        // Nobody waits any more.
        #expect(try await Self.events(client, after: 0, wait: 45).events.isEmpty)
    }

    @Test func `whoever knows an event of another backup looks at everything, and hears all`()
        async throws
    {
        let hour: TimeInterval = 3600
        // The wrong backup takes the place first, and has an event; then the right one does.
        let wrong = try await TestStore(hasContent: false)
        let now = wrong.store.clock.now()
        try wrong.moveNumbersOn(now: now.addingTimeInterval(hour))
        try await wrong.tell(.transactions)
        let known = try await Self.events(try await APIClient.signedIn(wrong)).cursor
        let shop = try await TestStore(hasContent: false)
        try await shop.tell(.revocation(ProductID(SampleShop.badge)!))
        try shop.moveNumbersOn(now: now.addingTimeInterval(24 * hour))
        let client = try await APIClient.signedIn(shop)
        let back = EventsAnswer(cursor: 0, events: [], consents: [])
        #expect(try await Self.events(client, after: known) == back)
        #expect(try await Self.events(client, after: back.cursor).events.map(\.id) == [1])
        try await shop.tell(.transactions)
        #expect(
            try await Self.events(client, after: known) == back, "also once there is a later event")
        #expect(try await Self.events(client, after: back.cursor).events.count == 2)
    }

    /// After a return to a backup a device may hear events again that it has acted on.
    @Test func `a payment begun in the store is told until the device has bought something for it`()
        async throws
    {
        let shop = try await TestStore(hasContent: false)
        let client = try await APIClient.signedIn(shop)
        try await shop.tell(.storePayment(ProductID(SampleShop.badge)!))
        let told = [WireEvent(id: 1, kind: .storePayment, productId: SampleShop.badge)]
        #expect(try await Self.events(client, after: 0).events == told)
        var order = APIClient.badge(1)
        order.purchaseKey = PurchaseKey(
            storePayment: 1, deviceDigest: SHA256Digest.hex(Data((client.device ?? "").utf8)))
        _ = try await client.buy(order)
        let news = try await Self.events(client, after: 0)
        #expect(!news.events.contains { $0.kind == .storePayment } && news.cursor >= 1)
        // Another device may take it up, too.
        var other = client
        other.device = "device-2"
        #expect(try await Self.events(other, after: 0).events.first == told[0])
    }

    @Test(
        arguments: [
            ("after", "-1"), ("after", "x"), ("after", "99999999999999999999"), ("after", ""),
            ("wait", "46"), ("wait", "-1"), ("wait", "1.5"),
        ] as [(String, String)])
    func `numbers that are none are refused by name`(name: String, value: String) async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await APIClient.signedIn(shop)
        let response = try await client.events([(name, value)])
        #expect(response.status == 400)
        #expect(try response.failure().message.hasPrefix(name))
    }
}

extension APIClient {
    func events(_ query: [(name: String, value: String)]) async throws -> HTTPResponse {
        try await send("GET", DeviceRoute.events, query: query)
    }
}

extension TestStore {
    /// What a restore and a failover do.
    fileprivate func moveNumbersOn(now: Date) throws {
        try StorePaths(directory: folder.file("store"), database: nil, objects: nil)
            .moveNumbersOn(now: now)
    }

    /// Lets something happen to a tester's account in the sample shop's app.
    fileprivate func tell(
        _ kind: DeviceEventDraft.Kind, email: String = TestStore.american
    ) async throws {
        let account = try await store.services.accounts.account(email: email, environment: .sandbox)
        let now = store.clock.now()
        try await store.database.write { repositories in
            let app = try repositories.sampleApp()
            try repositories.events.append(
                DeviceEventDraft(account: account.id, app: app.id, kind: kind), at: now)
        }
    }
}
