import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// What is true of every store, and that it is seen where it is not.
@Suite(.usesDrivers) struct StoreInvariantTests {
    /// A database in which much has happened.
    private func place(_ kind: CheckedDatabase.Kind) async throws -> CheckedDatabase {
        let place = try CheckedDatabase(kind)
        let shop = try await SubscriberShop(
            place.driver, isShared: true,
            offers: [
                SubscriptionOffer(
                    kind: .introductory, identifier: nil, paymentMode: .payAsYouGo,
                    period: SubscriptionPeriod(unit: .month, count: 1), periodCount: 2,
                    thousandths: 490, territory: "USA")
            ])
        try await shop.join(shop.shop.grace)
        let chapter = try await shop.buy(SeededShop.chapter)
        try await shop.buy(SubscriberShop.monthly, 2)
        try await shop.wait(SubscriberShop.month)
        try await shop.wait(SubscriberShop.month)
        try await shop.buy(SubscriberShop.premium, 3)
        _ = try await shop.purchases.revoke(chapter.id, reason: .other)
        try await shop.setPayments(.all)
        try await shop.wait(SubscriberShop.month)
        try await shop.setPayments(.none)
        try await shop.wait(SubscriberShop.month * 100)
        try await shop.buy(SubscriberShop.yearly, 4)
        shop.database.close()
        return place
    }

    private func broken(_ place: CheckedDatabase) throws -> Set<String> {
        let inspection = try place.inspection
        return try inspection.snapshot {
            try Set(
                StoreInvariant.all.filter { try !inspection.violations(of: $0).isEmpty }
                    .map(\.name))
        }
    }

    private static let first = "(SELECT min(id) FROM ledger WHERE kind = 'purchase')"
    private static let ledger =
        "kind, environment, account, app, bundle_id, product_id, product_type, purchase_key, "
        + "device, quantity, unit_price, charged, currency, storefront, date"

    /// What is done to the rows, by the rule that sees it.
    private static let damages: [String: String] = [
        "purchase keys": """
        INSERT INTO ledger (id, \(ledger))
            SELECT (SELECT max(id) + 1 FROM ledger), \(ledger) FROM ledger WHERE id = \(first)
        """,
        "approved purchases": """
        INSERT INTO pending_purchase (id, kind, environment, account, app, bundle_id,
                product_id, product_type, purchase_key, device, quantity, unit_price, currency,
                storefront, date)
            SELECT 900, 'approval', environment, account, app, bundle_id, product_id,
                product_type, 'a-key-that-is-in-no-ledger', device, quantity, unit_price,
                currency, storefront, date FROM ledger WHERE id = \(first);
        INSERT INTO pending_decision (id, decision, date) VALUES (900, 'approved', 1)
        """,
        "refused purchases": """
        INSERT INTO refused_purchase (account, environment, app, purchase_key, refusal, reason,
                date)
            SELECT account, environment, app, purchase_key, 'invalidProduct', 'x', date
            FROM ledger WHERE id = \(first)
        """,
        "charges": "UPDATE ledger SET charged = charged + 1 WHERE id = \(first)",
        "first purchases":
            "UPDATE ledger SET original = 999999, original_date = 1 WHERE id = \(first)",
        "entitlements": "DELETE FROM history WHERE id = \(first)",
        "app transactions": "DELETE FROM app_transaction",
        "finished transactions": "INSERT INTO ledger_finish (id, date) VALUES (999999, 1)",
        "refunds": "UPDATE ledger_revocation SET percentage = 100001",
        "granted refunds": """
        INSERT INTO refund_request (transaction_id, account, app, environment, reason, comment,
                date, deadline, outcome, percentage, grounds, decided)
            SELECT id, account, app, environment, 'OTHER', '', date, date, 'REFUNDED', 100000,
                'x', date FROM ledger WHERE id = (SELECT max(id) FROM ledger)
        """,
        "offer codes": """
        INSERT INTO offer_code (code, app, product_id, uses, ends, date)
            SELECT 'ABCDEFGH', app, product_id, 1, 2, 1 FROM ledger WHERE id = \(first);
        INSERT INTO offer_code_use (code, account, environment, number, ledger)
            SELECT 'ABCDEFGH', account, environment, 2, id FROM ledger WHERE id = \(first)
        """,
        "histories": "UPDATE history_counter SET last = 0",
        "periods": """
        UPDATE ledger_period SET expires = expires + 1
        WHERE id = (SELECT min(id) FROM ledger_period WHERE is_paid = 1)
        """,
        "upgrades": """
        INSERT INTO ledger_revocation (id, reason, date, type, percentage)
            SELECT id, 'other', date, 'REFUND_FULL', 100000 FROM ledger_upgrade
        """,
        "offers": """
        INSERT INTO ledger_offer (id, account, app, group_id, offer_kind, offer_mode, offer_period,
                offer_periods, offer_number)
            SELECT id, account, app, '1', 'introductory', 'free', 'P1W', 1, 1
            FROM ledger WHERE id = \(first)
        """,
        "paid subscriptions":
            "DELETE FROM ledger_period WHERE id = (SELECT max(id) FROM ledger_period)",
        "subscriptions": "UPDATE subscription SET latest = \(first)",
        "notifications": """
        UPDATE notification SET due = NULL, state = 'waiting'
        WHERE id = (SELECT min(id) FROM notification)
        """,
    ]

