import CStoreSQLite
import Foundation

/// A connection to a SQLite database with its prepared statements.
///
/// Used by one thread at a time.
package final class SQLiteConnection: SQLConnection {
    private let handle: OpaquePointer
    private let path: String
    private var statements: [StatementText: OpaquePointer] = [:]

    /// How SQLite answered to being configured, before its first database was opened; it refuses
    /// where something else of the program was earlier, and nothing is lost by it.
    private static let configuration: Int32 = cstore_configure()

    /// The path of a database in memory, which goes away with its last connection.
    package static func memory(_ name: String) -> String { "file:/\(name)?vfs=memdb" }

    /// Opens a database, and creates it where it doesn't exist.
    ///
    /// - Throws: `SQLError` with SQLite's reason.
    package init(path: String) throws {
        _ = Self.configuration
        var handle: OpaquePointer?
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
        let result = sqlite3_open_v2(path, &handle, flags, nil)
        guard result == SQLITE_OK, let handle else {
            let reason = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(handle)
            throw SQLError(code: .other, "\(path) can't be opened: \(reason)")
        }
        (self.handle, self.path) = (handle, path)
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, 10_000)
        // FULL: in WAL mode each commit is synced before it is acknowledged.
        try script("PRAGMA journal_mode = WAL")
        try script("PRAGMA synchronous = FULL")
        try script("PRAGMA foreign_keys = ON")
        try script("PRAGMA trusted_schema = OFF")
        // KiB of pages in memory.
        try script("PRAGMA cache_size = -8192")
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    package var dialect: SQLDialect { .sqlite }

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs statements that have no parameters and whose rows nobody wants.
    package func script(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw error() }
    }

    package func run(_ text: StatementText, _ parameters: [SQLValue]) throws {
        _ = try rows(text, parameters) { _ in }
    }

    package func rows<Row>(
        _ text: StatementText, _ parameters: [SQLValue], _ read: (any SQLRow) throws -> Row
    ) throws -> [Row] {
        let statement = try prepared(text)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, parameter) in parameters.enumerated() {
            try bind(parameter, to: statement, at: Int32(index + 1))
        }
        var rows: [Row] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: rows.append(try read(SQLiteRow(statement: statement)))
            case SQLITE_DONE: return rows
            default: throw error()
            }
        }
    }

    package func attempt(_ body: () throws -> Void) throws {
        try run("SAVEPOINT attempt", [])
        do {
            try body()
            try run("RELEASE attempt", [])
        } catch {
            try? run("ROLLBACK TO attempt", [])
            try? run("RELEASE attempt", [])
            throw error
        }
    }

    /// Has triggers run no more on this connection, also those that keep rows from being deleted.
    package func ignoreTriggers() throws {
        guard cstore_ignore_triggers(handle) == SQLITE_OK else { throw error() }
    }

    /// Reads rows of a statement that is no literal, as they are.
    package func each(_ sql: String, count: Int, _ body: ([SQLValue]) throws -> Void) throws {
        let statement = try compiled(sql)
        defer { sqlite3_finalize(statement) }
        let row = SQLiteRow(statement: statement)
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: try body((0..<count).map { row.value($0) })
            case SQLITE_DONE: return
            default: throw error()
            }
        }
    }

    package func values(_ sql: String, count: Int) throws -> [[SQLValue]] {
        var rows: [[SQLValue]] = []
        try each(sql, count: count) { rows.append($0) }
        return rows
    }

    /// Runs a statement that is no literal, once with each of the lists of parameters.
    package func each(_ sql: String, for lists: [[SQLValue]]) throws {
        let statement = try compiled(sql)
        defer { sqlite3_finalize(statement) }
        for parameters in lists {
            for (index, parameter) in parameters.enumerated() {
                try bind(parameter, to: statement, at: Int32(index + 1))
            }
            guard sqlite3_step(statement) == SQLITE_DONE else { throw error() }
            sqlite3_reset(statement)
        }
    }

    /// Copies the database as one moment has it into a new file, while others write.
    ///
    /// - Parameter report: is told how many pages are copied, and of how many.
    /// - Throws: `SQLError`; what there is of the file is worth nothing then.
    package func copySnapshot(to path: String, report: (_ done: Int64, _ all: Int64) -> Void) throws
    {
        // A transaction that has read keeps the pages as they are, over all steps.
        try script("BEGIN")
        defer { try? script("ROLLBACK") }
        _ = try values("SELECT count(*) FROM sqlite_schema", count: 1)
        let target = try SQLiteConnection(path: path)
        guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
            throw target.error()
        }
        var result = SQLITE_OK
        while result == SQLITE_OK {
            result = sqlite3_backup_step(backup, 1024)
            let all = Int64(sqlite3_backup_pagecount(backup))
            report(all - Int64(sqlite3_backup_remaining(backup)), all)
        }
        sqlite3_backup_finish(backup)
        guard result == SQLITE_DONE else { throw target.error() }
    }

    private func compiled(_ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement
        else { throw error() }
        return statement
    }

    /// The prepared statement for a text, made once for each connection.
    private func prepared(_ text: StatementText) throws -> OpaquePointer {
        if let known = statements[text] { return known }
        var statement: OpaquePointer?
        let result = text.start.withMemoryRebound(to: CChar.self, capacity: text.count) {
            sqlite3_prepare_v3(
                handle, $0, Int32(text.count), UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        }
        guard result == SQLITE_OK, let statement else { throw error() }
        statements[text] = statement
        return statement
    }

    private func bind(_ value: SQLValue, to statement: OpaquePointer, at index: Int32) throws {
        let result =
            switch value {
            case .noInteger, .noText: sqlite3_bind_null(statement, index)
            case .integer(let number): sqlite3_bind_int64(statement, index, number)
            case .text(let text): cstore_bind_text(statement, index, text, Int32(text.utf8.count))
            case .blob(let data):
                data.withUnsafeBytes { bytes in
                    cstore_bind_blob(statement, index, bytes.baseAddress, Int32(bytes.count))
                }
            }
        guard result == SQLITE_OK else { throw error() }
    }

    private func error() -> SQLError {
        let message = String(cString: sqlite3_errmsg(handle))
        let code: SQLError.Code =
            // The low byte: extended codes such as SQLITE_CONSTRAINT_UNIQUE are on.
            switch sqlite3_errcode(handle) & 0xff {
            case SQLITE_CONSTRAINT: .constraint
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
            case SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY: .disk
            default: .other
            }
        guard code == .corrupt else { return SQLError(code: code, message) }
        return SQLError(
            code: code,
            "\(path): \(message); openstore doctor says more, restore makes a store of a backup")
    }
}

