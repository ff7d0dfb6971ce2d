import CStoreLinux
import StoreKernel
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
    private var link: URL { folder.appendingPathComponent("current") }

    /// The version that the app uses.
    var current: OpenStoreInstalledContent? {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: link.path))
            .flatMap { version(named: $0) }
    }

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
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        return try whileAlone {
            try sweep()
            // A manifest that is only half there is none, and costs bytes of the next download.
            try content.manifestFolder.copy(to: manifest(of: version.text))
            let target = folder.appendingPathComponent(version.text, isDirectory: true)
            if try !put(content.folder, at: target) {
                // On another file system: a copy, on disk before it gets its name.
                let incoming = folder.appendingPathComponent(".\(version).incoming")
                try files.copyItem(at: content.folder, to: incoming)
                try synchronizeFileSystem()
                guard try put(incoming, at: target) else {
                    throw DurableFile.failure("can't be moved", incoming)
                }
            }
            try DurableFile.synchronize(folder: folder)
            try makeCurrent(version.text)
            // What took its place, or was copied.
            try? files.removeItem(at: content.folder)
            try? sweep()
            return OpenStoreInstalledContent(
                productIdentifier: product.text, version: version.text, url: target)
        }
    }

    /// Moves a folder to where another one may be, which takes its place if so; both stay
    /// as they are where that fails.
    ///
    /// - Returns: false where they are on different file systems.
    private func put(_ source: URL, at target: URL) throws -> Bool {
        if access(target.path, F_OK) != 0 {
            if rename(source.path, target.path) == 0 { return true }
        } else {
            if renameat2(AT_FDCWD, source.path, AT_FDCWD, target.path, cstore_exchange) == 0 {
                return true
            }
            if errno == EINVAL || errno == ENOSYS {
                // This file system can't exchange.
                let aside = folder.appendingPathComponent(".\(target.lastPathComponent).aside")
                if rename(target.path, aside.path) == 0 {
                    if rename(source.path, target.path) == 0 { return true }
                    let reason = errno
                    _ = rename(aside.path, target.path)
                    errno = reason
                }
            }
        }
        guard errno == EXDEV else { throw DurableFile.failure("can't be moved", source) }
        return false
    }

    /// Removes what processes left that have ended in the middle of something.
    private func sweep() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let kept = Set(versions.map { manifest(of: $0.version).url.lastPathComponent })
        for name in names
        where name.hasPrefix(scalars: ".") && name != Self.lock && !kept.contains(name) {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    private static let lock = ".lock"

    /// Does something while no other process changes the folder.
    private func whileAlone<Result>(_ body: () throws -> Result) throws -> Result {
        let lock = try FolderLock.wait(for: folder.appendingPathComponent(Self.lock))
        return try withExtendedLifetime(lock, body)
    }

    /// Makes an installed version the current one.
    ///
    /// - Returns: false where it is not installed.
    func use(_ content: OpenStoreInstalledContent) throws -> Bool {
        guard version(named: content.version) == content else { return false }
        return try whileAlone {
            // Another process may have removed it till now.
            guard version(named: content.version) == content else { return false }
            try makeCurrent(content.version)
            return true
        }
    }

    private func makeCurrent(_ version: String) throws {
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

    /// Removes every version but the current one; none where there is no current one.
    func removeOldVersions() throws {
        guard current != nil else { return }
        try whileAlone {
            guard let current else { return }
            for version in versions where version != current { try remove(version.version) }
        }
    }

    func removeAll() throws {
        guard access(folder.path, F_OK) == 0 else { return }
        try whileAlone {
            unlink(link.path)
            for version in versions { try remove(version.version) }
            try FileManager.default.removeItem(at: folder)
        }
    }

    private func remove(_ version: String) throws {
        // Its name goes first: half a version is none.
        let leaving = folder.appendingPathComponent(".\(version).leaving")
        let place = folder.appendingPathComponent(version)
        try? FileManager.default.removeItem(at: leaving)
        guard rename(place.path, leaving.path) == 0 else {
            throw DurableFile.failure("can't be removed", place)
        }
        try sweep()
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
