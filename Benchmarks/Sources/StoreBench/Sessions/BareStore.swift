import CBenchSQLite
import Foundation

/// What no store of a test can do without: an empty database in memory with the store's tables, and a
/// port that listens.
struct BareStore {
    private let schema: String

    /// - Parameter database: of a store that has its tables.
    init(like database: ShopDatabase) throws {
        // A search index makes the tables behind it by itself.
        schema = try database.run(
            """
            SELECT sql || ';' FROM sqlite_schema
            WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
                AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
            ORDER BY rowid
            """)
    }

    /// Makes it, and lets it go.
    ///
    /// - Returns: how many milliseconds that took until it was there.
    func make() throws -> Double {
        let start = ContinuousClock.now
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        guard sqlite3_open(":memory:", &database) == SQLITE_OK,
            sqlite3_exec(database, "BEGIN; \(schema) COMMIT;", nil, nil, nil) == SQLITE_OK
        else {
            throw BenchFailure("no tables: \(String(cString: sqlite3_errmsg(database)))")
        }
        let port = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | 0o2000000, 0)
        defer { close(port) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(port, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard bound == 0, listen(port, 128) == 0 else {
            throw BenchFailure("no port: errno \(errno)")
        }
        return (ContinuousClock.now - start) / .microseconds(1) / 1000
    }
}
