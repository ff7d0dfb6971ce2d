/// One loop over a broadcast. It gets all elements that are sent after it was made.
struct BroadcastLoop<Element: Sendable> {
    private let engine: PaymentEngine
    private var events: AsyncStream<Element>.AsyncIterator
    private var hasBegun = false

    init(over broadcast: Broadcast<Element>, of engine: PaymentEngine) {
        self.engine = engine
        events = broadcast.stream().makeAsyncIterator()
    }

    /// Starts the engine's listener when it is called for the first time.
    mutating func begin() async {
        guard !hasBegun else { return }
        hasBegun = true
        await engine.beginWatching()
    }

    /// The next element; `nil` if the task is cancelled.
    mutating func next() async -> Element? {
        await begin()
        return await events.next()
    }
}
