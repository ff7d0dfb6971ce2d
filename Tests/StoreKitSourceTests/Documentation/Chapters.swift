import StoreKit

final class Chapters: NSObject, SKPaymentTransactionObserver {
    private let folder: URL
    var told: (String) -> Void = { print($0) }

    init(folder: URL) {
        self.folder = folder
        super.init()
        SKPaymentQueue.default().add(self)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased, .restored:
                let missing = transaction.downloads.filter { !isInstalled($0) }
                if missing.isEmpty {
                    queue.finishTransaction(transaction)
                } else {
                    queue.start(missing)
                }
            case .failed:
                told("Not bought: \(transaction.error?.localizedDescription ?? "")")
                queue.finishTransaction(transaction)
            case .purchasing, .deferred: break
            @unknown default: break
            }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        for download in downloads {
            switch download.state {
            case .active: told("\(Int(download.progress * 100)) %")
            case .finished: install(download, from: queue)
            case .failed: told("Not downloaded: \(download.error?.localizedDescription ?? "")")
            case .waiting, .paused, .cancelled: break
            @unknown default: break
            }
        }
    }

    private func install(_ download: SKDownload, from queue: SKPaymentQueue) {
        guard let content = download.contentURL else { return }
        let place = self.place(of: download.contentIdentifier, download.contentVersion)
        do {
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.moveItem(
                at: content.appendingPathComponent("Contents"), to: place)
        } catch {
            return told("Not installed, so not finished: \(error)")
        }
        let transaction = download.transaction
        if transaction.downloads.allSatisfy({ isInstalled($0) }) {
            queue.finishTransaction(transaction)
        }
        told("Version \(download.contentVersion) is in \(place.path)")
    }

    func paymentQueue(
        _ queue: SKPaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        for product in productIdentifiers {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(product))
            told("\(product) was taken back.")
        }
    }

    private func place(of product: String, _ version: String) -> URL {
        folder.appendingPathComponent(product).appendingPathComponent(version)
    }

    private func isInstalled(_ download: SKDownload) -> Bool {
        let place = self.place(of: download.contentIdentifier, download.contentVersion)
        return FileManager.default.fileExists(atPath: place.path)
    }

    private var waiting: [SKDownload] {
        SKPaymentQueue.default().transactions.flatMap(\.downloads)
    }

    func pause() {
        SKPaymentQueue.default().pause(waiting)
    }

    func goOn() {
        SKPaymentQueue.default().resume(waiting.filter { $0.state == .paused })
    }

    func tryAgain() {
        SKPaymentQueue.default().start(waiting.filter { $0.state == .failed })
    }

    func update(_ products: [SKProduct]) {
        let isOutdated = products.contains { product in
            guard product.isDownloadable, let installed = newest(of: product.productIdentifier)
            else { return false }
            let offered = product.downloadContentVersion
            return installed.compare(offered, options: .numeric) == .orderedAscending
        }
        if isOutdated { SKPaymentQueue.default().restoreCompletedTransactions() }
    }

    private func newest(of product: String) -> String? {
        let versions = try? FileManager.default.contentsOfDirectory(
            atPath: folder.appendingPathComponent(product).path)
        return versions?.max { $0.compare($1, options: .numeric) == .orderedAscending }
    }
}
