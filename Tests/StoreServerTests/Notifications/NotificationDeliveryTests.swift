@testable import StoreAPI
import Foundation
@testable import StoreCore
import StoreHTTP
import StoreModel
import StoreServer
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

struct NotificationDeliveryTests {
    @Test func `a notification is posted as a JSON object with its signed form`() async throws {
        let publisher = try PublisherServer()
        let fixture = try await NotificationFixture()
        try await fixture.send(to: publisher.url + "?shop=1")
        let notification = try await fixture.test()
        await fixture.delivery.sendDue()

        let request = try #require(publisher.requests.first)
        try #require(publisher.requests.count == 1)
        #expect(request.method == "POST" && request.path == "/notifications")
        #expect(request.query.map(\.name) == ["shop"])
        #expect(request.headers["Content-Type"] == "application/json")
        let payload = try fixture.payload(try #require(try publisher.payloads().first))
        #expect(payload.notificationUUID == notification.uuid)
        #expect(payload.notificationType == "TEST")
        #expect(payload.version == "2.0")
        #expect(
            try await fixture.status(of: notification)
                == NotificationStatus(
                    state: .delivered, attempts: 1, due: nil))
        let attempts = try await fixture.attempts(of: notification)
        #expect(attempts.map(\.outcome) == [SendOutcome(.success, status: 200)])
        #expect(attempts.map(\.url) == [publisher.url + "?shop=1"])
        #expect(attempts.map(\.date) == [fixture.clock.now()])
        #expect(attempts.map(\.isReplay) == [false])
        // What has arrived is not sent again.
        fixture.clock.advance(by: 10 * 86_400)
        await fixture.delivery.sendDue()
        #expect(publisher.requests.count == 1)
    }

    @Test(arguments: [201, 204, 206])
    func `success is any status from 200 to 206`(status: Int) async throws {
        let publisher = try PublisherServer { _, _ in HTTPResponse(status: status) }
        let fixture = try await NotificationFixture()
        try await fixture.send(to: publisher.url)
        let notification = try await fixture.test()
        await fixture.delivery.sendDue()
        #expect(try await fixture.status(of: notification).state == .delivered)
    }

