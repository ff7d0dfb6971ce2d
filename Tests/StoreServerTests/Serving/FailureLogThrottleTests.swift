import Foundation
import Testing

@testable import StoreServer

@Suite
struct FailureLogThrottleTests {
    private let failures = FailureLogThrottle()
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    @Test("what fails each second is told once a minute, and when it is over")
    func aMinute() {
        let told = (0..<150).filter { second in
            failures.isWorthTelling(
                "renewing", "no answer", at: start.addingTimeInterval(TimeInterval(second)))
        }
        #expect(told == [0, 60, 120])
        #expect(failures.end(of: "renewing"))
        #expect(!failures.end(of: "renewing"))
        #expect(failures.isWorthTelling("renewing", "no answer", at: start))
    }

    @Test("another reason, and another job, are told at once")
    func others() {
        #expect(failures.isWorthTelling("renewing", "no answer", at: start))
        #expect(failures.isWorthTelling("renewing", "the disk is full", at: start))
        #expect(failures.isWorthTelling("deciding", "no answer", at: start))
        #expect(!failures.isWorthTelling("deciding", "no answer", at: start))
    }

    @Test("a clock that was set back silences nobody")
    func clockBack() {
        #expect(failures.isWorthTelling("renewing", "no answer", at: start))
        #expect(failures.isWorthTelling("renewing", "no answer", at: start - 3600))
    }
}
