import StoreKit
import Testing

// What is in no other file of this suite: the rest of the framework's declarations, called
// as an app calls them.

/// Everything an observer can implement.
private final class FullObserver: NSObject, SKPaymentTransactionObserver, SKPaymentQueueDelegate {
    private(set) var heard: [String] = []

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) { heard.append("updated") }
    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) { heard.append("removed") }
    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) { heard.append("restore failed") }
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        heard.append("restored")
    }
    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        heard.append("downloads")
    }
    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool { true }
    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) { heard.append("storefront") }
    func paymentQueue(
        _ queue: SKPaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) { heard.append("revoked") }
    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool { newStorefront.countryCode == "USA" }
    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool { false }
}

/// Hears how a request of a process without a profile ends.
private final class RequestDelegate: NSObject, SKProductsRequestDelegate, @unchecked Sendable {
    // Sendable: constant after `init`.
    let errors: AsyncStream<any Error>
    private let continuation: AsyncStream<any Error>.Continuation

    override init() {
        (errors, continuation) = AsyncStream.makeStream()
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {}
    func request(_ request: SKRequest, didFailWithError error: any Error) {
        continuation.yield(error)
    }

    func next() async -> (any Error)? {
        for await error in errors { return error }
        return nil
    }
}

struct Calls {
    /// The app's queue has one delegate, and these tests are in the process twice, once for each
    /// language mode: who sets it is alone.
    private func alone(_ body: () async -> Void) async throws {
        let lock = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
        try #require(lock >= 0)
        defer { close(lock) }
        while flock(lock, LOCK_EX | LOCK_NB) != 0 { await Task.yield() }
        await body()
    }

    @Test func `the queue's observers and delegate are weak and counted`() async throws {
        try await alone {
            let queue: SKPaymentQueue = .default()
            // Other tests have observers of other kinds.
            func count() -> Int { queue.transactionObservers.filter { $0 is FullObserver }.count }
            var observer: FullObserver? = FullObserver()
            #expect(count() == 0)
            queue.add(observer!)
            queue.delegate = observer
            #expect(count() == 1)
            #expect(queue.transactionObservers.contains { $0 === observer })
            #expect(queue.delegate === observer)
            observer = nil
            // Whoever looks at the observers in another test holds them as long.
            while count() > 0 || queue.delegate != nil { await Task.yield() }
        }
    }

    @Test func `nothing is done with no downloads`() {
        let queue = SKPaymentQueue.default()
        queue.start([])
        queue.pause([])
        queue.resume([])
        queue.cancel([])
        #expect(queue.transactions.isEmpty)
        #expect(queue.storefront == nil)
    }

