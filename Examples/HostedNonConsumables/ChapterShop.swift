import StoreKit

/// Sells chapters, restores them, and downloads what the store hosts of them.
///
/// What the customer owns and what is on the device are two things: restoring finds out the
/// first, and downloads nothing but what is wanted.
final class ChapterShop: NSObject, SKProductsRequestDelegate, SKPaymentTransactionObserver {
    /// What the customer can see the shop do.
    enum Activity {
        case idle
        /// It waits for the store, or asks the customer something.
        case busy
        case downloading([SKDownload])
    }

    /// A chapter in the shop.
    struct Chapter {
        enum State {
            case forSale(price: String)
            case owned
            case installed(version: String)
            case outdated(installed: String, newest: String)
        }

        let product: SKProduct
        let state: State
        var bytes: Int64 { product.downloadContentLengths.reduce(0) { $0 + $1.int64Value } }
    }

    private static let identifiers: Set<String> = [
        "com.example.bookshop.chapter1", "com.example.bookshop.chapter2",
    ]

    let library: Library
    var onMessage: (String) -> Void = { _ in }
    var onChange: (Activity) -> Void = { _ in }

    private var products: [SKProduct] = []
    /// The request for the products, while the store has not answered it.
    private var request: SKProductsRequest?
    /// Downloads that are not over, in the order in which they were started.
    private var downloads: [SKDownload] = []
    /// Transactions that were finished and are on their way out of the queue.
    private var finishing: Set<SKPaymentTransaction> = []
    private var isRestoring = false
    /// What is to be downloaded of what a restore brings.
    private var wanted: Set<String> = []

    init(library: Library) {
        self.library = library
    }

    /// What the customer may buy, or has. Where purchases are switched off, nothing is for sale.
    var chapters: [Chapter] {
        let all = products.map { Chapter(product: $0, state: state(of: $0)) }
        guard !SKPaymentQueue.canMakePayments() else { return all }
        return all.filter { if case .forSale = $0.state { false } else { true } }
    }
    var hasUpdates: Bool { !outdated.isEmpty }

    /// To be called at launch: from here on the shop hears of payments and downloads, also of
    /// those that an earlier run has left behind.
    func open() {
        SKPaymentQueue.default().add(self)
        if !SKPaymentQueue.canMakePayments() {
            onMessage("Purchases are switched off on this device.")
        }
        loadProducts()
    }

    /// Buys a chapter, or downloads one that the customer owns.
    func get(_ chapter: Chapter) {
        if case .forSale = chapter.state {
            onChange(.busy)
            SKPaymentQueue.default().add(SKPayment(product: chapter.product))
        } else {
            restore(downloading: [chapter.product.productIdentifier])
        }
    }

    /// Finds out what the customer owns.
    func restore() {
        restore(downloading: [])
    }

    /// Downloads newer versions of what is installed. Nobody tells an app that there are any:
    /// it compares, and fetches them by restoring.
    func update() {
        guard hasUpdates else { return onMessage("Every chapter is the newest.") }
        restore(downloading: Set(outdated))
    }

    func pause() { SKPaymentQueue.default().pause(downloads) }
    func resume() { SKPaymentQueue.default().resume(downloads) }
    /// Gives up what is on its way. The customer owns it, and can get it by restoring.
    func cancel() { SKPaymentQueue.default().cancel(downloads) }

    private func restore(downloading wanted: Set<String>) {
        self.wanted = wanted
        isRestoring = true
        onChange(.busy)
        SKPaymentQueue.default().restoreCompletedTransactions()
    }

    // MARK: Products

    private func loadProducts() {
        let request = SKProductsRequest(productIdentifiers: Self.identifiers)
        request.delegate = self
        request.start()
        self.request = request
    }

