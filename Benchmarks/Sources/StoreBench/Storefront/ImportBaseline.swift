import CBenchSQLite
import Foundation

/// The rows that an import has left, inserted again into the same tables with the same indexes by
/// prepared statements, so many items to a commit: no JSON, no rules, no triggers.
struct ImportBaseline {
    private static let tables = [
        "artist", "item", "item_genre", "item_title", "item_name_search", "item_text_search",
        "artist_search",
    ]
    /// Items to a commit, as in an import.
    private static let batch = 500

    let store: URL
    let folder: URL

    /// A table on its way from one database to the other.
    private struct Table {
        let reading: OpaquePointer
        let writing: OpaquePointer
        /// Rows to a commit.
        let share: Int
        /// A statement at its end would begin again.
        var isRead = false

        /// Copies of the next rows' values.
        mutating func next() -> [[OpaquePointer]] {
            var rows: [[OpaquePointer]] = []
            while !isRead, rows.count < share {
                guard sqlite3_step(reading) == SQLITE_ROW else {
                    isRead = true
                    break
                }
                rows.append(
                    (0..<sqlite3_column_count(reading)).compactMap {
                        sqlite3_value_dup(sqlite3_column_value(reading, $0))
                    })
            }
            return rows
        }
    }

    /// - Returns: seconds for all rows; reading them is not counted.
    func run(items: Int) throws -> Double {
        let file = folder.appendingPathComponent("bare.sqlite")
        for suffix in ["", "-wal", "-shm"] { unlink(file.path + suffix) }
        defer { for suffix in ["", "-wal", "-shm"] { unlink(file.path + suffix) } }
        let source = try PlainDatabase(store)
        let target = try PlainDatabase(
            file, pragmas: ["journal_mode = WAL", "synchronous = FULL", "foreign_keys = OFF"])
        for name in Self.tables {
            for sql in try source.texts(
                "SELECT sql FROM sqlite_schema WHERE tbl_name = '\(name)' AND sql NOT NULL "
                    + "AND type IN ('table', 'index') ORDER BY type DESC")
            {
                try target.run(sql)
            }
        }
        var tables = try Self.tables.map { try table($0, source, target, items: items) }
        var duration = Duration.zero
        var isOver = false
        while !isOver {
            isOver = true
            try target.run("BEGIN IMMEDIATE")
            for index in tables.indices {
                let rows = tables[index].next()
                let table = tables[index]
                if !rows.isEmpty { isOver = false }
                let start = ContinuousClock.now
                for row in rows {
                    for (index, value) in row.enumerated() {
                        sqlite3_bind_value(table.writing, Int32(index + 1), value)
                    }
                    guard sqlite3_step(table.writing) == SQLITE_DONE else {
                        throw target.failure("insert")
                    }
                    sqlite3_reset(table.writing)
                }
                duration += ContinuousClock.now - start
                for value in rows.joined() { sqlite3_value_free(value) }
            }
            let start = ContinuousClock.now
            try target.run("COMMIT")
            duration += ContinuousClock.now - start
        }
        for table in tables {
            sqlite3_finalize(table.reading)
            sqlite3_finalize(table.writing)
        }
        return duration / .seconds(1)
    }

    private func table(
        _ name: String, _ source: PlainDatabase, _ target: PlainDatabase, items: Int
    ) throws -> Table {
        let columns = try source.texts("SELECT name FROM pragma_table_info('\(name)')")
        // Rows of a search have numbers that the store gives them.
        let isSearch = name.hasSuffix("_search")
        let names = ((isSearch ? ["rowid"] : []) + columns).joined(separator: ", ")
        let marks = (0..<columns.count + (isSearch ? 1 : 0)).map { _ in "?" }
        let count = Int(try source.texts("SELECT count(*) FROM \(name)").first ?? "") ?? 0
        return Table(
            reading: try source.prepare("SELECT \(names) FROM \(name)"),
            writing: try target.prepare(
                "INSERT INTO \(name) (\(names)) VALUES (\(marks.joined(separator: ", ")))"),
            share: max(1, (count * Self.batch + items - 1) / items))
    }
}
