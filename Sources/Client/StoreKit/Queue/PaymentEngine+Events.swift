import StoreModel
import StoreWire

/// Hears of changes in the store, by one long-lived request after another.
extension PaymentEngine {
    /// Goes on until the task is cancelled. After a network loss, a sleep of the machine or
    /// a change of the account, what was missed is fetched first.
    func listen(_ opened: Opened) async {
        var failures = 0
        /// The account whose events are heard without a gap.
        var heard: String?
        while !Task.isCancelled {
            guard !list.observers.isEmpty, let session = opened.device.noticeSession() else {
                heard = nil
                guard (try? await retry.idle()) != nil else { return }
                continue
            }
            do {
                let isGapless = heard == session.email
                let answer = try await opened.device.client.events(
                    after: opened.journal.cursor(of: session.email),
                    wait: isGapless ? DeviceRoute.longestWait : 0, session: session)
                // There may be what no event tells of: the journal was lost, or an earlier
                // attempt failed.
                if !isGapless { enqueue { await $0.refresh() } }
                try await take(answer, of: session, opened)
                heard = session.email
                failures = 0
            } catch {
                heard = nil
                if let error = error as? WireError, error.code == .notSignedIn {
                    opened.device.sessions.clear(session)
                    continue
                }
                let delay = retry.delay(after: failures)
                failures += 1
                guard (try? await retry.sleep(delay)) != nil else { return }
            }
        }
    }

    /// Acts on events, and then writes down that they were heard.
    private func take(
        _ answer: EventsAnswer, of session: SessionAnswer, _ opened: Opened
    ) async throws {
        if answer.events.contains(where: { $0.kind == .transactions }) {
            enqueue { await $0.refresh() }
        }
        var revoked: [String] = []
        for event in answer.events {
            guard let product = event.productId else { continue }
            if event.kind == .revocation, !revoked.contains(product) { revoked.append(product) }
            if event.kind == .storePayment {
                try await offer(product, event: event.id, account: session.email, opened)
            }
        }
        if !revoked.isEmpty {
            await freshenReceipt(opened)
            await tellRevoked(revoked)
        }
        try opened.journal.put(DeviceJournal.Cursor(account: session.email, event: answer.cursor))
        notice(answer.consents)
    }

    private func tellRevoked(_ products: [String]) async {
        await list.notified { observer, queue in
            observer.paymentQueue(queue, didRevokeEntitlementsForProductIdentifiers: products)
        }
    }

    /// Asks the app whether it takes up a payment that the customer began in the store.
    private func offer(
        _ product: String, event: Int64, account: String, _ opened: Opened
    ) async throws {
        let key = JournalEntry.key(storePayment: event, device: opened.device.client.deviceID)
        guard state.withLock({ $0.held[key.text] }) == nil else { return }
        let answer = try await opened.device.products([product])
        guard let found = answer.products.first else {
            opened.device.log(
                "The customer wants to buy \(product), which this app can't sell: "
                    + (answer.invalid.first?.message ?? ""))
            return
        }
        let offered = SKProduct(found)
        let isTaken = await list.asked { observer, queue in
            observer.paymentQueue(
                queue, shouldAddStorePayment: SKPayment(product: offered), for: offered)
        }
        guard isTaken else { return }
        let payment = SKPayment(product: offered)
        let entry = JournalEntry(key: key, payment: JournaledPayment(payment), stage: .added)
        // Both at once: a payment that is written down is never offered again.
        try opened.journal.put(
            entry, cursor: DeviceJournal.Cursor(account: account, event: event))
        let transaction = SKPaymentTransaction(key: key.text, payment: payment)
        hold(transaction)
        show([transaction])
        enqueue { await $0.proceed(with: transaction) }
    }

    /// Asks the store what became of deferred payments, and for transactions that this
    /// process has not seen.
    func refresh() async {
        guard let opened = try? open(), let session = opened.device.sessions.session else { return }
        for entry in opened.journal.entries {
            guard case .deferred(_, let account) = entry.stage, account == session.email,
                let transaction = state.withLock({ $0.held[entry.key.text] })
            else { continue }
            await settle(entry, transaction, opened)
        }
        await synchronize(opened, session)
    }

    private func settle(
        _ entry: JournalEntry, _ transaction: SKPaymentTransaction, _ opened: Opened
    ) async {
        do {
            guard
                let answer = try await purchase(entry, of: transaction, opened).settle()
            else { return }
            await freshenReceipt(opened)
            let status = soldStatus(
                answer, of: transaction, device: opened.device, state: .purchased)
            tell(transaction) { $0 = status }
        } catch {
            fail(transaction, error)
        }
    }

    /// Fetches transactions that the store has for this device and this process has not: it
    /// sold them by itself, or the journal was lost or damaged.
    private func synchronize(_ opened: Opened, _ session: SessionAnswer) async {
        guard let answer = try? await opened.device.client.unfinished(session: session) else {
            return
        }
        var found: [SKPaymentTransaction] = []
        for item in answer.transactions {
            guard let verified = try? opened.device.client.verified(item),
                !state.withLock({ $0.seen.contains(verified.payload.transactionId) })
            else { continue }
            if let key = verified.payload.purchaseKey.flatMap({ PurchaseKey($0) }),
                var entry = opened.journal.entry(key)
            {
                // The answer to a payment that nobody could decide.
                guard entry.isUndecided, entry.isAnswered(by: verified.payload),
                    let transaction = state.withLock({ $0.held[key.text] })
                else { continue }
                entry.stage = .purchased(item)
                guard (try? opened.journal.put(entry)) != nil else { continue }
                let status = soldStatus(
                    verified, of: transaction, device: opened.device, state: .purchased)
                tell(transaction) { $0 = status }
            } else if let transaction = adopt(verified, opened) {
                found.append(transaction)
            }
        }
        if !found.isEmpty { await freshenReceipt(opened) }
        show(found)
    }

    /// Writes a transaction down that came without a payment of this device.
    func adopt(
        _ verified: VerifiedTransaction, _ opened: Opened
    ) -> SKPaymentTransaction? {
        let payload = verified.payload
        let isRestored = payload.purchaseKey.map { $0.contains("/") } ?? false
        let entry = JournalEntry(
            key: JournalEntry.key(recovered: payload.transactionId),
            payment: JournaledPayment(payload),
            stage: isRestored ? .restored(verified.answer) : .purchased(verified.answer))
        guard (try? opened.journal.put(entry)) != nil else { return nil }
        let transaction = transaction(entry, verified, opened.device)
        hold(transaction)
        return transaction
    }
}
