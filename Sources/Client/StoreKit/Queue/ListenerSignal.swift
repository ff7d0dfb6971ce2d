import Synchronization

/// Ends what the listener waits for as soon as something else has to be done.
final class ListenerSignal: Sendable {
    private struct State {
        var hasRung = false
        /// Ends what is waited for; nil while nobody waits.
        var end: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func ring() {
        let end = state.withLock { state in
            state.hasRung = true
            return state.end
        }
        end?()
    }

    /// Forgets that it has rung. To be called before a look at what it rings for.
    func reset() {
        state.withLock { $0.hasRung = false }
    }

    /// Waits for an answer, until it rings.
    ///
    /// - Returns: nil where it has rung since the last `reset`.
    /// - Throws: what `wait` throws, and `CancellationError` where this task is cancelled.
    func unlessRung<Answer: Sendable>(
        _ wait: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer? {
        let task = state.withLock { state -> Task<Answer, any Error>? in
            guard !state.hasRung else { return nil }
            let task = Task { try await wait() }
            state.end = { task.cancel() }
            return task
        }
        guard let task else { return nil }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        let hasRung = state.withLock { state in
            state.end = nil
            return state.hasRung
        }
        try Task.checkCancellation()
        // What came all the same is taken.
        if case .failure = result, hasRung { return nil }
        return try result.get()
    }
}
