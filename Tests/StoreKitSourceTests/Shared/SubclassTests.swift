import StoreKit
import Testing

// Points 1 to 3: everything can be subclassed, overridden and made bare.
//
// Sendable: Swift has subclasses of `@unchecked Sendable` classes say it again; each of these
// is used by one test.

private final class Product: SKProduct, @unchecked Sendable {
    // Sendable: constant, and used by one test at a time.
    private let name: String
    // No call of super.init: the superclass has one initializer for others, without arguments.
    init(name: String) { self.name = name }
    override var productIdentifier: String { name }
    override var localizedTitle: String { "Title" }
    override var localizedDescription: String { "Description" }
    override var price: NSDecimalNumber { 2.5 }
    override var priceLocale: Locale { Locale(identifier: "de_DE@currency=EUR") }
    override var isDownloadable: Bool { true }
    override var downloadContentLengths: [NSNumber] { [10] }
    override var downloadContentVersion: String { "1.1" }
    override var contentVersion: String { "1.1" }
    override var subscriptionPeriod: SKProductSubscriptionPeriod? { Period() }
    override var introductoryPrice: SKProductDiscount? { Discount() }
    override var subscriptionGroupIdentifier: String? { "group" }
    override var discounts: [SKProductDiscount] { [Discount()] }
    override var isFamilyShareable: Bool { true }
}

private final class Period: SKProductSubscriptionPeriod, @unchecked Sendable {
    // Sendable: constant, and used by one test at a time.
    override var numberOfUnits: Int { 3 }
    override var unit: SKProduct.PeriodUnit { .month }
}

private final class Discount: SKProductDiscount, @unchecked Sendable {
    // Sendable: constant, and used by one test at a time.
    override var price: NSDecimalNumber { 0.5 }
    override var priceLocale: Locale { Locale(identifier: "en_US") }
    override var subscriptionPeriod: SKProductSubscriptionPeriod { Period() }
    override var numberOfPeriods: Int { 2 }
    override var paymentMode: SKProductDiscount.PaymentMode { .freeTrial }
    override var identifier: String? { "offer" }
    override var type: SKProductDiscount.`Type` { .subscription }
}

private final class Payment: SKPayment {
    override var productIdentifier: String { "paid" }
    override var quantity: Int { 7 }
    override var requestData: Data? { Data([1]) }
    override var applicationUsername: String? { "user" }
    override var simulatesAskToBuyInSandbox: Bool { true }
    override var paymentDiscount: SKPaymentDiscount? { OfferSignature() }
}

private final class OfferSignature: SKPaymentDiscount, @unchecked Sendable {
    // Sendable: constant, and used by one test at a time.
    override var identifier: String { "offer" }
    override var keyIdentifier: String { "key" }
    override var nonce: UUID { UUID(uuidString: "00000000-0000-0000-0000-000000000001")! }
    override var signature: String { "sig" }
    override var timestamp: NSNumber { 5 }
}

private final class Transaction: SKPaymentTransaction, @unchecked Sendable {
    // Sendable: constant, and used by one test at a time.
    private let state: SKPaymentTransactionState
    init(state: SKPaymentTransactionState) { self.state = state }
    override var transactionState: SKPaymentTransactionState { state }
    override var payment: SKPayment { Payment() }
    override var error: (any Error)? { SKError(.paymentCancelled) }
    override var original: SKPaymentTransaction? { Transaction(state: .purchased) }
    override var transactionIdentifier: String? { "1" }
    override var transactionDate: Date? { Date(timeIntervalSince1970: 0) }
    override var downloads: [SKDownload] { [Download()] }
}

private final class Download: SKDownload, @unchecked Sendable {
    // Sendable: constant, and used by one test at a time.
    override var state: SKDownloadState { .finished }
    override var contentIdentifier: String { "content" }
    override var contentVersion: String { "2.0" }
    override var expectedContentLength: Int64 { 9 }
    override var contentURL: URL? { URL(fileURLWithPath: "/content") }
    override var error: (any Error)? { nil }
    override var progress: Float { 1 }
    override var timeRemaining: TimeInterval { 0 }
    override var transaction: SKPaymentTransaction { Transaction(state: .purchased) }
}

private final class Response: SKProductsResponse, @unchecked Sendable {
    // Sendable: constant, and used by one test at a time.
    override var products: [SKProduct] { [Product(name: "a")] }
    override var invalidProductIdentifiers: [String] { ["b"] }
}

/// Answers without a store.
private final class Request: SKProductsRequest {
    private var isCancelled = false
    override func start() {
        guard !isCancelled else { return }
        delegate?.productsRequest(self, didReceive: Response())
        delegate?.requestDidFinish?(self)
    }
    override func cancel() { isCancelled = true }
}

private final class Storefront: SKStorefront, @unchecked Sendable {
    // Sendable: constant, and used by one test at a time.
    override var countryCode: String { "DEU" }
    override var identifier: String { "143443" }
}

