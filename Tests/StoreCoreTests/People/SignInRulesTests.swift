import Foundation
import Testing

@testable import StoreCore

@Suite struct SignInRulesTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(
        arguments: [
            (1, nil), (4, nil), (5, 60), (6, 120), (7, 240), (8, 480), (9, 900), (10, 900),
            (1_000_000, 900),
        ] as [(Int, TimeInterval?)])
    func `from the fifth failure on each one costs twice the time, up to a quarter of an hour`(
        failures: Int, delay: TimeInterval?
    ) {
        #expect(SignInRules.account.delay(after: failures) == delay)
    }

    @Test func `an address may fail thirty times`() {
        #expect(SignInRules.address.delay(after: 29) == nil)
        #expect(SignInRules.address.delay(after: 30) == 60)
    }

    @Test func `nothing is looked at until the delay is over`() {
        var record: SignInRecord?
        for _ in 1...5 { record = SignInRules.account.adding(to: record, at: Self.start) }
        let end = Self.start.addingTimeInterval(60)
        #expect(record == SignInRecord(failures: 5, last: Self.start, end: end))
        #expect(SignInRules.account.end(of: record, at: end.addingTimeInterval(-0.001)) == end)
        #expect(SignInRules.account.end(of: record, at: end) == nil)
    }

    @Test func `what a clock that was ahead has written delays nobody`() {
        let now = Date(timeIntervalSince1970: 0)
        let later = now.addingTimeInterval(400 * 86_400)
        let record = SignInRecord(failures: 9, last: later, end: later)
        #expect(SignInRules.account.end(of: record, at: now) == nil)
        #expect(SignInRules.account.adding(to: record, at: now).failures == 1)
    }

    @Test func `failures are forgotten after a day without one`() {
        let record = SignInRecord(failures: 9, last: Self.start, end: nil)
        let late = Self.start.addingTimeInterval(SignInRules.memory)
        let kept = SignInRules.account.adding(to: record, at: late.addingTimeInterval(-1))
        #expect(kept.failures == 10)
        #expect(SignInRules.account.adding(to: record, at: late).failures == 1)
    }

    @Test func `a right password takes its own count back only`() {
        let record = SignInRecord(failures: 7, last: Self.start, end: Self.start)
        #expect(
            SignInRules.address.removing(from: record)
                == SignInRecord(failures: 6, last: Self.start, end: nil))
        let one = SignInRecord(failures: 1, last: Self.start, end: nil)
        #expect(SignInRules.address.removing(from: one) == nil)
    }
}