    @Test func `an observer implements all of Apple's methods`() {
        let observer = FullObserver()
        let plain: any SKPaymentTransactionObserver = observer
        let queue = SKPaymentQueue()
        plain.paymentQueue(queue, updatedTransactions: [])
        plain.paymentQueue(queue, removedTransactions: [])
        plain.paymentQueue(queue, restoreCompletedTransactionsFailedWithError: URLError(.unknown))
        plain.paymentQueueRestoreCompletedTransactionsFinished(queue)
        plain.paymentQueue(queue, updatedDownloads: [])
        plain.paymentQueueDidChangeStorefront(queue)
        plain.paymentQueue(queue, didRevokeEntitlementsForProductIdentifiers: ["a"])
        #expect(
            observer.heard == [
                "updated", "removed", "restore failed", "restored", "downloads", "storefront",
                "revoked",
            ])
        #expect(plain.paymentQueue(queue, shouldAddStorePayment: SKPayment(), for: SKProduct()))
        let delegate: any SKPaymentQueueDelegate = observer
        #expect(
            !delegate.paymentQueue(
                queue, shouldContinue: SKPaymentTransaction(), in: SKStorefront()))
        #expect(!delegate.paymentQueueShouldShowPriceConsent(queue))
    }

    @Test func `bare values have Apple's defaults`() {
        let payment = SKPayment(product: SKProduct())
        #expect(payment.quantity == 1 && payment.requestData == nil)
        #expect(payment.applicationUsername == nil && payment.paymentDiscount == nil)
        #expect(!payment.simulatesAskToBuyInSandbox && payment.productIdentifier == "")
        let transaction = SKPaymentTransaction()
        #expect(transaction.error == nil && transaction.original == nil)
        #expect(transaction.transactionIdentifier == nil && transaction.transactionDate == nil)
        #expect(transaction.downloads == [] && transaction.payment.quantity == 1)
        let download = SKDownload()
        #expect(download.state == .waiting && download.contentURL == nil)
        #expect(download.timeRemaining == SKDownloadTimeRemainingUnknown)
        #expect(download.timeRemaining == -1 && download.progress == 0 && download.error == nil)
        #expect(download.expectedContentLength == 0 && download.contentIdentifier == "")
        #expect(download.contentVersion == "" && download.transaction.downloads.isEmpty)
        let product = SKProduct()
        #expect(!product.isDownloadable && product.downloadContentLengths.isEmpty)
        #expect(product.downloadContentVersion == "" && product.contentVersion == "")
        #expect(product.subscriptionPeriod == nil && product.introductoryPrice == nil)
        #expect(product.subscriptionGroupIdentifier == nil && product.discounts.isEmpty)
        #expect(!product.isFamilyShareable && product.localizedDescription == "")
        let response = SKProductsResponse()
        #expect(response.products.isEmpty && response.invalidProductIdentifiers.isEmpty)
    }

    /// What Apple has replaced warns, and goes on working.
    @available(*, deprecated) private func olderNames() -> (SKDownloadState, Int64, Bool, Int) {
        let download = SKDownload()
        let product = SKProduct()
        return (
            download.downloadState, download.contentLength, product.downloadable,
            product.contentLengths.count
        )
    }

    @available(*, deprecated) @Test func `older names mean the same`() {
        let (state, length, isDownloadable, lengths) = olderNames()
        #expect(state == .waiting && length == 0 && !isDownloadable && lengths == 0)
    }

    @Test func `a payment can be changed and carries a signed offer`() throws {
        let offer = SKPaymentDiscount(
            identifier: "spring", keyIdentifier: "KEY", nonce: UUID(), signature: "c2ln",
            timestamp: NSNumber(value: 1_700_000_000_000))
        let payment = SKMutablePayment()
        payment.productIdentifier = "com.example.pro"
        payment.quantity = 2
        payment.requestData = nil
        payment.applicationUsername = UUID().uuidString
        payment.simulatesAskToBuyInSandbox = true
        payment.paymentDiscount = offer
        let copy = try #require(payment.copy() as? SKPayment)
        #expect(copy.isEqual(payment) && copy.hash == payment.hash)
        #expect(copy.paymentDiscount?.identifier == "spring")
        #expect(copy.paymentDiscount?.keyIdentifier == "KEY" && offer.signature == "c2ln")
        #expect(copy.paymentDiscount?.nonce == offer.nonce && offer.timestamp == 1_700_000_000_000)
        #expect((payment.copy(with: nil) as? SKPayment)?.quantity == 2)
        #expect((copy.mutableCopy(with: nil) as? SKMutablePayment)?.quantity == 2)
        payment.quantity = 3
        #expect(!copy.isEqual(payment))
        #expect(SKMutablePayment(product: SKProduct()).quantity == 1)
    }

    @Test func `a request without a profile fails, and one that was cancelled is silent`() async {
        let delegate = RequestDelegate()
        let cancelled = SKProductsRequest(productIdentifiers: ["a"])
        cancelled.delegate = delegate
        cancelled.start()
        cancelled.cancel()
        // Nobody keeps the request: one in flight keeps itself.
        do {
            let request = SKProductsRequest(productIdentifiers: ["a"])
            request.delegate = delegate
            request.start()
        }
        let error = await delegate.next()
        #expect((error as? SKError)?.code == .clientInvalid)
        #expect((error as NSError?)?.localizedDescription.contains("profile") == true)
    }

    @Test func `one delegate slot serves both types`() {
        let delegate = RequestDelegate()
        let request = SKProductsRequest(productIdentifiers: [])
        let base: SKRequest = request
        base.delegate = delegate
        #expect(request.delegate === delegate)
        request.delegate = nil
        #expect(base.delegate == nil)
        let plain = SKRequest()
        plain.delegate = delegate
        #expect(plain.delegate === delegate)
        plain.start()
        plain.cancel()
        // Not retained, by either type.
        do {
            let brief = RequestDelegate()
            plain.delegate = brief
            request.delegate = brief
        }
        #expect(plain.delegate == nil && request.delegate == nil)
    }
}
