import StoreKit

/// An app with hosted content: buys or restores it, downloads it, and says how long that
/// took. Nothing linked but StoreKit.
///
///     DownloadApp buy PRODUCT
///     DownloadApp restore [LIBRARY]
///
/// With a library, the content is installed there, and what was there before is removed.
/// Environment: `OPENSTORE_PROFILE`, `BENCH_EMAIL`, and `BENCH_PASSWORD`.
@main
struct DownloadApp {
    static func main() throws {
        let words = Array(CommandLine.arguments.dropFirst())
        let environment = ProcessInfo.processInfo.environment
        guard let mode = words.first, let email = environment["BENCH_EMAIL"],
            let password = environment["BENCH_PASSWORD"]
        else { exit(64) }
        OpenStore.sheet = OpenStoreScriptedSheet(
            confirm: { _ in true },
            signIn: { _ in OpenStoreCredentials(email: email, password: password) })
        let queue = SKPaymentQueue.default()
        let library =
            mode == "restore" && words.count > 1
            ? try OpenStoreContentLibrary(directory: URL(fileURLWithPath: words[1])) : nil
        let observer = Observer(library: library)
        queue.add(observer)
        if mode == "buy", words.count > 1 {
            let payment = SKMutablePayment()
            payment.productIdentifier = words[1]
            queue.add(payment)
        } else {
            queue.restoreCompletedTransactions()
        }
        withExtendedLifetime(observer) { RunLoop.main.run() }
    }
}

/// Starts each download, and ends the app when the transaction of the first has left.
final class Observer: NSObject, SKPaymentTransactionObserver {
    private let library: OpenStoreContentLibrary?
    private var start = ContinuousClock.now

    init(library: OpenStoreContentLibrary?) {
        self.library = library
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased, .restored:
                start = .now
                queue.start(transaction.downloads)
            case .failed: fail("\(transaction.error.map { "\($0)" } ?? "not sold")")
            default: continue
            }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        for download in downloads {
            switch download.state {
            case .finished:
                let time = ContinuousClock.now - start
                say("milliseconds \(Int((time / .milliseconds(1)).rounded()))")
                do {
                    try library?.install(download)
                    try library?.removeOldVersions(of: download.contentIdentifier)
                } catch {
                    fail("\(error)")
                }
                queue.finishTransaction(download.transaction)
            case .failed: fail("\(download.error.map { "\($0)" } ?? "no reason")")
            default: continue
            }
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        exit(0)
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        if queue.transactions.isEmpty { fail("nothing was restored") }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        fail("\(error)")
    }

    /// One line for who measures.
    private func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    private func fail(_ reason: String) -> Never {
        FileHandle.standardError.write(Data("DownloadApp: \(reason)\n".utf8))
        exit(1)
    }
}
