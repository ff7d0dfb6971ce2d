import StoreModel
import StoreSecurity
import StoreWire

/// Takes up what an earlier run of the app left behind.
extension PaymentEngine {
    func startOnce() async {
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
    func start(_ opened: Opened) {
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
    func synchronize() async {
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
}
