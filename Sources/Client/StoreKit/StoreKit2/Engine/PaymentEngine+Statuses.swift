import StoreModel
import StoreWire

/// How the account's subscriptions stand, and what has changed of that.
extension PaymentEngine {
    /// Fetches how the subscriptions stand. A change is what was known otherwise before, and what the app hears
    /// of as a transaction: a device that is new finds the rest, which was there before.
    func fetchSubscriptions(of session: SessionAnswer, _ opened: Opened) async throws {
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
