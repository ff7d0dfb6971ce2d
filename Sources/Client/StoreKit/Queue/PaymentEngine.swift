import StoreKernel
import StoreModel
import StoreSecurity
import StoreWire
import Synchronization

/// What `SKPaymentQueue` is a front of: takes payments through the store, keeps the
/// journal, and tells observers.
///
/// Whatever asks the customer runs one after the other; finishing does not wait for it.
/// What observers can see of a transaction changes only in the step that tells them.
package final class PaymentEngine: Sendable {
    struct State {
        var transactions: [SKPaymentTransaction] = []
        /// Those of them that came, or changed, when there was no observer.
        var unheard: [SKPaymentTransaction] = []
        var isStarted = false
        /// Ends when the first refresh has ended. Nil if that waits for a customer's answer.
        var starting: Task<Void, Never>?
        /// What was logged about starts that failed.
        var startProblems: Set<String> = []
        var isRestoring = false
        /// Every transaction that this process has had in its hands, also finished ones:
        /// none of them is to come a second time.
        var seen: Set<TransactionID> = []
        /// The transactions of this process by the key of their journal entry, shown or about
        /// to be.
        var held: [String: SKPaymentTransaction] = [:]
        /// Whether the store could not be asked for everything.
        var refreshFailed = false
        /// Hears of changes in the store.
        var listening: Task<Void, Never>?
        /// Questions about prices that are open, and those that the customer was asked of.
        var consents: [WireConsent] = []
        var askedConsents: Set<Int64> = []
        /// The last event of the store that was acted on, and who waits for one.
        var heard: Int64 = 0
        var hearing: [(event: Int64, answer: FirstAnswer)] = []
        /// Whether another has taken its place.
        var isRetired = false
    }

    /// What is opened when it is first needed.
    struct Opened: Sendable {
        let device: StoreDevice
        let journal: DeviceJournal
        let verifier: StatementVerifier
    }

    let makeDevice: @Sendable () throws -> StoreDevice
    let opened = Mutex<Opened?>(nil)
    let state = Mutex(State())
    let retry: RetryPolicy
    let list: ObserverList
    let delegate: QueueDelegate
    let downloads: DownloadEngine
    let jobs = JobLine()
    let startTurn = AsyncLock()
    let receipts = Refresher()
    /// What StoreKit 2 adds.
    let feed: TransactionFeed
    /// Rings when the app has its first observer, or uses StoreKit 2 for the first time. It ends no
    /// request: a listener that has sent one knows already.
    let firstObserver = ListenerSignal()
    /// Knows the engine that has taken this one's place.
    let succession: EngineSuccession
    /// How many engines have had this one's place before.
    let turn: Int

    /// - Parameters:
    ///   - callbacks: where observers are called.
    ///   - device: called when the engine first needs it, and again after it has failed.
    package init(
        callbacks: OpenStoreCallbackExecutor = .app, retry: RetryPolicy = .standard,
        device: @escaping @Sendable () throws -> StoreDevice
    ) {
        self.retry = retry
        self.makeDevice = device
        self.list = ObserverList(callbacks: callbacks)
        self.delegate = QueueDelegate(callbacks: callbacks, sleep: retry.sleep)
        self.downloads = DownloadEngine(list: list, retry: retry)
        feed = TransactionFeed()
        succession = EngineSuccession()
        turn = 0
    }

    /// An engine that takes the place of another: see `takeOver`.
    init(
        succeeding other: PaymentEngine, retry: RetryPolicy,
        device: @escaping @Sendable () throws -> StoreDevice
    ) {
        self.retry = retry
        makeDevice = device
        list = ObserverList(succeeding: other.list)
        delegate = QueueDelegate(succeeding: other.delegate)
        downloads = DownloadEngine(list: list, retry: retry)
        feed = TransactionFeed(succeeding: other.feed)
        succession = other.succession
        turn = other.turn + 1
    }

    private static let ofProcess = Mutex(PaymentEngine { try StoreDevice.ofProcess() })

    /// The engine of this process.
    package static var shared: PaymentEngine { ofProcess.withLock { $0 } }

    /// Puts an engine in the place of the process's.
    ///
    /// - Returns: both.
    static func replaceShared(
        _ make: (PaymentEngine) -> PaymentEngine
    ) -> (former: PaymentEngine, new: PaymentEngine) {
        ofProcess.withLock { engine in
            let former = engine
            engine = make(former)
            return (former, engine)
        }
    }

    /// The engine that calls of StoreKit 2 go to, which are functions of types: that of the calling
    /// task, or the one of the process.
    static var current: PaymentEngine { ofTask?.newest ?? shared }
    @TaskLocal package static var ofTask: PaymentEngine?

    // MARK: What the queue shows

    var transactions: [SKPaymentTransaction] { state.withLock { $0.transactions } }
    var observers: [any SKPaymentTransactionObserver] { list.observers }
    var storefront: SKStorefront? { (try? open())?.device.storefront }

    func add(_ observer: any SKPaymentTransactionObserver, of queue: SKPaymentQueue) {
        let isFirst = list.observers.isEmpty && !feed.isUsed
        list.add(observer, of: queue)
        enqueue { engine in
            await engine.startOnce()
            engine.showUnheard()
            engine.downloads.showUnheard()
            // Wakes the listener, which has somebody to report to from now on.
            if isFirst { engine.firstObserver.ring() }
        }
    }

    func remove(_ observer: any SKPaymentTransactionObserver) {
        list.remove(observer)
    }

    // MARK: What the queue does

    /// A key for a new order.
    func makeKey() -> PurchaseKey {
        let id = (try? open())?.device.makeID() ?? UUID()
        // A UUID has the form of a key.
        return PurchaseKey(id.uuidString.lowercased())!
    }

    func add(_ payment: SKPayment) {
        let transaction = SKPaymentTransaction(
            key: makeKey().text, payment: SKPayment(payment.snapshot))
        let storefront = storefront?.countryCode
        enqueue { await $0.begin(transaction, in: storefront) }
    }

    func finish(_ transaction: SKPaymentTransaction) {
        guard let key = PurchaseKey(transaction.key) else { return }
        Task { await finish(transaction, key: key) }
    }

    func restore(applicationUsername: String?) {
        let isRestoring = state.withLock { state in
            defer { state.isRestoring = true }
            return state.isRestoring
        }
        guard !isRestoring else {
            OpenStore.writeLog("A restore is running already; this one is ignored.")
            return
        }
        enqueue { await $0.restoreAll(applicationUsername: applicationUsername) }
    }

    func start(_ wanted: [SKDownload]) {
        downloads.start(wanted) { [self] in try open().device }
    }

    func pause(_ wanted: [SKDownload]) {
        for download in wanted { downloads.stop(download, for: .pause) { try open().device } }
    }

    func cancel(_ wanted: [SKDownload]) {
        for download in wanted { downloads.stop(download, for: .cancel) { try open().device } }
    }

    // MARK: Order

    /// Runs a job after all that were enqueued before.
    func enqueue(_ job: @escaping @Sendable (PaymentEngine) async -> Void) {
        jobs.add { [self] in await job(self) }
    }

    /// Fetches what the store has, after all that were enqueued before: once, however often it is
    /// asked for until then.
    func enqueueRefresh() {
        jobs.add(once: .refresh) { [self] in await refresh() }
    }

    /// Waits for what is under way and lets go of the journal, as the end of the process
    /// does.
    package func close() async {
        let listening = state.withLock { $0.listening.take() }
        listening?.cancel()
        await listening?.value
        await jobs.end()
        // They write to the journal.
        await feed.refresher.end()
        await feed.ageRatings.end()
        opened.withLock { $0 = nil }
    }

    func open() throws -> Opened {
        guard !state.withLock({ $0.isRetired }) else { throw SKError(.clientInvalid, Self.isOver) }
        if let opened = opened.withLock({ $0 }) { return opened }
        // The app's log may ask for the queue: it is called before the lock, and after it.
        let device = try makeDevice()
        var notes: [String] = []
        defer { notes.forEach(device.logOnce) }
        return try opened.withLock { opened in
            if let opened { return opened }
            guard !state.withLock({ $0.isRetired }) else {
                throw SKError(.clientInvalid, Self.isOver)
            }
            let journal = try device.openJournal { notes.append($0) }
            let made = Opened(
                device: device, journal: journal, verifier: StatementVerifier(device, journal))
            opened = made
            // The device keeps the closure, and is not to keep itself.
            device.onStorefrontChange { [list, feed, weak device] in
                list.notify { observer, queue in observer.paymentQueueDidChangeStorefront(queue) }
                if let storefront = device?.storefront {
                    feed.storefronts.send(Storefront(storefront))
                }
            }
            return made
        }
    }

    /// What another process of the app has written to the journal, for reading.
    ///
    /// - Throws: `SKError` without a profile or a journal, and where a newer version wrote it.
    func openCopy() throws -> Opened {
        let device = try makeDevice()
        let journal = try device.copyJournal()
        return Opened(
            device: device, journal: journal, verifier: StatementVerifier(device, journal))
    }

    // MARK: Showing

    /// Remembers the transaction of a journal entry.
    func hold(_ transaction: SKPaymentTransaction) {
        state.withLock { $0.held[transaction.key] = transaction }
    }

    func see(_ id: TransactionID) {
        state.withLock { _ = $0.seen.insert(id) }
    }

    /// Adds transactions to the queue and tells observers of them.
    func show(_ shown: [SKPaymentTransaction]) {
        guard !shown.isEmpty else { return }
        list.notify(
            of: { [self] in
                state.withLock { $0.transactions += shown }
                for transaction in shown { tellFeed(of: transaction) }
                return shown
            }, unheard: { [self] in noteUnheard($0) }
        ) { shown, observer, queue in
            observer.paymentQueue(queue, updatedTransactions: shown)
        }
    }

    private func noteUnheard(_ transactions: [SKPaymentTransaction]) {
        state.withLock { state in
            for transaction in transactions
            where !state.unheard.contains(where: { $0 === transaction }) {
                state.unheard.append(transaction)
            }
        }
    }

    /// Tells the first observer of transactions that came, or changed, when there was none: StoreKit 2
    /// may have started the queue, and an app may take its observer out for a while.
    private func showUnheard() {
        list.notify(
            of: { [self] in
                state.withLock { state in
                    let waiting = state.unheard.filter { unheard in
                        state.transactions.contains { $0 === unheard }
                    }
                    state.unheard = []
                    return waiting.isEmpty ? nil : waiting
                }
            }, unheard: { [self] in noteUnheard($0) }
        ) { waiting, observer, queue in
            observer.paymentQueue(queue, updatedTransactions: waiting)
        }
    }

    /// Changes a transaction and tells observers, unless it has come to its end before: where
    /// the end of a deferred payment could not be written down, the store tells it again.
    func tell(
        _ transaction: SKPaymentTransaction,
        _ change: @escaping @Sendable (inout SKPaymentTransaction.Status) -> Void
    ) {
        list.notify(
            of: { [self] in
                guard [.purchasing, .deferred].contains(transaction.transactionState) else {
                    return nil
                }
                transaction.update(change)
                tellFeed(of: transaction)
                return [transaction]
            }, unheard: { [self] in noteUnheard($0) }
        ) { changed, observer, queue in
            observer.paymentQueue(queue, updatedTransactions: changed)
        }
    }

    /// A transaction from the journal, once more verified; nil and a line in the log where
    /// the signature is not the store's.
    func transaction(
        _ entry: JournalEntry, _ answer: TransactionAnswer, _ device: StoreDevice
    ) -> SKPaymentTransaction? {
        do {
            let verified = try device.client.verified(answer)
            guard entry.isAnswered(by: verified.payload) else {
                throw SecurityError(.untrusted, "it belongs to another payment")
            }
            return transaction(entry, verified, device)
        } catch {
            device.log("A transaction in the journal is not the store's and is left out: \(error)")
            return nil
        }
    }

    /// A transaction that has just been written down.
    func transaction(
        _ entry: JournalEntry, _ verified: VerifiedTransactionAnswer, _ device: StoreDevice
    ) -> SKPaymentTransaction {
        let transaction = SKPaymentTransaction(
            key: entry.key.text, payment: entry.payment.payment)
        let isRestored = if case .restored = entry.stage { true } else { false }
        let status = soldStatus(
            verified, of: transaction, device: device, state: isRestored ? .restored : .purchased)
        transaction.update { $0 = status }
        return transaction
    }

    /// What observers see of a transaction that the store has signed.
    func soldStatus(
        _ verified: VerifiedTransactionAnswer, of transaction: SKPaymentTransaction,
        device: StoreDevice, state: SKPaymentTransactionState
    ) -> SKPaymentTransaction.Status {
        let payload = verified.payload
        see(payload.transactionId)
        var status = SKPaymentTransaction.Status()
        status.state = state
        status.identifier = payload.transactionId.description
        status.date = Date(milliseconds: payload.purchaseDate)
        status.isConsumable = payload.type == ProductType.consumable.rawValue
        status.signature = OpenStoreSignature(
            jws: verified.answer.signedTransaction,
            signedDate: Date(milliseconds: payload.signedDate),
            rootFingerprint: device.client.rootFingerprint,
            chargedThousandths: payload.price, currency: payload.currency)
        // A subscription's later periods name its first one, as what was restored does.
        if state == .restored || payload.transactionReason == "RENEWAL" {
            var original = SKPaymentTransaction.Status()
            original.state = .purchased
            original.identifier = payload.originalTransactionId.description
            original.date = Date(milliseconds: payload.originalPurchaseDate)
            status.original = SKPaymentTransaction(
                key: "", payment: transaction.payment, status: original)
        }
        let former = SKPaymentTransaction(
            key: transaction.key, payment: transaction.payment, status: status)
        status.downloads = verified.answer.contents.map {
            SKDownload($0, of: transaction, former: former)
        }
        return status
    }
}
