import Foundation
import StoreKernel
import Synchronization

/// The embedded database: SQLite in WAL mode (write-ahead log), one writer with group commit, as many
/// readers as there are threads that read.
package final class SQLiteDriver: DatabaseDriver {
    private let path: String
    private let uptime: @Sendable () -> ContinuousClock.Instant
    private let writer: SQLiteWriter
    private let readers = Mutex(Readers())
    /// Entered by each that reads.
    private let reading = DispatchGroup()
    /// `nil` once the database is closed.
    private let watch: Mutex<CounterWatch?>
    private let announced = Listener<Void>()

    private struct Readers {
        var idle: [SendableConnection] = []
        var isClosed = false
    }

    /// Opens a database, creates it where there is none, and brings its schema up to date.
    ///
    /// - Parameter uptime: measures how long transactions wait.
    /// - Throws: `SQLError`, with the code `corrupt` for a file that is no database of the schema.
    package init(
        path: String, schema: DatabaseSchema,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant
    ) throws {
        // A name that begins as an address of SQLite's does is a file's all the same.
        let path = path.hasPrefix(scalars: "file:") ? "./" + path : path
        self.path = path
        self.uptime = uptime
        // Nobody else reads it; SQLite gives its other files the mode of this one. Only where
        // there was none: closing the file of a database that is open lets go of its locks.
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        if file >= 0 { Foundation.close(file) }
        let connection = try SQLiteConnection(path: path)
        try schema.migrate(connection)
        try MovedDatabase.check(connection)
        writer = try SQLiteWriter(path: path) { connection in
            try schema.requireNewest(connection)
            try MovedDatabase.check(connection)
        }
        watch = Mutex(try CounterWatch(SendableConnection(connection), schema))
    }

    deinit { writer.stop() }

    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        try readAtOnce(body)
    }

    package func lookUp<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result? {
        try readAtOnce(body)
    }

    private func readAtOnce<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result {
        try readers.withLock { readers in
            guard !readers.isClosed else { throw SQLError.stopping }
            reading.enter()
        }
        // The connection is given back before `close` stops waiting for this thread.
        defer { reading.leave() }
        return try readOnConnection(body)
    }

    private func readOnConnection<Result>(
        _ body: (any SQLConnection) throws -> Result
    ) throws -> Result {
        let connection =
            try readers.withLock { $0.idle.popLast() }
            ?? SendableConnection(try SQLiteConnection(path: path))
        defer { readers.withLock { $0.idle.append(connection) } }
        try connection.value.run("BEGIN", [])
        do {
            let result = try body(connection.value)
            try connection.value.run("COMMIT", [])
            return result
        } catch {
            try? connection.value.run("ROLLBACK", [])
            throw error
        }
    }

    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Result
    ) async throws -> Result {
        let asked = uptime()
        let (result, isAnnounced) = try await writer.write { [uptime] connection in
            let transaction = WriteTransaction(on: connection, asked: asked, uptime: uptime)
            let result = try body(transaction)
            return (result, transaction.isAnnounced)
        }
        if isAnnounced { announced.tell(()) }
        return result
    }

    package func whenAnnounced(_ ring: @escaping @Sendable () -> Void) {
        announced.set(ring)
    }

    package func counters() async throws -> [Int64] { try counted() }

    package func knownCounters() -> [Int64]? { try? counted() }

    private func counted() throws -> [Int64] {
        try watch.withLock { watch in
            guard let known = try watch?.counters() else { throw SQLError.stopping }
            return known
        }
    }

    package func changes() throws -> Int64 {
        try watch.withLock { watch in
            guard let version = try watch?.changes() else { throw SQLError.stopping }
            return version
        }
    }

    /// A database in this machine has this machine's clock.
    package func serverTime() async throws -> Date? { nil }

    package func clockLead() async throws -> TimeInterval { 0 }

    /// With one writer at a time this comes after all that were there before.
    package func writers(to table: String) async throws -> Set<String> {
        try await write { _ in }
        return []
    }

    /// What the writer has done so far.
    package var writeMetrics: WriteMetrics { writer.metrics }

    /// The last connection takes the files of the log away as it closes: when this call returns it has
    /// done so, and somebody may remove or copy the folder. Not to be called while reading.
    package func close() {
        writer.close()
        readers.withLock { $0.isClosed = true }
        reading.wait()
        readers.withLock { $0.idle = [] }
        watch.withLock { $0 = nil }
    }
}

/// Knows the counters, and reads them again only when some connection, of this process or another, has
/// committed since.
private struct CounterWatch {
    private let connection: SendableConnection
    private let question: StatementText
    private let count: Int
    private var dataVersion: Int64
    private var known: [Int64]

    init(_ connection: SendableConnection, _ schema: DatabaseSchema) throws {
        self.connection = connection
        count = schema.counters.count
        question = StatementText(SQL(described: "SELECT \(schema.counterColumns)"))
        dataVersion = try Self.dataVersion(connection.value)
        known = try Self.counters(connection.value, question, count)
    }

    private static func counters(
        _ connection: SQLiteConnection, _ question: StatementText, _ count: Int
    ) throws -> [Int64] {
        try connection.rows(question, []) { row in (0..<count).map(row.integer) }.first
            .orMissing("counter")
    }

    mutating func counters() throws -> [Int64] {
        let version = try changes()
        guard version != dataVersion else { return known }
        known = try Self.counters(connection.value, question, count)
        dataVersion = version
        return known
    }

    func changes() throws -> Int64 { try Self.dataVersion(connection.value) }

    private static func dataVersion(_ connection: SQLiteConnection) throws -> Int64 {
        try connection.row("PRAGMA data_version", []) { $0.integer(0) } ?? 0
    }
}
