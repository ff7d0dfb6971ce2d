import StoreModel
import StoreSecurity
import StoreWire

/// Ends transactions, here and in the store.
extension PaymentEngine {
    /// - Parameter tells: whether it waits a while for the store to hear of it.
    func finish(
        _ transaction: SKPaymentTransaction, key: PurchaseKey, tells: Bool = true
    ) async {
        guard let opened = try? open(), !isOfFormerSession(transaction) else {
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
                // Entitlements are read from the history when the entry is gone.
                if let change = historyChange(entry, id, opened) {
                    try opened.journal.put(finished, change)
                } else {
                    try opened.journal.put(finished)
                }
            case .failed:
                try opened.journal.remove(key)
            case .added, .confirmed, .deferred:
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
        let isUsedUp = transaction.isConsumable
        let telling = Task {
            await tellFinished(id, key: key, opened)
            // Consumables leave the receipt when they are finished.
            if isUsedUp { refreshReceipt(opened.device) }
        }
        if tells { await waitBriefly(for: telling) }
        leave(transaction)
    }

    /// Whether its key is another's by now: a test session gives keys out again that a former one gave.
    private func isOfFormerSession(_ transaction: SKPaymentTransaction) -> Bool {
        state.withLock { $0.held[transaction.key].map { $0 !== transaction } ?? false }
    }

    /// Takes a transaction out of the queue and tells observers; once, however often it is
    /// finished.
    func leave(_ transaction: SKPaymentTransaction) {
        list.notify(
            if: { [self] in
                state.withLock { state in
                    let before = state.transactions.count
                    state.transactions.removeAll { $0 === transaction }
                    state.unheard.removeAll { $0 === transaction }
                    if state.held[transaction.key] === transaction {
                        state.held[transaction.key] = nil
                    }
                    return state.transactions.count < before
                }
            }
        ) { observer, queue in
            observer.paymentQueue(queue, removedTransactions: [transaction])
        }
    }

    func removeFiles(of id: TransactionID, _ device: StoreDevice) {
        try? FileManager.default.removeItem(
            at: DownloadFolder(transaction: id, device: device).transactionFolder)
    }

    /// Tells the store; what doesn't get through is tried again at the next start.
    func tellFinished(_ id: TransactionID, key: PurchaseKey, _ opened: Opened) async {
        for attempt in 0..<retry.attempts {
            guard let session = opened.device.sessions.session else { return }
            do {
                try await opened.device.client.finish(id, session: session)
                try opened.journal.removeFinished(key)
                return
            } catch let error as WireError where error.code == .notSignedIn {
                opened.device.sessions.clear(session)
                return
            } catch let error as WireError where error.code == .transactionNotFound {
                // Where another account is signed in now, the store is told when its own is. Where
                // it is its own, the store is from a backup, and there is nothing to tell.
                if opened.journal.entry(key)?.account == session.email {
                    if opened.journal.history(of: session.email)?.transactions[id] != nil {
                        var change = HistoryChange(account: session.email)
                        change.forgotten = [id]
                        try? opened.journal.put([change])
                    }
                    try? opened.journal.removeFinished(key)
                }
                return
            } catch {
                guard (try? await retry.sleep(retry.delay(after: attempt))) != nil else { return }
            }
        }
    }
}
