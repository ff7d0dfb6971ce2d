import StoreKit

/// What StoreKit tells the app, as a sequence. Transactions and downloads go on changing, and the
/// sequence is read later: an event keeps what stood in them when the app was called.
final class BookshopEvents: NSObject, SKPaymentTransactionObserver, SKProductsRequestDelegate,
    Sendable
{
    enum Event: Sendable {
        case products(SKProductsResponse)
        case requestFailed(any Error)
        case updated([Transaction])
        case removed([SKPaymentTransaction])
        case downloads([Download])
        case restored
        case restoreFailed(any Error)
    }

    struct Transaction: Sendable {
        let transaction: SKPaymentTransaction
        let state: SKPaymentTransactionState
    }

    struct Download: Sendable {
        let download: SKDownload
        let state: SKDownloadState
        let progress: Float
        let timeRemaining: TimeInterval
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
        continuation.yield(
            .updated(
                transactions.map { Transaction(transaction: $0, state: $0.transactionState) }))
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        continuation.yield(.removed(transactions))
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        continuation.yield(
            .downloads(
                downloads.map {
                    Download(
                        download: $0, state: $0.state, progress: $0.progress,
                        timeRemaining: $0.timeRemaining)
                }))
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
