import StoreKit
import Testing

// What only the older language mode takes.

/// State that every thread may change.
private var lastError: Error?

/// An observer of the years before `any` and concurrency checks.
private class OldObserver: NSObject, SKPaymentTransactionObserver, SKProductsRequestDelegate {
    var products = [SKProduct]()
    var completion: ((Bool) -> Void)?

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        products = response.products
        DispatchQueue.global().async { self.completion?(true) }
    }

    func request(_ request: SKRequest, didFailWithError error: Error) {
        lastError = error
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions where transaction.transactionState == .failed {
            lastError = transaction.error
        }
    }
}

@Suite struct Swift5Code {
    @Test func `code of the older language mode runs`() async {
        let observer = OldObserver()
        observer.request(SKRequest(), didFailWithError: SKError(.paymentInvalid))
        #expect((lastError as? SKError)?.code == .paymentInvalid)
        let isDone = await withCheckedContinuation { continuation in
            observer.completion = { continuation.resume(returning: $0) }
            observer.productsRequest(SKProductsRequest(), didReceive: SKProductsResponse())
        }
        #expect(isDone && observer.products.isEmpty)
    }
}
