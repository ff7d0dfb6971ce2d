import Foundation
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreCore

private let needsShell: ConditionTrait = .enabled(
    if: SQLiteShell.isInstalled, "the program sqlite3 is not installed")

/// Files of earlier programs, opened by this one.
@Suite(.usesFiles, needsShell) struct SchemaMigrationTests {
    private let folder: TemporaryFolder
    private var file: URL { folder.file("store.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Makes a file as a program with an earlier schema left it.
    private func write(schema number: Int64, rows: String) throws {
        let connection = try SQLiteConnection(path: file.path)
        for migration in SchemaMigration.all where migration.number <= number {
            try connection.script(migration.statements)
        }
        try connection.script("PRAGMA user_version = \(number);" + rows)
    }

    /// A shop of the base schema: a customer who has bought something twice, and an offer of the
    /// API whose price point is of tier 10.
    private static let shop = """
        INSERT INTO team VALUES (1, 'Example', 1);
        INSERT INTO bundle_identifier (id, team, identifier, name, platform, generation)
            VALUES (1, 1, 'com.example.shop', 'Shop', 'IOS', 1);
        INSERT INTO app (id, team, bundle_id, name, binary_state, generation, identifier, sku,
            primary_locale)
            VALUES (1, 1, 'com.example.shop', 'Shop', 'READY_FOR_SALE', 1, 1, 'shop', 'en-US');
        INSERT INTO product (id, app, product_id, type, reference_name, family_shareable, state,
            primary_locale)
            VALUES (1, 1, 'credits', 'Consumable', 'c', 0, 'APPROVED', 'en_US');
        INSERT INTO kept_resource (id, kind, app, scope, name, attributes, links, created)
            VALUES ('o', 'subscriptionIntroductoryOffers', 1, 'app 1', 'n', '{}',
            '{"subscriptionPricePoint":["eyJwIjoiMTAifQ"]}', 1);
        INSERT INTO account (id, environment, email, password_hash, storefront, created)
            VALUES (1, 'Production', 'ada@example.com', 'hash', 'USA', 0);
        \(purchase("first-purchase-key"))
        \(purchase("second-purchase-key"))
        """

    private static func purchase(_ key: String) -> String {
        """
        INSERT INTO ledger (kind, environment, account, app, bundle_id, product_id, product_type,
            purchase_key, device, quantity, unit_price, charged, currency, storefront, date)
            VALUES ('purchase', 'Production', 1, 1, 'com.example.shop', 'credits', 'Consumable',
            '\(key)', 'device', 2, 990, 1980, 'USD', 'USA', 0);
        """
    }

    @Test func `a store of the base schema keeps what it holds`() async throws {
        try write(schema: 18, rows: Self.shop)
        let database = try SQLiteDatabase(path: file.path)
        let (account, app) = (AccountID(number: 1), AppID(number: 1))
        let entries = try await database.read {
            try $0.ledger.entries(account: account, app: app)
        }
        #expect(
            entries.map(\.id.number).sorted()
                == [1_000_000_000_000_001, 1_000_000_000_000_002])
        #expect(entries.allSatisfy { $0.details.quantity == 2 })
        database.close()
        let version = try await SQLiteShell.run("PRAGMA user_version", on: file)
        #expect(version.output == "\(SchemaMigration.newest)")
        let check = "PRAGMA integrity_check; PRAGMA foreign_key_check"
        #expect(try await SQLiteShell.run(check, on: file).output == "ok")
        #expect(
            try await SQLiteShell.run(
                "SELECT json_extract(links, '$.\(KeptResource.tier)[0]') FROM kept_resource",
                on: file
            ).output == "10")
    }

    @Test func `a store of before the base schema is refused, and stays as it is`() async throws {
        let made = try await SQLiteShell.run(
            "CREATE TABLE catalog_clock (id INTEGER); PRAGMA user_version = 12;", on: file)
        try #require(made.status == 0, "\(made.output)")
        #expect {
            _ = try SQLiteDatabase(path: file.path)
        } throws: { error in
            "\(error)".contains("schema 12, which is too old")
        }
        let left = try await SQLiteShell.run(
            "SELECT count(*) FROM sqlite_schema; PRAGMA user_version", on: file)
        #expect(left.output == "1\n12")
    }
}
