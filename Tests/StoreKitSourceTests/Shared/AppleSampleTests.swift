import StoreKit
import Testing

// The shape of Apple's sample for offering, completing and restoring purchases, and of
// VSStoreKit: one object that loads, one that observes, both shared, with a delegate and with
// notifications.

/// Where the screens of the app hear of both.
private protocol ShopScreen: AnyObject {
    func show(_ message: String)
    func restoreDidSucceed()
}

extension Notification.Name {
    fileprivate static let shopDidChange = Notification.Name("shopDidChange")
}

/// Loads products, and sorts them into what is sold and what is not.
private final class Loader: NSObject {
    enum Section: String { case available, invalid }

    private var productRequest: SKProductsRequest?
    private var availableProducts: [SKProduct] = []
    private(set) var sections: [(Section, [Any])] = []
    weak var screen: (any ShopScreen)?

    func fetch(_ identifiers: [String]) {
        productRequest = SKProductsRequest(productIdentifiers: Set(identifiers))
        productRequest?.delegate = self
        productRequest?.start()
    }

    func title(_ identifier: String) -> String? {
        availableProducts.first { $0.productIdentifier == identifier }?.localizedTitle
    }
}

extension Loader: SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        if !response.products.isEmpty {
            availableProducts = response.products
            sections.append((.available, response.products))
        }
        if !response.invalidProductIdentifiers.isEmpty {
            sections.append((.invalid, response.invalidProductIdentifiers))
        }
        NotificationCenter.default.post(
            name: .shopDidChange, object: self, userInfo: ["sections": sections.count])
    }
}

extension Loader: SKRequestDelegate {
    func request(_ request: SKRequest, didFailWithError error: any Error) {
        screen?.show(error.localizedDescription)
    }
}

/// Handles transactions; one for the whole app.
private final class Observer: NSObject {
    var purchased: [SKPaymentTransaction] = []
    var restored: [SKPaymentTransaction] = []
    private var hasRestorable = false
    weak var screen: (any ShopScreen)?

    var isAuthorizedForPayments: Bool { SKPaymentQueue.canMakePayments() }

    private func complete(_ transaction: SKPaymentTransaction, on queue: SKPaymentQueue) {
        purchased.append(transaction)
        queue.finishTransaction(transaction)
    }

    private func fail(_ transaction: SKPaymentTransaction, on queue: SKPaymentQueue) {
        var message = "Purchase of \(transaction.payment.productIdentifier) failed"
        if let error = transaction.error { message += ": \(error.localizedDescription)" }
        if (transaction.error as? SKError)?.code != .paymentCancelled { screen?.show(message) }
        queue.finishTransaction(transaction)
    }

    private func restore(_ transaction: SKPaymentTransaction, on queue: SKPaymentQueue) {
        hasRestorable = true
        restored.append(transaction)
        screen?.restoreDidSucceed()
        queue.finishTransaction(transaction)
    }
}

extension Observer: SKPaymentTransactionObserver {
    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing: break
            case .deferred: screen?.show("Waiting for permission")
            case .purchased: complete(transaction, on: queue)
            case .failed: fail(transaction, on: queue)
            case .restored: restore(transaction, on: queue)
            @unknown default: fatalError("an unknown state")
            }
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        if let error = error as? SKError, error.code != .paymentCancelled {
            screen?.show(error.localizedDescription)
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        if !hasRestorable { screen?.show("Nothing to restore") }
    }
}

/// Hears what the customer would read.
private final class Lines: ShopScreen {
    private(set) var all: [String] = []
    func show(_ message: String) { all.append(message) }
    func restoreDidSucceed() { all.append("restored") }
}

/// Sendable: constant after `init`.
private final class SampleTransaction: SKPaymentTransaction, @unchecked Sendable {
    private let value: (SKPaymentTransactionState, (any Error)?)
    init(_ state: SKPaymentTransactionState, _ error: (any Error)? = nil) {
        value = (state, error)
    }
    override var transactionState: SKPaymentTransactionState { value.0 }
    override var error: (any Error)? { value.1 }
}

/// Sendable: constant.
private final class SampleResponse: SKProductsResponse, @unchecked Sendable {
    override var products: [SKProduct] { [SKProduct()] }
    override var invalidProductIdentifiers: [String] { ["gone"] }
}

/// Sendable: used by one test.
private final class FinishingQueue: SKPaymentQueue, @unchecked Sendable {
    private(set) var finished = 0
    override func finishTransaction(_ transaction: SKPaymentTransaction) { finished += 1 }
}

@Suite struct AppleSample {
    @Test func `what arrives is sorted and announced`() {
        let loader = Loader()
        let lines = Lines()
        loader.screen = lines
        nonisolated(unsafe) var heard: [Int] = []
        let token = NotificationCenter.default.addObserver(
            forName: .shopDidChange, object: loader, queue: nil
        ) { heard.append($0.userInfo?["sections"] as? Int ?? -1) }
        defer { NotificationCenter.default.removeObserver(token) }
        loader.productsRequest(SKProductsRequest(), didReceive: SampleResponse())
        #expect(heard == [2])
        #expect(loader.sections.map(\.0) == [.available, .invalid])
        #expect(loader.title("") == "" && loader.title("other") == nil)
        loader.request(
            SKRequest(),
            didFailWithError: SKError(
                .unknown,
                userInfo: [
                    NSLocalizedDescriptionKey: "Cannot connect to iTunes Store"
                ]))
        #expect(lines.all == ["Cannot connect to iTunes Store"])
    }

    @Test func `every state is handled once`() throws {
        let observer = Observer()
        let lines = Lines()
        observer.screen = lines
        let queue = FinishingQueue()
        observer.paymentQueueRestoreCompletedTransactionsFinished(queue)
        observer.paymentQueue(
            queue,
            updatedTransactions: [
                SampleTransaction(.purchasing), SampleTransaction(.deferred),
                SampleTransaction(.purchased), SampleTransaction(.restored),
                SampleTransaction(.failed, SKError(.paymentCancelled)),
                SampleTransaction(.failed, NSError(domain: SKErrorDomain, code: 3)),
            ])
        observer.paymentQueue(
            queue, restoreCompletedTransactionsFailedWithError: SKError(.paymentCancelled))
        observer.paymentQueueRestoreCompletedTransactionsFinished(queue)
        #expect(queue.finished == 4 && observer.isAuthorizedForPayments)
        #expect(observer.purchased.count == 1 && observer.restored.count == 1)
        #expect(
            lines.all.prefix(3) == ["Nothing to restore", "Waiting for permission", "restored"])
        try #require(lines.all.count == 4)
        #expect(lines.all[3].hasPrefix("Purchase of  failed: "))
    }
}
