/// One loop over what a broadcast sends. It misses nothing from its beginning on.
struct BroadcastLoop<Element: Sendable> {
    private let engine: PaymentEngine
    private var events: AsyncStream<Element>.AsyncIterator
    private var hasBegun = false

    init(over broadcast: Broadcast<Element>, of engine: PaymentEngine) {
        self.engine = engine
        events = broadcast.stream().makeAsyncIterator()
    }

    /// Starts the listener, the first time that it is called.
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
