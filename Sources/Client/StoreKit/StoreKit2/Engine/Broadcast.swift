import Synchronization

/// Sends each element to any number of streams. A stream gets all elements that are sent after it
/// was made, in order, however slowly its loop takes them.
///
/// A stream is removed when nobody holds it any longer, or when its task is cancelled.
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
        // Not under the lock: a stream that ends during `yield` takes the lock to remove itself.
        let streams = state.withLock { Array($0.streams.values) }
        for stream in streams { stream.yield(element) }
    }
}
