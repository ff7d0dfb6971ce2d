import Foundation
import Synchronization

/// What fails again and again while a database or a disk is away, so that the log says it when it
/// begins, once a minute, and when it is over.
final class FailureLogThrottle: Sendable {
    /// Seconds in which the same is not told twice.
    private static let pause: TimeInterval = 60

    private struct Failure {
        let reason: String
        let told: Date
    }

    private let failures = Mutex<[String: Failure]>([:])

    /// Whether the log should say that something has failed.
    func isWorthTelling(_ what: String, _ reason: String, at now: Date) -> Bool {
        failures.withLock { failures in
            if let known = failures[what], known.reason == reason,
                (0..<Self.pause).contains(now.timeIntervalSince(known.told))
            {
                return false
            }
            failures[what] = Failure(reason: reason, told: now)
            return true
        }
    }

    /// Something has worked.
    ///
    /// - Returns: whether it failed the last time.
    func end(of what: String) -> Bool {
        failures.withLock { $0.removeValue(forKey: what) != nil }
    }
}
