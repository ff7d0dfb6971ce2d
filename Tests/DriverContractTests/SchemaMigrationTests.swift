import Foundation
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreCore
@testable import StoreDatabase

private let needsShell: ConditionTrait = .enabled(
    if: SQLiteShell.isInstalled, "the program sqlite3 is not installed")

/// A store as a program with schema 18 left it.
enum EarlierStore {
    static let schema: Int64 = 18

    static func statements() throws -> String {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return try String(
            contentsOf: tests.appendingPathComponent("Fixtures/Schema18.sql"), encoding: .utf8)
    }

    /// A customer who has bought something twice and has subscribed since date 7, and an offer of the API
    /// whose price point is of tier 10.
    static let shop = """
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
        INSERT INTO subscription (original, account, environment, app, group_id, product_id,
            renewal_product_id, renews, state, latest, started, expires, renewals)
            VALUES (1000000000000001, 1, 'Production', 1, 'group', 'credits', 'credits', 0, 'expired',
            1000000000000001, 7, 8, 0);
        """

    private static func purchase(_ key: String) -> String {
        """
        INSERT INTO ledger (kind, environment, account, app, bundle_id, product_id, product_type,
            purchase_key, device, quantity, unit_price, charged, currency, storefront, date)
            VALUES ('purchase', 'Production', 1, 1, 'com.example.shop', 'credits', 'Consumable',
            '\(key)', 'device', 2, 990, 1980, 'USD', 'USA', 0);
        """
    }

    /// Expects what `shop` wrote, as this program reads it.
    static func expectShop(in database: any ShopDatabase) async throws {
        let (account, app) = (AccountID(number: 1), AppID(number: 1))
        let entries = try await database.read {
            try $0.ledger.entries(account: account, app: app)
        }
        #expect(
            entries.map(\.id.number).sorted()
                == [1_000_000_000_000_001, 1_000_000_000_000_002])
        #expect(entries.allSatisfy { $0.details.quantity == 2 })
        let subscriptions = try await database.read {
            try $0.renewals.subscriptions(of: account, app: app)
        }
        #expect(subscriptions.map(\.chosen) == [Date(timeIntervalSince1970: 0.007)])
    }

    /// The first tier of the offer.
    static let tier = "links LIKE '%\"\(KeptResource.tier)\":[\"10\"]%'"
}

/// Files of earlier programs, opened by this one.
@Suite(.usesFiles, needsShell) struct SchemaMigrationTests {
    private let folder: TemporaryFolder
    private var file: URL { folder.file("store.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func writeEarlierStore(rows: String = "") throws {
        let connection = try SQLiteConnection(path: file.path)
        try connection.script(try EarlierStore.statements())
        try connection.script("PRAGMA user_version = \(EarlierStore.schema);" + rows)
    }

    @Test func `a store of an earlier schema keeps what it holds`() async throws {
        try writeEarlierStore(rows: EarlierStore.shop)
        let database = try SQLiteDatabase(path: file.path)
        try await EarlierStore.expectShop(in: database)
        database.close()
        let version = try await SQLiteShell.run("PRAGMA user_version", on: file)
        #expect(version.output == "\(DatabaseSchema.store.newest)")
        let check = "PRAGMA integrity_check; PRAGMA foreign_key_check"
        #expect(try await SQLiteShell.run(check, on: file).output == "ok")
        #expect(
            try await SQLiteShell.run(
                "SELECT \(EarlierStore.tier) FROM kept_resource", on: file
            ).output == "1")
    }

    @Test func `a store of an earlier schema gets all that a new one begins with`() throws {
        try writeEarlierStore()
        let earlier = try SQLiteConnection(path: file.path)
        try DatabaseSchema.store.migrate(earlier)
        let new = try SQLiteConnection(path: folder.file("new.sqlite").path)
        try DatabaseSchema.store.migrate(new)
        let (parts, expected) = (try Self.parts(of: earlier), try Self.parts(of: new))
        #expect(parts.count > 500)
        #expect(parts.subtracting(expected).sorted() == [])
        #expect(expected.subtracting(parts).sorted() == [])
    }

    /// Tables, indexes, views and triggers as they are written, without comments. Columns that a
    /// step has added stand behind the rules of the table; so the parts of a table are sorted, and
    /// the order of its columns is a part of its own.
    private static func parts(of connection: SQLiteConnection) throws -> Set<String> {
        let texts = try connection.rows(
            "SELECT name, coalesce(sql, '') FROM sqlite_schema", []
        ) { (name: $0.text(0), sql: $0.text(1)) }
        let columns = try connection.rows(
            """
            SELECT s.name, (SELECT group_concat(name, ' ') FROM (
                SELECT name FROM pragma_table_info(s.name) ORDER BY cid))
            FROM sqlite_schema s WHERE s.type IN ('table', 'view')
            """, []
        ) { "\($0.text(0)): \($0.text(1))" }
        return Set(columns).union(
            texts.map { name, sql in
                let words = SQLToken.tokens(of: sql).filter { $0.kind != .space }
                guard words.count > 1, words[1].isWord("TABLE") else {
                    return "\(name) " + words.map(\.text).joined(separator: " ")
                }
                let inside = SQLToken.arguments(words).map { part in
                    part.map(\.text).joined(separator: " ")
                }
                let options = words.reversed().prefix { !$0.isSymbol(")") }.map(\.text)
                return "\(name) " + (inside.sorted() + options).joined(separator: ", ")
            })
    }

    @Test func `a store of a schema that no step begins with is refused, and stays as it is`()
        async throws
    {
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
