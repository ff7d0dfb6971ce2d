import CStoreLinux
import StoreModel

/// The installed versions of one product.
struct ContentVersionFolder: Sendable {
    private let product: ProductID
    let folder: URL

    init(product: ProductID, directory: URL) {
        self.product = product
        folder = directory.appendingPathComponent(product.text, isDirectory: true)
    }

    /// The link to the current version.
    var link: URL { folder.appendingPathComponent("current") }

    var versions: [OpenStoreInstalledContent] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.compactMap { name in
            ContentVersion(name).flatMap { number in
                version(named: name).map { (number: number, content: $0) }
            }
        }
        .sorted { $0.number > $1.number }.map(\.content)
    }

    /// A version that is there whole: its folder gets its name last.
    func version(named name: String) -> OpenStoreInstalledContent? {
        guard ContentVersion(name) != nil else { return nil }
        let url = folder.appendingPathComponent(name, isDirectory: true)
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory),
            isDirectory.boolValue
        else { return nil }
        return OpenStoreInstalledContent(productIdentifier: product.text, version: name, url: url)
    }

    /// The manifest of a version, by which its files are known.
    func manifest(of version: String) -> ManifestFolder {
        ManifestFolder(url: folder.appendingPathComponent(".\(version).manifest"))
    }

    func install(
        _ content: DeliveredContent, as version: ContentVersion
    ) throws -> OpenStoreInstalledContent {
        guard content.isComplete else {
            throw OpenStoreContentLibraryError(
                "Files of \(product) \(version) were taken out of \(content.folder.path); start "
                    + "the download again.")
        }
        let files = FileManager.default
        let target = folder.appendingPathComponent(version.text, isDirectory: true)
        let incoming = folder.appendingPathComponent(".\(version).incoming")
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        if access(incoming.path, F_OK) == 0 { try files.removeItem(at: incoming) }
        // A manifest that is only half there is none, and costs bytes of the next download.
        let manifest = manifest(of: version.text).url
        if access(manifest.path, F_OK) == 0 { try files.removeItem(at: manifest) }
        try files.copyItem(at: content.manifestFolder.url, to: manifest)
        if rename(content.folder.path, incoming.path) != 0 {
            guard errno == EXDEV else {
                throw DurableFile.failure("can't be moved", content.folder)
            }
            // On another file system: a copy, on disk before it gets its name.
            try files.copyItem(at: content.folder, to: incoming)
            try synchronizeFileSystem()
        }
        if access(target.path, F_OK) == 0 {
            guard
                renameat2(AT_FDCWD, incoming.path, AT_FDCWD, target.path, cstore_exchange) == 0
            else {
                throw DurableFile.failure("can't be replaced", target)
            }
            try? files.removeItem(at: incoming)
        } else if rename(incoming.path, target.path) != 0 {
            throw DurableFile.failure("can't be made", target)
        }
        try DurableFile.synchronize(folder: folder)
        try makeCurrent(version.text)
        try? files.removeItem(at: content.folder)
        return OpenStoreInstalledContent(
            productIdentifier: product.text, version: version.text, url: target)
    }

    func makeCurrent(_ version: String) throws {
        let next = folder.appendingPathComponent(".current.\(UUID().uuidString)")
        guard symlink(version, next.path) == 0 else {
            throw DurableFile.failure("can't be made", next)
        }
        guard rename(next.path, link.path) == 0 else {
            let error = DurableFile.failure("can't be made", link)
            unlink(next.path)
            throw error
        }
        try DurableFile.synchronize(folder: folder)
    }

    func remove(_ version: String) throws {
        // Its name goes first: half a version is none.
        let leaving = folder.appendingPathComponent(".\(version).\(UUID().uuidString)")
        guard rename(folder.appendingPathComponent(version).path, leaving.path) == 0 else {
            throw DurableFile.failure("can't be removed", folder.appendingPathComponent(version))
        }
        try? FileManager.default.removeItem(at: manifest(of: version).url)
        try FileManager.default.removeItem(at: leaving)
    }

    func removeAll() throws {
        guard access(folder.path, F_OK) == 0 else { return }
        unlink(link.path)
        for version in versions { try remove(version.version) }
        try FileManager.default.removeItem(at: folder)
    }

    private func synchronizeFileSystem() throws {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DurableFile.failure("can't be opened", folder) }
        defer { close(descriptor) }
        guard syncfs(descriptor) == 0 else {
            throw DurableFile.failure("can't be brought to disk", folder)
        }
    }
}
