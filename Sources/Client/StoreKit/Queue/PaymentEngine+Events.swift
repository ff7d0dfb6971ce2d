import StoreModel
import StoreSecurity
import StoreWire

/// Hears of changes in the store, by one long-lived request after another.
extension PaymentEngine {
    /// Goes on until the task is cancelled. After a network loss, a sleep of the machine or
    /// a change of the account, what was missed is fetched first.
    func listen(_ opened: Opened) async {
        var backoff = EventBackoff()
        /// The account whose events are heard without a gap.
        var heard: String?
        /// Where their history stood in the last answer.
        var history: Int64?
        var quiet = 0
        let signIns = opened.device.signIns
        while !Task.isCancelled {
            signIns.reset()
            firstObserver.reset()
            guard !list.observers.isEmpty || feed.isUsed,
                let session = opened.device.noticeSession()
            else {
                heard = nil
                do { try await idle(until: signIns) } catch { return }
                continue
            }
            let isBehind = takeRefreshFailure()
            if isBehind { heard = nil }
            let end: EventBackoff.End
            do {
                let isGapless = heard == session.email
                let known = opened.journal.cursor(of: session.email)
                let start = ContinuousClock.now
                let (wait, stood) = isGapless ? (DeviceRoute.longestWait, history ?? 0) : (0, nil)
                let heardOf = try await signIns.unlessRung {
                    try await opened.device.client.events(
                        after: known, wait: wait, history: stood, session: session)
                }
                // Whoever has signed in now may be somebody else.
                guard let answer = heardOf else { continue }
                let news = try UnseenEvents(answer, after: known)
                quiet = news.events.isEmpty ? quiet + 1 : 0
                if !isGapless || news.isOfAnother || quiet > 0 && quiet % Self.quietWaits == 0 {
                    catchUp(opened)
                }
                // Another device has bought something, which is no event.
                let isChanged = isGapless && answer.history != history
                if isChanged { noteChange(opened) }
                history = answer.history
                try await take(news, of: session, isFirst: known == nil, opened)
                if !isGapless { tellUntold(of: session.email, opened) }
                noteHeard(opened.journal.cursor(of: session.email) ?? news.cursor)
                heard = session.email
                end =
                    isGapless
                    ? .waited(hasEvents: !news.events.isEmpty || isChanged, since: start)
                    : .caughtUp(isBehind: isBehind)
            } catch {
                heard = nil
                noteRefusal(error, opened)
                // The session has ended: go on with the next one without a pause.
                if opened.device.isOver(session, after: error) { continue }
                end = .failed
            }
            guard let pause = backoff.pause(after: end) else { continue }
            guard (try? await retry.sleep(retry.delay(after: pause))) != nil else { return }
        }
    }

    /// Waits while nobody is signed in, or the app does not listen.
    private func idle(until signIns: ListenerSignal) async throws {
        _ = try await signIns.unlessRung { [firstObserver, retry] in
            try await firstObserver.unlessRung(retry.idle)
        }
    }

    /// Whether a refresh could not find everything out: that is asked again with the next gap.
    private func takeRefreshFailure() -> Bool {
        state.withLock { state in
            defer { state.refreshFailed = false }
            return state.refreshFailed
        }
    }

    /// Looks for what no event tells of: the journal was lost, an earlier attempt failed, the store
    /// is another one than before; or, once an hour, nobody has approved a deferred payment in time.
    private func catchUp(_ opened: Opened) {
        opened.device.contentUpdates.tell()
        enqueueRefresh()
        noteChange(opened)
    }

    /// So many waits without an event make an hour.
    private static let quietWaits = 3600 / DeviceRoute.longestWait

