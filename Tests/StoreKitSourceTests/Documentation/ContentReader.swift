import StoreKit

final class ContentReader: NSObject, SKPaymentTransactionObserver {
    private let library: OpenStoreContentLibrary
    var told: (String) -> Void = { print($0) }

    init(folder: URL) throws {
        library = try OpenStoreContentLibrary(directory: folder)
        super.init()
        SKPaymentQueue.default().add(self)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions where transaction.transactionState != .purchasing {
            queue.start(transaction.downloads)
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        for download in downloads where download.state == .finished {
            do {
                let installed = try library.install(download)
                told("\(installed.version) is in \(installed.contents.path)")
                queue.finishTransaction(download.transaction)
            } catch {
                told("Not installed, so not finished: \(error.localizedDescription)")
            }
        }
    }

    func text(of product: String) throws -> String? {
        guard let current = library.current(for: product) else { return nil }
        return try String(
            contentsOf: current.contents.appendingPathComponent("chapter.txt"), encoding: .utf8)
    }

    func followUpdates() async {
        for await newer in library.updates() {
            told("\(newer.productIdentifier) has \(newer.version)")
            SKPaymentQueue.default().restoreCompletedTransactions()
        }
    }
}
