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

    /// Drops what has arrived.
    func removeStaging() throws {
        try removeIfThere(staging)
    }

    /// Drops what was finished: the app has taken files out of it.
    func removeContent() throws {
        try removeIfThere(content)
    }

    private func removeIfThere(_ url: URL) throws {
        guard access(url.path, F_OK) == 0 else { return }
        try FileManager.default.removeItem(at: url)
    }

    /// Drops everything of this download.
    func remove() {
        try? FileManager.default.removeItem(at: root)
    }
}
