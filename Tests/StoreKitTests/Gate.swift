import Synchronization

/// Holds back whoever comes before it is open.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watcher: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func passes() async {
        await withCheckedContinuation { continuation in
            let (watcher, passes) = state.withLock { state in
                defer { state.watcher = nil }
                if !state.isOpen { state.waiting.append(continuation) }
                return (state.watcher, state.isOpen)
            }
            if passes { continuation.resume() }
            watcher?.resume()
        }
    }

    /// Waits until somebody is held back.
    func isReached() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.waiting.isEmpty { state.watcher = continuation }
                return !state.waiting.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
