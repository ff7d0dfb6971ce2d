import Synchronization

/// The observers of the queue, weakly held, and the one place where they are called.
final class ObserverList: Sendable {
    private struct Entry: @unchecked Sendable {
        // Sendable: the observer is touched on the callback queue only.
        weak var observer: (any SKPaymentTransactionObserver)?
        /// The front that it was added to, which holds the engine.
        weak var queue: SKPaymentQueue?
    }

    private let entries = Mutex<[Entry]>([])
    private let queue: DispatchQueue

    /// - Parameter queue: where observers are called, the main one for apps.
    init(queue: DispatchQueue) {
        self.queue = queue
    }

    /// The observers that are still there.
    var observers: [any SKPaymentTransactionObserver] {
        entries.withLock { $0 }.compactMap(\.observer)
    }

    /// - Returns: whether it is the first one.
    func add(_ observer: any SKPaymentTransactionObserver, of queue: SKPaymentQueue) -> Bool {
        let entry = Entry(observer: observer, queue: queue)
        let identity = ObjectIdentifier(observer)
        return entries.withLock { entries in
            entries.removeAll { $0.observer == nil }
            let isFirst = entries.isEmpty
            if !entries.contains(where: { $0.observer.map(ObjectIdentifier.init) == identity }) {
                entries.append(entry)
            }
            return isFirst
        }
    }

    func remove(_ observer: any SKPaymentTransactionObserver) {
        let identity = ObjectIdentifier(observer)
        entries.withLock { entries in
            entries.removeAll {
                $0.observer == nil || $0.observer.map(ObjectIdentifier.init) == identity
            }
        }
    }

    /// Changes what observers can see, and then tells each of them, in one step on the
    /// callback queue. Steps keep their order.
    func notify(
        after change: @escaping @Sendable () -> Void = {},
        _ call: @escaping @Sendable (any SKPaymentTransactionObserver, SKPaymentQueue) -> Void
    ) {
        queue.async { [self] in
            change()
            for entry in entries.withLock({ $0 }) {
                if let observer = entry.observer { call(observer, entry.queue ?? .default()) }
            }
        }
    }
}
