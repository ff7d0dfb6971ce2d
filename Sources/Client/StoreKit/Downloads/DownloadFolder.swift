import StoreKernel
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

    /// The folder of one content by its path, as the download agent is told.
    ///
    /// - Parameter path: ends in the transaction and the content.
    init?(path: String) {
        guard path.hasPrefix(scalars: "/"), path.utf8.count < 4096,
            path.split(scalar: "/").allSatisfy({ $0 != ".." })
        else { return nil }
        root = URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
        transactionFolder = root.deletingLastPathComponent()
        guard TransactionID(transactionFolder.lastPathComponent) != nil,
            ProductID(root.lastPathComponent) != nil
        else { return nil }
    }

    /// Where it lies: what the download agent knows it by.
    var path: String { root.path }

    /// A file beside those of the content.
    func file(_ name: String) -> URL { root.appendingPathComponent(name) }

    /// The manifest, as it was signed for.
    var manifest: ManifestFolder {
        ManifestFolder(url: root.appendingPathComponent("manifest"))
    }
    /// What has arrived, in files that are not complete yet.
    var staging: URL { root.appendingPathComponent("partial") }
    /// What the app gets.
    var content: URL { root.appendingPathComponent("content") }

    func make() throws {
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    /// Drops the files of another version, finished or not.
    func clear() throws {
        for folder in [staging, content] where access(folder.path, F_OK) == 0 {
            try FileManager.default.removeItem(at: folder)
        }
    }

    /// Makes what was finished unfinished, so that all of it is looked through.
    func takeContentBack() throws {
        guard access(content.path, F_OK) == 0 else { return }
        if access(staging.path, F_OK) == 0 { try FileManager.default.removeItem(at: staging) }
        guard rename(content.path, staging.path) == 0 else {
            throw DurableFile.failure("can't be moved", content)
        }
    }

    /// Drops everything of this download.
    func remove() {
        try? FileManager.default.removeItem(at: root)
    }
}
