import Foundation
import StoreBackup
import StoreCore
import StoreDatabase
import StoreModel

/// Makes a store of a backup, in a folder that has none.
///
/// Everything is unpacked beside its place and compared first. The store is there with the last
/// step, or not at all.
package struct BackupRestorer: Sendable {
    private let directory: URL
    private let database: DatabaseAddress?
    private let paths: StorePaths

    /// - Parameter paths: where the store is to be.
    package init(_ paths: StorePaths, database: DatabaseAddress?) {
        (self.paths, self.directory, self.database) = (paths, paths.directory, database)
    }

    /// Reads a whole backup and compares it with its manifest, and the content that its database
    /// names with what it holds, or with what there is in the bucket where it has left it.
    ///
    /// - Throws: `BackupError`, `ObjectStoreError`.
    package func check(
        _ backup: BackupReader, in folder: URL, report: @escaping (BackupProgress) -> Void
    ) throws -> BackupManifest {
        let staging = try BackupStagingFolder(in: folder)
        // The database has to be unpacked to be read.
        let manifest = try Self.unpack(backup, into: staging.url, .reading, report)
        let inventory = try Self.contents(
            of: staging.url.appendingPathComponent("store"), manifest)
        if manifest.contentPlace != nil, let objects = paths.objects {
            try requireAll(inventory.content, of: objects.content)
            try requireAll(inventory.media, of: objects.pictures)
        }
        return manifest
    }

    /// What the store that was backed up has given out since is not given out again.
    ///
    /// - Parameter now: when it is restored.
    /// - Throws: `BackupError`, `SQLError`, `ObjectStoreError`; there is no store then, and the same
    ///   can be begun again, after what it has left in a database of its own was dropped. With the
    ///   code `unfinished` the store is there.
    package func run(
        from backup: BackupReader, now: Date, report: @escaping (BackupProgress) -> Void
    ) throws -> BackupManifest {
        let folder = try RestoringFolder(in: directory)
        let restored: BackupManifest
        var shortfall: SQLError?
        do {
            if let database { try requireEmpty(database) }
            let manifest = try Self.unpack(backup, into: folder.url, .restoring, report)
            let inventory = try Self.contents(of: folder.store, manifest)
            try NumberAdvance(since: manifest.date, now: now)
                .run(on: .sqlite(path: StorePaths.databaseFile(in: folder.store).path))
            try bringContent(inventory, manifest, from: folder.store)
            shortfall = try bringDatabase(from: folder.store, report)
            restored = manifest
        } catch {
            folder.abandon()
            throw error
        }
        // From here on parts get their places: what is left behind says that it is not all.
        try folder.finish()
        if let shortfall { throw shortfall }
        return restored
    }

    private func requireEmpty(_ database: DatabaseAddress) throws {
        do {
            try DatabaseSnapshot.requireEmpty(database)
        } catch let error as SQLError where error.code == .other {
            throw BackupError(
                "\(error); nothing is restored over a shop. Where a restore that was broken off "
                    + "has left it, drop it: of PostgreSQL the schema openstore, of SQLite the file"
            )
        }
    }

    private static func unpack(
        _ backup: BackupReader, into folder: URL, _ phase: BackupProgress.Phase,
        _ report: @escaping (BackupProgress) -> Void
    ) throws -> BackupManifest {
        let counter = BackupCounter(phase, all: 0, report)
        return try backup.unpack(into: folder) { bytes, all in
            counter.all = all
            counter.add(bytes)
        }
    }

    /// What the unpacked database names, all of which the backup holds.
    private static func contents(
        of store: URL, _ manifest: BackupManifest
    ) throws -> StoreInventory {
        let copy = StorePaths(directory: store, database: nil, objects: nil)
        guard try copy.fingerprint() == manifest.store else {
            throw BackupError("the keys of the backup are not those of its store")
        }
        let inspection = try DatabaseInspection(copy.database)
        if let damage = try inspection.damage(limit: 1).first {
            throw BackupError("the database of the backup is damaged: \(damage)")
        }
        // A backup of an older program gets the schema of this one.
        try SQLiteDatabase(path: StorePaths.databaseFile(in: store).path).close()
        let inventory = try inspection.inventory()
        guard manifest.contentPlace == nil else { return inventory }
        let held = Set(manifest.files.map(\.path))
        let named =
            inventory.content.map { BackupPath.content($0.digest.text) }
            + inventory.media.map { BackupPath.media($0.digest.text) }
            + inventory.uploads.filter { !$0.parts.isEmpty }.map { BackupPath.upload($0.id.text) }
        if let missing = named.first(where: { !held.contains($0) }) {
            throw BackupError("the backup is incomplete: its database names \(missing)")
        }
        return inventory
    }

    // MARK: Content

    private func bringContent(
        _ inventory: StoreInventory, _ manifest: BackupManifest, from store: URL
    ) throws {
        guard let objects = paths.objects else {
            guard let place = manifest.contentPlace else { return }
            throw BackupError(
                "the backup has left its content in \(place); name that bucket with --content")
        }
        let isNew = try objects.claim(for: manifest.store)
        guard manifest.contentPlace == nil else {
            try requireAll(inventory.content, of: objects.content)
            return try requireAll(inventory.media, of: objects.pictures)
        }
        if isNew { try objects.awaitKeeper() }
        for item in inventory.content {
            try objects.content.store(
                file: store.appendingPathComponent(
                    Self.below(BackupPath.content(item.digest.text))),
                digest: item.digest)
        }
        for item in inventory.media {
            try objects.pictures.store(
                file: store.appendingPathComponent(Self.below(BackupPath.media(item.digest.text))),
                digest: item.digest)
        }
        let unpacked = StorePaths(directory: store, database: nil, objects: nil)
        let packages = try unpacked.uploads()
        for upload in inventory.uploads where !upload.parts.isEmpty {
            guard let packages else { throw BackupError("the backup lacks its uploads") }
            let parts = try PartsReader(upload, packages)
            let file = objects.uploads.open(upload.id, isAlone: false)
            for part in upload.parts.keys.sorted() {
                try file?.write(try parts.bytes(of: part), at: Int64(part) * upload.partSize)
            }
            try file?.synchronize()
        }
        for name in ["content", "assets", "uploads"] {
            let folder = store.appendingPathComponent(name)
            guard access(folder.path, F_OK) == 0 else { continue }
            try FileManager.default.removeItem(at: folder)
        }
    }

    private static func below(_ path: String) -> String {
        String(path.dropFirst(BackupPath.store.count))
    }

    private func requireAll(_ items: [StoreInventory.Item], of store: any ContentStore) throws {
        let there = Set(try store.list().map(\.digest))
        let missing = items.filter { !there.contains($0.digest) }
        guard let first = missing.first else { return }
        throw BackupError(
            "\(paths.bucket ?? "the bucket") lacks \(missing.count) files that the database of the "
                + "backup names, such as \(first.digest.text)")
    }

    // MARK: Rows

    /// - Returns: what could not be done when all rows were there for good. They are worth nothing
    ///   without their keys, so that the restore goes on.
    private func bringDatabase(
        from store: URL, _ report: @escaping (BackupProgress) -> Void
    ) throws -> SQLError? {
        guard let database else { return nil }
        var shortfall: SQLError?
        let file = StorePaths.databaseFile(in: store)
        switch database {
        case .sqlite(let path):
            let target = URL(fileURLWithPath: path)
            let partial = URL(fileURLWithPath: path + ".restoring")
            try? FileManager.default.removeItem(at: partial)
            guard let source = try BackupSource.file(file.path) else {
                throw BackupError("the backup has no database")
            }
            _ = try BackupDisk.write(source, to: partial)
            try BackupDisk.synchronize(partial.deletingLastPathComponent())
            try BackupDisk.rename(partial, to: target)
        case .postgres:
            do {
                try DatabaseSnapshot.bring(from: file.path, into: database) { done, all in
                    report(BackupProgress(phase: .database, done: done, all: all))
                }
            } catch let error as SQLError where error.code == .unfinished {
                shortfall = error
            }
        }
        try FileManager.default.removeItem(at: file)
        return shortfall
    }
}
