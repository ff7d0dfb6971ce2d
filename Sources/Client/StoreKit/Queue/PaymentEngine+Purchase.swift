import StoreModel
import StoreSecurity
import StoreWire

/// Takes payments through the store, and restores what was bought.
extension PaymentEngine {
    /// Writes a new payment down and takes it through the store.
    func begin(_ transaction: SKPaymentTransaction, in storefront: String?) async {
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
    func proceed(
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

    func fail(_ transaction: SKPaymentTransaction, _ error: any Error) {
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
}
