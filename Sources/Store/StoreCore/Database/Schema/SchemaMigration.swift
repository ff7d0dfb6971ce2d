import Foundation

/// A numbered step from one schema to the next. Steps are only ever added.
struct SchemaMigration: Sendable {
    let number: Int64
    let statements: String
    /// What takes more than statements, after them.
    var conversion: (@Sendable (any SQLConnection) throws -> Void)?

    init(
        number: Int64, statements: String,
        conversion: (@Sendable (any SQLConnection) throws -> Void)? = nil
    ) {
        self.number = number
        self.statements = statements
        self.conversion = conversion
    }

    static let all: [SchemaMigration] = [
        SchemaMigration(number: 1, statements: schema1),
        SchemaMigration(number: 2, statements: schema2),
        SchemaMigration(number: 3, statements: schema3),
        SchemaMigration(number: 4, statements: schema4),
        SchemaMigration(number: 5, statements: schema5, conversion: foldPrices),
        SchemaMigration(number: 6, statements: schema6, conversion: keepGroups),
        SchemaMigration(number: 7, statements: schema7),
        SchemaMigration(number: 8, statements: schema8),
        SchemaMigration(number: 9, statements: schema9),
        SchemaMigration(number: 10, statements: schema10SetAside),
        SchemaMigration(number: 11, statements: schema11Restorations),
        SchemaMigration(number: 12, statements: schema12Ledger),
        SchemaMigration(number: 13, statements: schema13Passwords),
        SchemaMigration(number: 14, statements: schema14Forks),
        SchemaMigration(number: 15, statements: schema15Builds),
        SchemaMigration(number: 16, statements: schema16Numbers),
        SchemaMigration(number: 17, statements: schema17Platforms),
        SchemaMigration(number: 18, statements: schema18Events),
        SchemaMigration(number: 19, statements: schema19SandboxClocks),
        SchemaMigration(number: 20, statements: schema20Offers, conversion: nameTiers),
    ]

    /// The number of the schema that this program knows.
    static var newest: Int64 { all.last?.number ?? 0 }

    /// - Throws: `SQLError` where a database is newer than the program.
    static func check(_ version: Int64) throws {
        guard version <= newest else {
            throw SQLError(
                code: .corrupt,
                "the database has schema \(version), this program knows \(newest); use the "
                    + "newer program")
        }
    }

    /// Makes sure, inside a transaction that writes, that no other program has changed the schema
    /// since this one has opened the database.
    ///
    /// - Throws: `SQLError` with the code `outdated`.
    static func requireNewest(_ connection: SQLiteConnection) throws {
        let version = try connection.row("PRAGMA user_version", []) { $0.integer(0) } ?? 0
        guard version == newest else {
            throw SQLError(
                code: .outdated,
                "the database has schema \(version) by now, and this program knows \(newest): "
                    + "start the program that brought it there instead")
        }
    }

    /// Brings a database to the newest schema, in one transaction.
    ///
    /// - Throws: `SQLError` with the code `corrupt` where the file belongs to something
    ///   else or to a newer store.
    static func migrate(_ connection: SQLiteConnection) throws {
        try connection.script("BEGIN IMMEDIATE")
        do {
            let version = try connection.row("PRAGMA user_version", []) { $0.integer(0) } ?? 0
            try check(version)
            // Other programs number their schemas too.
            let tables =
                try connection.row(
                    """
                    SELECT count(*), count(*) FILTER (WHERE name = 'catalog_clock')
                    FROM sqlite_schema
                    """, []
                ) { (all: $0.integer(0), clocks: $0.integer(1)) } ?? (all: 0, clocks: 0)
            guard version == 0 ? tables.all == 0 : tables.clocks == 1 else {
                throw SQLError(code: .corrupt, "the file is a database of some other program")
            }
            for migration in all where migration.number > version {
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
