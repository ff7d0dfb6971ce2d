import Synchronization

/// Sends each element to any number of loops. A loop gets all elements that are sent after it
/// was made, in order, however slowly it takes them.
///
/// A loop is removed when nobody holds it any longer, or when its task is cancelled.
final class Broadcast<Element: Sendable>: Sendable {
    /// An element, and which of the successive broadcasts has sent it.
    fileprivate struct Sent: Sendable {
        let element: Element
        let turn: Int
    }

    /// The loops, which one broadcast hands over to the next.
    fileprivate final class Loops: Sendable {
        struct State {
            var streams: [Int: AsyncStream<Sent>.Continuation] = [:]
            /// Grows with each stream.
            var count = 0
            /// Of the broadcast that has the loops now.
            var turn = 0
        }

        let state = Mutex(State())

        func stream() -> AsyncStream<Sent> {
            let (stream, continuation) = AsyncStream<Sent>.makeStream()
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
    }

    /// A place in what is sent.
    struct Loop {
        private let loops: Loops
        private var sent: AsyncStream<Sent>.AsyncIterator

        fileprivate init(_ loops: Loops) {
            self.loops = loops
            sent = loops.stream().makeAsyncIterator()
        }

        /// The next element; `nil` if the task is cancelled. What an earlier broadcast has sent,
        /// and this loop had not taken before it was handed over, is left out.
        mutating func next() async -> Element? {
            while let next = await sent.next() {
                if next.turn == loops.state.withLock({ $0.turn }) { return next.element }
            }
            return nil
        }
    }

    private let turn: Int
    private let loops: Mutex<Loops>

    init() {
        turn = 0
        loops = Mutex(Loops())
    }

    private init(_ loops: Loops, turn: Int) {
        self.turn = turn
        self.loops = Mutex(loops)
    }

    /// A broadcast with the loops of this one, which has none from then on.
    func handOver() -> Broadcast {
        let handed = loops.withLock { loops in
            defer { loops = Loops() }
            return loops
        }
        let next = handed.state.withLock { state in
            state.turn += 1
            return state.turn
        }
        return Broadcast(handed, turn: next)
    }

    /// Whether anybody listens.
    var hasListeners: Bool {
        loops.withLock { $0 }.state.withLock { !$0.streams.isEmpty }
    }

    /// A loop over what is sent from now on.
    func loop() -> Loop { Loop(loops.withLock { $0 }) }

    func send(_ element: Element) {
        // Not under the lock: a stream that ends during `yield` takes the lock to remove itself.
        let streams = loops.withLock { $0 }.state.withLock { Array($0.streams.values) }
        let sent = Sent(element: element, turn: turn)
        for stream in streams { stream.yield(sent) }
    }
}