    /// Somebody from another country has signed in: other prices, another language.
    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        loadProducts()
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        products = response.products.sorted { $0.productIdentifier < $1.productIdentifier }
    }

    func requestDidFinish(_ request: SKRequest) {
        if request === self.request { self.request = nil }
        changed()
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        // A program without a usable profile has no store, and that does not get better.
        if let error = error as? SKError, error.code == .clientInvalid {
            Screen.fail(error.localizedDescription, code: 1)
        }
        if request === self.request { self.request = nil }
        onMessage("The shop is closed: \(sentence(for: error))")
        changed()
    }

    private func state(of product: SKProduct) -> Chapter.State {
        let newest = product.downloadContentVersion
        if let installed = library.version(of: product.productIdentifier) {
            return Library.isNewer(newest, than: installed)
                ? .outdated(installed: installed, newest: newest) : .installed(version: installed)
        }
        return library.owns(product.productIdentifier)
            ? .owned : .forSale(price: price(of: product))
    }

    private var outdated: [String] {
        chapters.compactMap { chapter in
            if case .outdated = chapter.state { chapter.product.productIdentifier } else { nil }
        }
    }

    private func price(of product: SKProduct) -> String {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        return formatter.string(from: product.price) ?? "\(product.price)"
    }

    // MARK: Payments

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing:
                onChange(.busy)
            case .purchased:
                download(transaction)
            case .restored:
                download(transaction, isWanted: !isRestoring || isWanted(transaction))
            case .failed:
                if (transaction.error as? SKError)?.code == .paymentCancelled {
                    onMessage("Nothing was bought.")
                } else if let error = transaction.error {
                    onMessage("The purchase has failed: \(sentence(for: error))")
                }
                finish(transaction)
            case .deferred:
                onMessage("Somebody else has to approve the purchase.")
                changed()
            @unknown default:
                break
            }
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        isRestoring = false
        let owned = Self.identifiers.filter(library.owns).count
        if wanted.isEmpty { onMessage("Chapters that are yours: \(owned)") }
        changed()
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        isRestoring = false
        onMessage("Nothing could be restored: \(sentence(for: error))")
        changed()
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        finishing.subtract(transactions)
        changed()
    }

    private func finish(_ transaction: SKPaymentTransaction) {
        finishing.insert(transaction)
        SKPaymentQueue.default().finishTransaction(transaction)
    }

    private func isWanted(_ transaction: SKPaymentTransaction) -> Bool {
        wanted.contains(transaction.payment.productIdentifier)
    }

    /// Records the purchase, and starts to download what is not installed of it.
    private func download(_ transaction: SKPaymentTransaction, isWanted: Bool = true) {
        do {
            try library.own(transaction.payment.productIdentifier)
            let missing = try transaction.downloads.filter { download in
                try !library.use(download.contentIdentifier, version: download.contentVersion)
            }
            if missing.isEmpty || !isWanted {
                finish(transaction)
            } else {
                downloads += missing
                SKPaymentQueue.default().start(missing)
            }
        } catch {
            onMessage("The purchase can't be recorded: \(error.localizedDescription)")
        }
        changed()
    }

    // MARK: Downloads

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads updated: [SKDownload]) {
        for download in updated {
            switch download.state {
            case .waiting, .active, .paused:
                continue
            case .finished:
                install(download)
            case .failed:
                let reason = download.error.map(sentence) ?? "nobody knows why."
                onMessage("The download has stopped: \(reason) It goes on at the next start.")
            case .cancelled:
                // Also what becomes of a download whose transaction is finished before it.
                onMessage("The download is cancelled. A number gets the chapter again.")
                finish(download.transaction)
            }
            downloads.removeAll { $0 === download }
        }
        changed()
    }

    /// Keeps the files first, then ends the transaction: until then they would come again.
    private func install(_ download: SKDownload) {
        guard let content = download.contentURL?.appendingPathComponent("Contents") else { return }
        do {
            try library.install(
                content, as: download.contentIdentifier, version: download.contentVersion)
            onMessage(
                Screen.green("Version \(download.contentVersion) is installed.")
                    + " A number opens it.")
            let isLast = download.transaction.downloads.allSatisfy { $0.state == .finished }
            if isLast { finish(download.transaction) }
        } catch {
            onMessage("The chapter can't be installed: \(error.localizedDescription)")
        }
    }

    private func changed() {
        let transactions = SKPaymentQueue.default().transactions
        if !downloads.isEmpty {
            onChange(.downloading(downloads))
        } else if request != nil || isRestoring || !finishing.isEmpty
            || transactions.contains(where: { $0.transactionState == .purchasing })
        {
            onChange(.busy)
        } else {
            onChange(.idle)
        }
    }

    private func sentence(for error: any Error) -> String {
        error is URLError ? "the store can't be reached." : error.localizedDescription
    }
}
