import Synchronization

/// The observers of the queue, weakly held, and the one place where they are called.
final class ObserverList: Sendable {
    private struct Entry: @unchecked Sendable {
        // Sendable: the observer is touched on the callback executor only.
        let identity: ObjectIdentifier
        weak var observer: (any SKPaymentTransactionObserver)?
        /// The front that it was added to, which holds the engine.
        weak var queue: SKPaymentQueue?
    }

    private let entries: Mutex<[Entry]>
    private let callbacks: OpenStoreCallbackExecutor

    /// - Parameter callbacks: where observers are called.
    init(callbacks: OpenStoreCallbackExecutor) {
        self.callbacks = callbacks
        entries = Mutex([])
    }

    /// A list with the observers of another, which has none from then on.
    init(succeeding other: ObserverList) {
        callbacks = other.callbacks
        entries = Mutex(
            other.entries.withLock { entries in
                defer { entries = [] }
                return entries
            })
    }

    /// Returns when the observers have been told what they were to be told before.
    func settle() async {
        await withCheckedContinuation { continuation in callbacks.run { continuation.resume() } }
    }

    /// The observers that are still there.
    var observers: [any SKPaymentTransactionObserver] {
        entries.withLock { $0 }.compactMap(\.observer)
    }

    func add(_ observer: any SKPaymentTransactionObserver, of queue: SKPaymentQueue) {
        let identity = ObjectIdentifier(observer)
        let entry = Entry(identity: identity, observer: observer, queue: queue)
        replace(identity, by: entry)
    }

    func remove(_ observer: any SKPaymentTransactionObserver) {
        replace(ObjectIdentifier(observer), by: nil)
    }

    /// No observer is loaded here: its last reference could end under the lock, and an
    /// observer that takes itself out in `deinit` would wait for the lock for ever.
    private func replace(_ identity: ObjectIdentifier, by entry: Entry?) {
        entries.withLock { entries in
            entries.removeAll { $0.identity == identity }
            if let entry { entries.append(entry) }
        }
    }

    /// Changes what observers can see, and then tells each of them, in one step on the
    /// callback executor. Steps keep their order.
    func notify(
        after change: @escaping @Sendable () -> Void = {},
        _ call: @escaping @Sendable (any SKPaymentTransactionObserver, SKPaymentQueue) -> Void
    ) {
        notify(
            if: {
                change()
                return true
            }, call)
    }

    /// The same, where the change says whether there is anything to tell.
    func notify(
        if change: @escaping @Sendable () -> Bool,
        _ call: @escaping @Sendable (any SKPaymentTransactionObserver, SKPaymentQueue) -> Void
    ) {
        notify(of: { change() ? () : nil }) { _, observer, queue in call(observer, queue) }
    }

    /// The same, where the change says what there is to tell; nil for nothing.
    ///
    /// - Parameter unheard: called if there is no observer.
    func notify<News>(
        of change: @escaping @Sendable () -> News?,
        unheard: @escaping @Sendable (News) -> Void = { _ in },
        _ call:
            @escaping @Sendable (News, any SKPaymentTransactionObserver, SKPaymentQueue) -> Void
    ) {
        callbacks.run { [self] in
            guard let news = change() else { return }
            let called = each { observer, queue in
                call(news, observer, queue)
                return true
            }
            if called.isEmpty { unheard(news) }
        }
    }

    /// Tells each observer, and returns when all have been told.
    func notified(
        _ call: @escaping @Sendable (any SKPaymentTransactionObserver, SKPaymentQueue) -> Void
    ) async {
        await withCheckedContinuation { continuation in
            notify(call)
            callbacks.run { continuation.resume() }
        }
    }

    /// Asks each observer, and says whether one of them said yes.
    func asked(
        _ question: @escaping @Sendable (any SKPaymentTransactionObserver, SKPaymentQueue) -> Bool
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            callbacks.run { [self] in
                continuation.resume(returning: each(question).contains(true))
            }
        }
    }

    /// Calls each observer, on the callback executor.
    private func each(
        _ call: (any SKPaymentTransactionObserver, SKPaymentQueue) -> Bool
    ) -> [Bool] {
        entries.withLock { $0 }.compactMap { entry in
            entry.observer.map { call($0, entry.queue ?? .default()) }
        }
    }
}
