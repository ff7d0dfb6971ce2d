import Foundation
@testable import StoreCore
import Testing

@Suite struct DeliveryRulesTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func attempt(_ result: SendResult, isReplay: Bool = false) -> SendAttempt {
        SendAttempt(
            date: now, url: "https://example.com/", outcome: SendOutcome(result),
            duration: .zero, isReplay: isReplay)
    }

    private func after(
        _ result: SendResult, _ status: NotificationStatus, isReplay: Bool = false
    ) -> NotificationStatus {
        DeliveryRules.status(
            of: status, after: attempt(result, isReplay: isReplay), in: .production, at: now)
    }

    @Test(arguments: SendResult.allCases.filter { $0 != .success })
    func `every failure is tried again`(result: SendResult) {
        #expect(
            after(result, NotificationStatus(due: now))
                == NotificationStatus(attempts: 1, due: now.addingTimeInterval(3600)))
    }

    @Test func `five retries are all`() {
        var status = NotificationStatus(due: now)
        for _ in 0..<6 { status = after(.timedOut, status) }
        #expect(status == NotificationStatus(state: .failed, attempts: 6, due: nil))
    }

    @Test func `a replay that fails leaves everything as it was`() {
        for status in [
            NotificationStatus(attempts: 2, due: now.addingTimeInterval(50)),
            NotificationStatus(state: .delivered, attempts: 1, due: nil),
            NotificationStatus(state: .failed, attempts: 6, due: nil),
        ] {
            let asked = DeliveryRules.replayed(status, at: now)
            #expect(asked.due == now && asked.isReplay)
            // Asked for twice, it is sent once.
            #expect(DeliveryRules.replayed(asked, at: now.addingTimeInterval(1)) == asked)
            #expect(after(.timedOut, asked, isReplay: true) == status)
            #expect(
                after(.success, asked, isReplay: true)
                    == NotificationStatus(
                        state: .delivered, attempts: status.attempts, due: nil))
        }
    }

    @Test func `a replay that was asked for during an attempt is not lost`() {
        let lease = now.addingTimeInterval(60)
        let asked = DeliveryRules.replayed(NotificationStatus(due: lease), at: now)
        let failed = after(.timedOut, asked)
        #expect(failed.isReplay && failed.due == now && failed.attempts == 1)
        #expect(failed.dueWithoutReplay == now.addingTimeInterval(3600))
        let arrived = after(.success, asked)
        #expect(arrived.isReplay && arrived.due == now && arrived.state == .delivered)
        #expect(arrived.dueWithoutReplay == nil)
    }

    @Test func `who comes too late undoes no success`() {
        let delivered = NotificationStatus(state: .delivered, attempts: 1, due: nil)
        #expect(
            after(.timedOut, delivered)
                == NotificationStatus(state: .delivered, attempts: 2, due: nil))
        #expect(after(.timedOut, delivered, isReplay: true) == delivered)
    }

    @Test func `success is 200 to 206`() {
        let statuses = (0..<1000).filter(DeliveryRules.isSuccess)
        #expect(statuses == Array(200...206))
    }
}
