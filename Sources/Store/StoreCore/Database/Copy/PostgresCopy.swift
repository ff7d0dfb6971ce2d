import Foundation
import StoreDatabase

/// PostgreSQL's side of a copy.
final class PostgresCopy: CopySource, CopyTarget {
    let tables: [CopyTable]
    private let address: PostgresAddress
    /// Reads the snapshot; writes where this is the target.
    private let session: PostgresSession
    /// Holds the locks of the pause.
    private var pausing: PostgresSession?
    private var copied: [CopyTable] = []
    /// Table, name and definition.
    private var foreignKeys: [[String]] = []

    /// Opens a database with the newest schema.
    init(_ address: PostgresAddress) throws {
        self.address = address
        try PostgresMigration(.store).migrate(address)
        session = try PostgresSession(address)
        // Tables are read as a whole here.
        try session.run(
            """
            SET enable_seqscan TO on; SET lock_timeout TO '60s';
            SET idle_in_transaction_session_timeout TO 0
            """)
        let columns = try session.values(
            """
            SELECT c.relname::text, a.attname::text,
                coalesce(array_position(i.indkey::int2[], a.attnum), -1)::bigint
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
                LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
            WHERE c.relnamespace = 'openstore'::regnamespace AND c.relkind = 'r'
                AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
            ORDER BY c.relname COLLATE "C", a.attnum
            """)
        let others = ["schema_version", "moved_to"] + CopyTable.searches.map(\.name)
        var tables: [CopyTable] = []
        for (name, columns) in Dictionary(grouping: columns, by: { $0[0].plainText })
            .sorted(by: { $0.key < $1.key }) where !others.contains(name)
        {
            let key = columns.indices.filter { columns[$0][2].plainNumber >= 0 }
                .sorted { columns[$0][2].plainNumber < columns[$1][2].plainNumber }
            tables.append(
                CopyTable(
                    name: name, columns: columns.map { $0[1].plainText }, key: key,
                    isLog: name == "device_event"))
        }
        self.tables = tables + CopyTable.searches
    }

    func count(_ table: CopyTable) throws -> Int {
        Int(try reader.values("SELECT count(*) FROM \"\(table.name)\"")[0][0].plainNumber)
    }

    private var reader: PostgresSession { pausing ?? session }

    func read(_ table: CopyTable, after: Int64?, _ body: (CopyRow) throws -> Void) throws {
        let condition = after.map { " WHERE \"\(table.number)\" > \($0)" } ?? ""
        try reader.each("SELECT \(table.list) FROM \"\(table.name)\"\(condition)", body)
    }

    /// Tables whose rows get numbers, with the column.
    private func numbered() throws -> [(table: String, column: String)] {
        try reader.values(
            """
            SELECT c.relname::text, a.attname::text
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE c.relnamespace = 'openstore'::regnamespace AND a.attidentity <> ''
            """
        ).map { ($0[0].plainText, $0[1].plainText) }
    }

    func counters() throws -> [String: Int64] {
        var counters: [String: Int64] = [:]
        for (table, column) in try numbered() {
            let sequence = try reader.values(
                "SELECT pg_get_serial_sequence('openstore.\(table)', '\(column)')")
            let rows = try reader.values(
                "SELECT last_value, is_called::int::bigint FROM \(sequence[0][0].plainText)")
            if rows[0][1] == .integer(1) { counters[table] = rows[0][0].plainNumber }
        }
        return counters
    }

    // MARK: Source

    func beginSnapshot() throws {
        try session.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1 FROM team")
    }

    func endSnapshot() { try? session.run("ROLLBACK") }

    /// The server takes the locks one by one, and ends whoever waits in a circle with writers: so
    /// it is tried again.
    func beginPause() throws {
        let pausing = try PostgresSession(address)
        try pausing.run(
            """
            SET enable_seqscan TO on; SET lock_timeout TO '10s';
            SET idle_in_transaction_session_timeout TO 0
            """)
        let names = tables.map { "\"\($0.name)\"" }.joined(separator: ", ")
        for attempt in 1... {
            do {
                try pausing.run("BEGIN; LOCK TABLE \(names) IN EXCLUSIVE MODE")
                break
            } catch let error as SQLError where error.code == .busy && attempt < Self.mostPauses {
                try pausing.run("ROLLBACK")
            }
        }
        self.pausing = pausing
    }

    private static let mostPauses = 20

    func endPause() {
        try? pausing?.run("ROLLBACK")
        pausing = nil
    }

    /// Programs that run on find no tables any more; those that start are told where to go.
    func prepareMove(to address: String, at date: Date) throws {
        guard let pausing else { return }
        try pausing.each(
            "INSERT INTO moved_to (id, address, date) VALUES (1, $1, $2)",
            for: [[.text(address), .date(date)]])
        try pausing.run("ALTER SCHEMA openstore RENAME TO openstore_moved")
    }

    func commitMove() throws {
        try pausing?.run("COMMIT")
        pausing = nil
    }

    // MARK: Target

    func begin(_ tables: [CopyTable]) throws {
        try session.run("BEGIN; LOCK TABLE team, account IN EXCLUSIVE MODE")
        let rows = try session.values(
            "SELECT (SELECT count(*) FROM team) + (SELECT count(*) FROM account)")
        guard rows == [[.integer(0)]] else {
            throw SQLError(code: .other, "\(address) has a shop in it already")
        }
        copied = tables
        foreignKeys = try session.values(
            """
            SELECT conrelid::regclass::text, conname::text, pg_get_constraintdef(oid)
            FROM pg_constraint
            WHERE contype = 'f' AND connamespace = 'openstore'::regnamespace AND conparentid = 0
            """
        ).map { $0.map(\.plainText) }
        for key in foreignKeys {
            try session.run("ALTER TABLE \(key[0]) DROP CONSTRAINT \(key[1])")
        }
        for table in tables {
            try session.run(
                """
                ALTER TABLE "\(table.name)" DISABLE TRIGGER USER; DELETE FROM "\(table.name)"
                """)
        }
    }

    func write(_ table: CopyTable, _ rows: [CopyRow]) throws {
        try session.copy("\"\(table.name)\" (\(table.list))", rows)
    }

    func delete(_ table: CopyTable, _ keys: [CopyRow]) throws {
        let condition = table.key.indices.map { place in
            "\"\(table.columns[table.key[place]])\" = $\(place + 1)"
        }.joined(separator: " AND ")
        try session.each("DELETE FROM \"\(table.name)\" WHERE \(condition)", for: keys)
    }

    func commit(_ counters: [String: Int64]) throws {
        for table in copied {
            try session.run("ALTER TABLE \"\(table.name)\" ENABLE TRIGGER USER")
        }
        // The source had the same rules; its rows are gone through after the pause.
        for key in foreignKeys {
            try session.run("ALTER TABLE \(key[0]) ADD CONSTRAINT \(key[1]) \(key[2]) NOT VALID")
        }
        for (table, column) in try numbered() {
            try session.run(
                """
                SELECT setval(pg_get_serial_sequence('openstore.\(table)', '\(column)'), n.last)
                FROM (SELECT greatest(max("\(column)"), \(counters[table] ?? 0)) AS last
                    FROM "\(table)") n
                WHERE n.last > 0
                """)
        }
        try session.run("COMMIT")
    }

    func rollBack() { try? session.run("ROLLBACK") }

    func finish() throws {
        for key in foreignKeys {
            try session.run("ALTER TABLE \(key[0]) VALIDATE CONSTRAINT \(key[1])")
        }
        // Of the store's own tables: others in the database belong to somebody else.
        for table in tables { try session.run("ANALYZE \(table.name)") }
    }
}
