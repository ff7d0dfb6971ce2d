import Foundation
import StoreCore
import StoreDatabase
import StoreTestSupport
import Testing

/// A database with an address, and a way past the store's rules into its rows.
enum CheckedDatabase: Sendable {
    case sqlite(TemporaryFolder)
    case postgres(PostgresTestDatabase)

    enum Kind: String, Sendable, CaseIterable, CustomTestStringConvertible {
        case sqlite, postgres
        var testDescription: String { rawValue }
    }

    init(_ kind: Kind, isEmpty: Bool = false) throws {
        switch kind {
        case .sqlite:
            let folder = try TemporaryFolder()
            if !isEmpty { try PreparedDatabase.install(into: folder.url) }
            self = .sqlite(folder)
        case .postgres:
            self = .postgres(try PostgresTestDatabase(isEmpty: isEmpty))
        }
    }

    var address: DatabaseAddress {
        get throws {
            switch self {
            case .sqlite(let folder): .sqlite(path: folder.file("store.sqlite").path)
            case .postgres(let place): try DatabaseAddress(place.address)
            }
        }
    }

    /// The place as the contract suites know one.
    var driver: StoreDriver {
        StoreDriver(testDescription: "checked") {
            StoreDriver.Installation {
                switch self {
                case .sqlite(let folder):
                    let database = try SQLiteDatabase(
                        path: folder.file("store.sqlite").path, uptime: StoreDriver.uptime)
                    return OpenedDatabase(inner: database, place: folder)
                case .postgres(let place):
                    let database = try PostgresDatabase(
                        PostgresAddress(place.address), uptime: StoreDriver.uptime)
                    return OpenedDatabase(inner: database, place: place)
                }
            }
        }
    }

    var inspection: DatabaseInspection {
        get throws { try DatabaseInspection(address) }
    }

    /// Runs statements beside the store.
    @discardableResult
    func run(_ sql: String) async throws -> String {
        switch self {
        case .sqlite(let folder):
            let (status, output) = try await SQLiteShell.run(
                sql, on: folder.file("store.sqlite"))
            guard status == 0 else { throw SQLError(code: .other, output) }
            return output
        case .postgres(let place):
            return try place.run("SET search_path TO openstore; \(sql)")
                .map { $0.map { $0 ?? "" }.joined(separator: "|") }.joined(separator: "\n")
        }
    }

    /// Runs statements after all that keeps rows from being wrong is gone: rules, references,
    /// keys and triggers.
    func damage(_ sql: String) async throws {
        switch self {
        case .sqlite:
            let triggers = try await run(
                "SELECT 'DROP TRIGGER ' || name || ';' FROM sqlite_schema WHERE type = 'trigger'")
            try await run(
                """
                PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; \(triggers)
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema
                    SET sql = replace(sql, 'UNIQUE (account, app, purchase_key),', '')
                    WHERE name = 'ledger';
                DELETE FROM sqlite_schema WHERE name = 'sqlite_autoindex_ledger_1';
                PRAGMA writable_schema = RESET;
                \(sql)
                """)
        case .postgres:
            try await run(
                """
                DO $$ DECLARE c record; BEGIN
                    FOR c IN SELECT conrelid::regclass AS owner, conname FROM pg_constraint
                        WHERE connamespace = 'openstore'::regnamespace
                            AND contype IN ('c', 'f', 'u', 'p')
                    LOOP
                        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I CASCADE',
                            c.owner, c.conname);
                    END LOOP;
                END $$;
                SET session_replication_role = replica;
                \(sql)
                """)
        }
    }
}
