import FoundationNetworking
import StoreModel
import StoreWire

/// The account's history: fetched change by change, kept in the journal, read without a network.
extension PaymentEngine {
    /// The history of the signed-in account, after the store was asked for changes.
    ///
    /// If the store does not answer soon, the history that is known already is returned.
    ///
    /// - Returns: nil if nobody is signed in.
    func accountHistory(
        _ opened: Opened
    ) async -> (account: String, history: AccountHistory)? {
        guard let account = opened.device.noticeSession()?.email else { return nil }
        if !feed.isCurrent(account) {
            let fetching = refreshHistory(opened)
            if opened.journal.history(of: account)?.revision == nil {
                await fetching.value
            } else {
                await waitBriefly(for: fetching)
            }
        }
        return (account, opened.journal.history(of: account) ?? AccountHistory())
    }

    /// Fetches the history in the background, because something may have changed.
    func noteChange(_ opened: Opened) {
        feed.markChanged()
        if feed.isUsed { refreshHistory(opened) }
    }

    /// A task that ends when the history is up to date, or could not be had.
    @discardableResult
    func refreshHistory(_ opened: Opened) -> Task<Void, Never> {
        feed.refresher.refresh { [self] in
            guard let session = opened.device.sessions.session else { return }
            let changes = feed.state.withLock { $0.changes }
            var failure: (any Error)?
            do {
                try await fetchTransactions(of: session, opened)
                try await fetchSubscriptions(of: session, opened)
                try await renewAppTransaction(of: session, opened)
            } catch {
                noteRefusal(error, opened)
                if let error = error as? WireError, error.code == .notSignedIn {
                    opened.device.sessions.clear(session)
                }
                opened.device.log("The account's purchases could not be fetched: \(error)")
                failure = error
            }
            // A fetch that failed is repeated with the next change, and as soon as the listener has
            // heard from the store.
            if failure != nil { state.withLock { $0.refreshFailed = true } }
            feed.state.withLock { [failure] state in
                state.fetched[session.email] = changes
                state.fetchError = failure
            }
        }
    }

    // MARK: Transactions

    private func fetchTransactions(of session: SessionAnswer, _ opened: Opened) async throws {
        if opened.journal.history(of: session.email) == nil {
            // From now on `historyChange` notes what the app finishes, also in a later launch that
            // has not used StoreKit 2 by then: its revocation is to be news.
            try opened.journal.put([HistoryChange(account: session.email)])
        }
        var known = opened.journal.history(of: session.email) ?? AccountHistory()
        let before = newsKnown(known, of: session.email, opened)
        let finishing = finishing(of: session.email, opened)
        // After a certificate was revoked, the whole history is fetched once, not each time.
        let wantsAll = feed.state.withLock { state in
            defer { state.wantsAll = false }
            return state.wantsAll
        }
        var isWhole = wantsAll || isOutdated(known, opened)
        var walk = isWhole ? HistoryWalk() : HistoryWalk(after: known)
        let isFirst = known.revision == nil && !feed.beginsEmpty
        while true {
            let answer = try await opened.device.client.history(
                after: walk.revision, session: session)
            // On disk before the page: its statements are verified against this list.
            try note(answer.revokedCertificates, opened)
            let page = answer.transactions.compactMap { signed in
                verified(signed).map { (signed: signed, result: $0) }
            }
            let hasMore = try walk.take(answer, page)
            var change = HistoryChange(account: session.email)
            // What is not verified may be no purchase at all: the next fetch begins anew.
            change.revision = walk.isSound ? answer.revision : HistoryWalk.beginning
            if hasMore, walk.isWhole {
                // A walk that breaks off leaves what was known, and the next one begins anew.
                change.revision = known.revision.map { _ in HistoryWalk.beginning }
            } else if !hasMore {
                change.forgotten = walk.lost(of: known)
            }
            change.time = opened.device.profile.payload.environment == .sandbox ? answer.time : nil
            change.transactions = page.compactMap { item in
                item.result.unsafePayloadValue.storeID.map {
                    HistoryChange.Signed(id: $0, text: item.signed)
                }
            }
            // Purchases from before this device knew the account are not reported as updates.
            let news = page.map(\.result).filter {
                isNews($0, before, isFirst: isFirst, finishing)
            }
            change.untold =
                news.isEmpty ? nil : news.compactMap { $0.unsafePayloadValue.storeID }
            // On disk before the app is told: it may end at any moment.
            try opened.journal.put([change])
            tell(news, of: session.email, opened)
            noteReturned(news)
            if hasMore { continue }
            if walk.isSound { try forgetInvented(of: session.email, opened) }
            let now = opened.journal.history(of: session.email) ?? AccountHistory()
            guard !isWhole, isOutdated(now, opened) else { return }
            isWhole = true
            known = now
            walk = HistoryWalk()
        }
    }

    /// Sends the loops an account's news, which the journal has. If another account has signed in
    /// meanwhile, the loops get them when this one signs in again.
    private func tell(
        _ news: [VerificationResult<Transaction>], of account: String, _ opened: Opened
    ) {
        guard isSignedIn(account, opened) else { return }
        for result in news where !holdsBack(result) { feed.tell(result) }
    }

