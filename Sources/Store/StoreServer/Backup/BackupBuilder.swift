import Foundation
import StoreBackup
import StoreCore
import StoreModel

/// Makes a backup of a store while it runs.
///
/// First the database is copied as one moment has it, then all that this snapshot names. What is
/// collected meanwhile is missed when it is read, and everything begins again with a new picture:
/// a backup holds what its database names, or there is none.
package struct BackupBuilder: Sendable {
    /// What was made.
    package struct Outcome: Sendable {
        package let manifest: BackupManifest
        package let place: URL
        /// Bytes of files that an earlier backup in the same folder has as well.
        package let sharedBytes: Int64
    }

    /// So often a picture is taken before it is believed that something is missing.
    private static let attempts = 3

    private let paths: StorePaths
    private let program: String
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - program: the version of the program.
    ///   - now: what the clock says.
    package init(
        _ paths: StorePaths, program: String, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.paths, self.program, self.now) = (paths, program, now)
    }

    /// - Parameters:
    ///   - withContent: whether content that lies in a bucket is taken along.
    ///   - report: hears how far it has come.
    /// - Throws: `BackupError`, `SQLError`, `StoreKeysError`; there is no backup then.
    package func run(
        to place: BackupLocation, withContent: Bool, report: @escaping (BackupProgress) -> Void
    ) throws -> Outcome {
        if let lack = paths.lack {
            throw BackupError("\(paths.directory.path): \(lack); --data names the store's folder")
        }
        try RestoringFolder.requireNone(in: paths.directory)
        paths.objects?.expect(owner: try paths.fingerprint())
        var attempt = 1
        while true {
            do {
                return try once(to: place, withContent: withContent, report)
            } catch let missing as Missing {
                guard attempt < Self.attempts else {
                    throw BackupError(
                        "\(missing.name) is missing from the store, or damaged, and the database "
                            + "names it: there is no backup. openstore doctor says what else is "
                            + "wrong; put it back from an earlier backup")
                }
                attempt += 1
            }
        }
    }

    /// What the snapshot names is not there.
    private struct Missing: Error {
        let name: String
    }

    private func once(
        to place: BackupLocation, withContent: Bool, _ report: @escaping (BackupProgress) -> Void
    ) throws -> Outcome {
        let writer = try BackupWriter(place)
        let date = now()
        let copy = writer.scratch("database")
        try DatabaseSnapshot.take(of: paths.database, into: copy.path) { done, all in
            report(BackupProgress(phase: .database, done: done, all: all))
        }
        let (inventory, schema) = try Self.contents(of: copy)
        let takesContent = paths.objects == nil || withContent
        let counter = BackupCounter(
            .content, all: takesContent ? Self.size(of: inventory) : 0, report)
        try writer.add(scratch: copy, as: BackupPath.database) { _ in }
        if takesContent {
            try add(
                inventory.content, of: paths.content(), to: writer, BackupPath.content, counter)
            try add(inventory.media, of: paths.media(), to: writer, BackupPath.media, counter)
            try add(inventory.uploads, to: writer, counter)
        } else {
            try requireAll(inventory.content, of: paths.content())
            try requireAll(inventory.media, of: paths.media())
        }
        let store = try addKeys(to: writer)
        var manifest: BackupManifest?
        let url = try writer.finish { files in
            let new = BackupManifest(
                program: program, date: date, store: store, schema: schema,
                database: paths.database.description,
                contentPlace: takesContent ? nil : paths.bucket, files: files)
            manifest = new
            return new
        }
        guard let manifest else { throw BackupError("the backup has no manifest") }
        return Outcome(manifest: manifest, place: url, sharedBytes: writer.sharedBytes)
    }

    private static func contents(of copy: URL) throws -> (StoreInventory, Int64) {
        let inspection = try DatabaseInspection(.sqlite(path: copy.path))
        // A restore would refuse it, when there is nothing else any more.
        if let damage = try inspection.damage(limit: 1).first {
            throw BackupError(
                "the database is damaged, and there is no backup: \(damage). Keep the older backups; "
                    + "openstore doctor says more")
        }
        return (try inspection.inventory(), try inspection.schema())
    }

    private static func size(of inventory: StoreInventory) -> Int64 {
        (inventory.content + inventory.media).reduce(0) { $0 + ($1.size ?? 0) }
            + inventory.uploads.reduce(0) { $0 + Int64($1.parts.count) * $1.partSize }
    }

    // MARK: Content

    private func add(
        _ items: [StoreInventory.Item], of store: (any ContentStore)?, to writer: BackupWriter,
        _ path: (String) -> String, _ counter: BackupCounter
    ) throws {
        for item in items {
            let (name, digest) = (path(item.digest.text), item.digest.text)
            if try writer.share(name, sha256: digest, report: counter.add) { continue }
            guard let content = try store?.open(item.digest) else { throw Missing(name: name) }
            let source = BackupSource(
                descriptor: content.descriptor, size: Int64(content.length), name: name)
            guard try writer.add(source, as: name, report: counter.add) == digest else {
                throw Missing(name: name)
            }
        }
    }

    private func requireAll(_ items: [StoreInventory.Item], of store: (any ContentStore)?) throws {
        let there = Set(try store?.list().map(\.digest) ?? [])
        for item in items where !there.contains(item.digest) {
            throw Missing(name: item.digest.text)
        }
    }

    /// The parts of packages that the snapshot knows, each where it belongs.
    private func add(
        _ uploads: [StoreInventory.Upload], to writer: BackupWriter, _ counter: BackupCounter
    ) throws {
        guard !uploads.isEmpty else { return }
        let store = try paths.uploads()
        let there = Set(try store?.list() ?? [])
        for upload in uploads where !upload.parts.isEmpty {
            guard let store, there.contains(upload.id),
                let source = try PartsReader(upload, store).source
            else { throw Missing(name: BackupPath.upload(upload.id.text)) }
            do {
                _ = try writer.add(
                    source, as: BackupPath.upload(upload.id.text), report: counter.add)
            } catch is PartsReader.Changed {
                throw Missing(name: BackupPath.upload(upload.id.text))
            }
        }
    }

    // MARK: Keys

    /// Adds all keys as one moment has them, and the file of the first key of Connect's API.
    ///
    /// - Returns: the SHA-256 of the root certificate.
    private func addKeys(to writer: BackupWriter) throws -> String {
        try paths.keys.locked {
            // Processes of one shop may share them by a link.
            let folder = paths.keys.url.resolvingSymlinksInPath()
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() {
                let isHidden = name.split(scalar: "/").contains { $0.hasPrefix(scalars: ".") }
                var status = stat()
                let file = folder.appendingPathComponent(name).path
                guard !isHidden, lstat(file, &status) == 0, status.st_mode & S_IFMT != S_IFDIR
                else { continue }
                guard status.st_mode & S_IFMT == S_IFREG, let source = try BackupSource.file(file)
                else {
                    throw BackupError(
                        "\(file) is no file; keys may be shared by a link to their whole folder")
                }
                _ = try writer.add(source, as: BackupPath.keys + name)
            }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: paths.directory.path)
        for name in names.sorted() where APIKeyID.isFileName(name) {
            let file = paths.directory.appendingPathComponent(name).path
            guard let source = try BackupSource.file(file) else { continue }
            _ = try writer.add(source, as: BackupPath.store + name)
        }
        return try paths.fingerprint()
    }
}
