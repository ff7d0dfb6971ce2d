import Foundation
import StoreCore
import Synchronization

/// A fake clock, which stands still until a test moves it.
package final class SettableClock: StoreClock {
    private let time: Mutex<Date>
    private let start = ContinuousClock.now

    package init(_ date: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
        time = Mutex(date)
    }

    /// Nothing takes any time, however slow the machine is.
    package func uptime() -> ContinuousClock.Instant { start }

    package func now() -> Date { time.withLock { $0 } }

    package func advance(by seconds: TimeInterval) {
        time.withLock { $0 += seconds }
    }
}
