import StoreCore
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreAPI

/// Accounts that are nudged while a request of theirs has looked and does not wait yet.
struct EventHubTests {
    /// Never looks for events by itself.
    private let hub: EventHub
    private let morning: AsyncStream<Void>.Continuation
    private let subscriber = EventHub.Subscriber(
        account: AccountID(number: 1), app: AppID(number: 1), environment: .sandbox,
        device: "device")
    private let other = AccountID(number: 2)

    init() async throws {
        let shop = try await TestStore(hasContent: false)
        let (night, morning) = AsyncStream.makeStream(of: Void.self)
        self.morning = morning
        hub = EventHub(database: shop.store.database, clock: shop.store.clock) { _ in
            for await _ in night {}
        }
    }

    private func wait(since nudges: Int) async -> EventHub.End {
        await hub.wait(
            subscriber, after: DeviceEventID(number: 0), nudges: nudges, until: .distantFuture)
    }

    /// Expects that a request waits, until its account is nudged.
    private func expectWait(since nudges: Int) async throws {
        async let end = wait(since: nudges)
        defer {
            hub.stop()
            morning.finish()
        }
        try await until { hub.waiting == 1 }
        hub.nudge(subscriber.account)
        #expect(await end == .look)
    }

    @Test func `who was nudged in between looks again at once`() async {
        let nudges = hub.nudges
        hub.nudge(other)
        hub.nudge(subscriber.account)
        #expect(await wait(since: nudges) == .look)
        #expect(hub.waiting == 0)
    }

    @Test func `who was nudged before, and others' nudges, keep nobody from waiting`() async throws
    {
        hub.nudge(subscriber.account)
        let nudges = hub.nudges
        hub.nudge(other)
        hub.nudge(subscriber.account, except: subscriber.device)
        try await expectWait(since: nudges)
    }

    @Test func `after very many nudges each is still known for whom it was`() async throws {
        for _ in 0..<5000 { hub.nudge(other) }
        let before = hub.nudges
        hub.nudge(subscriber.account)
        #expect(await wait(since: before) == .look)
        let after = hub.nudges
        hub.nudge(other)
        try await expectWait(since: after)
    }

    @Test func `who looks while very many are nudged looks again`() async {
        let nudges = hub.nudges
        for _ in 0..<5000 { hub.nudge(other) }
        #expect(await wait(since: nudges) == .look)
    }
}
