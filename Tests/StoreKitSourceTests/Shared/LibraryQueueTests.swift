import StoreKit
import Testing

// How libraries around the queue use it, after SwiftyStoreKit and InAppPurchase: protocols of
// their own that the framework's classes are made to conform to, handlers by product, and
// fakes of both in their tests.

/// What a library wants of the queue, so that its tests can put another in its place.
protocol LibraryQueue: AnyObject {
    static func canMakePayments() -> Bool
    func add(_ observer: any SKPaymentTransactionObserver)
    func remove(_ observer: any SKPaymentTransactionObserver)
    func add(_ payment: SKPayment)
    func restoreCompletedTransactions(withApplicationUsername username: String?)
    func finishTransaction(_ transaction: SKPaymentTransaction)
    func start(_ downloads: [SKDownload])
    func pause(_ downloads: [SKDownload])
    func resume(_ downloads: [SKDownload])
    func cancel(_ downloads: [SKDownload])
}

extension SKPaymentQueue: LibraryQueue {}

/// What a library shows of a transaction.
protocol LibraryTransaction {
    var transactionDate: Date? { get }
    var transactionState: SKPaymentTransactionState { get }
    var transactionIdentifier: String? { get }
    var downloads: [SKDownload] { get }
}

extension SKPaymentTransaction: LibraryTransaction {}

extension SKProduct {
    /// The price in the store's currency.
    var localizedPrice: String? { PriceLabel.text(self) }
    /// The unit of the subscription, for people.
    var localizedPeriod: String {
        guard let period = subscriptionPeriod else { return "" }
        let unit: String
        switch period.unit {
        case .day: unit = "day"
        case .week: unit = "week"
        case .month: unit = "month"
        case .year: unit = "year"
        @unknown default: unit = "?"
        }
        return "\(period.numberOfUnits) \(unit)"
    }
}

/// What became of a payment.
enum LibraryResult {
    case purchased(any LibraryTransaction, productId: String)
    case restored(any LibraryTransaction)
    case deferred
    case failed(SKError)
}

/// The library's heart: gives each update to whoever paid for that product.
private final class LibraryController: NSObject, SKPaymentTransactionObserver {
    unowned let paymentQueue: any LibraryQueue
    private var handlers: [String: [(LibraryResult) -> Void]] = [:]
    private var restored: [any LibraryTransaction] = []
    private var restoreHandler: (([any LibraryTransaction], (any Error)?) -> Void)?
    var shouldAddStorePayment: ((_ payment: SKPayment, _ product: SKProduct) -> Bool)?

    init(paymentQueue: any LibraryQueue = SKPaymentQueue.default()) {
        self.paymentQueue = paymentQueue
        super.init()
        paymentQueue.add(self)
    }

    deinit { paymentQueue.remove(self) }

    func pay(
        _ product: SKProduct, quantity: Int = 1, user: String = "", offer: SKPaymentDiscount? = nil,
        handler: @escaping (LibraryResult) -> Void
    ) {
        guard type(of: paymentQueue).canMakePayments() else {
            return handler(.failed(SKError(.paymentNotAllowed)))
        }
        let payment = SKMutablePayment(product: product)
        payment.applicationUsername = user
        payment.quantity = quantity
        if let offer { payment.paymentDiscount = offer }
        handlers[product.productIdentifier, default: []].append(handler)
        paymentQueue.add(payment)
    }

    func restore(handler: @escaping ([any LibraryTransaction], (any Error)?) -> Void) {
        restoreHandler = handler
        paymentQueue.restoreCompletedTransactions(withApplicationUsername: nil)
    }

    func finish(_ transaction: any LibraryTransaction) {
        guard let transaction = transaction as? SKPaymentTransaction else { return }
        paymentQueue.finishTransaction(transaction)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        let waiting = transactions.filter { $0.transactionState != .purchasing }
        for transaction in waiting where !handle(transaction) {
            paymentQueue.finishTransaction(transaction)
        }
    }

    private func handle(_ transaction: SKPaymentTransaction) -> Bool {
        let identifier = transaction.payment.productIdentifier
        let result: LibraryResult
        switch transaction.transactionState {
        case .restored:
            restored.append(transaction)
            paymentQueue.finishTransaction(transaction)
            return true
        case .purchased: result = .purchased(transaction, productId: identifier)
        case .deferred: result = .deferred
        case .failed:
            let unknown = NSError(domain: SKErrorDomain, code: SKError.unknown.rawValue)
            result = .failed(
                transaction.error as? SKError
                    ?? SKError(_nsError: transaction.error as NSError? ?? unknown))
        default: return false
        }
        guard var waiting = handlers[identifier], !waiting.isEmpty else { return false }
        let handler = waiting.removeFirst()
        handlers[identifier] = waiting
        handler(result)
        if case .purchased = result { return true }
        return false
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        restoreHandler?(restored, nil)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        restoreHandler?([], error)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        let finished = downloads.filter { $0.state == .finished }
        finished.map(\.transaction).forEach(paymentQueue.finishTransaction)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        shouldAddStorePayment?(payment, product) ?? false
    }
}

