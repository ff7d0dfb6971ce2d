import StoreModel
import StoreSecurity
import StoreTexts
import StoreWire

/// Takes payments through the store, and restores what was bought.
extension PaymentEngine {
    /// Writes a new payment down and takes it through the store.
    func begin(_ transaction: SKPaymentTransaction, in storefront: String?) async {
        await startOnce()
        hold(transaction)
        do {
            guard let key = PurchaseKey(transaction.key) else { return }
            guard transaction.payment.requestData == nil else {
                throw SKError(.unauthorizedRequestData, "requestData is reserved; leave it nil.")
            }
            let opened = try open()
            if let error = opened.device.simulatedErrors[.purchase] {
                throw originalError(error)
            }
            guard opened.device.restrictions.allowsPayments(log: opened.device.log) else {
                throw SKError(
                    .paymentNotAllowed, Texts.device.purchasesRestricted)
            }
            try opened.journal.put(
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
    func proceed(
        with transaction: SKPaymentTransaction, addedIn storefront: String? = nil
    ) async {
        do {
            let opened = try open()
            // Meanwhile it may have been settled in another way.
            guard let key = PurchaseKey(transaction.key), let entry = opened.journal.entry(key),
                entry.isOnItsWay
            else { return }
            var purchase = purchase(entry, of: transaction, addedIn: storefront, opened)
            switch try await purchase.run() {
            case .sold(let answer):
                await freshenReceipt(opened)
                let status = soldStatus(
                    answer, of: transaction, device: opened.device, state: .purchased)
                tell(transaction) { $0 = status }
            case .deferred:
                tell(transaction) { $0.state = .deferred }
            case .undecided(isWorthRetrying: false):
                // Its account did not sign in. The next launch asks again.
                opened.device.log(
                    "The purchase of \(transaction.payment.productIdentifier) waits for its account."
                )
                endPurchase(of: transaction, .undecided)
            case .undecided:
                endPurchase(of: transaction, .undecided)
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

    func purchase(
        _ entry: JournalEntry, of transaction: SKPaymentTransaction,
        addedIn storefront: String? = nil, _ opened: Opened
    ) -> Purchase {
        Purchase(
            entry: entry, payment: transaction.payment, device: opened.device,
            journal: opened.journal, retry: retry, storefront: storefront,
            mayContinue: { [self] in await allows(transaction, in: $0) },
            checkSession: { [self] in _ = try open() })
    }

    func fail(_ transaction: SKPaymentTransaction, _ error: any Error) {
        // It has failed before, by an answer that could not be written down: what the app finishes
        // meanwhile does not come back.
        guard transaction.transactionState != .failed else { return }
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

    func restoreAll(applicationUsername: String?) async {
        do {
            let opened = try open()
            let device = opened.device
            var request = RestoreRequest(
                restoreKey: makeKey(), applicationUsername: applicationUsername)
            // A page at a time: an account may own thousands.
            var walk = PageWalk()
            var taken: Set<TransactionID> = []
            var hasNext: Bool
            repeat {
                request.after = walk.after
                let wanted = request
                let (answer, account) = try await device.withSession { session in
                    await device.noteEvents(of: session, in: opened.journal)
                    return (
                        try await device.client.restore(wanted, session: session), session.email
                    )
                }
                let page = try answer.transactions.map { try device.client.verified($0) }
                try show(
                    restored: page.filter { taken.insert($0.payload.transactionId).inserted },
                    of: account, opened)
                hasNext = try walk.take(page.map(\.payload.transactionId), next: answer.next)
            } while hasNext
            await freshenReceipt(opened)
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

    /// Writes restored transactions down and tells observers.
    ///
    /// The store gives a device the same ones with each restore. What the app has finished comes
    /// again; what it has yet to finish stands in the queue, and comes no second time.
    private func show(
        restored page: [VerifiedTransactionAnswer], of account: String, _ opened: Opened
    ) throws {
        let verified = page.filter { !isWaiting($0.payload.transactionId, opened) }
        let entries = verified.map { item in
            JournalEntry(
                key: JournalEntry.key(restored: item.payload.transactionId),
                payment: JournaledPayment(item.payload), stage: .restored(item.answer),
                account: account)
        }
        try opened.journal.put(entries)
        let restored = zip(entries, verified).map { transaction($0, $1, opened.device) }
        for transaction in restored { hold(transaction) }
        show(restored)
    }

    /// Whether a restored transaction waits for the app to finish it.
    private func isWaiting(_ id: TransactionID, _ opened: Opened) -> Bool {
        [JournalEntry.key(restored: id), JournalEntry.key(recovered: id)].contains { key in
            guard case .restored = opened.journal.entry(key)?.stage else { return false }
            return state.withLock { $0.held[key.text] != nil }
        }
    }
}

extension JournalEntry {
    /// Whether the payment has yet to come to the store, or to be decided there.
    var isOnItsWay: Bool {
        switch stage {
        case .added, .confirmed: true
        case .deferred, .purchased, .restored, .failed, .finishing: false
        }
    }

    /// Whether nobody waits for it after a new launch: `Product.purchase` had begun it, and it came
    /// to nothing, or the customer had not agreed.
    var isForgotten: Bool {
        guard payment.isFromProduct == true else { return false }
        switch stage {
        case .added, .failed: return true
        case .confirmed, .deferred, .purchased, .restored, .finishing: return false
        }
    }

    /// Whether it has come to nothing.
    var isFailed: Bool { if case .failed = stage { true } else { false } }

    /// Whether the app is done with it.
    var isFinishing: Bool { if case .finishing = stage { true } else { false } }

    /// Whether the app is done with another transaction of this payment.
    func isFinishing(otherThan id: TransactionID) -> Bool {
        if case .finishing(let finished) = stage { finished != id } else { false }
    }

    /// Whether the store may have sold it without the device knowing.
    var isUndecided: Bool {
        switch stage {
        case .added, .confirmed, .deferred: true
        case .purchased, .restored, .failed, .finishing: false
        }
    }
}
