import Foundation
import StoreDatabase

/// How often a password was wrong, and until when none is looked at.
package struct SignInRecord: Sendable, Hashable {
    package var failures: Int
    package var last: Date
    package var end: Date?
}

extension SignInRecord: Record {
    package static let table: StaticString = "sign_in_failure"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        failures = try column("failures", \.failures)
        last = try column("last", \.last)
        end = try column("ends", \.end)
    }
}

/// How sign-in is slowed down: after some failures each further one makes everybody wait, for
/// a time that doubles.
package struct SignInRules: Sendable, Hashable {
    /// Failures that cost nothing.
    package let freeFailures: Int

    /// Of one account.
    package static let account = SignInRules(freeFailures: 5)
    /// From one address, behind which there may be many people.
    package static let address = SignInRules(freeFailures: 30)
    /// The longest wait, seconds.
    package static let longestDelay: TimeInterval = 15 * 60
    /// Failures are forgotten when none was added for so long, seconds.
    package static let memory: TimeInterval = 24 * 3600

    /// How long nothing is looked at after so many failures, seconds: 1, 2, 4, 8, then 15
    /// minutes; nil while they cost nothing.
    package func delay(after failures: Int) -> TimeInterval? {
        guard failures >= freeFailures else { return nil }
        let doublings = min(10, failures - freeFailures)
        return min(Self.longestDelay, 60 * TimeInterval(1 << doublings))
    }

    /// Until when nothing is looked at; nil where it may be tried, also where the clock was ahead when
    /// the end was set.
    package func end(of record: SignInRecord?, at now: Date) -> Date? {
        guard let end = record?.end, now < end,
            end <= now.addingTimeInterval(Self.longestDelay)
        else { return nil }
        return end
    }

    /// The record with one more failure.
    package func adding(to record: SignInRecord?, at now: Date) -> SignInRecord {
        let isRemembered = record.map { abs(now.timeIntervalSince($0.last)) < Self.memory } ?? false
        let failures = (isRemembered ? record?.failures ?? 0 : 0) + 1
        return SignInRecord(
            failures: failures, last: now,
            end: delay(after: failures).map { now.addingTimeInterval($0) })
    }

    /// The record with one failure less: the try that it was counted for was right.
    package func removing(from record: SignInRecord?) -> SignInRecord? {
        guard var record, record.failures > 1 else { return nil }
        record.failures -= 1
        record.end = nil
        return record
    }
}
