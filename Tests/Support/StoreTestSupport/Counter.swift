import Synchronization

/// Counts, and says which of the calls is the n-th.
package final class Counter: Sendable {
    private let count = Mutex(0)

    package init() {}

    /// The number of this call, from 1 on.
    package func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }

    package var value: Int { count.withLock { $0 } }
}
