import Synchronization

/// A mutual exclusion lock for `async` callers, who get it in the order in which they ask.
package final class AsyncLock: Sendable {
    private struct State {
        var isTaken = false
        var last = 0
        var waiting: [(number: Int, turn: CheckedContinuation<Bool, Never>)] = []
        /// Callers that were cancelled before they waited.
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    package init() {}

    /// How many wait for their turn.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Returns when it is the caller's turn, which lasts until it calls `end()`.
    package func wait() async { _ = await turn(of: number()) }

    /// As `wait()`, for a caller that gives up when its task is cancelled.
    ///
    /// - Throws: `CancellationError`; the caller has no turn then.
    package func waitUnlessCancelled() async throws {
        let number = number()
        let isTurn = await withTaskCancellationHandler {
            await turn(of: number)
        } onCancel: {
            let turn: CheckedContinuation<Bool, Never>? = state.withLock { state in
                guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.waiting.remove(at: index).turn
            }
            turn?.resume(returning: false)
        }
        state.withLock { _ = $0.cancelled.remove(number) }
        guard isTurn else { throw CancellationError() }
    }

    private func number() -> Int {
        state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    /// - Returns: whether it is the caller's turn; false where it was cancelled.
    private func turn(of number: Int) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = state.withLock { state in
                if state.cancelled.contains(number) { return false }
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append((number, continuation))
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    package func end() {
        let next: CheckedContinuation<Bool, Never>? = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst().turn
        }
        next?.resume(returning: true)
    }
}
