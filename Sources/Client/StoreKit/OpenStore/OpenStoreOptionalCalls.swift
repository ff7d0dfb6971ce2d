// Apple's delegates have optional methods, which apps may call with a question mark:
// `delegate?.requestDidFinish?(request)`. Swift has no optional methods without
// Objective-C. Here they are requirements with default bodies, and beside them stand
// properties of the same base name, which such calls find. Ordinary calls don't: a
// property that is optional can't be called without the question mark.
//
// Two limits. The property is never nil: a method that nobody implements is called all
// the same, and does what its default body does. And an optional method that only a
// subclass of the conforming class implements is not found, with the question mark or
// without it: Swift settles at the conformance which method answers.

extension SKRequestDelegate {
    /// An addition of OpenStoreKit: what `requestDidFinish?(request)` calls.
    public var requestDidFinish: ((SKRequest) -> Void)? {
        { self.requestDidFinish($0) }
    }

    /// An addition of OpenStoreKit: what `request?(request, didFailWithError: error)` calls.
    public var request: OpenStoreOptionalRequestCalls? {
        OpenStoreOptionalRequestCalls(delegate: self)
    }
}

/// An addition of OpenStoreKit: the optional methods of ``SKRequestDelegate`` that begin with
/// `request`, for calls with a question mark.
public struct OpenStoreOptionalRequestCalls {
    let delegate: any SKRequestDelegate

    /// Calls ``SKRequestDelegate/request(_:didFailWithError:)``.
    public func callAsFunction(_ request: SKRequest, didFailWithError error: any Error) {
        delegate.request(request, didFailWithError: error)
    }
}

extension SKPaymentTransactionObserver {
    /// An addition of OpenStoreKit: what `paymentQueue?(queue, removedTransactions: all)` and
    /// its like call.
    public var paymentQueue: OpenStoreOptionalObserverCalls? {
        OpenStoreOptionalObserverCalls(observer: self)
    }

    /// An addition of OpenStoreKit: what
    /// `paymentQueueRestoreCompletedTransactionsFinished?(queue)` calls.
    public var paymentQueueRestoreCompletedTransactionsFinished: ((SKPaymentQueue) -> Void)? {
        { self.paymentQueueRestoreCompletedTransactionsFinished($0) }
    }

    /// An addition of OpenStoreKit: what `paymentQueueDidChangeStorefront?(queue)` calls.
    public var paymentQueueDidChangeStorefront: ((SKPaymentQueue) -> Void)? {
        { self.paymentQueueDidChangeStorefront($0) }
    }
}

/// An addition of OpenStoreKit: the optional methods of ``SKPaymentTransactionObserver`` that
/// begin with `paymentQueue`, for calls with a question mark.
public struct OpenStoreOptionalObserverCalls {
    let observer: any SKPaymentTransactionObserver

    /// Tells of transactions that have left the queue.
    public func callAsFunction(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        observer.paymentQueue(queue, removedTransactions: transactions)
    }

    /// Tells that restoring came to nothing.
    public func callAsFunction(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        observer.paymentQueue(queue, restoreCompletedTransactionsFailedWithError: error)
    }

    /// Tells of downloads.
    public func callAsFunction(
        _ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]
    ) {
        observer.paymentQueue(queue, updatedDownloads: downloads)
    }

    /// Asks whether a purchase from the store goes on.
    public func callAsFunction(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        observer.paymentQueue(queue, shouldAddStorePayment: payment, for: product)
    }

    /// Tells which products the customer may not use any longer.
    public func callAsFunction(
        _ queue: SKPaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        observer.paymentQueue(
            queue, didRevokeEntitlementsForProductIdentifiers: productIdentifiers)
    }
}

extension SKPaymentQueueDelegate {
    /// An addition of OpenStoreKit: what
    /// `paymentQueue?(queue, shouldContinue: transaction, in: storefront)` calls.
    public var paymentQueue: OpenStoreOptionalQueueDelegateCalls? {
        OpenStoreOptionalQueueDelegateCalls(delegate: self)
    }

    /// An addition of OpenStoreKit: what `paymentQueueShouldShowPriceConsent?(queue)` calls.
    public var paymentQueueShouldShowPriceConsent: ((SKPaymentQueue) -> Bool)? {
        { self.paymentQueueShouldShowPriceConsent($0) }
    }
}

/// An addition of OpenStoreKit: the optional methods of ``SKPaymentQueueDelegate`` that begin
/// with `paymentQueue`, for calls with a question mark.
public struct OpenStoreOptionalQueueDelegateCalls {
    let delegate: any SKPaymentQueueDelegate

    /// Asks whether a payment goes on in another storefront.
    public func callAsFunction(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        delegate.paymentQueue(paymentQueue, shouldContinue: transaction, in: newStorefront)
    }
}

extension SKStoreProductViewControllerDelegate {
    /// An addition of OpenStoreKit: what `productViewControllerDidFinish?(controller)` calls.
    @MainActor public var productViewControllerDidFinish:
        (@MainActor (SKStoreProductViewController) -> Void)?
    {
        { self.productViewControllerDidFinish($0) }
    }
}
