import Foundation
import StoreCore
import Synchronization

/// Looks whether the clock can be believed, before the store charges, decides or deletes by itself.
///
/// While it is believed, and runs as evenly as the machine, nothing is asked; each minute, and when
/// it jumps, it is compared with what all processes on the database have believed last.
final class ClockWatch: Sendable {
    /// Seconds after which it is looked at anew.
    private static let pause: TimeInterval = 60
    /// Seconds by which a clock that runs evenly may differ from the machine's own count.
    fileprivate static let jitter: TimeInterval = 5
    private static let what = "the clock"

    fileprivate struct Reading {
        let time: Date
        let instant: ContinuousClock.Instant

        /// Seconds since another one, as the machine counts them.
        func elapsed(since other: Reading) -> TimeInterval {
            other.instant.duration(to: instant) / .seconds(1)
        }

        /// Whether the clock has run since another one, and was not set.
        func isEven(with other: Reading) -> Bool {
            abs(time.timeIntervalSince(other.time) - elapsed(since: other)) < ClockWatch.jitter
        }
    }

    fileprivate struct State {
        /// When it was last compared, and fitted.
        var believed: Reading?
        /// Since when it runs evenly without being believed, and what it was compared with.
        var doubted: (since: Reading, known: Date)?
    }

    private let database: any ShopDatabase
    private let jobs: JobService
    private let clock: any StoreClock
    private let log: EventLog
    private let believesAll: Bool
    private let instant: @Sendable () -> ContinuousClock.Instant
    private let failures = FailureLogThrottle()
    private let state = Mutex(State())

    /// - Parameters:
    ///   - believesAll: whether the clock is believed whatever it shows: a test sets it.
    ///   - instant: counts the time whatever the clock shows.
    init(
        database: any ShopDatabase, clock: any StoreClock, log: EventLog,
        believesAll: Bool = false,
        instant: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.database = database
        self.jobs = JobService(database: database, clock: clock)
        self.clock = clock
        self.log = log
        self.believesAll = believesAll
        self.instant = instant
    }

    /// What the clock shows; `nil` while it can't be believed.
    func time() async throws -> Date? {
        if believesAll { return clock.now() }
        let now = Reading(time: clock.now(), instant: instant())
        let isKnown = state.withLock { state in
            state.believed.map {
                now.isEven(with: $0) && now.elapsed(since: $0) < Self.pause
            } ?? false
        }
        if isKnown { return now.time }
        let known = try await jobs.knownTime()
        let server = try await database.serverTime()
        let verdict = ClockRules.verdict(on: now.time, known: known, server: server)
        let isBelieved = state.withLock { $0.take(now, verdict) }
        if isBelieved { try await jobs.believe(now.time, insteadOf: known) }
        guard verdict.isDoubtful, !isBelieved else {
            if failures.end(of: Self.what) { log.write(.info, .clockTrusted) }
            return now.time
        }
        if failures.isWorthTelling(Self.what, "doubtful", at: now.time) {
            tell(now.time, verdict)
        }
        return nil
    }

    /// What the clock shows.
    ///
    /// - Throws: `ClockNotTrusted`.
    func believedTime() async throws -> Date {
        guard let time = try await self.time() else { throw ClockNotTrusted() }
        return time
    }

    private func tell(_ now: Date, _ verdict: ClockRules.Verdict) {
        let shows = now.formatted(.iso8601)
        switch verdict {
        case .ahead(let known):
            log.write(
                .error, .clockDoubted,
                [
                    "shows": shows, "believed": known.formatted(.iso8601),
                    "until": "it is set, or has run evenly for "
                        + "\(Int(ClockRules.patience(for: now, known: known))) s",
                ])
        case .apart(let server):
            log.write(
                .error, .clockDoubted,
                [
                    "shows": shows, "database": server.formatted(.iso8601),
                    "until": "both clocks are set",
                ])
        case .fits, .behind: break
        }
    }
}

extension ClockWatch.State {
    /// - Returns: whether the clock is believed from now on, also where it was not.
    fileprivate mutating func take(
        _ now: ClockWatch.Reading, _ verdict: ClockRules.Verdict
    ) -> Bool {
        let known: Date
        switch verdict {
        case .fits:
            (believed, doubted) = (now, nil)
            return true
        case .apart:
            (believed, doubted) = (nil, nil)
            return false
        case .ahead(let date), .behind(let date): known = date
        }
        believed = nil
        // Another process that believes its own clock shows that this one is wrong.
        guard let doubted, doubted.known == known, now.isEven(with: doubted.since) else {
            self.doubted = (now, known)
            return false
        }
        guard
            now.elapsed(since: doubted.since) >= ClockRules.patience(for: now.time, known: known)
        else { return false }
        (believed, self.doubted) = (now, nil)
        return true
    }
}
