import Foundation
@testable import StoreKit
import Synchronization

/// An observer that writes down what it hears, and lets tests wait for it.
final class Recorder: NSObject, SKPaymentTransactionObserver, Sendable {
    enum Event: Sendable {
        case updated(SKPaymentTransaction, SKPaymentTransactionState)
        case removed(SKPaymentTransaction)
        case download(SKDownload, SKDownloadState)
        case restored
        case restoreFailed(any Error)
        case revoked([String])
        case offered(String)
        case storefront
    }

    struct Ended: Error {}

    private let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let all = Mutex<[Event]>([])
    private let lines = Mutex<[String]>([])

    override init() {
        (events, continuation) = AsyncStream.makeStream()
    }

    /// What was heard so far.
    var history: [Event] { all.withLock { $0 } }
    /// What was logged so far.
    var logged: [String] { lines.withLock { $0 } }

    func log(_ line: String) {
        lines.withLock { $0.append(line) }
    }

    /// The next event that is wanted; earlier ones are skipped.
    func next(where isWanted: (Event) -> Bool) async throws -> Event {
        for await event in events where isWanted(event) { return event }
        throw Ended()
    }

    /// The transaction of the next update that is wanted. An update that another one has followed
    /// already is skipped: a transaction is what it is now, and would count twice.
    func transaction(
        where isWanted: (SKPaymentTransaction) -> Bool
    ) async throws -> SKPaymentTransaction {
        for await event in events {
            guard case .updated(let transaction, let state) = event else { continue }
            if isWanted(transaction), transaction.transactionState == state { return transaction }
        }
        throw Ended()
    }

    /// The download of the next update with this state.
    func download(_ state: SKDownloadState) async throws -> SKDownload {
        for await event in events {
            guard case .download(let download, let seen) = event else { continue }
            if seen == state { return download }
            // Nothing else comes after it.
            if seen == .failed { throw download.error ?? Ended() }
        }
        throw Ended()
    }

    /// Whether payments that the customer began in the store are taken up.
    let takesUp = Mutex(true)

    private func hear(_ event: Event) {
        all.withLock { $0.append(event) }
        continuation.yield(event)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            hear(.updated(transaction, transaction.transactionState))
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions { hear(.removed(transaction)) }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        for download in downloads { hear(.download(download, download.state)) }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        hear(.revoked(productIdentifiers))
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        hear(.offered(payment.productIdentifier))
        return takesUp.withLock { $0 }
    }

    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        hear(.storefront)
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        hear(.restored)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        hear(.restoreFailed(error))
    }
}

extension Recorder.Event {
    var isRemoval: Bool { if case .removed = self { true } else { false } }
    var isRestoreEnd: Bool {
        switch self {
        case .restored, .restoreFailed: true
        default: false
        }
    }
}
