import FoundationNetworking
import StoreModel
import StoreTexts
import StoreWire

/// Purchases by `Product.purchase`, and their transactions.
extension PaymentEngine {
    /// Buys through the queue, and waits for the end.
    ///
    /// - Throws: `Product.PurchaseError` or `StoreKitError`.
    package func purchase(
        _ product: Product, options wanted: Set<Product.PurchaseOption>
    ) async throws -> Product.PurchaseResult {
        let options = try PurchaseOptions(wanted)
        if let quantity = options.quantity {
            let mayBeMany = [.consumable, .nonRenewable].contains(product.type)
            let most = mayBeMany ? StoreModel.ProductType.quantities.upperBound : 1
            guard (1...most).contains(quantity) else {
                throw Product.PurchaseError.invalidQuantity
            }
        }
        guard options.namesPlan(of: product) else { throw StoreKitError.unsupported }
        guard let opened = await useFeed() else {
            throw storeKitError(openingError())
        }
        try opened.device.simulatedErrors.check(.purchase)
        if !feed.updates.hasListeners {
            opened.device.logOnce(
                "Nothing in this app loops over Transaction.updates: it may miss purchases that "
                    + "end after Product.purchase has returned. Start a loop at launch.")
        }
        let transaction = SKPaymentTransaction(
            key: makeKey().text, payment: options.payment(for: product))
        let country = storefront?.countryCode
        let end = await withCheckedContinuation { continuation in
            let waiting = TransactionFeed.WaitingPurchase(
                product: product.id, mayContinue: options.mayContinue, end: continuation)
            feed.state.withLock { $0.purchases[transaction.key] = waiting }
            enqueue { await $0.begin(transaction, in: country) }
        }
        switch end {
        case .sold(let signed):
            guard let result = verified(signed) else { throw StoreKitError.unknown }
            return .success(shown(result))
        case .deferred: return .pending
        case .undecided: throw StoreKitError.networkError(URLError(.networkConnectionLost))
        case .failed(let error):
            if let error = error as? SKError, error.code == .paymentCancelled {
                return .userCancelled
            }
            throw storeKitError(error)
        }
    }

    /// Why the app can't use the store.
    func openingError() -> any Error {
        do {
            _ = try open()
            return SKError(.unknown)
        } catch {
            return visibleError(error)
        }
    }

    /// Whether a purchase continues in another storefront: its own closure decides, or else the
    /// queue's delegate.
    func allows(_ transaction: SKPaymentTransaction, in storefront: SKStorefront) async -> Bool {
        let waiting = feed.state.withLock { $0.purchases[transaction.key] }
        if let mayContinue = waiting?.mayContinue { return mayContinue(Storefront(storefront)) }
        return await delegate.allows(transaction, in: storefront)
    }

    // MARK: Transactions

    /// Finishes the queue's transaction for a transaction of StoreKit 2. One of a former test session is
    /// none of it: the number may be another's by now.
    func finish(_ finished: Transaction) async {
        guard finished.turn == turn, await useFeed() != nil else { return }
        noteTaken(finished)
        let id = finished.id.description
        // The history may have told of it before the queue has it, which finishes it then.
        feed.state.withLock { _ = $0.finished.insert(finished.id) }
        let shown = state.withLock { state in
            state.transactions.first { $0.transactionIdentifier == id }
        }
        guard let shown, let key = PurchaseKey(shown.key) else { return }
        feed.state.withLock { _ = $0.finished.remove(finished.id) }
        await finish(shown, key: key)
    }

    /// Finishes a transaction that the app has finished before the queue had it.
    func finishIfDone(_ transaction: SKPaymentTransaction) {
        guard let id = transaction.transactionIdentifier.flatMap({ UInt64($0) }),
            let key = PurchaseKey(transaction.key),
            feed.state.withLock({ $0.finished.remove(id) }) != nil
        else { return }
        Task { await finish(transaction, key: key) }
    }

