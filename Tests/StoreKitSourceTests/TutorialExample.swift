// Documentation/Start/Tutorial-FirstProduct.md shows this from the next line on; a test compares.
import Foundation
import StoreKit

final class FirstShop: NSObject, SKProductsRequestDelegate, SKPaymentTransactionObserver {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        for product in response.products {
            SKPaymentQueue.default().add(SKPayment(product: product))
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased:
                print("Bought: transaction \(transaction.transactionIdentifier ?? "")")
                queue.finishTransaction(transaction)
            case .failed:
                print("Not bought: \(transaction.error?.localizedDescription ?? "")")
                queue.finishTransaction(transaction)
            default: break
            }
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        exit(0)
    }
}
