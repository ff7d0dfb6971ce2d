import StoreKernel

/// Where the files of a delivery lie until all of them are there.
package struct DeliveryFolder: Sendable {
    package let root: URL

    package init(root: URL) {
        self.root = root
    }

    /// The manifest, as it was signed for.
    package var manifest: ManifestFolder {
        ManifestFolder(url: root.appendingPathComponent("manifest"))
    }
    /// What has arrived, in files that are not complete yet.
    var partial: URL { root.appendingPathComponent("partial") }
    /// What is finished.
    package var content: URL { root.appendingPathComponent("content") }

    func make() throws {
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    /// Drops the files of another version, finished or not.
    func clear() throws {
        for folder in [partial, content] where access(folder.path, F_OK) == 0 {
            try FileManager.default.removeItem(at: folder)
        }
    }

    /// Makes what was finished unfinished, so that all of it is looked through.
    func takeContentBack() throws {
        guard access(content.path, F_OK) == 0 else { return }
        if access(partial.path, F_OK) == 0 { try FileManager.default.removeItem(at: partial) }
        guard rename(content.path, partial.path) == 0 else {
            throw DurableFile.failure("can't be moved", content)
        }
    }

    /// Drops everything of this delivery.
    package func remove() {
        try? FileManager.default.removeItem(at: root)
    }
}
