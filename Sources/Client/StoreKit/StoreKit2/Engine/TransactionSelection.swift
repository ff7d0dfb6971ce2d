import StoreModel

/// Which of an account's transactions each sequence has.
struct TransactionSelection {
    /// The address of the account.
    let account: String
    /// Every transaction that is known, each once.
    let transactions: [VerificationResult<Transaction>]
    /// Those that the app has not finished.
    let unfinished: Set<UInt64>
    /// How the account's subscriptions stand.
    let statuses: [Product.SubscriptionInfo.Status]
    /// Whether the app wants consumables that it has finished
    /// (`SKIncludeConsumableInAppPurchaseHistory` in its `Info.plist`).
    let includesConsumables: Bool
    let now: Date
    /// Whether another process of the app has the queue, which alone finishes transactions.
    let isCopy: Bool

    /// The newest first. A consumable is there until it is finished, and again once it is revoked.
    var all: [VerificationResult<Transaction>] {
        transactions.filter { result in
            let transaction = result.unsafePayloadValue
            return transaction.productType != .consumable || includesConsumables
                || transaction.revocationDate != nil || unfinished.contains(transaction.id)
        }.sorted { $0.unsafePayloadValue.isNewer(than: $1.unsafePayloadValue) }
    }

    /// What the app has not finished, the newest first; nothing where this process can't finish it.
    var toFinish: [VerificationResult<Transaction>] {
        isCopy ? [] : all.filter { unfinished.contains($0.unsafePayloadValue.id) }
    }

    func all(for product: String) -> [VerificationResult<Transaction>] {
        all.filter { $0.unsafePayloadValue.productID == product }
    }

    /// What the customer may use now: one transaction for each product, the newest.
    var entitlements: [VerificationResult<Transaction>] {
        var products: Set<String> = []
        let revoked = Set(
            transactions.map(\.unsafePayloadValue).filter { $0.revocationDate != nil }.map(\.id))
        return all.filter { result in
            let transaction = result.unsafePayloadValue
            return isEntitled(transaction, revoked: revoked)
                && products.insert(transaction.productID).inserted
        }
    }

    private func isEntitled(_ transaction: Transaction, revoked: Set<UInt64>) -> Bool {
        guard transaction.revocationDate == nil else { return false }
        switch transaction.productType {
        // A free repetition counts as the purchase that was paid for.
        case .nonConsumable: return !revoked.contains(transaction.originalID)
        case .nonRenewable: return true
        case .autoRenewable:
            guard !transaction.isUpgraded, transaction.periodTransactionID == nil else {
                return false
            }
            if let end = transaction.expirationDate, end > now { return true }
            // In a grace period after the end, which only the store knows.
            return statuses.contains { status in
                status.state == .inGracePeriod
                    && status.transaction.unsafePayloadValue.id == transaction.id
                    && status.renewalInfo.unsafePayloadValue.gracePeriodExpirationDate ?? now > now
            }
        default: return false
        }
    }
}

extension Transaction {
    /// Whether it is newer than another one.
    fileprivate func isNewer(than other: Transaction) -> Bool {
        (purchaseDate, id) > (other.purchaseDate, other.id)
    }
}
