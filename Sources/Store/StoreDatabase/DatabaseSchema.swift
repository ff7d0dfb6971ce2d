import StoreKernel

/// What a program keeps in its databases: the tables, how databases of earlier programs get them, and
/// which of their numbers tell of changes.
package struct DatabaseSchema: Sendable {
    /// A schema migration: the base schema, with which new databases begin, or a step from one schema to
    /// the next.
    struct Migration: Sendable {
        /// The number of the schema that a database has afterwards.
        let number: Int64
        /// SQL as SQLite has it.
        let statements: String
        /// What takes more than statements, after them.
        let conversion: Conversion?
        let isBase: Bool
    }

    package typealias Conversion = @Sendable (any SQLConnection) throws -> Void

    /// The base schema, and the steps in the order of their numbers: those up to the base's bring
    /// databases of earlier programs there, those behind it all databases further.
    let migrations: [Migration]
    /// A table that every database of the program has, and no other program's.
    private let mark: StaticString
    /// The expressions of numbers that only grow, whose growth all programs on a database hear of.
    let counters: [StaticString]
    /// What only PostgreSQL needs beside the tables: it can be run again.
    let postgresAdditions: [String]
    /// The oldest schema that the steps bring up to date.
    private let oldest: Int64
    private let base: Int64
    /// The number of the schema that this program knows.
    package let newest: Int64

    /// - Parameters:
    ///   - base: SQL, with a table `moved_to` as `MovedDatabase` reads it; the first number in it is the
    ///     schema's.
    ///   - steps: SQL; each begins with a line `-- Step 25: …`.
    ///   - conversions: what takes more than statements, by the numbers of the steps.
    package init(
        base: String, steps: String, oldest: Int64, conversions: [Int64: Conversion],
        mark: StaticString, counters: [StaticString], postgresAdditions: [String]
    ) {
        var parts: [[Substring]] = []
        for line in steps.split(scalar: "\n") {
            if line.hasPrefix(scalars: "-- Step ") { parts.append([]) }
            if !parts.isEmpty { parts[parts.count - 1].append(line) }
        }
        let first = Migration(
            number: Self.number(in: base), statements: base, conversion: nil, isBase: true)
        migrations =
            [first]
            + parts.map { lines in
                let statements = lines.joined(separator: "\n")
                let number = Self.number(in: statements)
                return Migration(
                    number: number, statements: statements, conversion: conversions[number],
                    isBase: false)
            }
        self.oldest = oldest
        self.base = first.number
        newest = migrations.last?.number ?? 0
        self.mark = mark
        self.counters = counters
        self.postgresAdditions = postgresAdditions
    }

    /// The first number in a text; 0 where there is none.
    private static func number(in text: String) -> Int64 {
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        let digits = text.utf8.drop { !isDigit($0) }.prefix { isDigit($0) }
        return Int64(String(decoding: digits, as: UTF8.self)) ?? 0
    }

    /// Whether a database needs a migration.
    ///
    /// - Parameter version: the number of the database's schema; 0 where there is none yet.
    func isMissing(_ migration: Migration, from version: Int64) -> Bool {
        if migration.isBase { return version == 0 }
        return migration.number > (version == 0 ? base : version)
    }

    /// The counters as the columns `n0`, `n1` … of one row.
    var counterColumns: String {
        counters.enumerated().map { "\($1) AS n\($0)" }.joined(separator: ", ")
    }

    /// - Parameter version: 0 where there is no schema yet.
    /// - Throws: `SQLError` where a database is newer than the program, or too old for its steps.
    package func check(_ version: Int64) throws {
        guard version == 0 || version >= oldest else {
            throw SQLError(
                code: .corrupt,
                "the database has schema \(version), which is too old: this program brings "
                    + "databases up to date from schema \(oldest) on")
        }
        guard version <= newest else {
            throw SQLError(
                code: .corrupt,
                "the database has schema \(version), this program knows \(newest); use the "
                    + "newer program")
        }
    }

    // MARK: SQLite

    /// Makes sure, inside a transaction that writes, that no other program has changed the schema
    /// since this one has opened the database.
    ///
    /// - Throws: `SQLError` with the code `outdated`.
    func requireNewest(_ connection: SQLiteConnection) throws {
        let version = try connection.row("PRAGMA user_version", []) { $0.integer(0) } ?? 0
        guard version == newest else {
            throw SQLError(
                code: .outdated,
                "the database has schema \(version) by now, and this program knows \(newest): "
                    + "start the program that brought it there instead")
        }
    }

    /// The number of a database's schema; 0 where there is none yet.
    ///
    /// - Throws: `SQLError` with the code `corrupt` where the file belongs to something else.
    package func version(of connection: SQLiteConnection) throws -> Int64 {
        let version = try connection.row("PRAGMA user_version", []) { $0.integer(0) } ?? 0
        // Other programs number their schemas too.
        let tables =
            try connection.row(
                "SELECT count(*), count(*) FILTER (WHERE name = ?1) FROM sqlite_schema",
                [.text(mark.description)]
            ) { (all: $0.integer(0), marks: $0.integer(1)) } ?? (all: 0, marks: 0)
        guard version == 0 ? tables.all == 0 : tables.marks == 1 else {
            throw SQLError(code: .corrupt, "the file is a database of some other program")
        }
        return version
    }

    /// Brings a database to the newest schema, in one transaction.
    ///
    /// - Throws: `SQLError` with the code `corrupt` where the file belongs to something
    ///   else or to a newer program.
    package func migrate(_ connection: SQLiteConnection) throws {
        try connection.script("BEGIN IMMEDIATE")
        do {
            let version = try version(of: connection)
            try check(version)
            for migration in migrations where isMissing(migration, from: version) {
                try connection.script(migration.statements)
                try migration.conversion?(connection)
                try connection.script("PRAGMA user_version = \(migration.number)")
            }
            try connection.script("COMMIT")
        } catch {
            try? connection.script("ROLLBACK")
            throw error
        }
    }
}