    @Test func `production tries again after 1, 12, 24, 48 and 72 hours`() async throws {
        let publisher = try PublisherServer { _, _ in HTTPResponse(status: 500) }
        let fixture = try await NotificationFixture()
        try await fixture.send(to: publisher.url)
        let notification = try await fixture.test(.production)
        await fixture.delivery.sendDue()
        let hours: [Double] = [1, 12, 24, 48, 72]
        for (number, hours) in hours.enumerated() {
            let sent: Int = number + 1
            let wait: TimeInterval = hours * 3600
            #expect(publisher.requests.count == sent)
            let status = try await fixture.status(of: notification)
            #expect(status.state == .waiting)
            #expect(status.attempts == sent)
            #expect(status.due == fixture.clock.now().addingTimeInterval(wait))
            fixture.clock.advance(by: wait - 1)
            await fixture.delivery.sendDue()
            #expect(publisher.requests.count == sent)
            fixture.clock.advance(by: 1)
            await fixture.delivery.sendDue()
        }
        #expect(publisher.requests.count == 6)
        #expect(
            try await fixture.status(of: notification)
                == NotificationStatus(
                    state: .failed, attempts: 6, due: nil))
        fixture.clock.advance(by: 365 * 86_400)
        await fixture.delivery.sendDue()
        #expect(publisher.requests.count == 6)
        // Each attempt says the same, signed anew.
        let payloads = try publisher.payloads().map(fixture.payload)
        #expect(Set(payloads.map(\.notificationUUID)) == [notification.uuid])
        #expect(Set(payloads.map(\.signedDate)).count == 6)
        let attempts = try await fixture.attempts(of: notification)
        #expect(attempts.count == 6)
        #expect(Set(attempts.map(\.outcome)) == [SendOutcome(.unsuccessfulStatus, status: 500)])
    }

    @Test func `the sandbox tries once`() async throws {
        let publisher = try PublisherServer { _, _ in HTTPResponse(status: 404) }
        let fixture = try await NotificationFixture()
        try await fixture.send(to: publisher.url)
        let notification = try await fixture.test(.sandbox)
        await fixture.delivery.sendDue()
        #expect(
            try await fixture.status(of: notification)
                == NotificationStatus(
                    state: .failed, attempts: 1, due: nil))
        fixture.clock.advance(by: 30 * 86_400)
        await fixture.delivery.sendDue()
        #expect(publisher.requests.count == 1)
    }

    @Test func `a server that recovers gets what it missed, and nothing twice`() async throws {
        let publisher = try PublisherServer { number, _ in
            HTTPResponse(status: number == 1 ? 503 : 200)
        }
        let fixture = try await NotificationFixture()
        try await fixture.send(to: publisher.url)
        let notification = try await fixture.test(.production)
        await fixture.delivery.sendDue()
        fixture.clock.advance(by: 3600)
        await fixture.delivery.sendDue()
        fixture.clock.advance(by: 30 * 86_400)
        await fixture.delivery.sendDue()
        #expect(publisher.requests.count == 2)
        #expect(
            try await fixture.status(of: notification)
                == NotificationStatus(
                    state: .delivered, attempts: 2, due: nil))
    }

    @Test func `what is asked for once more is sent at once, and changes no clock`() async throws {
        let publisher = try PublisherServer { number, _ in
            HTTPResponse(status: number == 3 ? 200 : 500)
        }
        let fixture = try await NotificationFixture()
        try await fixture.send(to: publisher.url)
        let notification = try await fixture.test(.production)
        await fixture.delivery.sendDue()
        let retry = fixture.clock.now().addingTimeInterval(3600)
        fixture.clock.advance(by: 60)

        try await fixture.notifications.resend(notification.id, by: .machine)
        await fixture.delivery.sendDue()
        #expect(publisher.requests.count == 2)
        #expect(
            try await fixture.status(of: notification)
                == NotificationStatus(
                    attempts: 1, due: retry))
        #expect(try await fixture.attempts(of: notification).map(\.isReplay) == [false, true])

        try await fixture.notifications.resend(notification.id, by: .machine)
        await fixture.delivery.sendDue()
        #expect(
            try await fixture.status(of: notification)
                == NotificationStatus(
                    state: .delivered, attempts: 1, due: nil))
        // Also what has arrived can be sent again.
        try await fixture.notifications.resend(notification.id, by: .machine)
        await fixture.delivery.sendDue()
        #expect(publisher.requests.count == 4)
        #expect(try await fixture.status(of: notification).state == .delivered)
        let payloads = try publisher.payloads().map(fixture.payload)
        #expect(Set(payloads.map(\.notificationUUID)) == [notification.uuid])
    }

    @Test func `what was sent and not written down is sent again`() async throws {
        let fixture = Mutex<NotificationFixture?>(nil)
        let publisher = try PublisherServer { number, _ in
            // As if the process were killed between the answer and the record of it.
            if number == 1 { fixture.withLock { $0 }?.shop.store.close() }
            return HTTPResponse(status: 200)
        }
        let first = try await NotificationFixture()
        fixture.withLock { $0 = first }
        try await first.send(to: publisher.url)
        let notification = try await first.test()
        await first.delivery.sendDue()
        #expect(publisher.requests.count == 1)

        let second = try Store(
            directory: first.shop.store.directory, clock: first.clock,
            vault: OpenSSLVault.forTests, log: .silent, notificationTargets: .anywhere)
        defer { second.close() }
        let delivery = NotificationDelivery(
            store: second, connection: NotificationFixture.connection())
        // The other process may still be at it.
        await delivery.sendDue()
        #expect(publisher.requests.count == 1)
        first.clock.advance(by: DeliveryRules.lease)
        await delivery.sendDue()
        #expect(publisher.requests.count == 2)
        let sent = try await second.database.read {
            try $0.notifications.notification(notification.id)
        }
        #expect(sent?.status == NotificationStatus(state: .delivered, attempts: 1, due: nil))
        let uuids = try publisher.payloads().map { try first.payload($0).notificationUUID }
        #expect(uuids == [notification.uuid, notification.uuid])
    }

    @Test func `of two processes one sends`() async throws {
        let publisher = try PublisherServer()
        let fixture = try await NotificationFixture()
        try await fixture.send(to: publisher.url)
        for _ in 0..<50 { try await fixture.test() }
        let other = try Store(
            directory: fixture.shop.store.directory, clock: fixture.clock,
            vault: OpenSSLVault.forTests, log: .silent, notificationTargets: .anywhere)
        defer { other.close() }
        let second = NotificationDelivery(
            store: other, connection: NotificationFixture.connection())
        async let one: Void = fixture.delivery.sendDue()
        async let two: Void = second.sendDue()
        _ = await (one, two)
        let uuids = try publisher.payloads().map { try fixture.payload($0).notificationUUID }
        #expect(uuids.count == 50 && Set(uuids).count == 50)
    }

    @Test func `a server that does not answer keeps nobody waiting but itself`() async throws {
        let gate = Gate()
        let slow = try PublisherServer { _, _ in
            await gate.wait()
            return HTTPResponse(status: 200)
        }
        let quick = try PublisherServer()
        let fixture = try await NotificationFixture()
        try await fixture.send(to: slow.url)
        var change = AppChange()
        change.sandboxStatusURL = .some(quick.url)
        _ = try await fixture.shop.store.services.apps.update(fixture.app.id, change, by: .machine)
        for _ in 0..<30 { try await fixture.test(.production) }
        let running = Task {
            await fixture.delivery.run(signal: fixture.shop.store.notificationSignal)
        }
        defer { running.cancel() }
        for _ in 0..<20 { try await fixture.test(.sandbox) }
        await quick.waitForRequests(20)
        // No more at once than one server gets.
        #expect(slow.requests.count <= NotificationDelivery.Limits().lane)
        gate.open()
        await slow.waitForRequests(30)
        running.cancel()
        await running.value
    }

    @Test func `what is written is sent without anybody looking`() async throws {
        let publisher = try PublisherServer()
        let fixture = try await NotificationFixture()
        try await fixture.send(to: publisher.url)
        // Sleeps for ever: only the signal wakes it.
        let delivery = NotificationDelivery(
            store: fixture.shop.store, connection: NotificationFixture.connection(),
            sleep: { _ in try await Task.sleep(for: .seconds(1_000_000)) })
        let running = Task { await delivery.run(signal: fixture.shop.store.notificationSignal) }
        defer { running.cancel() }
        for count in 1...3 {
            try await fixture.test()
            await publisher.waitForRequests(count)
        }
        running.cancel()
        await running.value
    }

    @Test func `what a stopping store has not heard of is given back`() async throws {
        let gate = Gate()
        let publisher = try PublisherServer { number, _ in
            if number == 1 { await gate.wait() }
            return HTTPResponse(status: 200)
        }
        let fixture = try await NotificationFixture()
        try await fixture.send(to: publisher.url)
        let notification = try await fixture.test()
        let running = Task {
            await fixture.delivery.run(signal: fixture.shop.store.notificationSignal)
        }
        await publisher.waitForRequests(1)
        running.cancel()
        await running.value
        gate.open()
        #expect(try await fixture.attempts(of: notification).isEmpty)
        #expect(
            try await fixture.status(of: notification)
                == NotificationStatus(
                    due: fixture.clock.now()))
        await fixture.delivery.sendDue()
        #expect(try await fixture.status(of: notification).state == .delivered)
    }

    @Test func `an app that wants nothing any longer is sent nothing`() async throws {
        let publisher = try PublisherServer()
        let fixture = try await NotificationFixture()
        try await fixture.send(to: publisher.url)
        let notification = try await fixture.test(.production)
        try await fixture.send(to: nil)
        await fixture.delivery.sendDue()
        #expect(publisher.requests.isEmpty)
        let attempts = try await fixture.attempts(of: notification)
        #expect(attempts.map(\.outcome.result) == [.other])
        #expect(attempts.map(\.url) == [""])
        // A new URL gets what the old one missed.
        try await fixture.send(to: publisher.url)
        fixture.clock.advance(by: 3600)
        await fixture.delivery.sendDue()
        #expect(try await fixture.status(of: notification).state == .delivered)
        try await fixture.send(to: nil)
        #expect(try await fixture.notifications.sendTest(to: fixture.lane()) == nil)
    }
}

/// Lets tasks wait until a test opens it.
final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>(
        (false, []))

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            defer { state = (true, []) }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