    /// Acts on events, and then writes down that they were heard.
    ///
    /// - Parameter isFirst: whether it was not known how far they were heard.
    private func take(
        _ news: UnseenEvents, of session: SessionAnswer, isFirst: Bool, _ opened: Opened
    ) async throws {
        func cursor(_ event: Int64) -> DeviceJournal.Cursor {
            DeviceJournal.Cursor(account: session.email, event: event)
        }
        if news.events.contains(where: { $0.kind == .transactions }) {
            enqueueRefresh()
        }
        if news.events.contains(where: { Self.historyKinds.contains($0.kind) }) {
            noteChange(opened)
        }
        // Before anything that writes a cursor: what is written down was told.
        var known: Set<String> = []
        let revoked = news.events.filter { $0.kind == .revocation }.compactMap(\.productId)
            .filter { known.insert($0).inserted }
        if !revoked.isEmpty {
            await freshenReceipt(opened)
            await tellRevoked(revoked)
        }
        let payments = news.events.filter { $0.kind == .storePayment }
        if payments.count > Self.mostStorePayments {
            opened.device.log(
                "The store has begun \(payments.count) payments at once; those behind the first "
                    + "\(Self.mostStorePayments) are passed over.")
        }
        for event in payments.prefix(Self.mostStorePayments) {
            guard let product = event.productId else { continue }
            try await offer(product, cursor: cursor(event.id), opened)
            // Also what the app has said no to is not offered again.
            try opened.journal.put(cursor(event.id))
        }
        if news.events.contains(where: { $0.kind == .contentVersion }) {
            opened.device.contentUpdates.tell()
        }
        if isFirst {
            try opened.journal.beginListening(at: cursor(news.cursor))
        } else {
            try opened.journal.put(cursor(news.cursor))
        }
        notice(news.consents)
    }

    /// Events after which the account's history is another one.
    private static let historyKinds: Set<WireEvent.Kind> = [
        .transactions, .revocation, .subscription,
    ]

    private func tellRevoked(_ products: [String]) async {
        await list.notified { observer, queue in
            observer.paymentQueue(queue, didRevokeEntitlementsForProductIdentifiers: products)
        }
    }

    /// The limit of payments begun in the store: in one answer, and of those that wait for the
    /// customer. Nobody begins as many.
    static let mostStorePayments = 100

    /// Asks the app whether it takes up a payment that the customer began in the store.
    private func offer(
        _ product: String, cursor: DeviceJournal.Cursor, _ opened: Opened
    ) async throws {
        let key = PurchaseKey(
            storePayment: cursor.event,
            deviceDigest: SHA256Digest.hex(Data(opened.device.client.deviceID.utf8)))
        guard state.withLock({ $0.held[key.text] }) == nil else { return }
        let waiting = opened.journal.entries.filter {
            $0.key.isOfStorePayment && $0.stage == .added
        }
        guard waiting.count < Self.mostStorePayments else {
            opened.device.log(
                "\(waiting.count) payments from the store wait for the customer; that of "
                    + "\(product) is passed over.")
            return
        }
        guard opened.device.restrictions.allowsPayments(log: opened.device.log) else {
            opened.device.log("A payment from the store is restricted on this device.")
            return
        }
        let answer = try await opened.device.products([product])
        guard let found = answer.products.first else {
            opened.device.log(
                "The customer wants to buy \(product), which this app can't sell: "
                    + (answer.invalid.first?.message ?? ""))
            return
        }
        if deliver(found, in: answer) { return }
        let offered = SKProduct(found)
        let isTaken = await list.asked { observer, queue in
            observer.paymentQueue(
                queue, shouldAddStorePayment: SKPayment(product: offered), for: offered)
        }
        guard isTaken else { return }
        let payment = SKPayment(product: offered)
        let entry = JournalEntry(key: key, payment: JournaledPayment(payment), stage: .added)
        // Both at once: a payment that is written down is never offered again.
        try opened.journal.put(entry, cursor: cursor)
        let transaction = SKPaymentTransaction(key: key.text, payment: payment)
        hold(transaction)
        show([transaction])
        enqueue { await $0.proceed(with: transaction) }
    }

    /// Asks the store what became of deferred payments, and for transactions that this
    /// process has not seen.
    func refresh() async {
        guard let opened = try? open(), let session = opened.device.sessions.session else { return }
        var isComplete = true
        for entry in opened.journal.entries {
            guard case .deferred(_, let account) = entry.stage, account == session.email,
                let transaction = state.withLock({ $0.held[entry.key.text] })
            else { continue }
            if await !settle(entry, transaction, opened) { isComplete = false }
        }
        do {
            try await synchronize(opened, session)
        } catch {
            opened.device.log("What the store has for this device could not be fetched: \(error)")
            isComplete = false
        }
        if !isComplete { state.withLock { $0.refreshFailed = true } }
    }

