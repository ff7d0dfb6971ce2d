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
    private func write(schema number: Int64, rows: String) async throws {
        let statements = SchemaMigration.all.filter { $0.number <= number }.map(\.statements)
        let result = try await SQLiteShell.run(
            statements.joined(separator: "\n") + "PRAGMA user_version = \(number);" + rows, on: file
        )
        try #require(result.status == 0, "\(result.output)")
    }

    private static let digest = String(repeating: "a", count: 64)
    private static let blob = String(repeating: "b", count: 64)

    /// A shop with two versions of content that have the same blob, and two events.
    private static let shopOfSchema3 = """
        INSERT INTO team VALUES (1, 'Example', 1);
        INSERT INTO app VALUES (1, 1, 'com.example.shop', 'Shop', 'READY_FOR_SALE', 1);
        INSERT INTO product VALUES
            (1, 1, 'chapter', 'Non-Consumable', 'name', 0, 'APPROVED', 'en_US', NULL),
            (2, 1, 'badge', 'Non-Consumable', 'name', 0, 'READY_TO_SUBMIT', 'en_US', NULL);
        INSERT INTO content_release VALUES
            (5, 1, '1.0', '\(digest)', 10, '\(blob)', 90, 200, 1, 1000),
            (6, 1, '1.1', '\(digest)', 11, '\(blob)', 90, 201, 0, 2000);
        INSERT INTO account VALUES (1, 'Sandbox', 'ada@example.com', 'hash', 'USA', 1000);
        INSERT INTO device_event (account, app, kind, date) VALUES
            (1, 1, 'transactions', 1000), (1, 1, 'priceConsent', 2000);
        """

    @Test func `versions of content keep their bytes, lengths and approval`() async throws {
        try await write(schema: 3, rows: Self.shopOfSchema3)
        let database = try SQLiteDatabase(path: file.path)
        let releases = try await database.read {
            try $0.catalog.products(of: AppID(number: 1))
                .first { $0.details.productID.text == "chapter" }?.releases
        }
        let blobs = [ContentBlob(digest: ContentDigest(Self.blob)!, length: 90)]
        #expect(
            releases == [
                ContentRelease(
                    version: ContentVersion("1.0")!, manifestDigest: ContentDigest(Self.digest)!,
                    manifestLength: 10, blobs: blobs, downloadLength: 100, unpackedLength: 200,
                    state: .approved),
                ContentRelease(
                    version: ContentVersion("1.1")!, manifestDigest: ContentDigest(Self.digest)!,
                    manifestLength: 11, blobs: blobs, downloadLength: 101, unpackedLength: 201,
                    state: .readyToSubmit),
            ])
        database.close()
        let hosting = try await SQLiteShell.run(
            "SELECT product_id, hosts_content, was_on_sale FROM product ORDER BY id", on: file)
        #expect(hosting.output == "chapter|1|1\nbadge|0|0")
        let check = "PRAGMA integrity_check; PRAGMA foreign_key_check"
        #expect(try await SQLiteShell.run(check, on: file).output == "ok")
    }

    @Test func `prices stay what they were, and a tier's in every storefront become one row`()
        async throws
    {
        let tier = PriceTier.named("3")!
        func rows(_ product: Int, _ change: (Storefront) -> Int64?) -> String {
            Storefront.all.compactMap { storefront in
                change(storefront).map {
                    "INSERT INTO product_price VALUES (\(product), '\(storefront.code)', \($0));"
                }
            }.joined()
        }
        func figure(_ storefront: Storefront) -> Int64 { tier.price(in: storefront).thousandths }
        // One at a tier, one at a tier but for one storefront, one lacks a storefront.
        try await write(
            schema: 4,
            rows: """
                INSERT INTO team VALUES (1, 'Example', 1);
                INSERT INTO app VALUES (1, 1, 'com.example.shop', 'Shop', 'READY_FOR_SALE', 1);
                INSERT INTO product (id, app, product_id, type, reference_name,
                    family_shareable, state, primary_locale)
                VALUES (1, 1, 'a', 'Consumable', 'name', 0, 'APPROVED', 'en_US'),
                    (2, 1, 'b', 'Consumable', 'name', 0, 'APPROVED', 'en_US'),
                    (3, 1, 'c', 'Consumable', 'name', 0, 'APPROVED', 'en_US'),
                    (4, 1, 'd', 'Consumable', 'name', 0, 'APPROVED', 'en_US');
                \(rows(1, figure))
                \(rows(2) { $0.code == "JPN" ? 1000 : figure($0) })
                \(rows(3) { $0.code == "USA" ? nil : figure($0) })
                """)
        let database = try SQLiteDatabase(path: file.path)
        let products = try await database.read { try $0.catalog.products(of: AppID(number: 1)) }
        try #require(products.count == 4)
        func price(_ product: Int, _ storefront: Storefront) -> Int64? {
            products[product].price(in: storefront, at: SeededShop.date)?.thousandths
        }
        for storefront in Storefront.all {
            #expect(price(0, storefront) == figure(storefront))
            #expect(
                price(1, storefront) == (storefront.code == "JPN" ? 1000 : figure(storefront)))
            #expect(price(2, storefront) == (storefront.code == "USA" ? nil : figure(storefront)))
            #expect(price(3, storefront) == nil)
        }
        #expect(products[0].details.prices == PriceSchedule(tier: "3"))
        #expect(products[2].details.prices.baseTerritory == "AGO")
        #expect(products.allSatisfy { $0.availability == .everywhere && !$0.isDeleted })
        let found = try await database.read {
            try $0.products.page(
                of: AppID(number: 1), ProductFilter(search: "name"), by: ProductOrder(),
                PageRequest(limit: 10))
        }
        #expect(found.page.items.count == 4, "what there was is found too")
    }

    @Test func `events keep their numbers, and go on behind them`() async throws {
        try await write(schema: 3, rows: Self.shopOfSchema3)
        let database = try SQLiteDatabase(path: file.path)
        let (account, app) = (AccountID(number: 1), AppID(number: 1))
        let draft = DeviceEventDraft(account: account, app: app, kind: .transactions)
        try await database.write { try $0.events.append(draft, at: SeededShop.date) }
        let events = try await database.read {
            try $0.events.events(
                account: account, in: .sandbox, app: app, after: DeviceEventID(number: 0),
                limit: 10)
        }
        #expect(events.map(\.id.number) == [1, 2, 3])
        #expect(events.map(\.kind) == [.transactions, .priceConsent, .transactions])
        database.close()
        let change = try await SQLiteShell.run("DELETE FROM device_event", on: file)
        #expect(change.output.contains("never deleted"))
    }

    @Test func `apps get an identifier, an SKU and the language of their products`() async throws {
        try await write(
            schema: 4,
            rows: """
                INSERT INTO team VALUES (1, 'Example', 1), (2, 'Other', 1);
                INSERT INTO app VALUES
                    (7, 1, 'com.example.shop', 'Shop', 'READY_FOR_SALE', 3),
                    (8, 2, 'com.example.other', 'Other', 'REJECTED', 1),
                    (9, 2, 'com.example.empty', 'Empty', 'PREPARE_FOR_SUBMISSION', 1);
                INSERT INTO product (app, product_id, type, reference_name, family_shareable,
                    state, primary_locale)
                VALUES (7, 'chapter', 'Consumable', 'name', 0, 'APPROVED', 'ja_JP'),
                    (8, 'chapter', 'Consumable', 'name', 0, 'APPROVED', 'en_GB');
                """)
        let database = try SQLiteDatabase(path: file.path)
        let records = try await database.read {
            try $0.apps.records(AppQuery(), PageRequest(limit: 50), team: nil).items
        }
        #expect(records.map(\.app.name) == ["Empty", "Other", "Shop"])
        #expect(records.map(\.primaryLocale.text) == ["en-US", "en-GB", "ja"])
        #expect(records.map(\.sku) == records.map(\.app.bundleID.text))
        #expect(
            records.map(\.app.binaryState) == [.prepareForSubmission, .rejected, .readyForSale])
        let identifiers = try await database.read { repositories in
            try records.map { try repositories.bundleIdentifiers.identifier($0.identifier) }
        }
        #expect(identifiers.map { $0?.generation } == [1, 1, 3])
        #expect(identifiers.map { $0?.team } == [2, 2, 1])
        #expect(identifiers.map { $0?.app } == records.map(\.app.id))
        #expect(identifiers.allSatisfy { $0?.allowsInAppPurchase == true })
        database.close()
        let check = "PRAGMA integrity_check; PRAGMA foreign_key_check"
        #expect(try await SQLiteShell.run(check, on: file).output == "ok")
    }

    @Test func `what was sold stays sold, and keys are refused from now on`() async throws {
        try await write(
            schema: 5,
            rows: """
                INSERT INTO team VALUES (1, 'Example', 1);
                INSERT INTO bundle_identifier (id, team, identifier, name, platform, generation)
                VALUES (1, 1, 'com.example.shop', 'Shop', 'UNIVERSAL', 1);
                INSERT INTO app (id, team, bundle_id, name, binary_state, generation, identifier,
                    sku, primary_locale)
                VALUES (1, 1, 'com.example.shop', 'Shop', 'READY_FOR_SALE', 1, 1, 'shop', 'en-US');
                INSERT INTO product (id, app, product_id, type, reference_name,
                    family_shareable, state, primary_locale)
                VALUES (1, 1, 'a', 'Consumable', 'name', 0, 'APPROVED', 'en_US');
                INSERT INTO account VALUES
                    (1, 'Sandbox', 'ada@example.com', 'hash', 'USA', 1000);
                INSERT INTO ledger (kind, environment, account, app, bundle_id, product_id,
                    product_type, purchase_key, device, quantity, unit_price, charged, currency,
                    storefront, date)
                VALUES ('purchase', 'Sandbox', 1, 1, 'com.example.shop', 'a', 'Consumable',
                    'purchase-key-1001', 'device', 1, 990, 990, 'USD', 'USA', 1000);
                """)
        let database = try SQLiteDatabase(path: file.path)
        let (account, app) = (AccountID(number: 1), AppID(number: 1))
        let sold = try #require(
            try await database.read {
                try $0.ledger.entry(key: "purchase-key-1001", account: account, app: app)
            })
        #expect(sold.details.charged == Money(thousandths: 990, currency: "USD"))
        let refused = RefusedPurchase(
            account: account, environment: .sandbox, app: app, key: "purchase-key-1002",
            refusal: .priceChanged(current: sold.details.unitPrice), date: SeededShop.date)
        var draft = sold.details
        draft.key = refused.key
        let order = draft
        try await database.write { try $0.refused.insert(refused) }
        await #expect(throws: SQLError.self) {
            try await database.write { try $0.ledger.insertIfNew(order) }
        }
        let entries = try await database.read { try $0.ledger.entries(account: account, app: app) }
        #expect(entries == [sold])
        database.close()
        let check = "PRAGMA integrity_check; PRAGMA foreign_key_check"
        #expect(try await SQLiteShell.run(check, on: file).output == "ok")
    }

    /// Two accounts of the sandbox with their settings, and a customer.
    private static let accounts = """
        INSERT INTO account VALUES
            (1, 'Sandbox', 'ada@example.com', 'hash', 'USA', 1000),
            (2, 'Sandbox', 'haruki@example.com', 'hash', 'JPN', 2000),
            (3, 'Production', 'ada@example.com', 'hash', 'USA', 3000);
        INSERT INTO account_setting VALUES (2, 1, 1, 1);
        """

    @Test(arguments: [(1, 2), (2, 0)])
    func `accounts of the sandbox become testers where there is one team`(
        teams: Int, testers: Int
    ) async throws {
        let rows = (1...teams).map { "INSERT INTO team VALUES (\($0), 'Team \($0)', 1);" }
        try await write(schema: 4, rows: rows.joined() + Self.accounts)
        let database = try SQLiteDatabase(path: file.path)
        let all = try await database.read {
            try $0.testers.testers(
                of: nil, matching: "", includesConverted: true, PageRequest(limit: 10))
        }
        #expect(all.total == testers)
        #expect(
            all.items.map(\.email)
                == Array(["ada@example.com", "haruki@example.com"].prefix(testers)))
        #expect(all.items.allSatisfy { $0.team == 1 && $0.standing == .active })
        let settings = try await database.read {
            try $0.accounts.settings(of: AccountID(number: 2))
        }
        #expect(
            settings
                == AccountSettings(
                    asksToBuy: true, interruptsPurchases: true, guardian: AccountID(number: 1)))
        database.close()
        let check = "PRAGMA integrity_check; PRAGMA foreign_key_check"
        #expect(try await SQLiteShell.run(check, on: file).output == "ok")
    }
}
