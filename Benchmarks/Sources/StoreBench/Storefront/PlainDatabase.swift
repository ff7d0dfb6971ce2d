import CBenchSQLite
import Foundation

/// SQLite without a store around it.
final class PlainDatabase {
    private let handle: OpaquePointer

    init(_ file: URL, pragmas: [String] = []) throws {
        var handle: OpaquePointer?
        guard sqlite3_open(file.path, &handle) == SQLITE_OK, let handle else {
            throw BenchFailure("\(file.path) can't be opened")
        }
        self.handle = handle
        for pragma in pragmas { try run("PRAGMA \(pragma)") }
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func run(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
    }

    func prepare(_ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement
        else { throw failure(sql) }
        return statement
    }

    func texts(_ sql: String) throws -> [String] {
        let statement = try prepare(sql)
        defer { sqlite3_finalize(statement) }
        var texts: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            texts.append(String(cString: sqlite3_column_text(statement, 0)))
        }
        return texts
    }

    func failure(_ what: String) -> BenchFailure {
        BenchFailure("SQLite: \(String(cString: sqlite3_errmsg(handle))): \(what)")
    }
}
