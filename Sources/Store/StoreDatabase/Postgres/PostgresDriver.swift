import Foundation
import StoreKernel
import Synchronization

/// A database of a PostgreSQL server: pooled connections, transactions beside each other, and
/// any number of programs on one database.
///
/// Transactions that write are serializable (optimistic concurrency control, or optimistic locking by the server
/// without version columns): what one may do never depends on another that runs beside it, as if there
/// were one writer. Where two collide (a serialization failure or a deadlock) the server ends one
/// of them, and it runs again from its beginning; closures that write are run as often as it takes.
package final class PostgresDriver: DatabaseDriver {
    /// How many connections a program uses at most, beside the one that listens, and how long
    /// that one is content with silence.
    package struct Limits: Sendable {
        package var writers = 8
        package var readers = 12
        /// Milliseconds without a message of the database after which one looks for oneself.
        package var silence: Int32 = 10_000
        package init() {}
    }

    /// How often a transaction that collided with others runs again.
    private static let mostAttempts = 30
    /// How often one runs that met a row which nobody may have twice.
    private static let mostLooks = 3

    private let schema: DatabaseSchema
    private let reading: PostgresPool
    private let writing: PostgresPool
    private let readThreads: BlockingPool
    private let writeThreads: BlockingPool
    private let changeFeed: PostgresChangeFeed
    private let listener: PostgresListener
    private let sender: String
    /// The counters as they are.
    private let question: StatementText
    /// The same, told to all programs on the database.
    private let announcement: StatementText
    private let lead = Mutex(TimeInterval(0))
    private let uptime: @Sendable () -> ContinuousClock.Instant
    private let pause: @Sendable (_ attempt: Int) -> Void

    /// Opens a database, and brings its schema up to date.
    ///
    /// - Parameters:
    ///   - sender: what the program is called among those on this database, without blanks.
    ///   - uptime: measures how long transactions wait.
    ///   - pause: lets some time go by before a transaction runs again, on its thread.
    /// - Throws: `SQLError`; with the code `corrupt` for a database of another schema, and with
    ///   `unreachable` if no server answers, or the server refuses the connection.
    package init(
        _ address: PostgresAddress, schema: DatabaseSchema, limits: Limits, sender: String,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant,
        pause: @escaping @Sendable (_ attempt: Int) -> Void
    ) throws {
        try PostgresMigration(schema).migrate(address)
        self.schema = schema
        changeFeed = PostgresChangeFeed(counters: schema.counters.count)
        question = StatementText(SQL(described: "SELECT \(schema.counterColumns)"))
        announcement = Self.announcement(of: schema)
        self.sender = sender
        self.pause = pause
        self.uptime = uptime
        reading = PostgresPool(address, limit: limits.readers)
        writing = PostgresPool(address, limit: limits.writers)
        readThreads = BlockingPool(
            "store-reader", threads: limits.readers, stopped: SQLError.stopping)
        writeThreads = BlockingPool(
            "store-writer", threads: limits.writers, stopped: SQLError.stopping)
        listener = try PostgresListener(
            address, changeFeed, sender: sender, silence: limits.silence)
        _ = try askTime()
    }

    deinit { stop() }

    /// Longer with each attempt, and never as long as another one waits.
    package static func wait(before attempt: Int) {
        let most = min(0.002 * Double(1 << min(attempt, 8)), 0.25)
        Thread.sleep(forTimeInterval: Double.random(in: most / 4...most))
    }

    // MARK: Reading

    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        try await readThreads.run(leavesWhenCancelled: false) { [self] in try readNow(body) }
    }

    /// A server that is cut off is waited for longer than a thread of somebody else's can be spared.
    package func lookUp<Result>(
        _ body: (any SQLConnection) throws -> Result
    ) throws -> Result? { nil }

    private func readNow<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result {
        try onceMoreWhereLost {
            try reading.withConnection { connection in
                do {
                    try connection.begin(.reading)
                    let result = try body(connection)
                    try connection.endReading()
                    return result
                } catch {
                    connection.rollBack()
                    throw connection.isBroken
                        ? SQLError(code: .unreachable, "\(error)") : error
                }
            }
        }
    }

    /// A server that was started anew has ended all connections: what changes nothing is tried
    /// again with a new one.
    private func onceMoreWhereLost<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLError where error.code == .unreachable {
            return try body()
        }
    }

    // MARK: Writing

    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Result
    ) async throws -> Result {
        let asked = uptime()
        // What is done after a cancellation, such as a lease that is given back, has to be written.
        return try await writeThreads.run(leavesWhenCancelled: false) { [self] in
            // A row that is there already is looked at again; collisions don't count as looks.
            var (attempt, looks) = (1, 1)
            while true {
                do {
                    return try writing.withConnection { connection in
                        try transaction(on: connection, asked: asked, body)
                    }
                } catch let collision as Collision {
                    if collision.isNotUnique {
                        guard looks < Self.mostLooks else { throw collision.reason }
                        looks += 1
                    }
                    guard attempt < Self.mostAttempts else {
                        throw SQLError(
                            code: .busy,
                            "others change the same for too long: \(collision.reason)")
                    }
                    pause(attempt)
                    attempt += 1
                }
            }
        }
    }

    /// Why a transaction is to be run again: nothing of it was written.
    private struct Collision: Error {
        let reason: any Error
        /// Whether it met a row that somebody else may have written meanwhile.
        var isNotUnique = false
    }

    private func transaction<Result>(
        on connection: PostgresConnection, asked: ContinuousClock.Instant,
        _ body: (WriteTransaction) throws -> Result
    ) throws -> Result {
        do {
            try connection.begin(.writing(schema: schema.newest))
            let transaction = WriteTransaction(
                on: connection, asked: asked, lead: countedLead, uptime: uptime)
            let result = try body(transaction)
            try commit(connection, isAnnounced: transaction.isAnnounced)
            return result
        } catch let error as SQLError where error.code == .uncertain {
            throw error
        } catch {
            connection.rollBack()
            // Before the commit a lost connection has written nothing.
            if SQLError.isCollision(connection.failure) || connection.isBroken {
                throw Collision(reason: error)
            }
            // Somebody else may have been quicker with the same, which a second look finds.
            if connection.failure == SQLError.notUnique {
                throw Collision(reason: error, isNotUnique: true)
            }
            throw error
        }
    }

    /// Commits, and tells all programs on the database how things stand now.
    private func commit(_ connection: PostgresConnection, isAnnounced: Bool) throws {
        guard connection.hasWritten else {
            _ = try connection.commit { _ in }
            return
        }
        // After the commit, not in it: telling in a transaction would let those that write wait
        // for each other's disk. The server runs both when it has read them, whatever becomes of
        // this program.
        let counters = try connection.commit(
            telling: (announcement, [.text(sender), .integer(isAnnounced)]), counters)
        changeFeed.heard(counters)
        if isAnnounced { changeFeed.ring() }
    }

    private static func announcement(of schema: DatabaseSchema) -> StatementText {
        let columns = schema.counters.indices.map { "n.n\($0)" }.joined(separator: ", ")
        return StatementText(
            SQL(
                described: """
                    SELECT \(columns), set_config('synchronous_commit', 'off', true),
                        pg_notify('\(PostgresListener.channel)',
                            concat_ws(' ', ?1, \(columns), ?2))
                    FROM (SELECT \(schema.counterColumns) OFFSET 0) n
                    """))
    }

    private func counters(_ row: any SQLRow) -> [Int64] {
        schema.counters.indices.map(row.integer)
    }

    // MARK: News

    package func whenAnnounced(_ ring: @escaping @Sendable () -> Void) {
        changeFeed.whenAnnounced(ring)
    }

    /// Other programs' commits are known by their messages. Where a message was lost with its program,
    /// the database is read after `Limits.silence` without another one; while there is no connection
    /// for messages, with each question.
    package func counters() async throws -> [Int64] {
        if let known = changeFeed.known { return known }
        return try await readThreads.run(leavesWhenCancelled: false) { [self] in
            try changeFeed.counters(readCounters)
        }
    }

    package func knownCounters() -> [Int64]? { changeFeed.known }

    package func changes() throws -> Int64 { changeFeed.changes() }

    private func readCounters() throws -> [Int64] {
        let found = try onceMoreWhereLost {
            try reading.withConnection { try $0.rows(question, [], counters).first }
        }
        return try found.orMissing("counter")
    }

    // MARK: Clock

    package func serverTime() async throws -> Date? {
        try await onReadThread { try $0.askTime() }
    }

    package func clockLead() async throws -> TimeInterval {
        _ = try await serverTime()
        return countedLead
    }

    private func askTime() throws -> Date {
        let found = try onceMoreWhereLost {
            try reading.withConnection { connection -> Date? in
                // Without the time that a connection takes.
                let asked = Date()
                let time = try connection.row(
                    "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)", []
                ) { $0.date(0) }
                let wait = Date().timeIntervalSince(asked)
                // An answer that took long says little about now.
                if let time, wait < 1 {
                    lead.withLock { $0 = time.timeIntervalSince(asked) - wait / 2 }
                }
                return time
            }
        }
        return try found.orMissing("time")
    }

    /// Seconds that the server's clock was ahead when it was last asked.
    private var countedLead: TimeInterval {
        let seconds = lead.withLock { $0 }
        return abs(seconds) < 1 ? 0 : seconds
    }

    private func onReadThread<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresDriver) throws -> Value
    ) async throws -> Value {
        try await readThreads.run(leavesWhenCancelled: false) { [self] in try body(self) }
    }

    // MARK: Writers

    /// By the locks that writing takes: everybody sees them, whatever role has taken them.
    package func writers(to table: String) async throws -> Set<String> {
        try await onReadThread { database in
            try database.onceMoreWhereLost {
                try database.reading.withConnection { connection in
                    let names = try connection.rows(
                        """
                        SELECT l.virtualtransaction FROM pg_locks l
                        JOIN pg_database d ON d.oid = l.database
                        WHERE d.datname = current_database() AND l.locktype = 'relation'
                            AND l.relation = CAST(?1 AS regclass)
                            AND l.mode = 'RowExclusiveLock'
                        """, [.text(table)]
                    ) { $0.text(0) }
                    return Set(names)
                }
            }
        }
    }

    // MARK: End

    package func close() {
        stop()
        writeThreads.wait()
        readThreads.wait()
        listener.wait()
        writing.close()
        reading.close()
    }

    /// Ends the threads, without waiting for them.
    private func stop() {
        writeThreads.stop()
        readThreads.stop()
        listener.stop()
    }
}
