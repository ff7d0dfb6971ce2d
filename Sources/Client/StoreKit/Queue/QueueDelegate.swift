import Synchronization

/// The delegate of the payment queue, weakly held, and how it is asked.
final class QueueDelegate: Sendable {
    private struct Slot: @unchecked Sendable {
        // Sendable: the delegate is called on the callback executor only.
        weak var delegate: (any SKPaymentQueueDelegate)?
        weak var queue: SKPaymentQueue?
    }

    private let slot: Mutex<Slot>
    private let callbacks: OpenStoreCallbackExecutor
    /// How long the delegate has for its answer.
    private let patience: Duration = .seconds(1)
    private let sleep: @Sendable (Duration) async throws -> Void

    init(
        callbacks: OpenStoreCallbackExecutor,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.callbacks = callbacks
        self.sleep = sleep
        slot = Mutex(Slot())
    }

    /// A place with the delegate of another, which has none from then on.
    init(succeeding other: QueueDelegate) {
        callbacks = other.callbacks
        sleep = other.sleep
        let slot = other.slot.withLock { slot in
            defer { slot = Slot() }
            return slot
        }
        self.slot = Mutex(slot)
    }

    var current: (any SKPaymentQueueDelegate)? { slot.withLock { $0 }.delegate }

    func set(_ delegate: (any SKPaymentQueueDelegate)?, of queue: SKPaymentQueue) {
        let new = Slot(delegate: delegate, queue: queue)
        slot.withLock { $0 = new }
    }

    /// Whether a transaction goes on in another storefront: true without a delegate, false
    /// where it does not answer in time.
    func allows(_ transaction: SKPaymentTransaction, in storefront: SKStorefront) async -> Bool {
        guard current != nil else { return true }
        return await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
            ask(answer) { $0.paymentQueue($1, shouldContinue: transaction, in: storefront) }
            Task { [sleep, patience] in
                try? await sleep(patience)
                answer.give(false)
            }
        }
    }

    /// Whether the customer may be asked about prices now: true without a delegate.
    func allowsPriceConsent() async -> Bool {
        guard current != nil else { return true }
        return await withCheckedContinuation { continuation in
            ask(FirstAnswer(continuation)) { $0.paymentQueueShouldShowPriceConsent($1) }
        }
    }

    private func ask(
        _ answer: FirstAnswer,
        _ question: @escaping @Sendable (any SKPaymentQueueDelegate, SKPaymentQueue) -> Bool
    ) {
        callbacks.run { [self] in
            let slot = slot.withLock { $0 }
            answer.give(slot.delegate.map { question($0, slot.queue ?? .default()) } ?? true)
        }
    }
}

/// A continuation of which only the first answer counts.
final class FirstAnswer: Sendable {
    private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

    init(_ continuation: CheckedContinuation<Bool, Never>) {
        self.continuation = Mutex(continuation)
    }

    func give(_ answer: Bool) {
        continuation.withLock { $0.take() }?.resume(returning: answer)
    }

    func give(_ answer: Bool, after time: Duration) {
        Task {
            try? await Task.sleep(for: time)
            give(answer)
        }
    }
}
