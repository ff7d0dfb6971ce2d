import StoreModel

/// A folder of the app in which versions of hosted content lie side by side.
///
/// What most apps with hosted content need, and Apple leaves to them: a finished download is
/// installed in one step, beside older versions; one version is the current one; old ones
/// are removed when the app says so. The folder is marked so that backup programs leave it
/// out: the store has it all.
///
/// ```
/// Library/CACHEDIR.TAG
/// Library/<product identifier>/current -> 1.1
/// Library/<product identifier>/1.0/ContentInfo.plist, Contents/…
/// Library/<product identifier>/1.1/…
/// ```
///
/// A download of a newer version takes from the installed ones whatever is the same, and
/// fetches the rest only. Several processes may use the same folder.
public struct OpenStoreContentLibrary: Sendable {
    /// Where the versions lie.
    public let directory: URL
    let device: @Sendable () throws -> StoreDevice

    /// Opens the folder; makes and marks it where that was not done.
    ///
    /// - Throws: a Cocoa or POSIX error of the file system.
    public init(directory: URL) throws {
        try self.init(directory: directory) { try StoreDevice.current() }
    }

    init(directory: URL, device: @escaping @Sendable () throws -> StoreDevice) throws {
        self.directory = directory.standardizedFileURL
        self.device = device
        try BackupExclusion.make(self.directory)
    }

    /// The version that the app uses; nil where none is installed.
    public func current(for productIdentifier: String) -> OpenStoreInstalledContent? {
        folder(of: productIdentifier)?.current
    }

    /// All installed versions, the newest first.
    public func versions(of productIdentifier: String) -> [OpenStoreInstalledContent] {
        folder(of: productIdentifier)?.versions ?? []
    }

    /// The products of which a version is installed, in alphabetical order.
    public var productIdentifiers: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.filter { !versions(of: $0).isEmpty }.sorted()
    }

    /// Moves a finished download into the folder and makes it the current version.
    ///
    /// Afterwards the transaction can be finished. Whatever happens meanwhile, the current
    /// version is either the one before or the new one, whole; the same version again takes
    /// the place of the old files. ``SKDownload/contentURL`` leads nowhere any longer.
    ///
    /// - Returns: the version, on disk.
    /// - Throws: ``OpenStoreContentLibraryError`` where the download is not finished or its
    ///   files are not complete any more; a Cocoa or POSIX error of the file system, and the
    ///   download stays as it was.
    @discardableResult
    public func install(_ download: SKDownload) throws -> OpenStoreInstalledContent {
        guard download.state == .finished, let content = download.contentURL else {
            throw OpenStoreContentLibraryError(
                "The download of \(download.contentIdentifier) is not finished.")
        }
        guard let folder = folder(of: download.contentIdentifier),
            let version = ContentVersion(download.contentVersion)
        else {
            throw OpenStoreContentLibraryError(
                "\"\(download.contentIdentifier)\" \(download.contentVersion) is no hosted content."
            )
        }
        // The app reads these files: the next download should find them too.
        if let device = try? device() { try InstalledContent.record(directory, device) }
        return try folder.install(DeliveredContent(folder: content), as: version)
    }

    /// Makes another installed version the current one, for example to go back.
    ///
    /// - Throws: a POSIX error of the file system.
    public func use(_ version: OpenStoreInstalledContent) throws {
        guard let folder = folder(of: version.productIdentifier), try folder.use(version) else {
            throw OpenStoreContentLibraryError(
                "\(version.url.path) is not installed in \(directory.path).")
        }
    }

    /// Removes every version but the current one.
    ///
    /// - Throws: a Cocoa error of the file system; what was removed till then is gone.
    public func removeOldVersions(of productIdentifier: String) throws {
        try folder(of: productIdentifier)?.removeOldVersions()
    }

    /// Removes all versions of a product.
    ///
    /// - Throws: a Cocoa error of the file system; what was removed till then is gone.
    public func removeAll(of productIdentifier: String) throws {
        guard let folder = folder(of: productIdentifier) else { return }
        try folder.removeAll()
    }

    /// Nil for what is no product identifier, and so no name of a folder.
    private func folder(of productIdentifier: String) -> ContentVersionFolder? {
        guard let id = ProductID(productIdentifier), !id.text.hasPrefix(scalars: ".") else {
            return nil
        }
        return ContentVersionFolder(product: id, directory: directory)
    }
}

/// A version of hosted content that is installed.
public struct OpenStoreInstalledContent: Sendable, Hashable {
    /// The product that the content belongs to.
    public let productIdentifier: String
    /// Integers separated by periods.
    public let version: String
    /// The folder with `ContentInfo.plist` and `Contents`.
    public let url: URL

    /// The files of the content.
    public var contents: URL { url.appendingPathComponent("Contents") }
}

/// Why content can't be installed.
public struct OpenStoreContentLibraryError: LocalizedError, Sendable, Hashable {
    /// One sentence for developers.
    public let errorDescription: String?

    init(_ description: String) {
        errorDescription = description
    }
}
