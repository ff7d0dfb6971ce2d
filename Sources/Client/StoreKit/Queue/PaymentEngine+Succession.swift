import StoreModel
import StoreWire
import Synchronization

/// Engines that take one another's place, as the sessions of a test do: which one is in it now.
final class EngineSuccession: Sendable {
    private let engine = Mutex<PaymentEngine?>(nil)

    /// `nil` before the first has been replaced.
    var newest: PaymentEngine? { engine.withLock { $0 } }

    /// Lets go of the newest, which refers to this.
    ///
    /// - Returns: the newest; `nil` before the first has been replaced.
    func end() -> PaymentEngine? { engine.withLock { $0.take() } }

    /// Puts an engine in the place of the newest.
    ///
    /// - Parameter first: the one that has it before any has been replaced.
    /// - Returns: both.
    func replaceNewest(
        after first: PaymentEngine, _ make: (PaymentEngine) -> PaymentEngine
    ) -> (former: PaymentEngine, new: PaymentEngine) {
        engine.withLock { engine in
            let former = engine ?? first
            let new = make(former)
            engine = new
            return (former, new)
        }
    }
}

/// Another store in the place of this process's: observers and loops of the app stay, and hear of
/// the other one.
extension PaymentEngine {
    static let isOver = "The test session that this belongs to has ended."

    /// The engine that has taken this one's place; itself if none has.
    var newest: PaymentEngine { succession.newest ?? self }

    /// Whether it has taken another's place, as a test session's does.
    var isOfTest: Bool { succession.newest != nil }

    /// Has the queue, and the calls of StoreKit 2, go to another device from now on.
    ///
    /// Observers, the delegate and loops over `updates` stay. Of what the device before has sent
    /// and a loop has not taken yet, nothing arrives any more.
    ///
    /// - Parameter first: the first engine of some tasks, whose place is taken; `nil` for the
    ///   process's.
    /// - Returns: the engine in charge, and a task that ends when the one before has let go of its
    ///   device.
    package static func takeOver(
        of first: PaymentEngine?, by device: StoreDevice, retry: RetryPolicy
    ) -> (engine: PaymentEngine, leaving: Task<Void, Never>) {
        let succeed = { (former: PaymentEngine) in
            PaymentEngine(succeeding: former, retry: retry) { device }
        }
        let (former, new) =
            first.map { $0.succession.replaceNewest(after: $0, succeed) }
            ?? replaceShared { $0.succession.replaceNewest(after: $0, succeed).new }
        let leaving = former.retire()
        new.takeUp()
        return (new, leaving)
    }

    /// Ends an engine that no other takes the place of.
    ///
    /// - Returns: a task that ends when it has let go of its device.
    package func end() -> Task<Void, Never> { (succession.end() ?? self).retire() }

    /// Ends what is under way; nobody hears of it any more.
    ///
    /// - Returns: a task that ends when nothing of it uses the device.
    private func retire() -> Task<Void, Never> {
        let (listening, hearing) = state.withLock { state in
            state.isRetired = true
            defer { state.hearing = [] }
            return (state.listening, state.hearing)
        }
        listening?.cancel()
        for wait in hearing { wait.answer.give(false) }
        let purchases = feed.state.withLock { state in
            defer { state.purchases = [:] }
            return state.purchases
        }
        for purchase in purchases.values {
            purchase.end.resume(returning: .failed(SKError(.unknown, Self.isOver)))
        }
        return Task { await close() }
    }

    /// Begins to listen if there is somebody who is to hear.
    private func takeUp() {
        guard !list.observers.isEmpty || feed.isUsed else { return }
        enqueue { await $0.startOnce() }
    }

    // MARK: What the app has heard

    /// Notes that an event of the store was acted on, and those before it.
    func noteHeard(_ event: Int64) {
        let over = state.withLock { state in
            state.heard = max(state.heard, event)
            let over = state.hearing.filter { $0.event <= state.heard }
            state.hearing.removeAll { $0.event <= state.heard }
            return over
        }
        for wait in over { wait.answer.give(true) }
    }

    /// Returns when the app has heard of everything that had happened in the store: it has called
    /// the observers and sent each transaction to the loops. Returns at once if there are none.
    ///
    /// - Parameters:
    ///   - event: the store's last one for this device's account.
    ///   - patience: so long it waits for a listener that does not get through to the store, and
    ///     again for a customer who does not answer.
    /// - Returns: whether the app has got as far.
    @discardableResult
    package func hear(of event: Int64, patience: Duration = .seconds(30)) async -> Bool {
        guard !list.observers.isEmpty || feed.isUsed else { return true }
        let isHeard = await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
            let isOver = state.withLock { state in
                if state.isRetired || state.heard >= event { return true }
                state.hearing.append((event, answer))
                return false
            }
            if isOver { return answer.give(true) }
            answer.give(false, after: patience)
        }
        let isAnswered = await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
            enqueue { _ in answer.give(true) }
            answer.give(false, after: patience)
        }
        guard isAnswered else { return false }
        await feed.refresher.end()
        await list.settle()
        return isHeard
    }
}

/// What a test has deleted from the store.
extension PaymentEngine {
    /// Takes transactions out of the queue, as if the app had finished them. It waits for no network.
    package func dismiss(_ ids: [TransactionID]) async {
        let wanted = Set(ids.map(\.description))
        let held = state.withLock { state in
            state.held.values.filter { $0.transactionIdentifier.map(wanted.contains) ?? false }
        }
        for transaction in held {
            if let key = PurchaseKey(transaction.key) {
                await finish(transaction, key: key, tells: false)
            }
        }
    }

    /// Has the device know of the account's purchases what the store knows now, and nothing else.
    package func beginHistoryAnew() async {
        guard let opened = try? open() else { return }
        feed.state.withLock { $0.wantsAll = true }
        feed.markChanged()
        await refreshHistory(opened).value
        await refreshReceipt(opened.device).value
    }
}
