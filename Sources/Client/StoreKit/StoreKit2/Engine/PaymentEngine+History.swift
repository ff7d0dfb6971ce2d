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
    func accountHistory(_ opened: Opened) async -> AccountHistory? {
        guard let account = opened.device.noticeSession()?.email else { return nil }
        if !feed.isCurrent(account) {
            let fetching = refreshHistory(opened)
            if opened.journal.history(of: account)?.revision == nil {
                await fetching.value
            } else {
                await waitBriefly(for: fetching)
            }
        }
        return opened.journal.history(of: account) ?? AccountHistory()
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
            for result in news where !holdsBack(result) { feed.tell(result) }
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
        // The queue of the device that bought it gives it to the app: another's would give it again.
        guard !transaction.isBoughtConsumable else { return false }
        return feed.state.withLock { state in
            if let known = before[transaction.id] ?? state.told[transaction.id] {
                return known != TransactionContent(transaction)
            }
            if isFirst, let id = transaction.storeID, finishing.contains(id) {
                return transaction.revocationDate != nil
            }
            return !isFirst
        }
    }

    /// Whether the app is not told of a transaction yet, because it may be what a call of
    /// `Product.purchase` is about to return.
    private func holdsBack(_ result: VerificationResult<Transaction>) -> Bool {
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
            guard transaction.productID == product, !transaction.isBoughtConsumable else {
                continue
            }
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
        feed.tell(result)
    }

    // MARK: Subscriptions

    /// Fetches how the subscriptions stand. A change is what was known otherwise before, and what the app hears
    /// of as a transaction: a device that is new finds the rest, which was there before.
    private func fetchSubscriptions(of session: SessionAnswer, _ opened: Opened) async throws {
        let known = opened.journal.history(of: session.email) ?? AccountHistory()
        let hasSubscribed = known.transactions.values.contains {
            verified($0)?.unsafePayloadValue.productType == .autoRenewable
        }
        guard hasSubscribed || !known.subscriptions.isEmpty else { return }
        let answer = try await opened.device.client.subscriptions(session: session)
        let before = statuses(known.subscriptions, opened)
        let contents = before.map(StatusContent.init)
        let now = statuses(answer.groups, opened)
        var change = HistoryChange(account: session.email)
        change.subscriptions = answer.groups
        try opened.journal.put([change])
        let unfinished = unfinishedSigned(of: session.email, opened)
            .compactMap { verified($0)?.unsafePayloadValue.storeID }
        let heard = known.untold.union(unfinished)
        for status in now where !contents.contains(StatusContent(status)) {
            let transaction = status.transaction.unsafePayloadValue
            let earlier = before.filter {
                $0.transaction.unsafePayloadValue.originalID == transaction.originalID
            }
            if !earlier.isEmpty || isHeard(transaction, heard) { feed.statuses.send(status) }
            let isKnown = earlier.contains {
                $0.state == status.state && $0.transaction.unsafePayloadValue.id == transaction.id
            }
            if !isKnown { noteBillingIssue(status) }
        }
    }

    /// Whether the app has heard of a transaction since it was launched, or is about to.
    ///
    /// - Parameter heard: the transactions of the journal that the app hears of.
    private func isHeard(_ transaction: Transaction, _ heard: Set<TransactionID>) -> Bool {
        if let id = transaction.storeID, heard.contains(id) { return true }
        return feed.state.withLock { state in
            state.told[transaction.id] != nil || state.isBuying(transaction.productID)
        }
    }

    /// The statuses of groups whose signatures are verified.
    ///
    /// - Parameter verify: verifies a signed transaction, and returns nil if it can't be decoded.
    func statuses(
        _ groups: [DeviceSubscriptionsAnswer.Group], _ opened: Opened,
        verify: ((String) -> VerificationResult<Transaction>?)? = nil
    ) -> [Product.SubscriptionInfo.Status] {
        let verify = verify ?? { self.verified($0) }
        return groups.flatMap { group in
            group.items.compactMap { item in
                guard let transaction = verify(item.signedTransaction),
                    let renewal = opened.verifier.renewalInfo(item.signedRenewalInfo)
                else { return nil }
                return Product.SubscriptionInfo.Status(
                    state: Product.SubscriptionInfo.RenewalState(rawValue: item.status),
                    transaction: shown(transaction), renewalInfo: shown(renewal))
            }
        }
    }

    /// A step of the history that a transaction of the queue is part of when the app has finished
    /// it; nil if the history has it, or the app has never used StoreKit 2.
    func historyChange(
        _ entry: JournalEntry, _ id: TransactionID, _ opened: Opened
    ) -> HistoryChange? {
        guard let account = entry.account, case .purchased(let answer) = entry.stage,
            case let history = opened.journal.history(of: account),
            feed.isUsed || opened.journal.hasHistories, history?.transactions[id] == nil
        else { return nil }
        var change = HistoryChange(account: account)
        change.transactions = [HistoryChange.Signed(id: id, text: answer.signedTransaction)]
        return change
    }

    // MARK: What is at hand

    /// The signed transactions of an account that the app has yet to finish on this device.
    func unfinishedSigned(of account: String, _ opened: Opened) -> [String] {
        opened.journal.entries.compactMap { entry in
            guard entry.account == account, case .purchased(let answer) = entry.stage else {
                return nil
            }
            return answer.signedTransaction
        }
    }

    /// `SKIncludeConsumableInAppPurchaseHistory` of the app's `Info.plist`.
    private static var includesConsumables: Bool {
        let value = Bundle.main.infoDictionary?["SKIncludeConsumableInAppPurchaseHistory"]
        return value as? Bool ?? false
    }

    /// Waits a while until the queue has what an earlier run of the app, or another device, has left.
    private func waitForStart() async {
        guard let starting = state.withLock({ $0.starting }) else { return }
        await waitBriefly(for: starting)
        state.withLock { $0.starting = nil }
    }

    /// What the sequences choose from.
    func selection(_ opened: Opened) async -> TransactionSelection? {
        async let start: Void = waitForStart()
        let found = await accountHistory(opened)
        await start
        guard let history = found, let account = opened.device.sessions.session?.email
        else { return nil }
        return selection(of: account, history, opened, isCopy: false) { self.verified($0) }
    }

    /// What the sequences choose from; where another process of the app has the journal, what
    /// that process has written to it.
    ///
    /// - Returns: nil if nobody is signed in, or the app can't use the store at all.
    func currentSelection() async -> TransactionSelection? {
        if let opened = await useFeed() { return await selection(opened) }
        guard let copy = try? openCopy(), let account = copy.device.sessions.session?.email
        else { return nil }
        // Each copy has its own list of revoked certificates, and so nothing is remembered.
        return selection(
            of: account, copy.journal.history(of: account) ?? AccountHistory(), copy, isCopy: true
        ) { copy.verifier.transaction($0) }
    }

    private func selection(
        of account: String, _ history: AccountHistory, _ opened: Opened, isCopy: Bool,
        verify: (String) -> VerificationResult<Transaction>?
    ) -> TransactionSelection {
        let unfinished = unfinishedSigned(of: account, opened).compactMap(verify)
        var results: [UInt64: VerificationResult<Transaction>] = [:]
        for result in unfinished { results[result.unsafePayloadValue.id] = result }
        // The history is newer than the answer to the purchase.
        for result in history.transactions.values.compactMap(verify) {
            results[result.unsafePayloadValue.id] = result
        }
        return TransactionSelection(
            transactions: Array(results.values),
            unfinished: Set(unfinished.map(\.unsafePayloadValue.id))
                .subtracting(feed.state.withLock { $0.finished }),
            statuses: withoutActuallyEscaping(verify) {
                statuses(history.subscriptions, opened, verify: $0)
            },
            includesConsumables: Self.includesConsumables,
            now: history.time.map(Date.init(milliseconds:)) ?? opened.device.now(),
            isCopy: isCopy)
    }
}

/// What two statuses are compared by: the store signs again also where nothing has changed.
private struct StatusContent: Equatable {
    let state: Product.SubscriptionInfo.RenewalState
    let transaction: TransactionContent
    let willAutoRenew: Bool
    let autoRenewPreference: String?
    let priceIncrease: Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus
    let renewalDate: Date?
    let renewalPrice: Decimal?
    let offer: Transaction.Offer?
    let expirationReason: Product.SubscriptionInfo.RenewalInfo.ExpirationReason?
    let gracePeriodExpirationDate: Date?
    let winBackOffers: [String]

    init(_ status: Product.SubscriptionInfo.Status) {
        let renewal = status.renewalInfo.unsafePayloadValue
        state = status.state
        transaction = TransactionContent(status.transaction.unsafePayloadValue)
        willAutoRenew = renewal.willAutoRenew
        autoRenewPreference = renewal.autoRenewPreference
        priceIncrease = renewal.priceIncreaseStatus
        renewalDate = renewal.renewalDate
        renewalPrice = renewal.renewalPrice
        offer = renewal.offer
        expirationReason = renewal.expirationReason
        gracePeriodExpirationDate = renewal.gracePeriodExpirationDate
        winBackOffers = renewal.eligibleWinBackOfferIDs
    }
}
