import Foundation

/// Brings the schema of a PostgreSQL database up to date.
///
/// The program's tables are in the schema `openstore`, so that other programs can use the same
/// database. If several programs start at once, one migrates and the others wait for it.
package struct PostgresMigration {
    private let schema: DatabaseSchema

    package init(_ schema: DatabaseSchema) { self.schema = schema }

    /// - Throws: `SQLError` with the code `corrupt` where the schema belongs to something else or
    ///   to a newer program.
    package func migrate(_ address: PostgresAddress) throws {
        let connection = try PostgresConnection(address)
        try Self.checkPlace(connection)
        // Nothing to do, as with most starts: without a lock, and without a right to change it.
        if try Self.version(connection) == schema.newest { return }
        try connection.script([
            // However long the other one takes.
            "BEGIN", "SET LOCAL lock_timeout TO 0",
            "SELECT pg_advisory_xact_lock(\(PostgresFunctions.migrationLock))",
        ])
        do {
            // Those that write have ended, or begin behind it and find the newer schema.
            if try Self.version(connection) > 0 {
                try connection.script([
                    "LOCK TABLE \(PostgresAddress.schema).schema_version IN ACCESS EXCLUSIVE MODE"
                ])
            }
            try bringUp(connection, from: try Self.version(connection))
            try connection.script(["COMMIT"])
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// - Throws: `SQLError` with the code `moved` where the rows are in another database by now.
    package static func checkPlace(_ connection: PostgresConnection) throws {
        let moved = try connection.row(
            "SELECT to_regclass('openstore_moved.moved_to') IS NOT NULL", []
        ) { $0.integer(0) == 1 }
        guard moved == true else { return }
        let place = try connection.row("SELECT address FROM openstore_moved.moved_to", []) {
            $0.text(0)
        }
        if let place { throw MovedDatabase.error(place) }
    }

    /// The number of the schema; 0 where there is none.
    package static func version(_ connection: PostgresConnection) throws -> Int64 {
        let schema = try connection.row(
            """
            SELECT to_regclass('openstore.schema_version') IS NOT NULL, (
                SELECT count(*) FROM pg_class
                WHERE relnamespace = to_regnamespace('openstore'))
            """, []
        ) { (isStore: $0.integer(0) == 1, tables: $0.integer(1)) }
        guard schema?.isStore == true else {
            guard schema?.tables == 0 else {
                throw SQLError(
                    code: .corrupt,
                    "the schema openstore of the database is some other program's")
            }
            return 0
        }
        return try connection.row("SELECT number FROM openstore.schema_version", []) {
            $0.integer(0)
        } ?? 0
    }

    private func bringUp(_ connection: PostgresConnection, from version: Int64) throws {
        try schema.check(version)
        guard version < schema.newest else { return }
        if version == 0 {
            try connection.script(["CREATE SCHEMA IF NOT EXISTS \(PostgresAddress.schema)"])
        }
        try addParts(connection, from: version)
    }

    /// Makes what the newest schema has and an older one has not.
    ///
    /// - Parameter version: 0 where there is nothing yet.
    private func addParts(_ connection: PostgresConnection, from version: Int64) throws {
        if version == 0 { try Self.addFoundation(connection) }
        var script = PostgresScript()
        for migration in schema.migrations {
            // The script reads also the steps that the database has had: later steps name their tables.
            let statements = try script.statements(of: migration.statements)
            guard schema.isMissing(migration, from: version) else { continue }
            try connection.script(statements)
            try migration.conversion?(connection)
        }
        try connection.script(
            PostgresFunctions.additions + schema.postgresAdditions
                + ["UPDATE schema_version SET number = \(schema.newest)"])
    }

    /// Makes what stands below the tables.
    static func addFoundation(_ connection: PostgresConnection) throws {
        try connection.script(
            [
                """
                CREATE TABLE schema_version (
                    number BIGINT NOT NULL, id INTEGER PRIMARY KEY DEFAULT 1 CHECK (id = 1))
                """,
                "INSERT INTO schema_version (number) VALUES (0)",
            ] + PostgresFunctions.statements)
    }

    // MARK: Comparison

    /// What a database lacks of the newest schema, each a word and a name.
    ///
    /// One without rows is made beside the one that is there, and taken back.
    ///
    /// - Throws: `SQLError`, also where nobody may make a schema in the database.
    package func missingParts(_ address: PostgresAddress) throws -> [String] {
        let connection = try PostgresConnection(address)
        // Nobody else's, who does the same now.
        let model = PostgresAddress.schema + "_model_" + UUID().uuidString.prefix(8).lowercased()
        try connection.script([
            "BEGIN", "CREATE SCHEMA \(model)", "SET LOCAL search_path TO \(model)",
        ])
        defer { connection.rollBack() }
        try addParts(connection, from: 0)
        let there = Set(try Self.parts(of: PostgresAddress.schema, connection).map(\.identity))
        let missing = try Self.parts(of: model, connection).filter { !there.contains($0.identity) }
        // Who has no table has none of what belongs to it.
        let tables = Set(missing.filter { $0.word == "table" }.map(\.table))
        return missing.filter { $0.word == "table" || !tables.contains($0.table) }
            .map(\.description).sorted()
    }

    /// Something that a schema has.
    private struct Part: CustomStringConvertible {
        /// What it is.
        let word: String
        let name: String
        /// The table that it belongs to, or is.
        let table: String

        /// What tells it from others: `pg_dump` and `pg_restore` change the parentheses of a rule.
        var identity: [String] { [word, name.filter { $0 != "(" && $0 != ")" }, table] }

        var description: String {
            table.isEmpty || word == "table" ? "\(word) \(name)" : "\(word) \(name) of \(table)"
        }
    }

    /// What PostgreSQL has named by itself is told by what it is: a table that an earlier step made
    /// anew has other such names than one that was there from the beginning.
    private static func parts(
        of schema: String, _ connection: PostgresConnection
    ) throws -> [Part] {
        try connection.rows(
            """
            WITH mine AS (
                SELECT c.oid, c.relname::text AS name, c.relkind
                FROM pg_class c WHERE c.relnamespace = to_regnamespace(?1)
            )
            SELECT CASE relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' ELSE 'sequence' END,
                name, CASE relkind WHEN 'r' THEN name ELSE '' END
            FROM mine
            WHERE relkind IN ('r', 'v') OR relkind = 'S' AND NOT EXISTS (
                SELECT 1 FROM pg_depend d WHERE d.objid = mine.oid AND d.deptype = 'i')
            UNION ALL
            SELECT 'index', i.name, t.name FROM mine i JOIN pg_index x ON x.indexrelid = i.oid
                JOIN mine t ON t.oid = x.indrelid
            WHERE NOT EXISTS (SELECT 1 FROM pg_constraint r WHERE r.conindid = i.oid)
            UNION ALL
            SELECT 'column', a.attname::text, t.name
            FROM pg_attribute a JOIN mine t ON t.oid = a.attrelid
            WHERE t.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
            UNION ALL
            SELECT 'rule', replace(replace(
                pg_get_constraintdef(r.oid), ?1 || '.', ''), ' NOT VALID', ''), t.name
            FROM pg_constraint r JOIN mine t ON t.oid = r.conrelid
            UNION ALL
            SELECT 'trigger', r.tgname::text, t.name
            FROM pg_trigger r JOIN mine t ON t.oid = r.tgrelid WHERE NOT r.tgisinternal
            UNION ALL
            SELECT 'function', p.proname::text, ''
            FROM pg_proc p WHERE p.pronamespace = to_regnamespace(?1)
            """, [.text(schema)]
        ) { Part(word: $0.text(0), name: $0.text(1), table: $0.text(2)) }
    }
}
