import Foundation
import StoreCore
import Synchronization

/// The clock of a test's store, for time travel: it stands until the test moves it, or runs beside the machine's.
package final class TestClock: StoreClock {
    private struct State {
        var date: Date
        /// Since when it runs; `nil` while it stands.
        var start: ContinuousClock.Instant?
        /// The seconds that it was moved by.
        var moved: TimeInterval = 0

        func now() -> Date {
            guard let start else { return date }
            return date.addingTimeInterval((ContinuousClock.now - start) / .seconds(1))
        }
    }

    private let state: Mutex<State>
    /// What it shows to a task that does something in the past.
    @TaskLocal private static var past: Date?

    package init(_ date: Date) {
        state = Mutex(State(date: date))
    }

    package func now() -> Date { Self.past ?? state.withLock { $0.now() } }

    /// Does something as if it were done at a date in the past. For others the clock stays.
    func at<Value>(_ date: Date, _ body: () async throws -> Value) async rethrows -> Value {
        try await Self.$past.withValue(date, operation: body)
    }

    /// The machine's.
    package func callerTime() -> Date { Date() }

    /// Moved as the clock was: time has passed for the store, and the clock was not set.
    package func uptime() -> ContinuousClock.Instant {
        .now.advanced(by: .seconds(state.withLock { $0.moved }))
    }

    /// Lets it run or stand, from what it shows on.
    package func set(running: Bool) {
        state.withLock { state in
            state.date = state.now()
            state.start = running ? .now : nil
        }
    }

    /// Moves it forward to a date; never back.
    package func advance(to date: Date) {
        state.withLock { state in
            let now = state.now()
            state.date = max(now, date)
            state.moved += state.date.timeIntervalSince(now)
            if state.start != nil { state.start = .now }
        }
    }
}
