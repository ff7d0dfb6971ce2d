// README.md shows this file from the next line on; a test compares them.
import StoreKit

final class Shop: NSObject, SKProductsRequestDelegate, SKPaymentTransactionObserver {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        SKPaymentQueue.default().add(self)
        for product in response.products {
            SKPaymentQueue.default().add(SKPayment(product: product))
        }
    }
    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for bought in transactions where bought.transactionState == .purchased {
            queue.finishTransaction(bought)
        }
    }
}