private final class Queue: SKPaymentQueue, @unchecked Sendable {
    // Sendable: constant, and used by one test at a time.
    private(set) var calls: [String] = []
    private let allowed: Bool
    init(allowed: Bool) { self.allowed = allowed }
    override class func canMakePayments() -> Bool { false }
    override func add(_ payment: SKPayment) { calls.append("pay \(payment.quantity)") }
    override func add(_ observer: any SKPaymentTransactionObserver) { calls.append("observe") }
    override func remove(_ observer: any SKPaymentTransactionObserver) { calls.append("leave") }
    override func restoreCompletedTransactions() { calls.append("restore") }
    override func restoreCompletedTransactions(withApplicationUsername username: String?) {
        calls.append("restore \(username ?? "all")")
    }
    override func finishTransaction(_ transaction: SKPaymentTransaction) { calls.append("finish") }
    override func start(_ downloads: [SKDownload]) { calls.append("start") }
    override func pause(_ downloads: [SKDownload]) { calls.append("pause") }
    override func resume(_ downloads: [SKDownload]) { calls.append("resume") }
    override func cancel(_ downloads: [SKDownload]) { calls.append("cancel") }
    override func showPriceConsentIfNeeded() { calls.append("consent") }
    override func presentCodeRedemptionSheet() { calls.append("redeem") }
    override var transactions: [SKPaymentTransaction] { [Transaction(state: .failed)] }
    override var transactionObservers: [any SKPaymentTransactionObserver] { [] }
    override var storefront: SKStorefront? { Storefront() }
}

private class PlainQueue: SKPaymentQueue, @unchecked Sendable {
    // Sendable: it has nothing of its own.
}

private class PlainController: SKProductStorePromotionController, @unchecked Sendable {
    // Sendable: it has nothing of its own.
}

private final class Listener: NSObject, SKProductsRequestDelegate, SKPaymentTransactionObserver {
    private(set) var heard: [String] = []
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        heard += response.products.map(\.productIdentifier) + response.invalidProductIdentifiers
    }
    func requestDidFinish(_ request: SKRequest) { heard.append("finished") }
    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {}
}

@Suite struct Subclasses {
    @Test func `getters of every value class can be overridden`() throws {
        let product: SKProduct = Product(name: "a")
        #expect(product.productIdentifier == "a" && product.price == 2.5)
        #expect(PriceLabel.text(product)?.contains("2,50") == true)
        let period = try #require(product.subscriptionPeriod)
        #expect(period.numberOfUnits == 3 && period.unit == .month)
        let offer = try #require(product.introductoryPrice)
        #expect(offer.paymentMode == .freeTrial && offer.type == .subscription)
        #expect(product.discounts.first?.subscriptionPeriod.unit == .month)
        let download: SKDownload = Download()
        #expect(download.state == .finished && download.transaction.payment.quantity == 7)
        let storefront: SKStorefront = Storefront()
        #expect(storefront.countryCode == "DEU" && storefront.identifier == "143443")
    }

    @Test func `a payment is copied as its getters give it`() throws {
        let payment: SKPayment = Payment()
        let copy = try #require(payment.mutableCopy() as? SKMutablePayment)
        #expect(copy.productIdentifier == "paid" && copy.quantity == 7)
        #expect(copy.requestData == Data([1]) && copy.applicationUsername == "user")
        #expect(copy.simulatesAskToBuyInSandbox && copy.paymentDiscount?.signature == "sig")
    }

    @Test func `the app's queue and controller are the same for a subclass`() {
        let queue: SKPaymentQueue = PlainQueue.default()
        #expect(queue === SKPaymentQueue.default() && queue.transactions.isEmpty)
        let controller: SKProductStorePromotionController = PlainController.default()
        #expect(controller === SKProductStorePromotionController.default())
    }

    @Test func `every method of the queue can be overridden`() {
        let queue = Queue(allowed: true)
        let front: SKPaymentQueue = queue
        let listener = Listener()
        let payment = SKMutablePayment(product: Product(name: "a"))
        payment.quantity = 3
        front.add(listener)
        front.add(payment)
        front.start([])
        front.pause([])
        front.resume([])
        front.cancel([])
        front.restoreCompletedTransactions()
        front.restoreCompletedTransactions(withApplicationUsername: "me")
        front.showPriceConsentIfNeeded()
        front.presentCodeRedemptionSheet()
        front.finishTransaction(Transaction(state: .failed))
        front.remove(listener)
        #expect(
            queue.calls == [
                "observe", "pay 3", "start", "pause", "resume", "cancel", "restore", "restore me",
                "consent", "redeem", "finish", "leave",
            ])
        #expect(!type(of: front).canMakePayments() && SKPaymentQueue.canMakePayments())
        #expect(front.transactions.first?.transactionState == .failed)
        #expect(front.storefront?.countryCode == "DEU" && front.transactionObservers.isEmpty)
    }

    @Test func `a request of a test answers by itself`() {
        let listener = Listener()
        let request = Request(productIdentifiers: ["a", "b"])
        request.delegate = listener
        request.start()
        #expect(listener.heard == ["a", "b", "finished"])
        request.cancel()
        request.start()
        #expect(listener.heard.count == 3)
    }
}
