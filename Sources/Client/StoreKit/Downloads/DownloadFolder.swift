import StoreKernel
import StoreModel

/// Where the files of one download lie in the cache.
struct DownloadFolder: Sendable {
    /// Everything that belongs to the transaction.
    let transactionFolder: URL
    /// What is fetched, and what the app gets in the end.
    let files: DeliveryFolder

    init(transaction: TransactionID, device: StoreDevice) {
        transactionFolder = device.folders.cache.appendingPathComponent("Downloads")
            .appendingPathComponent(device.profile.tag)
            .appendingPathComponent(transaction.description)
        files = DeliveryFolder(root: transactionFolder)
    }

    init(transaction: TransactionID, content: ProductID, device: StoreDevice) {
        let whole = DownloadFolder(transaction: transaction, device: device)
        transactionFolder = whole.transactionFolder
        files = DeliveryFolder(root: transactionFolder.appendingPathComponent(content.text))
    }

    /// The folder of one content by its path, as the download agent is told.
    ///
    /// - Parameter path: ends in the transaction and the content.
    init?(path: String) {
        guard path.hasPrefix(scalars: "/"), path.utf8.count < 4096,
            path.split(scalar: "/").allSatisfy({ $0 != ".." })
        else { return nil }
        let root = URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
        files = DeliveryFolder(root: root)
        transactionFolder = root.deletingLastPathComponent()
        guard TransactionID(transactionFolder.lastPathComponent) != nil,
            ProductID(root.lastPathComponent) != nil
        else { return nil }
    }

    /// Where it lies: what the download agent knows it by.
    var path: String { files.root.path }

    /// A file beside those of the content.
    func file(_ name: String) -> URL { files.root.appendingPathComponent(name) }
}