    /// The transactions that a loop over `Transaction.updates` begins with: unfinished ones, and
    /// those that changed while nobody listened.
    func updatesAtBeginning() async -> [VerificationResult<Transaction>] {
        guard let opened = await useFeed(), let selection = await selection(opened) else {
            return []
        }
        let untold = opened.journal.history(of: selection.account)?.untold ?? []
        let unreturned = Set(
            unreturned(of: selection.account, opened)
                .compactMap { verified($0)?.unsafePayloadValue.id })
        let (purchases, returned) = feed.state.withLock { state in
            (state.purchases.values.map(\.product), state.returned)
        }
        return selection.transactions.filter { result in
            let transaction = result.unsafePayloadValue
            let isUntold = transaction.storeID.map(untold.contains) ?? false
            // A purchase that a call waits for, or has returned, is that call's.
            return isUntold && !purchases.contains(transaction.productID)
                && !returned.contains(transaction.id)
                || isUntold && transaction.revocationDate != nil
                || selection.unfinished.contains(transaction.id)
                    && unreturned.contains(transaction.id)
        }.sorted { $0.unsafePayloadValue.id < $1.unsafePayloadValue.id }
    }

    /// Records in the journal that the app has received the change of a transaction.
    func noteTaken(_ transaction: Transaction) {
        guard let opened = try? open(), let account = opened.device.sessions.session?.email
        else { return }
        guard let id = transaction.storeID, let history = opened.journal.history(of: account),
            history.untold.contains(id)
        else { return }
        // What the app has may be older than the change, which it has yet to hear of.
        if let kept = history.transactions[id].flatMap({ verified($0) }),
            TransactionContent(kept.unsafePayloadValue) != TransactionContent(transaction)
        {
            return
        }
        var change = HistoryChange(account: account)
        change.told = [id]
        do { try opened.journal.put([change]) } catch {
            opened.device.log("That a change was delivered could not be written down: \(error)")
        }
    }
}

/// The error of StoreKit 2 that an internal error becomes.
func storeKitError(_ error: any Error) -> any Error {
    switch error {
    case is Product.PurchaseError, is StoreKitError: return error
    case let error as URLError: return StoreKitError.networkError(error)
    case let error as SKError:
        switch error.code {
        case .paymentCancelled: return StoreKitError.userCancelled
        case .paymentNotAllowed: return Product.PurchaseError.purchaseNotAllowed
        case .storeProductNotAvailable: return Product.PurchaseError.productUnavailable
        case .invalidOfferIdentifier: return Product.PurchaseError.invalidOfferIdentifier
        case .invalidSignature: return Product.PurchaseError.invalidOfferSignature
        case .missingOfferParams: return Product.PurchaseError.missingOfferParameters
        case .invalidOfferPrice: return Product.PurchaseError.invalidOfferPrice
        case .ineligibleForOffer: return Product.PurchaseError.ineligibleForOffer
        default: return StoreKitError.systemError(error)
        }
    default:
        let visible = visibleError(error)
        if visible is SKError || visible is URLError { return storeKitError(visible) }
        return StoreKitError.systemError(visible)
    }
}

/// The error of the original API that an error of StoreKit 2 becomes.
func originalError(_ error: any Error) -> any Error {
    let code: SKError.Code
    switch error {
    case StoreKitError.networkError(let error): return error
    case StoreKitError.systemError(let error): return error
    case StoreKitError.userCancelled: code = .paymentCancelled
    case StoreKitError.notAvailableInStorefront, Product.PurchaseError.productUnavailable:
        code = .storeProductNotAvailable
    case Product.PurchaseError.invalidQuantity: code = .paymentInvalid
    case Product.PurchaseError.purchaseNotAllowed: code = .paymentNotAllowed
    case Product.PurchaseError.ineligibleForOffer: code = .ineligibleForOffer
    case Product.PurchaseError.invalidOfferIdentifier: code = .invalidOfferIdentifier
    case Product.PurchaseError.invalidOfferPrice: code = .invalidOfferPrice
    case Product.PurchaseError.invalidOfferSignature: code = .invalidSignature
    case Product.PurchaseError.missingOfferParameters: code = .missingOfferParams
    default: code = .unknown
    }
    return SKError(code, error.localizedDescription, underlying: error)
}