    /// Forgets news of transactions that the whole history does not have.
    private func forgetInvented(of account: String, _ opened: Opened) throws {
        guard let history = opened.journal.history(of: account) else { return }
        let invented = history.untold.subtracting(history.transactions.keys)
        guard !invented.isEmpty else { return }
        var change = HistoryChange(account: account)
        change.told = Array(invented)
        try opened.journal.put([change])
    }

    /// The state of each transaction that this device knows.
    private func newsKnown(
        _ history: AccountHistory, of account: String, _ opened: Opened
    ) -> [UInt64: TransactionContent] {
        var known: [UInt64: TransactionContent] = [:]
        let signed = Array(history.transactions.values) + unfinishedSigned(of: account, opened)
        for result in signed.compactMap({ verified($0) }) {
            let transaction = result.unsafePayloadValue
            known[transaction.id] = TransactionContent(transaction)
        }
        return known
    }

    /// What the app has finished and the store has yet to hear of.
    private func finishing(of account: String, _ opened: Opened) -> Set<TransactionID> {
        Set(
            opened.journal.entries.compactMap { entry in
                guard entry.account == account, case .finishing(let id) = entry.stage else {
                    return nil
                }
                return id
            })
    }

    /// Whether the app does not know the present state of a transaction.
    ///
    /// - Parameters:
    ///   - isFirst: whether this is the device's first fetch for the account.
    ///   - finishing: what the app has finished: it had it before it was revoked.
    private func isNews(
        _ result: VerificationResult<Transaction>, _ before: [UInt64: TransactionContent],
        isFirst: Bool, _ finishing: Set<TransactionID>
    ) -> Bool {
        let transaction = result.unsafePayloadValue
        return feed.state.withLock { state in
            let known = before[transaction.id] ?? state.told[transaction.id]
            // The queue of the device that bought it gives it to the app: another's would give it
            // again. A refund that was reversed is news for all.
            if transaction.isBoughtConsumable { return known?.revocationDate != nil }
            if let known { return known != TransactionContent(transaction) }
            if isFirst, let id = transaction.storeID, finishing.contains(id) {
                return transaction.revocationDate != nil
            }
            return !isFirst
        }
    }

    /// Whether the app is not told of a transaction yet, because it may be what a call of
    /// `Product.purchase` is about to return.
    func holdsBack(_ result: VerificationResult<Transaction>) -> Bool {
        let transaction = result.unsafePayloadValue
        return feed.state.withLock { state in
            state.told[transaction.id] == nil && state.isBuying(transaction.productID)
        }
    }

    /// Notes that the app has what a call of `Product.purchase` has returned while the page was written down.
    private func noteReturned(_ news: [VerificationResult<Transaction>]) {
        let returned = feed.state.withLock { $0.returned }
        for transaction in news.map(\.unsafePayloadValue)
        where returned.contains(transaction.id) && transaction.revocationDate == nil {
            noteTaken(transaction)
        }
    }

    /// Tells of transactions of a product that might have been what a call of `Product.purchase` waited for,
    /// and are another's.
    ///
    /// - Parameter sold: what the call has returned.
    func tellHeldBack(of product: String, besides sold: UInt64?) {
        guard !feed.state.withLock({ $0.isBuying(product) }), let opened = try? open(),
            let account = opened.device.sessions.session?.email,
            let history = opened.journal.history(of: account)
        else { return }
        for id in history.untold.sorted() {
            // As it stands by now.
            guard let result = history.transactions[id].flatMap({ verified($0) }) else { continue }
            let transaction = result.unsafePayloadValue
            guard transaction.productID == product else { continue }
            if transaction.id != sold {
                feed.tell(result)
            } else if transaction.revocationDate == nil {
                // A revocation is told behind the purchase.
                noteTaken(transaction)
            }
        }
    }

    /// Reports a change, such as a revocation, that arrived before the answer to its purchase.
    func tellChange(of transaction: SKPaymentTransaction, sold signed: String) {
        guard feed.isUsed, let opened = try? open(), let key = PurchaseKey(transaction.key),
            let account = opened.journal.entry(key)?.account,
            let sold = verified(signed)?.unsafePayloadValue, let id = sold.storeID,
            let later = opened.journal.history(of: account)?.transactions[id],
            let result = verified(later),
            TransactionContent(result.unsafePayloadValue) != TransactionContent(sold)
        else { return }
        do {
            var change = HistoryChange(account: account)
            change.untold = [id]
            try opened.journal.put([change])
        } catch {
            opened.device.log("A change of a purchase could not be written down: \(error)")
        }
        if isSignedIn(account, opened) { feed.tell(result) }
    }

    /// A step of the history that a transaction of the queue is part of when the app has finished
    /// it; nil if the history has it or never will, or the app has never used StoreKit 2.
    func historyChange(
        _ entry: JournalEntry, _ id: TransactionID, _ opened: Opened
    ) -> HistoryChange? {
        guard let account = entry.account, case .purchased(let answer) = entry.stage,
            case let history = opened.journal.history(of: account),
            feed.isUsed || opened.journal.hasHistories, history?.transactions[id] == nil
        else { return nil }
        if let sold = verified(answer.signedTransaction)?.unsafePayloadValue,
            let paid = sold.standsFor.flatMap({ TransactionID($0.description) }),
            sold.periodTransactionID != nil || history?.transactions[paid] != nil
        {
            return nil
        }
        var change = HistoryChange(account: account)
        change.transactions = [HistoryChange.Signed(id: id, text: answer.signedTransaction)]
        return change
    }
}
