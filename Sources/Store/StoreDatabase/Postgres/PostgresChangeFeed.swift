import Synchronization

/// What a program knows of a database that it and others write to: how many commits it has heard
/// of, and the numbers that grow with them.
///
/// Whoever commits says how high they are then (`PostgresDriver.commit`), to itself at once and to
/// the others by NOTIFY.
final class PostgresChangeFeed: Sendable {
    private struct State {
        var commits: Int64 = 0
        var counters: [Int64]
        /// Whether something was missed: nothing is known until it was read again.
        var isStale = true
        /// Whether the messages of others come in.
        var isHearing = false
        var ring: @Sendable () -> Void = {}

        /// Counters only grow, in whichever order one hears of them.
        mutating func raise(to other: [Int64]) {
            counters = zip(counters, other).map { max($0, $1) }
        }
    }

    private let state: Mutex<State>

    /// - Parameter counters: how many the schema has.
    init(counters: Int) {
        state = Mutex(State(counters: [Int64](repeating: 0, count: counters)))
    }

    /// A commit, of this program or another.
    ///
    /// - Parameter counters: as they were after it; nil where they are not known.
    func heard(_ counters: [Int64]?) {
        state.withLock { state in
            state.commits += 1
            guard let counters, counters.count == state.counters.count else {
                state.isStale = true
                return
            }
            state.raise(to: counters)
        }
    }

    /// Whether messages come in from now on. What was before is unknown.
    func setHearing(_ isHearing: Bool) {
        state.withLock { state in
            state.isHearing = isHearing
            state.isStale = true
            state.commits += 1
        }
    }

    func whenAnnounced(_ ring: @escaping @Sendable () -> Void) {
        state.withLock { $0.ring = ring }
    }

    func ring() { state.withLock { $0.ring }() }

    /// A number that is another one after each commit; where the messages of others do not come
    /// in, with each question.
    func changes() -> Int64 {
        state.withLock { state in
            if !state.isHearing { state.commits += 1 }
            return state.commits
        }
    }

    /// The counters; nil where something may have been missed.
    var known: [Int64]? {
        state.withLock { $0.isStale || !$0.isHearing ? nil : $0.counters }
    }

    /// The counters.
    ///
    /// - Parameter read: reads them from the database, where something was missed.
    func counters(_ read: () throws -> [Int64]) throws -> [Int64] {
        if let known { return known }
        let commits = state.withLock { $0.commits }
        let counters = try read()
        return state.withLock { state in
            state.raise(to: counters)
            // Nothing was missed while they were read.
            if state.commits == commits, state.isHearing { state.isStale = false }
            return state.counters
        }
    }
}
