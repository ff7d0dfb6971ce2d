import StoreDelivery
import StoreModel

/// Installed versions that a download can take chunks from.
struct InstalledContent: Sendable {
    let folder: URL
    let manifestFolder: ManifestFolder

    /// Where the app's content libraries are, for downloads of later runs.
    private struct Libraries: Codable {
        var folders: [String] = []
    }

    /// The folders of the app's content libraries.
    static func libraries(_ device: StoreDevice) -> [String] {
        (try? DeviceRecord<Libraries>("content-libraries", of: device).read())?.folders ?? []
    }

    /// What is installed of a product in content libraries, the newest first.
    static func versions(of product: ProductID, in libraries: [String]) -> [InstalledContent] {
        libraries.flatMap { path -> [InstalledContent] in
            let versions = ContentVersionFolder(
                product: product, directory: URL(fileURLWithPath: path))
            return versions.versions.map { version in
                InstalledContent(
                    folder: version.url, manifestFolder: versions.manifest(of: version.version))
            }
        }
    }

    /// Remembers that a folder holds content.
    static func record(_ directory: URL, _ device: StoreDevice) throws {
        let record = DeviceRecord<Libraries>("content-libraries", of: device)
        if try record.read()?.folders.contains(directory.path) == true { return }
        try record.update { libraries in
            var folders = libraries?.folders ?? []
            // Folders that were removed are not looked into again.
            folders.removeAll { $0 == directory.path || access($0, F_OK) != 0 }
            libraries = Libraries(folders: folders + [directory.path])
        }
    }
}

/// A finished download in the cache.
struct DeliveredContent: Sendable {
    let folder: URL
    let manifestFolder: ManifestFolder

    /// - Parameter folder: what `SKDownload.contentURL` says.
    init(folder: URL) {
        self.folder = folder
        manifestFolder = ManifestFolder(
            url: folder.deletingLastPathComponent().appendingPathComponent("manifest"))
    }

    /// Whether every file is there: the app may have taken some out.
    var isComplete: Bool {
        manifestFolder.load()?.isComplete(in: folder) ?? false
    }
}
