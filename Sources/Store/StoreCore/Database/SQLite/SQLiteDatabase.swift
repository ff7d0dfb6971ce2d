import Foundation
import StoreModel
import Synchronization

/// The embedded database: SQLite in WAL mode (write-ahead log), one writer with group commit, as many
/// readers as there are threads that read.
package final class SQLiteDatabase: StoreDatabase {
    private let uptime: @Sendable () -> ContinuousClock.Instant
    private let path: String
    private let sandbox: @Sendable () -> SandboxRules
    private let writer: SQLiteWriter
    private let readers = Mutex<[SendableConnection]>([])
    private let watch: Mutex<GenerationWatch>
    private let notified = Mutex<@Sendable () -> Void>({})

    /// Opens the database of a store, creates it where there is none, and brings its
    /// schema up to date.
    ///
    /// - Parameter sandbox: the rules of the sandbox, asked at the beginning of each unit of work.
    /// - Throws: `SQLError`, with the code `corrupt` for a file that is no store's.
    package init(
        path: String, uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        sandbox: @escaping @Sendable () -> SandboxRules = { .standard }
    ) throws {
        // A name that begins as an address of SQLite's does is a file's all the same.
        let path = path.hasPrefix(scalars: "file:") ? "./" + path : path
        self.path = path
        self.uptime = uptime
        self.sandbox = sandbox
        // Nobody else reads it; SQLite gives its other files the mode of this one. Only where
        // there was none: closing the file of a database that is open lets go of its locks.
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        if file >= 0 { Foundation.close(file) }
        let connection = try SQLiteConnection(path: path)
        try SchemaMigration.migrate(connection)
        try MovedShop.check(connection)
        self.writer = try SQLiteWriter(path: path)
        let watch = try GenerationWatch(connection: SendableConnection(connection))
        self.watch = Mutex(watch)
    }

    deinit { writer.stop() }

    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (StoreRepositories) throws -> Result
    ) async throws -> Result {
        try readAtOnce(body)
    }

    package func lookUp<Result>(
        _ body: (StoreRepositories) throws -> Result
    ) throws -> Result? {
        try readAtOnce(body)
    }

    private func readAtOnce<Result>(
        _ body: (StoreRepositories) throws -> Result
    ) throws -> Result {
        let connection =
            try readers.withLock { $0.popLast() }
            ?? SendableConnection(try SQLiteConnection(path: path))
        defer { readers.withLock { $0.append(connection) } }
        try connection.value.run("BEGIN", [])
        do {
            let result = try body(
                StoreRepositories(connection: connection.value, sandbox: sandbox()))
            try connection.value.run("COMMIT", [])
            return result
        } catch {
            try? connection.value.run("ROLLBACK", [])
            throw error
        }
    }

    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (StoreRepositories) throws -> Result
    ) async throws -> Result {
        let asked = uptime()
        let (result, hasNotifications) = try await writer.write { [uptime, sandbox] connection in
            let repositories = StoreRepositories(
                connection: connection, news: NotificationNews(asked: asked, time: uptime),
                sandbox: sandbox())
            let result = try body(repositories)
            try repositories.finish()
            return (result, repositories.notificationNews.isThere)
        }
        if hasNotifications { notified.withLock { $0 }() }
        return result
    }

    package func whenNotified(_ ring: @escaping @Sendable () -> Void) {
        notified.withLock { $0 = ring }
    }

    package func catalogGeneration() throws -> Int64 {
        try watch.withLock { try $0.generation() }
    }

    package func storefrontGeneration() throws -> Int64 {
        try watch.withLock { try $0.storefrontGeneration() }
    }

    package func knownCatalogGeneration() -> Int64? { try? catalogGeneration() }

    package func knownStorefrontGeneration() -> Int64? { try? storefrontGeneration() }

    package func changes() throws -> Int64 {
        try watch.withLock { try $0.changes() }
    }

    package func lastEvent() throws -> DeviceEventID {
        try watch.withLock { try $0.lastEvent() }
    }

    package var writeFigures: WriteFigures { writer.figures }

    /// Commits what is waiting and closes.
    package func close() {
        writer.close()
        readers.withLock { $0.removeAll() }
    }
}

/// Knows the generations of the catalog and of the storefront, and reads them again only when
/// some connection, of this process or another, has committed since.
private struct GenerationWatch {
    private let connection: SendableConnection
    private var dataVersion: Int64
    private var catalog: Int64
    private var storefront: Int64

    init(connection: SendableConnection) throws {
        self.connection = connection
        self.dataVersion = try Self.dataVersion(connection.value)
        self.catalog = try CatalogRepository(connection: connection.value).generation()
        self.storefront = try Self.items(connection).generation()
    }

    private static func items(_ connection: SendableConnection) -> ItemRepository {
        ItemRepository(
            connection: connection.value, index: ItemSearchIndex(connection: connection.value))
    }

    mutating func generation() throws -> Int64 {
        try look()
        return catalog
    }

    mutating func storefrontGeneration() throws -> Int64 {
        try look()
        return storefront
    }

    private mutating func look() throws {
        let version = try Self.dataVersion(connection.value)
        guard version != dataVersion else { return }
        catalog = try CatalogRepository(connection: connection.value).generation()
        storefront = try Self.items(connection).generation()
        dataVersion = version
    }

    func changes() throws -> Int64 { try Self.dataVersion(connection.value) }

    func lastEvent() throws -> DeviceEventID {
        try DeviceEventRepository(connection: connection.value).last()
    }

    private static func dataVersion(_ connection: SQLiteConnection) throws -> Int64 {
        try connection.row("PRAGMA data_version", []) { $0.integer(0) } ?? 0
    }
}
