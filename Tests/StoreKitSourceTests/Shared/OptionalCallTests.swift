import StoreKit
import Testing

// Point 5: delegates' optional methods, called with a question mark and without, by classes
// whose own properties have the same names.

/// Has properties named like the methods, as many apps do.
private final class Delegate: NSObject, SKRequestDelegate, SKPaymentTransactionObserver,
    SKPaymentQueueDelegate
{
    var request: SKRequest?
    private let paymentQueue: SKPaymentQueue
    private(set) var heard: [String] = []

    init(paymentQueue: SKPaymentQueue) {
        self.paymentQueue = paymentQueue
        super.init()
        paymentQueue.add(self)
    }

    deinit {
        paymentQueue.remove(self)
    }

    func start(_ identifiers: Set<String>) {
        request?.cancel()
        request = SKProductsRequest(productIdentifiers: identifiers)
        self.request?.delegate = self
        guard let request else { return }
        heard.append("\(type(of: request)), \(paymentQueue.transactions.count) transactions")
    }

    func requestDidFinish(_ request: SKRequest) {
        if request === self.request { self.request = nil }
        heard.append("finished")
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        heard.append("failed \((error as NSError).code)")
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        heard.append("updated \(transactions.count), same \(queue === paymentQueue)")
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool { false }

    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool { false }

    /// Calls of methods of its own, unqualified.
    func callItself() {
        paymentQueue(paymentQueue, updatedTransactions: [])
        self.paymentQueue(paymentQueue, removedTransactions: [])
    }
}

/// Implements what it must, and nothing else.
private final class Silent: NSObject, SKPaymentTransactionObserver, SKPaymentQueueDelegate,
    SKRequestDelegate
{
    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {}
}

/// An optional queue of its own, weakly held.
private final class WeakHolder: NSObject, SKPaymentTransactionObserver {
    private weak var paymentQueue: SKPaymentQueue?

    func hold(_ queue: SKPaymentQueue) -> Int? {
        paymentQueue = queue
        return paymentQueue?.transactions.count
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        paymentQueue?.restoreCompletedTransactions()
    }
}

/// The case that Swift decides otherwise than Objective-C: see the test.
private class Parent: NSObject, SKRequestDelegate {}
private final class Child: Parent {
    private(set) var count = 0
    func requestDidFinish(_ request: SKRequest) { count += 1 }
}

@Suite struct OptionalCalls {
    private let error: any Error = SKError(.paymentInvalid)

    @Test func `calls with and without a question mark reach the same method`() {
        let helper = Delegate(paymentQueue: SKPaymentQueue())
        helper.start(["a"])
        helper.callItself()
        let delegate: (any SKRequestDelegate)? = helper
        delegate?.requestDidFinish?(SKRequest())
        delegate?.requestDidFinish(SKRequest())
        delegate?.request?(SKRequest(), didFailWithError: error)
        delegate?.request(SKRequest(), didFailWithError: error)
        #expect(
            helper.heard == [
                "SKProductsRequest, 0 transactions", "updated 0, same true", "finished",
                "finished", "failed 3", "failed 3",
            ])
    }

    @Test func `observers are asked by question mark`() {
        let queue = SKPaymentQueue()
        let helper = Delegate(paymentQueue: queue)
        let observer: any SKPaymentTransactionObserver = helper
        let asked = observer.paymentQueue?(
            queue, shouldAddStorePayment: SKPayment(), for: SKProduct())
        #expect(asked == false)
        #expect(!observer.paymentQueue(queue, shouldAddStorePayment: SKPayment(), for: SKProduct()))
        observer.paymentQueue?(queue, removedTransactions: [])
        observer.paymentQueue?(queue, restoreCompletedTransactionsFailedWithError: error)
        observer.paymentQueue?(queue, updatedDownloads: [])
        observer.paymentQueue?(queue, didRevokeEntitlementsForProductIdentifiers: [])
        observer.paymentQueueRestoreCompletedTransactionsFinished?(queue)
        observer.paymentQueueDidChangeStorefront?(queue)
        let delegate: (any SKPaymentQueueDelegate)? = helper
        let goesOn = delegate?.paymentQueue?(
            queue, shouldContinue: SKPaymentTransaction(), in: SKStorefront())
        #expect(goesOn == false)
        #expect(delegate?.paymentQueueShouldShowPriceConsent?(queue) == true)
        #expect(WeakHolder().hold(queue) == 0)
    }

    @Test func `what nobody implements has Apple's default`() {
        let queue = SKPaymentQueue()
        let silent = Silent()
        let observer: any SKPaymentTransactionObserver = silent
        let delegate: any SKPaymentQueueDelegate = silent
        let added =
            observer.paymentQueue?(queue, shouldAddStorePayment: SKPayment(), for: SKProduct())
        let goesOn =
            delegate.paymentQueue?(
                queue, shouldContinue: SKPaymentTransaction(), in: SKStorefront()) ?? false
        #expect(added == true && goesOn)
        #expect(silent.paymentQueueShouldShowPriceConsent(queue))
        silent.requestDidFinish?(SKRequest())
    }

    /// The limit that the documentation names; on Apple's platforms the count is 2.
    @Test func `an optional method that only a subclass has is not found`() {
        let child = Child()
        let delegate: any SKRequestDelegate = child
        delegate.requestDidFinish(SKRequest())
        delegate.requestDidFinish?(SKRequest())
        #expect(child.count == 0)
        child.requestDidFinish(SKRequest())
        #expect(child.count == 1)
    }
}
