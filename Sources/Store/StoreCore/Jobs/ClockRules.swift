import Foundation

/// Whether what a clock shows can be believed by a store that charges and deletes by itself.
///
/// A running store writes down each minute what it has believed. A clock that is far ahead of that
/// is wrong, or the store was not running: the longer the gap, the longer the clock has to run
/// evenly before the store goes by it.
package enum ClockRules {
    /// Seconds that a clock may be ahead: a store that was stopped for a night goes on at once.
    package static let allowance: TimeInterval = 86_400
    /// Seconds that clocks of two machines may be apart.
    package static let drift: TimeInterval = 300
    /// Seconds that a clock has to run evenly at least.
    private static let leastPatience: TimeInterval = 3600
    /// What part of a gap it has to.
    private static let patienceShare = 0.001

    package enum Verdict: Sendable, Hashable {
        case fits
        /// Of what was believed last.
        case ahead(of: Date)
        /// Nothing becomes due by it.
        case behind(Date)
        /// From the clock of the database's server.
        case apart(from: Date)

        /// Whether nothing is to be renewed, decided or deleted.
        package var isDoubtful: Bool {
            switch self {
            case .fits, .behind: false
            case .ahead, .apart: true
            }
        }
    }

    /// - Parameters:
    ///   - known: what was believed last, or when the last thing happened; `nil` for a new store.
    ///   - server: what the clock of the database's server shows; `nil` where there is none.
    package static func verdict(on now: Date, known: Date?, server: Date?) -> Verdict {
        if let server, abs(server.timeIntervalSince(now)) > drift { return .apart(from: server) }
        guard let known else { return .fits }
        let gap = now.timeIntervalSince(known)
        if gap > allowance { return .ahead(of: known) }
        return gap < -allowance ? .behind(known) : .fits
    }

    /// Seconds for which a clock has to run evenly before it is believed.
    package static func patience(for now: Date, known: Date) -> TimeInterval {
        max(leastPatience, abs(now.timeIntervalSince(known)) * patienceShare)
    }
}

/// The clock can't be believed now.
package struct ClockNotTrusted: Error, Sendable, Hashable, CustomStringConvertible {
    package init() {}

    package var description: String {
        "the clock can't be trusted: until it can, the store renews, decides and deletes nothing; "
            + "openstore doctor says why"
    }
}
