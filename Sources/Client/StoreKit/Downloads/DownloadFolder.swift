import StoreDelivery
import StoreModel

/// Where the files of one download lie in the cache.
struct DownloadFolder: Sendable {
    /// Everything that belongs to the transaction.
    let transactionFolder: URL
    private let root: URL

    init(transaction: TransactionID, device: StoreDevice) {
        transactionFolder = device.folders.cache.appendingPathComponent("Downloads")
            .appendingPathComponent(device.profile.tag)
            .appendingPathComponent(transaction.description)
        root = transactionFolder
    }

    init(transaction: TransactionID, content: ProductID, device: StoreDevice) {
        let whole = DownloadFolder(transaction: transaction, device: device)
        transactionFolder = whole.transactionFolder
        root = transactionFolder.appendingPathComponent(content.text)
    }

    /// The manifest, as it was signed for.
    var manifest: URL { root.appendingPathComponent("manifest.json") }
    /// As much of the blob as has arrived.
    var blob: URL { root.appendingPathComponent("blob.partial") }
    /// What the app gets.
    var content: URL { root.appendingPathComponent("content") }

    func make() throws {
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    /// Drops everything of this download.
    func remove() {
        try? FileManager.default.removeItem(at: root)
    }

    /// Whether everything that the manifest lists is there with its size: the app may have
    /// taken files out.
    func isComplete(_ manifest: DeliveryManifest) -> Bool {
        manifest.entries.allSatisfy { entry in
            var status = stat()
            guard lstat(content.appendingPathComponent(entry.path.text).path, &status) == 0 else {
                return false
            }
            return entry.kind != .file || Int64(status.st_size) == entry.length
        }
    }
}
