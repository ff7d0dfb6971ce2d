import struct StoreKit.SKError
import let StoreKit.SKErrorDomain
import class StoreKit.SKPaymentQueue
import protocol StoreKit.SKPaymentTransactionObserver
import enum StoreKit.SKPaymentTransactionState
import var StoreKit.SKDownloadTimeRemainingUnknown

// Imports of single declarations.

enum Scoped {
    static let cancelled: SKError.Code = SKError.paymentCancelled
    static let domain: String = SKErrorDomain
    static let unknownTime: Double = SKDownloadTimeRemainingUnknown

    static func isOver(_ state: SKPaymentTransactionState) -> Bool {
        state == .purchased || state == .failed || state == .restored
    }

    static func observers(
        _ queue: SKPaymentQueue
    ) -> [any SKPaymentTransactionObserver] {
        queue.transactionObservers
    }
}