    @Test func `no rule is without a damage that it has to see`() {
        #expect(Set(Self.damages.keys) == Set(StoreInvariant.all.map(\.name)))
        #expect(StoreInvariant.all.count == Self.damages.count)
    }

    @Test(arguments: CheckedDatabase.Kind.allCases)
    func `a store in which much has happened breaks no rule`(kind: CheckedDatabase.Kind)
        async throws
    {
        let place = try await place(kind)
        #expect(try broken(place) == [])
        let inspection = try place.inspection
        try inspection.requireCurrent()
        #expect(try inspection.damage(limit: 10) == [])
        #expect(try inspection.missingParts() == [])
        #expect(try inspection.idleRules() == [])
        #expect(try inspection.repeatedNumbers() == [])
        #expect(try inspection.lastChange() != nil)
        #expect(try (inspection.serverTime() != nil) == (kind == .postgres))
    }

    @Test(arguments: CheckedDatabase.Kind.allCases)
    func `each damage is seen by its rule`(kind: CheckedDatabase.Kind) async throws {
        for (name, sql) in Self.damages {
            let place = try await place(kind)
            try await place.damage(sql + ";")
            #expect(try broken(place).contains(name), "\(name)")
        }
    }

    @Test func `a transaction that is finished twice is seen`() async throws {
        // SQLite can't hold two such rows, whatever is done to it.
        let place = try await place(.postgres)
        try await place.damage(
            """
            INSERT INTO ledger_finish (id, date) VALUES (\(Self.first), 1);
            INSERT INTO ledger_finish (id, date) VALUES (\(Self.first), 2)
            """)
        #expect(try broken(place).contains("finished transactions"))
    }

    @Test(arguments: CheckedDatabase.Kind.allCases)
    func `numbers that would be given again are seen`(kind: CheckedDatabase.Kind) async throws {
        let place = try await place(kind)
        switch kind {
        case .sqlite:
            try await place.run("UPDATE sqlite_sequence SET seq = 1 WHERE name = 'ledger'")
        case .postgres:
            try await place.run(
                "SELECT setval(pg_get_serial_sequence('openstore.ledger', 'id'), 1)")
        }
        #expect(try place.inspection.repeatedNumbers() == ["ledger"])
    }