/// The row that a statement stands on.
private struct SQLiteRow: SQLRow {
    let statement: OpaquePointer

    func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
    }

    func integer(_ column: Int) -> Int64 {
        sqlite3_column_int64(statement, Int32(column))
    }

    /// A value as it is kept, without characters U+0000: PostgreSQL, to which rows may go, can't keep them.
    func value(_ column: Int) -> SQLValue {
        switch sqlite3_column_type(statement, Int32(column)) {
        case SQLITE_INTEGER: return .integer(integer(column))
        case SQLITE_TEXT:
            let text = text(column)
            return .text(text.utf8.contains(0) ? text.filter { $0 != "\0" } : text)
        case SQLITE_BLOB: return .blob(blob(column))
        default: return .noText
        }
    }

    func text(_ column: Int) -> String {
        guard let start = sqlite3_column_text(statement, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func data(_ column: Int) -> Data {
        guard let start = sqlite3_column_text(statement, Int32(column)) else { return Data() }
        return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, Int32(column))))
    }

    func blob(_ column: Int) -> Data {
        guard let start = sqlite3_column_blob(statement, Int32(column)) else { return Data() }
        return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, Int32(column))))
    }

    var names: [String] {
        (0..<sqlite3_column_count(statement)).map { column in
            sqlite3_column_name(statement, column).map { String(cString: $0) } ?? ""
        }
    }
}
