/// One loop over a broadcast. It gets all elements that are sent after it was made.
struct BroadcastLoop<Element: Sendable> {
    private let engine: PaymentEngine
    private var events: Broadcast<Element>.Loop
    private var hasBegun = false

    init(over broadcast: KeyPath<TransactionFeed, Broadcast<Element>>, of engine: PaymentEngine) {
        let engine = engine.newest
        self.engine = engine
        events = engine.feed[keyPath: broadcast].loop()
    }

    /// Starts the engine's listener when it is called for the first time.
    mutating func begin() async {
        guard !hasBegun else { return }
        hasBegun = true
        await engine.newest.beginWatching()
    }

    /// The next element; `nil` if the task is cancelled.
    mutating func next() async -> Element? {
        await begin()
        return await events.next()
    }
}