    @Test(arguments: CheckedDatabase.Kind.allCases)
    func `parts of the schema that are missing are seen`(kind: CheckedDatabase.Kind) async throws {
        let place = try CheckedDatabase(kind)
        try await place.run(
            """
            DROP TRIGGER ledger_is_kept \(kind == .postgres ? "ON ledger" : "");
            DROP INDEX ledger_period_by_original; DROP TABLE ledger_finish
            """)
        let missing = try place.inspection.missingParts()
        switch kind {
        case .sqlite:
            #expect(
                missing == [
                    "index ledger_period_by_original", "table ledger_finish",
                    "trigger finish_is_constant", "trigger finish_is_kept",
                    "trigger ledger_is_kept",
                ])
        case .postgres:
            #expect(
                missing == [
                    "index ledger_period_by_original of ledger_period", "table ledger_finish",
                    "trigger ledger_is_kept of ledger",
                ])
        }
        #expect(try place.inspection.idleRules() == [])
    }

    /// PostgreSQL writes some of them with other parentheses then.
    @Test func `rules that were made from their own words, as after pg_restore, are not missing`()
        async throws
    {
        let place = try CheckedDatabase(.postgres)
        let rules = try await place.run(
            """
            SELECT format('ALTER TABLE %s DROP CONSTRAINT %I, ADD CONSTRAINT %I %s;',
                conrelid::regclass, conname, conname, pg_get_constraintdef(oid))
            FROM pg_constraint WHERE contype = 'c' AND connamespace = 'openstore'::regnamespace
            """)
        #expect(rules.split(separator: "\n").count > 100)
        try await place.run(rules)
        #expect(try place.inspection.missingParts() == [])
    }

    @Test func `what PostgreSQL keeps rows by is compared, and nothing stays`()
        async throws
    {
        let place = try CheckedDatabase(.postgres)
        let before = try await place.run("SELECT nspname FROM pg_namespace ORDER BY 1")
        #expect(try place.inspection.missingParts() == [])
        try await place.run(
            """
            ALTER TABLE ledger DROP COLUMN storefront CASCADE;
            DROP FUNCTION events_in_order CASCADE;
            ALTER TABLE account DROP CONSTRAINT account_pkey CASCADE;
            DROP INDEX ledger_by_device
            """)
        let missing = try place.inspection.missingParts()
        for part in [
            "column storefront of ledger", "function events_in_order",
            "trigger device_event_in_order of device_event", "rule PRIMARY KEY (id) of account",
            "index ledger_by_device of ledger",
        ] { #expect(missing.contains(part), "\(part): \(missing)") }
        #expect(try await place.run("SELECT nspname FROM pg_namespace ORDER BY 1") == before)
    }

    @Test func `rules that are off are seen`() async throws {
        let place = try CheckedDatabase(.postgres)
        try await place.run("ALTER TABLE ledger DISABLE TRIGGER USER")
        let idle = try place.inspection.idleRules()
        #expect(idle.contains("trigger ledger_is_kept is off"), "\(idle)")
        #expect(try place.inspection.missingParts() == [])
    }

    @Test func `SQLite's references and pages are checked`() async throws {
        let place = try await place(.sqlite)
        guard case .sqlite(let folder) = place else { return }
        try await place.damage("DELETE FROM account WHERE id = (SELECT min(account) FROM ledger);")
        #expect(
            try place.inspection.damage(limit: 10).contains {
                $0.contains("rows of ledger name rows of account that are missing")
            })
        try await place.run("PRAGMA wal_checkpoint(TRUNCATE)")
        let file = try FileHandle(forUpdating: folder.file("store.sqlite"))
        // The tree's page of some index: what it says is no page of a tree any more.
        let root = try await place.run(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'ledger_period_by_original'")
        let page = try #require(UInt64(root).flatMap { $0 > 0 ? $0 : nil })
        try file.seek(toOffset: (page - 1) * 4096 + 8)
        try file.write(contentsOf: Data(repeating: 0xFF, count: 40))
        try file.close()
        #expect(throws: Never.self) {
            let damage = try place.inspection.damage(limit: 10)
            #expect(damage.contains { $0.lowercased().contains("tree") || $0.contains("page") })
        }
    }

    @Test(arguments: CheckedDatabase.Kind.allCases)
    func `a database of another schema is told from a store's`(kind: CheckedDatabase.Kind)
        async throws
    {
        let place = try CheckedDatabase(kind)
        let newest = DatabaseInspection.newestSchema
        func set(_ number: Int64) async throws {
            switch kind {
            case .sqlite: try await place.run("PRAGMA user_version = \(number)")
            case .postgres: try await place.run("UPDATE schema_version SET number = \(number)")
            }
        }
        try await set(newest - 1)
        #expect(try place.inspection.schema() == newest - 1)
        #expect { try place.inspection.requireCurrent() } throws: {
            "\($0)".contains("brings the database up to date")
        }
        // Looking has changed nothing.
        #expect(try place.inspection.schema() == newest - 1)
        try await set(newest + 1)
        #expect { try place.inspection.requireCurrent() } throws: {
            "\($0)".contains("use the newer program")
        }
    }
}
