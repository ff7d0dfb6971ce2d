import StoreKernel
import StoreModel
import StoreWire

/// Connects the payment queue and StoreKit 2: what happens in one is reported to the other.
extension PaymentEngine {
    /// Notes that the app uses StoreKit 2, and continues what an earlier run left unfinished.
    ///
    /// - Returns: nil if the app has no usable profile; the log says why.
    func useFeed() async -> Opened? {
        let isFirst = feed.state.withLock { state in
            defer { state.isUsed = true }
            return !state.isUsed
        }
        await startOnce()
        // Wakes the listener, which has somebody to report changes to from now on.
        if isFirst { firstObserver.ring() }
        return try? open()
    }

    /// Tells StoreKit 2 how a transaction of the queue stands now. On the callback executor, in the
    /// step that tells observers.
    func tellFeed(of transaction: SKPaymentTransaction) {
        switch transaction.transactionState {
        case .purchased:
            guard let signed = transaction.openStoreSignature?.jws else { return }
            noteSubscription(signed)
            if !endPurchase(of: transaction, .sold(signed)), feed.isUsed,
                isOfSignedInAccount(transaction), let result = verified(signed)
            {
                feed.tell(result)
            }
            tellChange(of: transaction, sold: signed)
            finishIfDone(transaction)
        case .deferred: endPurchase(of: transaction, .deferred)
        case .failed:
            let error = transaction.error ?? SKError(.unknown)
            guard transaction.payment.details.isFromProduct,
                let key = PurchaseKey(transaction.key)
            else { return }
            Task {
                // What failed is the caller's answer: nobody else finishes it.
                await finish(transaction, key: key)
                endPurchase(of: transaction, .failed(error))
            }
        default: break
        }
    }

    /// Whether an account is signed in. The app would give what it has bought to another otherwise.
    func isSignedIn(_ account: String, _ opened: Opened) -> Bool {
        account == opened.device.sessions.session?.email
    }

    /// Whether a transaction of the queue is the signed-in account's.
    private func isOfSignedInAccount(_ transaction: SKPaymentTransaction) -> Bool {
        guard let opened = try? open(), let key = PurchaseKey(transaction.key),
            let account = opened.journal.entry(key)?.account
        else { return true }
        return isSignedIn(account, opened)
    }

    /// Sends the loops an account's unfinished transactions, and changes that the app has not taken.
    /// While another account was signed in, the loops got neither.
    func tellUntold(of account: String, _ opened: Opened) {
        guard feed.isUsed, isSignedIn(account, opened) else { return }
        let history = opened.journal.history(of: account)
        for signed in unreturned(of: account, opened) {
            guard let sold = verified(signed) else { continue }
            // The history is newer than the answer to the purchase.
            let later = sold.unsafePayloadValue.storeID.flatMap { history?.transactions[$0] }
            feed.tell(later.flatMap { verified($0) } ?? sold)
        }
        let returned = feed.state.withLock { $0.returned }
        for id in (history?.untold ?? []).sorted() {
            guard let result = history?.transactions[id].flatMap({ verified($0) }),
                !holdsBack(result),
                result.unsafePayloadValue.revocationDate != nil
                    || !returned.contains(result.unsafePayloadValue.id)
            else { continue }
            feed.tell(result)
        }
    }

    /// The signed transactions that an account has not finished. Those of `Product.purchase` are left
    /// out: its caller waits for them, or has them.
    func unreturned(of account: String, _ opened: Opened) -> [String] {
        let (waiting, returned) = feed.state.withLock { ($0.purchases, $0.returned) }
        return opened.journal.entries.compactMap { entry in
            guard entry.account == account, case .purchased(let answer) = entry.stage,
                waiting[entry.key.text] == nil,
                let id = verified(answer.signedTransaction)?.unsafePayloadValue.id,
                !returned.contains(id)
            else { return nil }
            return answer.signedTransaction
        }
    }

    /// A new period of a subscription also changes the status of the group and the period before.
    /// Only the store knows these changes.
    private func noteSubscription(_ signed: String) {
        guard feed.isUsed, let opened = try? open(),
            verified(signed)?.unsafePayloadValue.productType == .autoRenewable
        else { return }
        noteChange(opened)
    }

    /// Gives a call of `Product.purchase` its answer.
    ///
    /// - Returns: false if none waits for it.
    @discardableResult
    func endPurchase(of transaction: SKPaymentTransaction, _ end: PurchaseEnd) -> Bool {
        guard feed.state.withLock({ $0.purchases[transaction.key] }) != nil else { return false }
        var sold: UInt64?
        if case .sold(let signed) = end, let result = verified(signed) {
            sold = result.unsafePayloadValue.id
            feed.markTold(result.unsafePayloadValue)
            feed.state.withLock { _ = $0.returned.insert(result.unsafePayloadValue.id) }
        }
        // Behind the note of what the app has got, which the history would tell otherwise.
        let waiting = feed.state.withLock { $0.purchases.removeValue(forKey: transaction.key) }
        guard let waiting else { return false }
        tellHeldBack(of: waiting.product, besides: sold)
        waiting.end.resume(returning: end)
        return true
    }

    /// Verifies a signed transaction.
    ///
    /// - Returns: nil if it can't be decoded.
    package func verified(_ signed: String) -> VerificationResult<Transaction>? {
        let revocations = feed.state.withLock { $0.revocations }
        if let known = feed.verified.value(for: signed, version: revocations) { return known }
        guard let opened = try? open() else { return nil }
        let result = opened.verifier.transaction(signed)?.at(turn)
        if let result { feed.verified.insert(result, for: signed, version: revocations) }
        return result
    }
}

extension VerificationResult<Transaction> {
    fileprivate func at(_ turn: Int) -> Self {
        var transaction = unsafePayloadValue
        transaction.turn = turn
        return switch self {
        case .verified: .verified(transaction)
        case .unverified(_, let error): .unverified(transaction, error)
        }
    }
}

extension Storefront {
    init(_ storefront: SKStorefront) {
        self.init(
            countryCode: storefront.countryCode, id: storefront.identifier,
            currency: StoreModel.Storefront.named(storefront.countryCode)
                .map { Locale.Currency($0.currency) })
    }
}
