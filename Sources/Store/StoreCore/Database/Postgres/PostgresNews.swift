import StoreModel
import Synchronization

/// What a program knows of a database that it and others write to: how many commits it has heard
/// of, and the numbers that grow with them.
///
/// Whoever commits says how things stand then (`PostgresDatabase.commit`), to itself at once and to
/// the others by NOTIFY.
final class PostgresNews: Sendable {
    /// How things stood after a commit.
    struct Standing: Equatable, Sendable {
        var catalog: Int64 = 0
        var storefront: Int64 = 0
        var event: Int64 = 0

        init() {}

        init(_ row: any SQLRow) {
            (catalog, storefront, event) = (row.integer(0), row.integer(1), row.integer(2))
        }

        /// From a message: the three numbers, and 1 where something is to be sent.
        init?(_ numbers: [Int64]) {
            guard numbers.count == 4 else { return nil }
            (catalog, storefront, event) = (numbers[0], numbers[1], numbers[2])
        }

        /// Numbers only grow, in whichever order one hears of them.
        mutating func raise(to other: Standing) {
            catalog = max(catalog, other.catalog)
            storefront = max(storefront, other.storefront)
            event = max(event, other.event)
        }
    }

    private struct State {
        var commits: Int64 = 0
        var standing = Standing()
        /// Whether something was missed: nothing is known until it was read again.
        var isStale = true
        /// Whether the messages of others come in.
        var isHearing = false
        var ring: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())

    /// A commit, of this program or another.
    func heard(_ standing: Standing?) {
        state.withLock { state in
            state.commits += 1
            guard let standing else {
                state.isStale = true
                return
            }
            state.standing.raise(to: standing)
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

    func whenNotified(_ ring: @escaping @Sendable () -> Void) {
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

    /// How things stand; nil where something may have been missed.
    var known: Standing? {
        state.withLock { $0.isStale || !$0.isHearing ? nil : $0.standing }
    }

    /// How things stand.
    ///
    /// - Parameter read: reads it from the database, where something was missed.
    func standing(_ read: () throws -> Standing) throws -> Standing {
        if let known { return known }
        let commits = state.withLock { $0.commits }
        let standing = try read()
        return state.withLock { state in
            state.standing.raise(to: standing)
            // Nothing was missed while it was read.
            if state.commits == commits, state.isHearing { state.isStale = false }
            return state.standing
        }
    }
}
