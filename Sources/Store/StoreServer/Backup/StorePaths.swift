import Foundation
import StoreContent
import StoreCore
import StoreSecurity

/// Where the parts of a store are, for those who look at them without opening the store: nothing is
/// made, and nothing brought up to date.
package struct StorePaths: Sendable {
    package let directory: URL
    package let database: DatabaseAddress
    /// The bucket with content, pictures and uploads; nil where folders have them.
    package let objects: ObjectStorage?

    /// - Parameters:
    ///   - database: replaces the one in the folder.
    ///   - objects: replaces the folders.
    package init(directory: URL, database: DatabaseAddress?, objects: ObjectStorage?) {
        self.directory = directory
        self.database = database ?? .sqlite(path: Self.databaseFile(in: directory).path)
        self.objects = objects
    }

    /// Moves all numbers on after the database has lost its last changes, as with a standby that
    /// lagged and took over: what was given out in that time is not given out again.
    ///
    /// - Throws: `SQLError`, with nothing changed.
    package func moveNumbersOn(now: Date) throws {
        let inspection = try DatabaseInspection(database)
        try inspection.requireCurrent()
        try NumberAdvance(since: inspection.lastChange() ?? now, now: now).run(on: database)
    }

    /// Writes down that the clock is right, so that a store goes by it that was stopped for long, or
    /// whose clock was behind.
    ///
    /// - Throws: `SQLError`; `ClocksApart` where the database's server shows another time, with
    ///   nothing changed.
    package func believe(_ clock: any StoreClock) async throws {
        let inspection = try DatabaseInspection(database)
        try inspection.requireCurrent()
        let server = try inspection.serverTime()
        if let server,
            case .apart = ClockRules.verdict(on: clock.now(), known: nil, server: server)
        {
            throw ClocksApart(server: server)
        }
        let opened = try database.open()
        defer { opened.close() }
        let jobs = JobService(database: opened, clock: clock)
        try await jobs.believe(clock.now(), insteadOf: jobs.knownTime())
    }

    /// Refuses a store of which a part is missing, so that opening it does not begin another one over what
    /// is left. A command changes nothing in a database of an older program that serves it.
    ///
    /// - Parameter isServed: whether a program serves the store already.
    /// - Throws: `BackupError`, `MissingRows`, `StoreKeysError`, `SQLError`.
    package func requireWhole(isServed: Bool) throws {
        try RestoringFolder.requireNone(in: directory)
        let hasRoot = keys.has(StoreKeys.FileName.root)
        let hasKeys = access(keys.url.path, F_OK) == 0 || errno != ENOENT
        // The schema is made before keys are.
        guard try hasSchema() else {
            guard !hasRoot else { throw MissingRows(directory: directory, database: database) }
            return
        }
        guard isServed || !hasKeys else { return }
        let inspection = try DatabaseInspection(database)
        if isServed { try inspection.requireCurrent() }
        guard try hasKeys || !inspection.hasShop() else {
            throw StoreKeysError(
                description:
                    "\(keys.url.path) is missing, and there is a shop in \(database): apps and "
                    + "backends trust its root certificate. Restore the folder from a backup")
        }
    }

    private func hasSchema() throws -> Bool {
        if case .sqlite(let path) = database {
            var status = stat()
            guard stat(path, &status) == 0, status.st_size > 0 else { return false }
        }
        return try DatabaseInspection(database).schema() > 0
    }

    static func databaseFile(in directory: URL) -> URL {
        directory.appendingPathComponent("store.sqlite")
    }

    var keys: KeyFolder { KeyFolder(url: directory.appendingPathComponent("keys")) }

    /// Why there is no store in the folder, as far as this user sees; nil where there is one.
    package var lack: String? {
        let root = keys.file(StoreKeys.FileName.root).path
        guard access(root, F_OK) != 0 else { return nil }
        guard errno == EACCES else {
            return keys.has(KeyRole.signing.fileName)
                ? "keys/\(StoreKeys.FileName.root) of its store is missing"
                : "there is no store in it"
        }
        return "this user may not look into it"
            + (owner.map { ", which belongs to the user \($0)" } ?? "")
    }

    /// The name of the user whom the folder belongs to.
    private var owner: String? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: directory.path)
        return attributes?[.ownerAccountName] as? String
    }

    /// The SHA-256 of the root certificate, hexadecimal.
    package func fingerprint() throws -> String {
        SHA256Digest.hex(try Certificate(pem: keys.text(StoreKeys.FileName.root)).der())
    }

    /// Nil where there is no folder for it, as in a store that was restored and never started.
    func content() throws -> (any ContentStore)? {
        if let objects { return objects.content }
        return try folder("content").map { try DiskContentStore(root: $0) }
    }

    /// Nil where there is no folder for it.
    func media() throws -> (any ContentStore)? {
        if let objects { return objects.pictures }
        return try folder("assets/kept").map { try DiskContentStore(root: $0) }
    }

    /// Nil where there is no folder for them.
    func uploads() throws -> (any UploadStore)? {
        if let objects { return objects.uploads }
        return try folder("uploads").map { try DiskUploadStore(root: $0) }
    }

    private func folder(_ name: String) -> URL? {
        let url = directory.appendingPathComponent(name)
        return access(url.path, F_OK) == 0 ? url : nil
    }

    /// The bucket's name and prefix, as commands take it.
    var bucket: String? {
        objects.map { "s3://\($0.client.location.bucket)/\($0.client.location.prefix)" }
    }
}

/// The machine's clock can't be right, as the database's server shows another time.
package struct ClocksApart: Error, Sendable, Hashable, CustomStringConvertible {
    package let server: Date

    package var description: String {
        "the database's server has \(server.formatted(.iso8601)): set both clocks"
    }
}

/// There are the keys of a store and not its rows: a new database beside them would be another shop, to which
/// all content is a stranger's.
package struct MissingRows: Error, Sendable, CustomStringConvertible {
    let directory: URL
    let database: DatabaseAddress

    package var description: String {
        "\(directory.path) has the keys of a store, and \(database) is missing or empty: restore it from a "
            + "backup, say with --database, or $OPENSTORE_DATABASE, where the rows are, or begin a new store "
            + "in another folder"
    }
}
