import Foundation

/// Where a store keeps its rows, for a measurement that looks at them beside it.
enum ShopDatabase {
    case sqlite(URL)
    case postgres(PostgresCluster, String)

    /// What commands of `openstore` are told, beside the folder.
    var options: [String] {
        switch self {
        case .sqlite: []
        case .postgres(let cluster, let name): ["--database", cluster.address(of: name)]
        }
    }

    var name: String {
        switch self {
        case .sqlite: "SQLite"
        case .postgres: "PostgreSQL"
        }
    }

    /// Runs statements in another program.
    ///
    /// - Returns: the rows, columns separated by `|`.
    @discardableResult
    func run(_ sql: String) throws -> String {
        switch self {
        case .sqlite(let file):
            let script = FileManager.default.temporaryDirectory
                .appendingPathComponent("bench-\(UUID().uuidString).sql")
            try (sql + "\n;\n").write(to: script, atomically: true, encoding: .utf8)
            defer { try? FileManager.default.removeItem(at: script) }
            return try BenchShop.run(
                "/usr/bin/sqlite3",
                ["-bail", "-cmd", ".timeout 60000", file.path, ".read \(script.path)"])
        case .postgres(let cluster, let name):
            return try cluster.run(sql, on: name)
        }
    }

    /// The number that a query gives.
    func number(_ sql: String) throws -> Int {
        let text = try run(sql)
        guard let number = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchFailure("\(sql): \(text)")
        }
        return number
    }

    /// 32 bytes, as the dialect writes them.
    func bytes(_ hexadecimal: String) -> String {
        switch self {
        case .sqlite: "x'\(hexadecimal)'"
        case .postgres: "'\\x\(hexadecimal)'"
        }
    }

    /// Bytes of the log of what was written last.
    func logSize() -> Int {
        switch self {
        case .sqlite(let file): Self.size(file.path + "-wal")
        case .postgres(let cluster, _):
            (try? cluster.run("SELECT sum(size)::bigint FROM pg_ls_waldir()", on: "postgres"))
                .flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 0
        }
    }

    /// Bytes of tables and indexes.
    func size() throws -> Int {
        switch self {
        case .sqlite:
            try number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        case .postgres(_, let name): try number("SELECT pg_database_size('\(name)')")
        }
    }

    private static func size(_ path: String) -> Int {
        let values = try? FileManager.default.attributesOfItem(atPath: path)
        return (values?[.size] as? NSNumber)?.intValue ?? 0
    }
}
