import Foundation
import Synchronization

/// The slots of a server's clients. One is taken before a client is accepted, and free again when
/// its connection has ended: libmicrohttpd knows of it in between.
final class ClientSlots: Sendable {
    private struct State {
        var taken = 0
        /// Whether somebody waits for a free one.
        var isAwaited = false
        /// Called when none is taken any more.
        var whenEmpty: [@Sendable () -> Void] = []
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// - Returns: false where there is none: `leave` says when there is.
    func take() -> Bool {
        state.withLock { state in
            guard state.taken < limit else {
                state.isAwaited = true
                return false
            }
            state.taken += 1
            return true
        }
    }

    /// - Returns: whether somebody waits for it.
    func leave() -> Bool {
        let (isAwaited, calls) = state.withLock { state -> (Bool, [@Sendable () -> Void]) in
            state.taken -= 1
            let isAwaited = state.isAwaited
            state.isAwaited = false
            guard state.taken == 0 else { return (isAwaited, []) }
            defer { state.whenEmpty = [] }
            return (isAwaited, state.whenEmpty)
        }
        for call in calls { call() }
        return isAwaited
    }

    /// Calls something once none is taken: at once where that is so now.
    func whenEmpty(_ call: @escaping @Sendable () -> Void) {
        let isEmpty = state.withLock { state in
            if state.taken > 0 { state.whenEmpty.append(call) }
            return state.taken == 0
        }
        if isEmpty { call() }
    }

    /// Waits until none is taken any more.
    func waitUntilEmpty(for time: Duration) {
        guard time > .zero else { return }
        let empty = DispatchSemaphore(value: 0)
        whenEmpty { empty.signal() }
        _ = empty.wait(timeout: .now() + time / .seconds(1))
    }
}