    /// Finds out what became of a deferred payment.
    ///
    /// - Returns: false where nobody could say.
    private func settle(
        _ entry: JournalEntry, _ transaction: SKPaymentTransaction, _ opened: Opened
    ) async -> Bool {
        do {
            switch try await purchase(entry, of: transaction, opened).settle() {
            case .sold(let answer):
                await freshenReceipt(opened)
                let status = soldStatus(
                    answer, of: transaction, device: opened.device, state: .purchased)
                tell(transaction) { $0 = status }
                return true
            case .deferred: return true
            case .undecided: return false
            }
        } catch {
            fail(transaction, error)
            return true
        }
    }

    /// Fetches transactions that the store has for this device and this process has not: it
    /// sold them by itself, or the journal was lost or damaged.
    private func synchronize(_ opened: Opened, _ session: SessionAnswer) async throws {
        var walk = PageWalk()
        var hasNext: Bool
        repeat {
            let answer = try await opened.device.client.unfinished(
                after: walk.after, session: session)
            let page = answer.transactions.compactMap { try? opened.device.client.verified($0) }
            let news = unseen(page)
            if !news.isEmpty {
                await opened.device.noteEvents(of: session, in: opened.journal)
                await freshenReceipt(opened)
                var delivered: [SKPaymentTransaction] = []
                defer { show(delivered) }
                for item in news {
                    if let transaction = try deliver(item, of: session.email, opened) {
                        delivered.append(transaction)
                    }
                }
            }
            hasNext = try walk.take(page.map(\.payload.transactionId), next: answer.next)
        } while hasNext
    }

    /// The transactions that this process has not had in its hands, each once.
    func unseen(_ page: [VerifiedTransactionAnswer]) -> [VerifiedTransactionAnswer] {
        var taken: Set<TransactionID> = []
        return state.withLock { state in
            page.filter { item in
                let id = item.payload.transactionId
                return !state.seen.contains(id) && taken.insert(id).inserted
            }
        }
    }

    /// Takes a transaction in that the store has and this process has not.
    ///
    /// - Returns: the transaction, where observers don't know it yet.
    /// - Throws: an error of the journal.
    private func deliver(
        _ verified: VerifiedTransactionAnswer, of account: String, _ opened: Opened
    ) throws -> SKPaymentTransaction? {
        guard let key = verified.payload.purchaseKey.flatMap({ PurchaseKey($0) }),
            let entry = opened.journal.entry(ordering: key), !entry.isFailed,
            // A store from a backup may have sold an order of a transaction that it has forgotten,
            // and that the app is done with, a second time.
            !entry.isFinishing(otherThan: verified.payload.transactionId)
        else { return try adopt(verified, of: account, opened) }
        let held = state.withLock { $0.held[entry.key.text] }
        // A transaction that is held has its answer, unless it waits for this one. One that is
        // not held was left out at the start: what the journal has of it could not be verified.
        guard entry.isAnswered(by: verified.payload), entry.isUndecided || held == nil,
            !entry.isFinishing
        else { return nil }
        var sold = entry.at(.purchased(verified.answer))
        sold.account = account
        try opened.journal.put(sold)
        guard let held else {
            let transaction = transaction(sold, verified, opened.device)
            hold(transaction)
            return transaction
        }
        let status = soldStatus(verified, of: held, device: opened.device, state: .purchased)
        tell(held) { $0 = status }
        return nil
    }

    /// Writes a transaction down that came without a payment of this device.
    ///
    /// - Throws: an error of the journal.
    func adopt(
        _ verified: VerifiedTransactionAnswer, of account: String, _ opened: Opened
    ) throws -> SKPaymentTransaction {
        let payload = verified.payload
        let isRestored = payload.purchaseKey.map { $0.contains(scalar: "/") } ?? false
        let entry = JournalEntry(
            key: JournalEntry.key(recovered: payload.transactionId),
            payment: JournaledPayment(payload),
            stage: isRestored ? .restored(verified.answer) : .purchased(verified.answer),
            account: account)
        try opened.journal.put(entry)
        let transaction = transaction(entry, verified, opened.device)
        hold(transaction)
        return transaction
    }
}
