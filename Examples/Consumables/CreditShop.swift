import StoreKit

/// Sells credits with the original interface: asks the store for the products, buys, and delivers
/// into the wallet. `CreditStore` does the same with StoreKit 2.
final class CreditShop: NSObject, CreditSeller, SKProductsRequestDelegate,
    SKPaymentTransactionObserver
{
    private(set) var packs: [Pack] = []
    var onMessage: (String) -> Void = { _ in }
    var onBusy: () -> Void = {}
    var onIdle: () -> Void = {}

    private let wallet: Wallet
    private var products: [SKProduct] = []
    /// The request for the products, while the store has not answered it.
    private var request: SKProductsRequest?

    init(wallet: Wallet) {
        self.wallet = wallet
    }

    var credits: Int { wallet.credits }

    func open() {
        SKPaymentQueue.default().add(self)
        guard SKPaymentQueue.canMakePayments() else {
            onMessage("Purchases are switched off on this device.")
            return onIdle()
        }
        loadProducts()
    }

    func buy(_ pack: Pack) {
        guard let product = products.first(where: { $0.productIdentifier == pack.id }) else {
            return
        }
        onBusy()
        SKPaymentQueue.default().add(SKPayment(product: product))
    }

    func spend() {
        do {
            onMessage(try wallet.spend(1) ? "You have spent a credit." : "You have no credits.")
        } catch {
            onMessage("The credit can't be spent: \(error.localizedDescription)")
        }
        onIdle()
    }

    /// The price as the customer's storefront writes it.
    private func price(of product: SKProduct) -> String {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        return formatter.string(from: product.price) ?? "\(product.price)"
    }

    // MARK: Products

    private func loadProducts() {
        let request = SKProductsRequest(productIdentifiers: Set(Pack.credits.keys))
        request.delegate = self
        request.start()
        self.request = request
    }

    /// Somebody from another country has signed in: other prices, another language.
    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        loadProducts()
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        products = response.products.sorted { $0.price.compare($1.price) == .orderedAscending }
        packs = products.map {
            Pack(
                id: $0.productIdentifier, title: $0.localizedTitle,
                description: $0.localizedDescription, price: price(of: $0))
        }
    }

    func requestDidFinish(_ request: SKRequest) {
        if request === self.request { self.request = nil }
        idleUnlessBusy()
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        // A program without a usable profile has no store, and that does not get better.
        if let error = error as? SKError, error.code == .clientInvalid {
            Screen.fail(error.localizedDescription, code: 1)
        }
        if request === self.request { self.request = nil }
        onMessage("Nothing can be bought now: \(sentence(for: error))")
        idleUnlessBusy()
    }

    // MARK: Payments

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing:
                onBusy()
            case .purchased:
                deliver(transaction)
            case .failed:
                if (transaction.error as? SKError)?.code == .paymentCancelled {
                    onMessage("Nothing was bought.")
                } else if let error = transaction.error {
                    onMessage("The purchase has failed: \(sentence(for: error))")
                }
                queue.finishTransaction(transaction)
            case .deferred:
                onMessage("Somebody else has to approve the purchase.")
                idleUnlessBusy()
            case .restored:
                // Consumables are used up, so there is nothing of them to restore.
                queue.finishTransaction(transaction)
            @unknown default:
                break
            }
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        idleUnlessBusy()
    }

    /// First the credits, on disk, then the end of the transaction. A transaction that is not
    /// finished comes back at the next launch, and the wallet knows it then.
    private func deliver(_ transaction: SKPaymentTransaction) {
        let payment = transaction.payment
        guard let identifier = transaction.transactionIdentifier,
            let pack = Pack.credits[payment.productIdentifier]
        else {
            // Sold by another version of the app, which will know what it is.
            return onMessage("I don't know the product \(payment.productIdentifier).")
        }
        let credits = pack * payment.quantity
        do {
            if try wallet.deliver(credits, for: identifier) {
                onMessage(Screen.green("\(credits) credits were added."))
            }
            SKPaymentQueue.default().finishTransaction(transaction)
        } catch {
            onMessage(
                "The \(credits) credits can't be saved: \(error.localizedDescription). They come "
                    + "at the next start.")
            idleUnlessBusy()
        }
    }

    /// A payment of an earlier run can end before the products are there: the customer sees the
    /// shelf when it is full.
    private func idleUnlessBusy() {
        let transactions = SKPaymentQueue.default().transactions
        let isPaying = transactions.contains { $0.transactionState == .purchasing }
        if request == nil, !isPaying { onIdle() }
    }

    private func sentence(for error: any Error) -> String {
        error is URLError ? "the store can't be reached." : error.localizedDescription
    }
}
