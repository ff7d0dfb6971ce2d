import StoreModel
import StoreWire

/// Where the queue and StoreKit 2 meet: what happens in one is heard of in the other.
extension PaymentEngine {
    /// Says that the app uses StoreKit 2, and takes up what an earlier run left behind.
    ///
    /// - Returns: nil if the app has no usable profile; the log says why.
    func useFeed() async -> Opened? {
        let isFirst = feed.state.withLock { state in
            defer { state.isUsed = true }
            return !state.isUsed
        }
        await startOnce()
        let opened = try? open()
        // The listener looks whether anybody wants to hear of changes.
        if isFirst { opened?.device.signIns.ring() }
        return opened
    }

    /// Tells StoreKit 2 how a transaction of the queue stands now. On the callback executor, in the
    /// step that tells observers.
    func tellFeed(of transaction: SKPaymentTransaction) {
        switch transaction.transactionState {
        case .purchased:
            guard let signed = transaction.openStoreSignature?.jws else { return }
            noteSubscription(signed)
            if !endPurchase(of: transaction, .sold(signed)), feed.isUsed,
                let result = verified(signed)
            {
                feed.tell(result)
            }
            tellChange(of: transaction, sold: signed)
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

    /// A period of a subscription changes more than itself: how the group stands, and the period
    /// that it takes the place of. The store knows that.
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
        let waiting = feed.state.withLock { $0.purchases.removeValue(forKey: transaction.key) }
        guard let waiting else { return false }
        if case .sold(let signed) = end, let result = verified(signed) {
            feed.markTold(result.unsafePayloadValue)
            feed.state.withLock { _ = $0.returned.insert(result.unsafePayloadValue.id) }
        }
        waiting.end.resume(returning: end)
        return true
    }

    /// Verifies a signed transaction.
    ///
    /// - Returns: nil if it can't be decoded.
    func verified(_ signed: String) -> VerificationResult<Transaction>? {
        if let known = feed.state.withLock({ $0.verified[signed] }) { return known }
        guard let opened = try? open() else { return nil }
        let result = opened.verifier.transaction(signed)
        feed.state.withLock { state in
            // Statements of before are of no use any more.
            if state.verified.count >= Self.mostVerified { state.verified.removeAll() }
            state.verified[signed] = result
        }
        return result
    }

    private static let mostVerified = PageWalk.limit
}

extension StatementVerifier {
    init(_ device: StoreDevice) {
        self.init(profile: device.profile, deviceID: device.client.deviceID)
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
