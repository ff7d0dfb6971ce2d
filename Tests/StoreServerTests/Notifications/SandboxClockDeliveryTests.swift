@testable import StoreAPI
import Foundation
@testable import StoreCore
import StoreHTTP
import StoreModel
import StoreServer
import StoreTestSupport
import Synchronization
import Testing

/// What a publisher's server hears while a sandbox clock is advanced.
struct SandboxClockDeliveryTests {
    /// The status that the server answers with.
    private let status = Shared(200)

    private final class Shared: Sendable {
        private let mutex: Mutex<Int>
        init(_ value: Int) { mutex = Mutex(value) }
        var value: Int {
            get { mutex.withLock { $0 } }
            set { mutex.withLock { $0 = newValue } }
        }
    }

    @Test func `an advance answers when the server was told, and says what has not arrived`()
        async throws
    {
        let publisher = try PublisherServer { [status] _, _ in HTTPResponse(status: status.value) }
        let fixture = try await NotificationFixture()
        try await fixture.send(to: publisher.url)
        let services = fixture.shop.store.services
        let tester = try await services.accounts.account(
            email: TestStore.american, environment: .sandbox)
        let (team, now) = (fixture.app.teamID, fixture.clock.now())
        try await fixture.shop.store.database.write {
            try $0.testers.insert(
                TesterProfile(team: team, firstName: "", lastName: "", secret: nil),
                of: tester.id, at: now)
        }
        let developer = ConnectActor(kind: .machine, team: team, roles: [.developer])
        let start = now.addingTimeInterval(86_400)
        let clock = try await services.sandboxClocks.create(
            SandboxClockDraft(name: "Autumn", date: start, followers: [.tester(tester.id)]),
            by: developer
        ).clock
        let signal = fixture.shop.store.notificationSignal
        let sending = Task { [delivery = fixture.delivery] in await delivery.run(signal: signal) }
        _ = try await fixture.buy(SampleShop.monthly)
        let shown = try await services.sandboxClocks.advance(
            clock.id, to: start.addingTimeInterval(900), by: developer)
        #expect(shown.undelivered.isEmpty)
        // The purchase was told of before the advance, which does not wait for that.
        await publisher.waitForRequests(4)
        let told = try publisher.payloads().map { try fixture.payload($0) }
        #expect(
            told.map(\.notificationType).sorted() == [
                "DID_RENEW", "DID_RENEW", "DID_RENEW", "SUBSCRIBED",
            ])
        #expect(
            told.map(\.signedDate).sorted()
                == [0, 300, 600, 900].map { Int64(start.timeIntervalSince1970 + $0) * 1000 })

        // A server finds them by their dates, although these lie in the future.
        let history = try await services.notifications.history(
            NotificationHistoryRequest(start: start, end: start.addingTimeInterval(901)),
            after: nil, of: fixture.lane()
        ).get()
        #expect(history.notifications.count == 4)

        status.value = 500
        let late = try await services.sandboxClocks.advance(
            clock.id, to: start.addingTimeInterval(1200), by: developer)
        #expect(late.undelivered.map(\.details.type) == [.didRenew])
        #expect(late.undelivered.first?.status.attempts == 1)
        sending.cancel()
        await sending.value
    }
}
