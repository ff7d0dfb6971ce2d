import Foundation
import StoreKit

/// An observer of the queue.
final class Watcher: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {
    // Sendable: touched by the one thread that runs jobs.
    private unowned let launch: Launch
    private let react: (Launch, [SKPaymentTransaction]) -> Void
    private let takesUp: () -> Bool

    /// - Parameters:
    ///   - react: what the app does in the callback that shows transactions.
    ///   - takesUp: whether it takes up a payment that began in the store.
    init(
        launch: Launch, react: @escaping (Launch, [SKPaymentTransaction]) -> Void,
        takesUp: @escaping () -> Bool
    ) {
        self.launch = launch
        self.react = react
        self.takesUp = takesUp
    }

    private func hear(_ call: AppView.Call) -> Bool {
        guard launch.takesCall(before: true) else { return false }
        launch.view.hear(call, by: self)
        return launch.takesCall(before: false)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        if hear(.updated(transactions)) { react(launch, transactions) }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        _ = hear(.removed(transactions))
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        _ = hear(.restoreEnded)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        _ = hear(.restoreFailed)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        hear(.offered(payment.productIdentifier)) && takesUp()
    }

    func paymentQueue(
        _ queue: SKPaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        _ = hear(.revoked(productIdentifiers))
    }
}
