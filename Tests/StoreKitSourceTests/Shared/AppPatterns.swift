import StoreKit
import Testing

// Code as apps write it. Most of it only has to compile.

/// A store helper with everything in one object.
private final class StoreHelper: NSObject, SKProductsRequestDelegate,
    SKPaymentTransactionObserver
{
    private var request: SKProductsRequest?
    private(set) var products: [SKProduct] = []
    var onError: ((any Error) -> Void)?

    override init() {
        super.init()
        SKPaymentQueue.default().add(self)
    }

    deinit {
        SKPaymentQueue.default().remove(self)
    }

    func load(_ identifiers: Set<String>) {
        request?.cancel()
        request = SKProductsRequest(productIdentifiers: identifiers)
        request?.delegate = self
        request?.start()
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        products = response.products.sorted { $0.price.compare($1.price) == .orderedAscending }
        for identifier in response.invalidProductIdentifiers { print("invalid: \(identifier)") }
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        onError?(error)
    }

    func requestDidFinish(_ request: SKRequest) {
        if request is SKProductsRequest { self.request = nil }
    }

    func buy(_ product: SKProduct, quantity: Int, user: String?) {
        guard SKPaymentQueue.canMakePayments() else { return }
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        payment.applicationUsername = user
        payment.simulatesAskToBuyInSandbox = false
        SKPaymentQueue.default().add(payment)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing, .deferred: break
            case .purchased, .restored:
                if transaction.downloads == [] {
                    queue.finishTransaction(transaction)
                } else {
                    queue.start(transaction.downloads)
                }
            case .failed:
                if let error = transaction.error as? SKError, error.code != .paymentCancelled {
                    onError?(error)
                }
                queue.finishTransaction(transaction)
            @unknown default: break
            }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        for download in downloads {
            switch download.state {
            case .waiting, .active, .paused: continue
            case .finished:
                guard let url = download.contentURL else { continue }
                _ = url.appendingPathComponent("Contents")
                queue.finishTransaction(download.transaction)
            case .failed, .cancelled:
                queue.finishTransaction(download.transaction)
            }
        }
    }
}

/// What test suites of libraries do: subclass and override getters and methods.
///
/// Sendable: Swift has subclasses of `@unchecked Sendable` classes say it again; the mocks are
/// used by one test at a time.
private final class MockProduct: SKProduct, @unchecked Sendable {
    override var productIdentifier: String { "mock" }
    override var price: NSDecimalNumber { 1.99 }
    override var priceLocale: Locale { Locale(identifier: "en_US@currency=USD") }
}

private final class MockTransaction: SKPaymentTransaction, @unchecked Sendable {
    // Sendable: used by one test at a time.
    override var transactionState: SKPaymentTransactionState { .purchased }
    override var payment: SKPayment { SKPayment(product: MockProduct()) }
    override var transactionIdentifier: String? { "1" }
}

private final class MockQueue: SKPaymentQueue, @unchecked Sendable {
    // Sendable: used by one test at a time.
    private(set) var added: [SKPayment] = []
    private(set) var finished: [SKPaymentTransaction] = []

    override class func canMakePayments() -> Bool { false }
    override func add(_ payment: SKPayment) { added.append(payment) }
    override func finishTransaction(_ transaction: SKPaymentTransaction) {
        finished.append(transaction)
    }
}

@Suite struct AppCode {
    @Test func `mocks stand in for the framework's classes`() {
        let queue = MockQueue()
        queue.add(SKPayment(product: MockProduct()))
        queue.finishTransaction(MockTransaction())
        #expect(queue.added.map(\.productIdentifier) == ["mock"])
        #expect(queue.finished.count == 1)
        #expect(!type(of: queue).canMakePayments())
        #expect(MockTransaction().payment.quantity == 1)
    }

    @Test func `every class can be made bare`() {
        let made: [NSObject] = [
            SKProduct(), SKPayment(), SKMutablePayment(), SKPaymentTransaction(), SKRequest(),
            SKProductsRequest(), SKProductsResponse(), SKProductDiscount(), SKPaymentDiscount(),
            SKProductSubscriptionPeriod(), SKStorefront(), SKDownload(),
        ]
        #expect(made.count == 12)
        #expect(SKPaymentQueue.default() === SKPaymentQueue.default())
    }

    @Test func `the base request takes a delegate too`() {
        let helper = StoreHelper()
        let request: SKRequest = SKProductsRequest(productIdentifiers: [])
        request.delegate = helper
        #expect((request as? SKProductsRequest)?.delegate === helper)
    }

    @Test func `a mutable payment is copied by value`() throws {
        let payment = SKMutablePayment(product: MockProduct())
        payment.quantity = 4
        let copy = try #require(payment.copy() as? SKPayment)
        payment.quantity = 9
        #expect(copy.quantity == 4 && copy.productIdentifier == "mock")
        #expect(!(copy is SKMutablePayment))
        #expect((copy.mutableCopy() as? SKMutablePayment)?.quantity == 4)
    }
}
