import StoreKit

/// What StoreKit tells the app, as a sequence.
final class BookshopEvents: NSObject, SKPaymentTransactionObserver, SKProductsRequestDelegate,
    Sendable
{
    enum Event: Sendable {
        case products(SKProductsResponse)
        case requestFailed(any Error)
        case updated([SKPaymentTransaction])
        case removed([SKPaymentTransaction])
        case downloads([SKDownload])
        case restored
        case restoreFailed(any Error)
    }

    let stream: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    override init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        continuation.yield(.products(response))
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        continuation.yield(.requestFailed(error))
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        continuation.yield(.updated(transactions))
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        continuation.yield(.removed(transactions))
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        continuation.yield(.downloads(downloads))
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        continuation.yield(.restored)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        continuation.yield(.restoreFailed(error))
    }
}
