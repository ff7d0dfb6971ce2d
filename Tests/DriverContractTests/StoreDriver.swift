import Foundation
import StoreCore
import StoreDatabase
import StoreTestSupport
import Testing

/// A driver of the database, as the contract suites see it. Another driver is one more
/// element of `all`.
struct StoreDriver: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Whether a program hears of the commits of others by messages, which take their time.
    var hearsByMessage = false
    /// Makes an empty place for a store's rows.
    let install: @Sendable () throws -> Installation

    /// A place for rows, which several database objects may have open at once.
    struct Installation: Sendable {
        let open: @Sendable () throws -> OpenedDatabase
    }

    /// No transaction waits by it, however slow the machine is.
    static let uptime: @Sendable () -> ContinuousClock.Instant = {
        let start = ContinuousClock.now
        return { start }
    }()

    static let all = [sqlite, postgres]

    /// For tables of what the rules decide before anything is asked of the database.
    static let one = [sqlite]

    static let postgres = StoreDriver(testDescription: "PostgreSQL", hearsByMessage: true) {
        let place = try PostgresTestDatabase()
        return Installation {
            // However slow a test is, nothing happens by itself meanwhile.
            var limits = PostgresDatabase.Limits()
            limits.silence = .max
            let database = try PostgresDatabase(
                PostgresAddress(place.address), limits: limits, uptime: uptime)
            return OpenedDatabase(inner: database, place: place)
        }
    }

    static let sqlite = StoreDriver(testDescription: "SQLite in a file") {
        let folder = try TemporaryFolder()
        try PreparedDatabase.install(into: folder.file("store"))
        return Installation {
            let database = try SQLiteDatabase(
                path: folder.file("store/store.sqlite").path, uptime: uptime)
            return OpenedDatabase(inner: database, place: folder)
        }
    }
}

extension StoreDriver {
    /// Does something many times at once, and gives what came of it.
    ///
    /// PostgreSQL does it in parts: a transaction that has collided thirty times is given up, and
    /// each time another one was committed. Among fewer none is given up, however slow the machine
    /// is.
    func atOnce<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        let part = hearsByMessage ? 25 : count
        var values: [Value] = []
        for start in stride(from: 0, to: count, by: part) {
            values += try await withThrowingTaskGroup(of: Value.self) { group in
                for number in start..<min(count, start + part) {
                    group.addTask { try await body(number) }
                }
                return try await group.reduce(into: [Value]()) { $0.append($1) }
            }
        }
        return values
    }
}

/// A database with the place that it lies in, which goes away with its last user.
struct OpenedDatabase: ForwardingDatabase {
    let inner: any ShopDatabase
    let place: any Sendable
}

/// The command line of SQLite: a program beside the store that knows none of its rules.
enum SQLiteShell {
    private static let program = "/usr/bin/sqlite3"

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// What the statements print, also where they fail.
    static func run(
        _ sql: String, on file: URL
    ) async throws -> (status: Int32, output: String) {
        // The last connection of a store may still be closing the file: an hour in milliseconds.
        let (status, output) = try await ChildProgram.run(
            program, ["-batch", "-cmd", ".timeout 3600000", file.path, sql])
        let text = String(decoding: output, as: UTF8.self)
        return (status, text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
