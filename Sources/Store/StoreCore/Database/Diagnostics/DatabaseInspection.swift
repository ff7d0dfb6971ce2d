import Foundation
import StoreDatabase

/// A database that is looked at as it is: nothing is brought up to date, and nothing that is written
/// stays.
///
/// For one thread at a time.
package final class DatabaseInspection {
    private enum Driver {
        case sqlite(SQLiteConnection)
        case postgres(PostgresConnection, PostgresSession, PostgresAddress)
    }

    /// The number of the schema that this program knows.
    package static var newestSchema: Int64 { DatabaseSchema.store.newest }

    private let driver: Driver
    private let address: DatabaseAddress

    /// - Throws: `SQLError` where there is no such database, or it can't be opened.
    package init(_ address: DatabaseAddress) throws {
        self.address = address
        switch address {
        case .sqlite(let path):
            guard access(path, F_OK) == 0 else {
                throw SQLError(code: .other, "there is no database sqlite:\(path)")
            }
            driver = .sqlite(try SQLiteConnection(path: path))
        case .postgres(let address):
            driver = .postgres(
                try PostgresConnection(address), try PostgresSession(address), address)
        }
    }

    private var connection: any SQLConnection {
        switch driver {
        case .sqlite(let connection): connection
        case .postgres(let connection, _, _): connection
        }
    }

    /// The number of the schema; 0 where no store has ever been in the database.
    ///
    /// - Throws: `SQLError` with the code `corrupt` where it is some other program's.
    package func schema() throws -> Int64 {
        switch driver {
        case .postgres(let connection, _, _): return try PostgresMigration.version(connection)
        case .sqlite(let connection): return try DatabaseSchema.store.version(of: connection)
        }
    }

    /// Makes sure that the database has the schema of this program, and that the shop is in it.
    ///
    /// - Throws: `SQLError` with what to do.
    package func requireCurrent() throws {
        if case .postgres(let connection, _, _) = driver {
            try PostgresMigration.checkPlace(connection)
        }
        let schema = try schema()
        try DatabaseSchema.store.check(schema)
        guard schema == DatabaseSchema.store.newest else {
            throw SQLError(
                code: .other,
                schema == 0
                    ? "the database has no store in it"
                    : "the database has schema \(schema), and this program's is "
                        + "\(DatabaseSchema.store.newest); use the program that runs the store, or "
                        + "start the store with this one, which brings the database up to date")
        }
        try MovedDatabase.check(connection)
    }

    /// Whether anybody sells or buys in the store that is in the database.
    package func hasShop() throws -> Bool {
        try connection.row(
            "SELECT (SELECT count(*) FROM team) + (SELECT count(*) FROM account)", []
        ) { $0.integer(0) } ?? 0 > 0
    }

    /// Makes sure that there is a shop in the database.
    ///
    /// - Throws: `SQLError` with what to do.
    package func requireShop() throws {
        if case .postgres(let connection, _, _) = driver {
            try PostgresMigration.checkPlace(connection)
        }
        guard try schema() > 0, try hasShop() else {
            throw SQLError(
                code: .other,
                "there is no store in \(address); check that this is the store's database, and not "
                    + "the new one that it is copied to")
        }
    }

    /// Lets everything that `body` reads be of one moment.
    package func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        switch driver {
        case .sqlite(let connection):
            try connection.script("BEGIN")
            defer { try? connection.script("ROLLBACK") }
            return try body()
        case .postgres(let connection, _, _):
            try connection.begin(.reading)
            defer { connection.rollBack() }
            return try body()
        }
    }

    package func inventory() throws -> StoreInventory { try StoreInventory(connection) }

    /// The numbers of the rows that break a rule.
    package func violations(of invariant: StoreInvariant) throws -> [Int64] {
        try connection.rows(invariant.query, []) { $0.integer(0) }
    }

    /// What the database itself finds wrong with its pages, indexes and references, one sentence
    /// each; nothing where its server looks after that.
    ///
    /// - Parameter limit: of sentences.
    package func damage(limit: Int) throws -> [String] {
        guard case .sqlite(let connection) = driver else { return [] }
        let pages = try connection.values("PRAGMA integrity_check(\(limit))", count: 1)
            .map { $0[0].plainText }.filter { $0 != "ok" }
        let references = try connection.values(
            """
            SELECT "table", count(*), parent FROM pragma_foreign_key_check
            GROUP BY "table", parent LIMIT \(limit)
            """, count: 3
        ).map { row in
            "\(row[1].plainNumber) rows of \(row[0].plainText) name rows of \(row[2].plainText) "
                + "that are missing"
        }
        return pages + references
    }

    /// What of the schema's tables, indexes and rules is missing, each a word and a name.
    ///
    /// - Throws: `SQLError`, also where nobody may make the schema that it is compared with.
    package func missingParts() throws -> [String] {
        switch driver {
        case .sqlite(let connection):
            let names = "SELECT type || ' ' || name FROM sqlite_schema ORDER BY 1"
            let there = Set(try connection.values(names, count: 1).map { $0[0].plainText })
            return try Self.model().values(names, count: 1).map { $0[0].plainText }
                .filter { !there.contains($0) }
        case .postgres(_, _, let address):
            return try PostgresMigration(.store).missingParts(address)
        }
    }

    /// What of the schema's rules is there and not kept, one sentence each.
    package func idleRules() throws -> [String] {
        guard case .postgres(_, let session, _) = driver else { return [] }
        return try session.values(
            """
            SELECT 'trigger ' || t.tgname::text || ' is off' FROM pg_trigger t
                JOIN pg_class c ON c.oid = t.tgrelid
            WHERE c.relnamespace = 'openstore'::regnamespace AND t.tgenabled = 'D'
            UNION ALL
            SELECT 'rule ' || conname::text || ' was never checked' FROM pg_constraint
            WHERE connamespace = 'openstore'::regnamespace AND NOT convalidated
            ORDER BY 1
            """
        ).map { $0[0].plainText }
    }

    /// A database of the newest schema without a store in it.
    private static func model() throws -> SQLiteConnection {
        let model = try SQLiteConnection(path: SQLiteConnection.memory(UUID().uuidString))
        try DatabaseSchema.store.migrate(model)
        return model
    }

    /// Tables that would give a number again that was given before: whoever has one from before
    /// means the same by it.
    package func repeatedNumbers() throws -> [String] {
        let columns = try Self.model().values(
            """
            SELECT t.name, c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c ON c.pk = 1
            WHERE t.type = 'table' AND t.sql LIKE '%AUTOINCREMENT%' ORDER BY 1
            """, count: 2
        ).map { (table: $0[0].plainText, column: $0[1].plainText) }
        return try columns.filter { table, column in
            let (last, highest): (Int64, Int64)
            switch driver {
            case .sqlite(let connection):
                let row = try connection.values(
                    """
                    SELECT ifnull((SELECT seq FROM sqlite_sequence WHERE name = '\(table)'), 0),
                        ifnull((SELECT max(\(column)) FROM "\(table)"), 0)
                    """, count: 2)[0]
                (last, highest) = (row[0].plainNumber, row[1].plainNumber)
            case .postgres(_, let session, _):
                let sequence = try session.values(
                    "SELECT pg_get_serial_sequence('openstore.\(table)', '\(column)')"
                )[0][0].plainText
                let row = try session.values(
                    """
                    SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END,
                        (SELECT coalesce(max(\(column)), 0) FROM "\(table)") FROM \(sequence)
                    """)[0]
                (last, highest) = (row[0].plainNumber, row[1].plainNumber)
            }
            return last < highest
        }.map(\.table)
    }

    /// When the last thing happened that the database knows of; nil where nothing has.
    package func lastChange() throws -> Date? {
        try connection.value(
            Date?.self,
            """
            -- Sandbox clocks may be ahead; with one that is deleted, histories are cleared.
            SELECT max(e.date) FROM (
                SELECT max(l.date) AS date FROM ledger l
                WHERE NOT EXISTS (SELECT 1 FROM sandbox_time f
                        WHERE f.account = l.account AND f.app = l.app)
                    AND NOT EXISTS (SELECT 1 FROM history_clearing h
                        WHERE h.account = l.account AND h.last >= l.id)
                UNION ALL SELECT max(d.date) FROM device_event d
                WHERE NOT EXISTS (SELECT 1 FROM sandbox_time f
                        WHERE f.account = d.account AND f.app = d.app)
                    AND NOT EXISTS (SELECT 1 FROM history_clearing h
                        WHERE h.account = d.account)
                UNION ALL SELECT max(date) FROM audit) e
            """) ?? nil
    }

    /// What a running store has believed of the clock last; nil where none has run yet.
    package func believedTime() throws -> Date? {
        try JobRepository(connection: connection).status(of: .watchingClock)?.last
    }

    /// A row that the store can't deal with.
    package struct SetAsideRow: RecordPart, Hashable {
        /// What it is.
        package let what: String
        package let number: Int64
        package let reason: String

        package init(_ column: borrowing RecordColumns<Self>) throws {
            what = try column("what", \.what)
            number = try column("number", \.number)
            reason = try column("reason", \.reason)
        }
    }

    /// Rows that were set aside, so that they keep no others waiting.
    package func setAsideRows() throws -> [SetAsideRow] {
        try connection.records(
            SetAsideRow.self,
            """
            SELECT 'notification' AS what, id AS number, set_aside AS reason
            FROM notification WHERE set_aside IS NOT NULL
            UNION ALL SELECT 'refund request', id, set_aside FROM refund_request
            WHERE set_aside IS NOT NULL AND outcome IS NULL
            UNION ALL SELECT 'subscription', original, set_aside FROM subscription
            WHERE set_aside IS NOT NULL AND due IS NOT NULL
            ORDER BY 1, 2
            """)
    }

    /// Settings of the database's server by which what was committed may be lost, each with what is
    /// wrong with it and what to do; none where there is no server.
    package func riskySettings() throws -> [RiskySetting] {
        guard case .postgres(_, let session, _) = driver else { return [] }
        // What the role or the database is set to: the store's own sessions turn it on.
        return try session.values(
            """
            SELECT name, reset_val FROM pg_settings
            WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit')
                AND reset_val = 'off'
            ORDER BY name
            """
        ).map { RiskySetting(name: $0[0].plainText) }
    }

    /// A setting of the database's server that is off.
    package struct RiskySetting: Sendable, Hashable {
        package let name: String

        /// Whether acknowledged sales can be lost: the store turns the other on for itself.
        package var losesSales: Bool { name != "synchronous_commit" }
    }

    /// What the clock of the database's server shows; nil where there is no server.
    package func serverTime() throws -> Date? {
        guard case .postgres(_, let session, _) = driver else { return nil }
        let rows = try session.values(
            "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        return Date(timeIntervalSince1970: TimeInterval(rows[0][0].plainNumber) / 1000)
    }
}
