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
    private struct State {
        var transactions: [SKPaymentTransaction] = []
        var isStarted = false
        var isRestoring = false
        var last: Task<Void, Never>?
        /// Every transaction that this process has had in its hands, also finished ones:
        /// none of them is to come a second time.
        var seen: Set<TransactionID> = []
        /// Every journal entry that has a transaction in this process, shown or about to be.
        var keys: Set<String> = []
    }

    /// What is opened when it is first needed.
    struct Opened: Sendable {
        let device: StoreDevice
        let journal: DeviceJournal
    }

    private let makeDevice: @Sendable () throws -> StoreDevice
    private let opened = Mutex<Opened?>(nil)
    private let state = Mutex(State())
    private let retry: RetryPolicy
    let list: ObserverList
    let delegate: QueueDelegate
    private let downloads: DownloadEngine

    /// - Parameters:
    ///   - callbacks: where observers are called.
    ///   - device: called when the engine first needs it, and again after it has failed.
    package init(
        callbacks: DispatchQueue = .main, retry: RetryPolicy = .standard,
        device: @escaping @Sendable () throws -> StoreDevice
    ) {
        self.retry = retry
        self.makeDevice = device
        self.list = ObserverList(queue: callbacks)
        self.delegate = QueueDelegate(callbacks: callbacks)
        self.downloads = DownloadEngine(list: list, retry: retry)
    }

    /// The engine of this process.
    package static let shared: PaymentEngine = PaymentEngine { try StoreDevice.current() }

    // MARK: What the queue shows

    var transactions: [SKPaymentTransaction] { state.withLock { $0.transactions } }
    var observers: [any SKPaymentTransactionObserver] { list.observers }
    var storefront: SKStorefront? { (try? open())?.device.storefront }

    func add(_ observer: any SKPaymentTransactionObserver, of queue: SKPaymentQueue) {
        list.add(observer, of: queue)
        enqueue { await $0.startOnce() }
    }

    func remove(_ observer: any SKPaymentTransactionObserver) {
        list.remove(observer)
    }

    // MARK: What the queue does

    func add(_ payment: SKPayment) {
        let transaction = SKPaymentTransaction(
            key: UUID().uuidString.lowercased(), payment: SKPayment(payment.snapshot))
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
        for download in wanted {
            downloads.start(download) { [self] in try open().device }
        }
    }

    func pause(_ wanted: [SKDownload]) {
        for download in wanted { downloads.stop(download, for: .pause) { try open().device } }
    }

    func cancel(_ wanted: [SKDownload]) {
        for download in wanted { downloads.stop(download, for: .cancel) { try open().device } }
    }

    // MARK: Order

    /// Runs a job after all that were enqueued before.
    private func enqueue(_ job: @escaping @Sendable (PaymentEngine) async -> Void) {
        state.withLock { state in
            let previous = state.last
            state.last = Task { [self] in
                await previous?.value
                await job(self)
            }
        }
    }

    /// Waits for what is under way and lets go of the journal, as the end of the process
    /// does.
    package func close() async {
        while let last = state.withLock({ $0.last }) {
            await last.value
            state.withLock { if $0.last == last { $0.last = nil } }
        }
        opened.withLock { $0 = nil }
    }

    private func open() throws -> Opened {
        try opened.withLock { opened in
            if let opened { return opened }
            let device = try makeDevice()
            let made = Opened(
                device: device,
                journal: try DeviceJournal(
                    folder: device.folders.state, tag: device.profile.tag, log: device.log))
            opened = made
            device.onStorefrontChange { [list] in
                list.notify { observer, queue in observer.paymentQueueDidChangeStorefront(queue) }
            }
            return made
        }
    }

    // MARK: Start

    private func startOnce() async {
        guard !state.withLock({ $0.isStarted }) else { return }
        do {
            let opened = try open()
            state.withLock { $0.isStarted = true }
            start(opened)
        } catch {
            // The next observer or payment tries again.
            OpenStore.writeLog(
                "The payment queue can't start: \(visibleError(error).localizedDescription)")
        }
    }

    /// Takes up what an earlier run left behind, and what only the store knows of.
    private func start(_ opened: Opened) {
        var shown: [SKPaymentTransaction] = []
        var pending: [SKPaymentTransaction] = []
        for entry in opened.journal.entries {
            guard state.withLock({ $0.keys.insert(entry.key.text).inserted }) else { continue }
            switch entry.stage {
            case .added, .confirmed:
                let transaction = SKPaymentTransaction(
                    key: entry.key.text, payment: entry.payment.payment)
                shown.append(transaction)
                pending.append(transaction)
            case .purchased(let answer), .restored(let answer):
                guard let transaction = transaction(entry, answer, opened.device) else { continue }
                shown.append(transaction)
            case .failed(let error):
                var status = SKPaymentTransaction.Status()
                status.state = .failed
                status.error = error.error
                shown.append(
                    SKPaymentTransaction(
                        key: entry.key.text, payment: entry.payment.payment, status: status))
            case .finishing(let id):
                see(id)
                removeFiles(of: id, opened.device)
                Task { await tellFinished(id, key: entry.key, opened) }
            }
        }
        show(shown)
        for transaction in pending { enqueue { await $0.proceed(with: transaction) } }
        enqueue { await $0.synchronize() }
    }

    /// Fetches transactions that the store has for this device and the journal has not:
    /// it was lost or damaged.
    private func synchronize() async {
        guard let opened = try? open(), let session = opened.device.sessions.session else { return }
        // The store may have sold what nobody could decide. It comes under its own key.
        let isUndecided = opened.journal.entries.contains { entry in
            if case .confirmed(_, let account) = entry.stage {
                account == session.email
            } else {
                false
            }
        }
        guard !isUndecided,
            let answer = try? await opened.device.client.unfinished(session: session)
        else { return }
        var found: [SKPaymentTransaction] = []
        for item in answer.transactions {
            guard let payload = try? opened.device.client.verified(item.signedTransaction),
                !state.withLock({ $0.seen.contains(payload.transactionId) })
            else { continue }
            let key = JournalEntry.key(recovered: payload.transactionId)
            let isRestored = payload.originalTransactionId != payload.transactionId
            let entry = JournalEntry(
                key: key, payment: JournaledPayment(payload),
                stage: isRestored ? .restored(item) : .purchased(item))
            guard (try? opened.journal.put(entry)) != nil,
                let transaction = transaction(entry, item, opened.device)
            else { continue }
            found.append(transaction)
        }
        show(found)
    }

    // MARK: Purchase

    /// Writes a new payment down and takes it through the store.
    private func begin(_ transaction: SKPaymentTransaction, in storefront: String?) async {
        await startOnce()
        state.withLock { _ = $0.keys.insert(transaction.key) }
        do {
            guard let key = PurchaseKey(transaction.key) else { return }
            guard transaction.payment.requestData == nil else {
                throw SKError(.unauthorizedRequestData, "requestData is reserved; leave it nil.")
            }
            try open().journal.put(
                JournalEntry(
                    key: key, payment: JournaledPayment(transaction.payment), stage: .added))
        } catch {
            show([transaction])
            fail(transaction, error)
            return
        }
        show([transaction])
        await proceed(with: transaction, addedIn: storefront)
    }

    /// Takes a payment from where its journal entry stands to its end.
    ///
    /// - Parameter storefront: the one that it was added in, where that is known.
    private func proceed(
        with transaction: SKPaymentTransaction, addedIn storefront: String? = nil
    ) async {
        do {
            let opened = try open()
            guard let key = PurchaseKey(transaction.key), let entry = opened.journal.entry(key)
            else { return }
            let purchase = Purchase(
                entry: entry, payment: transaction.payment, device: opened.device,
                journal: opened.journal, retry: retry, storefront: storefront,
                mayContinue: { [delegate] in await delegate.allows(transaction, in: $0) })
            switch try await purchase.run() {
            case .sold(let answer):
                let status = try soldStatus(
                    answer, of: transaction, device: opened.device, state: .purchased)
                tell(transaction) { $0 = status }
            case .undecided(isWorthRetrying: false):
                // Its account did not sign in. The next launch asks again.
                opened.device.log(
                    "The purchase of \(transaction.payment.productIdentifier) waits for its account."
                )
            case .undecided:
                // The store may have sold it. It stays as it is until the store can say.
                let delay = retry.longDelay
                Task { [self] in
                    try? await retry.sleep(delay)
                    enqueue { await $0.proceed(with: transaction) }
                }
            }
        } catch {
            fail(transaction, error)
        }
    }

    private func fail(_ transaction: SKPaymentTransaction, _ error: any Error) {
        let visible = visibleError(error)
        if let opened = try? open(), let key = PurchaseKey(transaction.key) {
            let entry = JournalEntry(
                key: key, payment: JournaledPayment(transaction.payment),
                stage: .failed(JournaledError(visible)))
            do { try opened.journal.put(entry) } catch {
                opened.device.log("A failed payment could not be written down: \(error)")
            }
        }
        tell(transaction) { status in
            status.state = .failed
            status.error = visible
        }
    }

    // MARK: Restore

    private func restoreAll(applicationUsername: String?) async {
        do {
            let opened = try open()
            let device = opened.device
            let request = RestoreRequest(
                restoreKey: PurchaseKey(UUID().uuidString.lowercased())!,
                applicationUsername: applicationUsername)
            let answer = try await device.withSession { session in
                try await device.client.restore(request, session: session)
            }
            let entries = try answer.transactions.map { item in
                let payload = try device.client.verified(item.signedTransaction)
                return JournalEntry(
                    key: JournalEntry.key(restored: payload.transactionId),
                    payment: JournaledPayment(payload), stage: .restored(item))
            }
            try opened.journal.put(entries)
            let restored = zip(entries, answer.transactions).compactMap { entry, item in
                transaction(entry, item, device)
            }
            // In batches: an account may own thousands.
            for start in stride(from: 0, to: restored.count, by: 200) {
                show(Array(restored[start..<min(start + 200, restored.count)]))
            }
            state.withLock { $0.isRestoring = false }
            list.notify { observer, queue in
                observer.paymentQueueRestoreCompletedTransactionsFinished(queue)
            }
        } catch {
            let visible = visibleError(error)
            state.withLock { $0.isRestoring = false }
            list.notify { observer, queue in
                observer.paymentQueue(queue, restoreCompletedTransactionsFailedWithError: visible)
            }
        }
    }

    // MARK: Finish

    private func finish(_ transaction: SKPaymentTransaction, key: PurchaseKey) async {
        guard let opened = try? open() else {
            leave(transaction)
            return
        }
        await downloads.end(transaction.downloads) { opened.device }
        guard let entry = opened.journal.entry(key) else {
            leave(transaction)
            return
        }
        let id = transaction.transactionIdentifier.flatMap { TransactionID($0) }
        do {
            switch entry.stage {
            case .purchased, .restored:
                guard let id else { return }
                var finished = entry
                finished.stage = .finishing(id)
                try opened.journal.put(finished)
            case .failed:
                try opened.journal.remove(key)
            case .added, .confirmed:
                // The app has seen it fail, but that could not be written down.
                guard transaction.transactionState == .failed else { return }
                try opened.journal.remove(key)
            case .finishing:
                return
            }
        } catch {
            opened.device.log("The transaction could not be finished and will come back: \(error)")
            return
        }
        guard let id else {
            leave(transaction)
            return
        }
        removeFiles(of: id, opened.device)
        // A program that ends when the transaction has left should find it finished in the
        // store too, but nobody waits long for a store that does not answer.
        let telling = Task { await tellFinished(id, key: key, opened) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await telling.value }
            group.addTask { [retry] in try? await retry.sleep(.seconds(2)) }
            await group.next()
            group.cancelAll()
            leave(transaction)
        }
    }

    /// Takes a transaction out of the queue and tells observers; once, however often it is
    /// finished.
    private func leave(_ transaction: SKPaymentTransaction) {
        list.notify(
            if: { [self] in
                state.withLock { state in
                    let before = state.transactions.count
                    state.transactions.removeAll { $0 === transaction }
                    return state.transactions.count < before
                }
            }
        ) { observer, queue in
            observer.paymentQueue(queue, removedTransactions: [transaction])
        }
    }

    private func removeFiles(of id: TransactionID, _ device: StoreDevice) {
        try? FileManager.default.removeItem(
            at: DownloadFolder(transaction: id, device: device).transactionFolder)
    }

    /// Tells the store; what doesn't get through is tried again at the next start.
    private func tellFinished(_ id: TransactionID, key: PurchaseKey, _ opened: Opened) async {
        for attempt in 0..<retry.attempts {
            guard let session = opened.device.sessions.session else { return }
            do {
                try await opened.device.client.finish(id, session: session)
                try opened.journal.remove(key)
                return
            } catch let error as WireError where error.code == .notSignedIn {
                opened.device.sessions.clear(session)
                return
            } catch let error as WireError where error.code == .transactionNotFound {
                // Another account is signed in now; it is told when its own is.
                return
            } catch {
                guard (try? await retry.sleep(retry.delay(after: attempt))) != nil else { return }
            }
        }
    }

    // MARK: Showing

    private func see(_ id: TransactionID) {
        state.withLock { _ = $0.seen.insert(id) }
    }

    /// Adds transactions to the queue and tells observers of them.
    private func show(_ shown: [SKPaymentTransaction]) {
        guard !shown.isEmpty else { return }
        list.notify(
            after: { [self] in state.withLock { $0.transactions += shown } }
        ) { observer, queue in
            observer.paymentQueue(queue, updatedTransactions: shown)
        }
    }

    /// Changes a transaction and tells observers.
    private func tell(
        _ transaction: SKPaymentTransaction,
        _ change: @escaping @Sendable (inout SKPaymentTransaction.Status) -> Void
    ) {
        list.notify(after: { transaction.update(change) }) { observer, queue in
            observer.paymentQueue(queue, updatedTransactions: [transaction])
        }
    }

    /// A transaction from the journal, once more verified; nil and a line in the log where
    /// the signature is not the store's.
    private func transaction(
        _ entry: JournalEntry, _ answer: TransactionAnswer, _ device: StoreDevice
    ) -> SKPaymentTransaction? {
        let transaction = SKPaymentTransaction(
            key: entry.key.text, payment: entry.payment.payment)
        do {
            let payload = try device.client.verified(answer.signedTransaction)
            guard entry.isAnswered(by: payload) else {
                throw SecurityError(.untrusted, "it belongs to another payment")
            }
            let isRestored = if case .restored = entry.stage { true } else { false }
            let status = try soldStatus(
                answer, of: transaction, device: device,
                state: isRestored ? .restored : .purchased)
            transaction.update { $0 = status }
            return transaction
        } catch {
            device.log("A transaction in the journal is not the store's and is left out: \(error)")
            return nil
        }
    }

    /// What observers see of a transaction that the store has signed.
    private func soldStatus(
        _ answer: TransactionAnswer, of transaction: SKPaymentTransaction, device: StoreDevice,
        state: SKPaymentTransactionState
    ) throws -> SKPaymentTransaction.Status {
        let payload = try device.client.verified(answer.signedTransaction)
        see(payload.transactionId)
        var status = SKPaymentTransaction.Status()
        status.state = state
        status.identifier = payload.transactionId.description
        status.date = Date(milliseconds: payload.purchaseDate)
        status.downloads = answer.contents.map { SKDownload($0, of: transaction) }
        status.signature = OpenStoreSignature(
            jws: answer.signedTransaction, signedDate: Date(milliseconds: payload.signedDate),
            rootFingerprint: try device.client.rootFingerprint(),
            chargedThousandths: payload.price, currency: payload.currency)
        if state == .restored {
            var original = SKPaymentTransaction.Status()
            original.state = .purchased
            original.identifier = payload.originalTransactionId.description
            original.date = Date(milliseconds: payload.originalPurchaseDate)
            status.original = SKPaymentTransaction(
                key: "", payment: transaction.payment, status: original)
        }
        return status
    }
}
