import StoreKit
import Synchronization

/// Does what apps with hosted content do: starts downloads, installs what is finished,
/// finishes the transaction.
final class TestObserver: NSObject, SKPaymentTransactionObserver, Sendable {
    let removals: AsyncStream<Int>
    private let continuation: AsyncStream<Int>.Continuation
    private let queue: SKPaymentQueue
    private let install: URL?

    private let keepsFailed: Bool
    private let failed = Mutex(false)
    private let restores = Mutex((transactions: 0, isOver: false))

    /// - Parameter keepsFailed: whether transactions stay whose download has failed.
    init(queue: SKPaymentQueue, install: URL?, keepsFailed: Bool) {
        self.queue = queue
        self.install = install
        self.keepsFailed = keepsFailed
        (removals, continuation) = AsyncStream.makeStream()
    }

    /// Whether a download has failed whose transaction stays.
    var hasFailed: Bool { failed.withLock { $0 } }
    /// Whether restoring has ended without a transaction.
    var hasRestoredNothing: Bool { restores.withLock { $0.isOver && $0.transactions == 0 } }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            let state = name(of: transaction.transactionState)
            say(
                "transaction \(transaction.payment.productIdentifier) \(state) "
                    + (transaction.transactionIdentifier ?? "-"))
            if transaction.transactionState == .restored {
                restores.withLock { $0.transactions += 1 }
            }
            switch transaction.transactionState {
            case .purchased, .restored:
                if transaction.downloads.isEmpty || install == nil {
                    queue.finishTransaction(transaction)
                } else {
                    queue.start(transaction.downloads)
                }
            case .failed:
                say("error \(transaction.error.map { "\($0.localizedDescription)" } ?? "-")")
                queue.finishTransaction(transaction)
            default: break
            }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        for download in downloads {
            switch download.state {
            case .finished:
                say("downloaded \(download.contentIdentifier) \(download.contentVersion)")
                guard let install, let url = download.contentURL else { continue }
                do {
                    try FileManager.default.moveItem(
                        at: url.appendingPathComponent("Contents"), to: install)
                } catch {
                    say("error \(error)")
                }
                queue.finishTransaction(download.transaction)
            case .failed:
                say("error \(download.error?.localizedDescription ?? "")")
                if keepsFailed {
                    failed.withLock { $0 = true }
                    continuation.yield(0)
                } else {
                    queue.finishTransaction(download.transaction)
                }
            default: continue
            }
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        say("removed \(transactions.count)")
        continuation.yield(transactions.count)
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        say("restored")
        restores.withLock { $0.isOver = true }
        continuation.yield(0)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        say("error \(error)")
        restores.withLock { $0 = (0, true) }
        continuation.yield(0)
    }

    private func name(of state: SKPaymentTransactionState) -> String {
        switch state {
        case .purchasing: "purchasing"
        case .purchased: "purchased"
        case .failed: "failed"
        case .restored: "restored"
        case .deferred: "deferred"
        @unknown default: "unknown"
        }
    }
}
