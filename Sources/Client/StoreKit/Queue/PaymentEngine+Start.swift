import StoreModel
import StoreSecurity
import StoreWire

/// Takes up what an earlier run of the app left behind.
extension PaymentEngine {
    func startOnce() async {
        guard !state.withLock({ $0.isStarted }) else { return }
        // Of two who start at once, the second finds everything held.
        await startTurn.wait()
        defer { startTurn.end() }
        guard !state.withLock({ $0.isStarted }) else { return }
        do {
            let opened = try open()
            start(opened)
            state.withLock { $0.isStarted = true }
        } catch {
            // The next observer or payment tries again; the same reason is logged once.
            let line =
                "The payment queue can't start: \(visibleError(error).localizedDescription)"
            if state.withLock({ $0.startProblems.insert(line).inserted }) {
                OpenStore.writeLog(line)
            }
        }
    }

    /// Takes up what an earlier run left behind, and what only the store knows of.
    func start(_ opened: Opened) {
        var shown: [SKPaymentTransaction] = []
        var pending: [SKPaymentTransaction] = []
        for entry in opened.journal.entries {
            guard state.withLock({ $0.held[entry.key.text] }) == nil else { continue }
            if entry.isForgotten {
                do { try opened.journal.remove(entry.key) } catch {
                    opened.device.log("A payment that came to nothing stays on record: \(error)")
                }
                continue
            }
            switch entry.stage {
            case .added, .confirmed:
                let transaction = SKPaymentTransaction(
                    key: entry.key.text, payment: entry.payment.payment)
                shown.append(transaction)
                pending.append(transaction)
            case .deferred:
                var status = SKPaymentTransaction.Status()
                status.state = .deferred
                shown.append(
                    SKPaymentTransaction(
                        key: entry.key.text, payment: entry.payment.payment, status: status))
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
        for transaction in shown { hold(transaction) }
        let recalled = downloads.recall(shown.flatMap(\.downloads), device: opened.device)
        show(shown)
        downloads.goOn(with: recalled) { opened.device }
        for transaction in pending { enqueue { await $0.proceed(with: transaction) } }
        enqueueRefresh()
        let starting = pending.isEmpty ? jobs.barrier() : nil
        state.withLock { state in
            state.starting = starting
            state.listening = state.listening ?? Task { [self] in await listen(opened) }
        }
    }
}
