import Foundation
import StoreDatabase

/// SQLite's side of a copy.
final class SQLiteCopy: CopySource, CopyTarget {
    let tables: [CopyTable]
    private let path: String
    /// Reads the snapshot; writes where this is the target.
    private let connection: SQLiteConnection
    /// Holds the lock of the pause.
    private var pausing: SQLiteConnection?
    private var triggers: [String] = []

    /// Opens a database that there is.
    convenience init(existing path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw SQLError(code: .other, "there is no database sqlite:\(path)")
        }
        try self.init(path: path)
    }

    /// Opens a database with the newest schema.
    init(path: String) throws {
        self.path = path
        try SQLiteDatabase(path: path).close()
        connection = try SQLiteConnection(path: path)
        var tables: [CopyTable] = []
        let names = try connection.values(
            """
            SELECT name FROM pragma_table_list
            WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'
                AND name <> 'moved_to' ORDER BY name
            """, count: 1
        ).map { $0[0].plainText }
        for name in names {
            let columns = try connection.values(
                "SELECT name, pk FROM pragma_table_xinfo('\(name)') WHERE hidden = 0", count: 2)
            let key = columns.indices.filter { columns[$0][1] != .integer(0) }
                .sorted { columns[$0][1].plainNumber < columns[$1][1].plainNumber }
            tables.append(
                CopyTable(
                    name: name, columns: columns.map { $0[0].plainText }, key: key,
                    isLog: CopyTable.logs.contains(name)))
        }
        self.tables = tables + CopyTable.searches
    }

    func counters() throws -> [String: Int64] {
        let rows = try reader.values("SELECT name, seq FROM sqlite_sequence", count: 2)
        return Dictionary(
            rows.map { ($0[0].plainText, $0[1].plainNumber) }, uniquingKeysWith: { _, last in last }
        )
    }

    func count(_ table: CopyTable) throws -> Int {
        let rows = try reader.values("SELECT count(*) FROM \"\(table.name)\"", count: 1)
        return Int(rows[0][0].plainNumber)
    }

    private var reader: SQLiteConnection { pausing ?? connection }

    func read(_ table: CopyTable, after: Int64?, _ body: (CopyRow) throws -> Void) throws {
        let condition = after.map { " WHERE \"\(table.number)\" > \($0)" } ?? ""
        try reader.each(
            "SELECT \(table.list) FROM \"\(table.name)\"\(condition)", count: table.columns.count,
            body)
    }

    // MARK: Source

    func beginSnapshot() throws {
        try connection.script("BEGIN")
        _ = try connection.values("SELECT count(*) FROM catalog_clock", count: 1)
    }

    func endSnapshot() { try? connection.script("ROLLBACK") }

    func beginPause() throws {
        let pausing = try SQLiteConnection(path: path)
        try pausing.script("BEGIN IMMEDIATE")
        self.pausing = pausing
    }

    func endPause() {
        try? pausing?.script("ROLLBACK")
        pausing = nil
    }

    func prepareMove(to address: String, at date: Date) throws {
        try pausing?.run(
            "INSERT INTO moved_to (id, address, date) VALUES (1, ?1, ?2)",
            [.text(address), .date(date)])
    }

    func commitMove() throws {
        try pausing?.script("COMMIT")
        pausing = nil
    }

    // MARK: Target

    func begin(_ tables: [CopyTable]) throws {
        let isEmpty = try connection.values(
            "SELECT (SELECT count(*) FROM team) + (SELECT count(*) FROM account)", count: 1)
        guard isEmpty == [[.integer(0)]] else {
            throw SQLError(code: .other, "sqlite:\(path) has a shop in it already")
        }
        // Outside of the transaction, which they end with.
        try connection.script("PRAGMA foreign_keys = OFF")
        try connection.script("BEGIN IMMEDIATE")
        triggers = try connection.values(
            "SELECT sql FROM sqlite_schema WHERE type = 'trigger'", count: 1
        ).map { $0[0].plainText }
        let names = try connection.values(
            "SELECT name FROM sqlite_schema WHERE type = 'trigger'", count: 1)
        for name in names { try connection.script("DROP TRIGGER \"\(name[0].plainText)\"") }
        for table in tables { try connection.script("DELETE FROM \"\(table.name)\"") }
        try connection.script("DELETE FROM product_search")
    }

    func write(_ table: CopyTable, _ rows: [CopyRow]) throws {
        let marks = (1...table.columns.count).map { "?\($0)" }.joined(separator: ", ")
        try connection.each(
            "INSERT INTO \"\(table.name)\" (\(table.list)) VALUES (\(marks))", for: rows)
    }

    func delete(_ table: CopyTable, _ keys: [CopyRow]) throws {
        let condition = table.key.indices.map { place in
            "\"\(table.columns[table.key[place]])\" = ?\(place + 1)"
        }.joined(separator: " AND ")
        try connection.each("DELETE FROM \"\(table.name)\" WHERE \(condition)", for: keys)
    }

    func commit(_ counters: [String: Int64]) throws {
        try connection.script(
            """
            INSERT INTO product_search (rowid, app, product_id, reference_name)
            SELECT id, ':' || app || ':', product_id, reference_name FROM product
            WHERE deleted IS NULL
            """)
        for trigger in triggers { try connection.script(trigger) }
        for (table, number) in counters {
            try connection.script(
                """
                DELETE FROM sqlite_sequence WHERE name = '\(table)';
                INSERT INTO sqlite_sequence (name, seq) VALUES ('\(table)', \(number))
                """)
        }
        let broken = try connection.values(
            "SELECT \"table\" FROM pragma_foreign_key_check", count: 1)
        if let table = broken.first?[0].plainText {
            throw SQLError(code: .corrupt, "rows of \(table) speak of rows that are missing")
        }
        try connection.script("COMMIT")
    }

    func rollBack() { try? connection.script("ROLLBACK") }

    func finish() throws {}
}

extension SQLValue {
    var plainText: String { if case .text(let text) = self { text } else { "" } }
    var plainNumber: Int64 { if case .integer(let number) = self { number } else { 0 } }
}
