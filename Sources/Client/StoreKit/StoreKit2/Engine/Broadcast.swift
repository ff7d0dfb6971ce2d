import Synchronization

/// Sends what happens to any number of streams: each gets everything from its beginning on, in
/// order, however long it takes for each step.
///
/// A stream that nobody holds any longer, or whose task was cancelled, is forgotten.
final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var streams: [Int: AsyncStream<Element>.Continuation] = [:]
        /// Grows with each stream.
        var count = 0
    }

    private let state = Mutex(State())

    /// Whether anybody listens.
    var hasListeners: Bool { state.withLock { !$0.streams.isEmpty } }

    /// A stream of what is sent from now on.
    func stream() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream()
        let number = state.withLock { state in
            state.count += 1
            state.streams[state.count] = continuation
            return state.count
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.streams.removeValue(forKey: number) }
        }
        return stream
    }

    func send(_ element: Element) {
        // Not under the lock: a stream that ends meanwhile takes itself out.
        let streams = state.withLock { Array($0.streams.values) }
        for stream in streams { stream.yield(element) }
    }
}