/// The queue of the library's tests: no SKPaymentQueue at all.
private final class Spy: LibraryQueue {
    var payments: [SKPayment] = []
    var finished: [SKPaymentTransaction] = []
    var restores = 0
    weak var observer: (any SKPaymentTransactionObserver)?

    static func canMakePayments() -> Bool { true }
    func add(_ observer: any SKPaymentTransactionObserver) { self.observer = observer }
    func remove(_ observer: any SKPaymentTransactionObserver) {}
    func add(_ payment: SKPayment) { payments.append(payment) }
    func restoreCompletedTransactions(withApplicationUsername username: String?) { restores += 1 }
    func finishTransaction(_ transaction: SKPaymentTransaction) { finished.append(transaction) }
    func start(_ downloads: [SKDownload]) {}
    func pause(_ downloads: [SKDownload]) {}
    func resume(_ downloads: [SKDownload]) {}
    func cancel(_ downloads: [SKDownload]) {}
}

/// A transaction with values that a test chooses.
///
/// Sendable: constant after `init`.
private final class FakeTransaction: SKPaymentTransaction, @unchecked Sendable {
    private let fakePayment: SKPayment
    private let fakeState: SKPaymentTransactionState
    private let fakeError: NSError?

    init(payment: SKPayment, state: SKPaymentTransactionState, error: NSError? = nil) {
        fakePayment = payment
        fakeState = state
        fakeError = error
    }

    override var payment: SKPayment { fakePayment }
    override var transactionState: SKPaymentTransactionState { fakeState }
    override var error: (any Error)? { fakeError }
    override var transactionIdentifier: String? { fakeState == .failed ? nil : "77" }
}

/// A product with values that a test chooses.
///
/// Sendable: constant after `init`.
private final class FakeProduct: SKProduct, @unchecked Sendable {
    var fakeIdentifier = ""
    override var productIdentifier: String { fakeIdentifier }
    override var price: NSDecimalNumber { NSDecimalNumber(string: "9.99") }
    override var priceLocale: Locale { Locale(identifier: "ja_JP@currency=JPY") }
}

@Suite struct LibraryQueues {
    private static func product(_ identifier: String) -> SKProduct {
        let product = FakeProduct()
        product.fakeIdentifier = identifier
        return product
    }

    @Test func `the handler of the product hears of the purchase`() throws {
        let spy = Spy()
        let library = LibraryController(paymentQueue: spy)
        var results: [String] = []
        library.pay(Self.product("coins"), quantity: 3, user: "me") { result in
            if case .purchased(let transaction, let identifier) = result {
                results.append("\(identifier) \(transaction.transactionIdentifier ?? "")")
                library.finish(transaction)
            }
        }
        let payment = try #require(spy.payments.first)
        #expect(payment.quantity == 3)
        #expect(payment.applicationUsername == "me")
        let queue = SKPaymentQueue.default()
        spy.observer?.paymentQueue(
            queue,
            updatedTransactions: [
                FakeTransaction(payment: payment, state: .purchasing),
                FakeTransaction(payment: payment, state: .purchased),
                FakeTransaction(payment: SKPayment(), state: .purchased),
            ])
        #expect(results == ["coins 77"] && spy.finished.count == 2)
    }

    @Test func `a failure becomes an SKError with its code`() {
        let spy = Spy()
        let library = LibraryController(paymentQueue: spy)
        var codes: [SKError.Code] = []
        for error in [
            NSError(domain: SKErrorDomain, code: 2), nil,
        ] as [NSError?] {
            library.pay(Self.product("coins")) { result in
                if case .failed(let error) = result { codes.append(error.code) }
            }
            spy.observer?.paymentQueue(
                .default(),
                updatedTransactions: [
                    FakeTransaction(
                        payment: spy.payments.last ?? SKPayment(), state: .failed, error: error)
                ])
        }
        #expect(codes == [.paymentCancelled, .unknown] && spy.finished.count == 2)
    }

    @Test func `restoring gathers what is restored`() {
        let spy = Spy()
        let library = LibraryController(paymentQueue: spy)
        var counts: [Int] = []
        library.restore { transactions, error in
            counts.append(error == nil ? transactions.count : -1)
        }
        spy.observer?.paymentQueue(
            .default(),
            updatedTransactions: [
                FakeTransaction(payment: SKPayment(), state: .restored),
                FakeTransaction(payment: SKPayment(), state: .restored),
            ])
        spy.observer?.paymentQueueRestoreCompletedTransactionsFinished(.default())
        spy.observer?.paymentQueue(
            .default(), restoreCompletedTransactionsFailedWithError: URLError(.timedOut))
        #expect(spy.restores == 1 && counts == [2, -1] && spy.finished.count == 2)
        library.shouldAddStorePayment = { _, product in product.productIdentifier == "coins" }
        let added = spy.observer?.paymentQueue(
            .default(), shouldAddStorePayment: SKPayment(), for: Self.product("coins"))
        #expect(added == true)
    }

    @Test func `the framework's own queue takes the library's place`() {
        let library = LibraryController()
        #expect(library.paymentQueue === SKPaymentQueue.default())
        #expect(SKPaymentQueue.default().transactionObservers.contains { $0 === library })
        #expect(Self.product("a").localizedPrice == "¥10")
        #expect(Self.product("a").localizedPeriod == "")
    }
}
