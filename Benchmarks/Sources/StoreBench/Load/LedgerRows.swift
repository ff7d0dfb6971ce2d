import CBenchCrypto
import Foundation

/// Customers of a shop and what they have bought, made by SQL as if years had gone by.
///
/// Each customer has as many purchases as the others, the first one of something that can be
/// restored; purchases of different customers lie beside each other, as they do in a shop. All of
/// them are finished.
struct LedgerRows {
    /// What every customer has bought.
    static let purchasesEach = 5
    static let kept = "\(BenchShop.bundle).kept"

    let rows: Int
    let customers: Int
    /// Those that are signed in, evenly among all.
    let signedIn: Int
    /// The account before the first customer's.
    let accountBase: Int
    /// The transaction before the first.
    let transactionBase: Int
    private let day: Int

    /// - Parameter rows: at least 1,000.
    init(rows: Int, signedIn: Int, in database: ShopDatabase) throws {
        self.rows = rows
        customers = rows / Self.purchasesEach
        self.signedIn = min(signedIn, customers)
        accountBase = try database.number("SELECT max(id) FROM account")
        transactionBase = max(
            1_000_000_000_000_000, try database.number("SELECT coalesce(max(id), 0) FROM ledger"))
        day = Int(Date().timeIntervalSince1970) * 1000
    }

    /// The number of a customer who is signed in, from 0.
    func account(of signedIn: Int) -> Int {
        accountBase + 1 + signedIn * (customers / self.signedIn)
    }

    static func token(of signedIn: Int) -> String {
        String(format: "bench-token-of-somebody-%06d", signedIn)
    }

    /// A number without a common factor with any number of customers: neighbours in the ledger are
    /// of different customers, whose accounts lie far from each other.
    private static let stride = 999_983

    /// Adds them. Nobody may serve the store meanwhile.
    func insert(into database: ShopDatabase) throws {
        switch database {
        case .sqlite:
            let dropped = try database.run(
                """
                SELECT 'DROP ' || type || ' ' || name || ';' FROM sqlite_schema
                WHERE \(Self.isDropped("type", "tbl_name")) AND sql IS NOT NULL;
                """)
            let made = try database.run(
                """
                SELECT sql || ';' FROM sqlite_schema
                WHERE \(Self.isDropped("type", "tbl_name")) AND sql IS NOT NULL;
                """)
            try database.run(
                """
                PRAGMA journal_mode = DELETE;
                PRAGMA synchronous = OFF;
                PRAGMA cache_size = -4000000;
                PRAGMA temp_store = MEMORY;
                BEGIN;
                \(dropped)
                \(statements(database))
                COMMIT;
                BEGIN;
                \(made)
                COMMIT;
                PRAGMA journal_mode = WAL;
                """)
        case .postgres:
            let dropped = try database.run(
                """
                SELECT 'DROP INDEX ' || i.indexname || ';' FROM pg_indexes i
                WHERE \(Self.isLoose);
                """)
            let made = try database.run(
                "SELECT i.indexdef || ';' FROM pg_indexes i WHERE \(Self.isLoose);")
            try database.run(
                """
                SET session_replication_role = replica;
                SET maintenance_work_mem = '2GB';
                \(dropped)
                \(statements(database))
                \(made)
                SELECT setval('account_id_seq', (SELECT max(id) FROM account));
                SELECT setval('ledger_id_seq', (SELECT max(id) FROM ledger));
                SELECT setval('app_transaction_id_seq', (SELECT max(id) FROM app_transaction));
                VACUUM ANALYZE;
                CHECKPOINT;
                """)
        }
        let found = try database.number("SELECT count(*) FROM ledger")
        guard found >= rows else { throw BenchFailure("only \(found) rows were made") }
    }

    private static let tables = """
        ('account', 'tester', 'session', 'ledger', 'ledger_finish', 'history', 'app_transaction')
        """

    private static func isDropped(_ type: String, _ table: String) -> String {
        "\(type) IN ('trigger', 'index') AND \(table) IN \(tables)"
    }

    /// An index that holds no rule.
    private static let isLoose = """
        i.schemaname = 'openstore' AND i.tablename IN \(tables) AND NOT EXISTS (
            SELECT 1 FROM pg_constraint c JOIN pg_class k ON k.oid = c.conindid
            WHERE k.relname = i.indexname)
        """

    private func statements(_ database: ShopDatabase) -> String {
        let isPostgres = if case .postgres = database { true } else { false }
        func series(_ count: Int) -> String {
            isPostgres
                ? "generate_series(CAST(1 AS BIGINT), CAST(\(count) AS BIGINT)) AS t(value)"
                : "generate_series(1, \(count)) AS t"
        }
        let account = "(\(accountBase) + 1 + (value * \(Self.stride)) % \(customers))"
        let round = "((value - 1) / \(customers))"
        let step = max(1, 31_536_000_000 / rows)
        let sessions = (0..<signedIn).map { customer in
            "(\(database.bytes(Self.digest(of: Self.token(of: customer)))), "
                + "\(self.account(of: customer)), \(day), \(day + 5_000_000_000))"
        }
        return """
            INSERT INTO account (id, environment, email, password_hash, storefront, created)
            SELECT \(accountBase) + value, 'Sandbox', 'customer' || value || '@example.com',
                a.password_hash, 'USA', a.created
            FROM \(series(customers)), account a WHERE a.email = '\(BenchShop.email)';
            INSERT INTO tester (account, environment, team, first_name, last_name, renewal_rate,
                created)
            SELECT \(accountBase) + value, 'Sandbox', s.team, '', '', s.renewal_rate, s.created
            FROM \(series(customers)), tester s JOIN account a ON a.id = s.account
            WHERE a.email = '\(BenchShop.email)';
            INSERT INTO session (token_digest, account, started, ends)
            VALUES \(sessions.joined(separator: ",\n"));
            INSERT INTO ledger (id, kind, environment, account, app, bundle_id, product_id,
                product_type, purchase_key, device, quantity, unit_price, charged, currency,
                storefront, date)
            SELECT \(transactionBase) + value, 'purchase', 'Sandbox', \(account), p.id, p.bundle_id,
                CASE WHEN \(round) = 0 THEN '\(Self.kept)'
                    ELSE '\(BenchShop.bundle).item' || (1 + value % 20) END,
                CASE WHEN \(round) = 0 THEN 'Non-Consumable' ELSE 'Consumable' END,
                'bench-made-' || (100000000000 + value), 'bench-device-' || \(account), 1, 990, 990,
                'USD', 'USA', \(day) - (\(rows) - value) * \(step)
            FROM \(series(rows)), app p WHERE p.bundle_id = '\(BenchShop.bundle)';
            INSERT INTO ledger_finish (id, date)
            SELECT id, date + 1000 FROM ledger WHERE id > \(transactionBase);
            INSERT INTO app_transaction (account, environment, app, date)
            SELECT \(accountBase) + value, 'Sandbox', p.id, \(day) - 32000000000
            FROM \(series(customers)), app p WHERE p.bundle_id = '\(BenchShop.bundle)';
            INSERT INTO history_counter (account, app, last)
            SELECT \(accountBase) + value, p.id, \(Self.purchasesEach)
            FROM \(series(customers)), app p WHERE p.bundle_id = '\(BenchShop.bundle)';
            INSERT INTO history (id, account, app, revision)
            SELECT \(transactionBase) + value, \(account), p.id, \(round) + 1
            FROM \(series(rows)), app p WHERE p.bundle_id = '\(BenchShop.bundle)';
            """
    }

    /// What the store keeps of a token: its SHA-256.
    private static func digest(of token: String) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        let text = Array(token.utf8)
        EVP_Digest(text, text.count, &digest, nil, EVP_sha256(), nil)
        return digest.map { String(format: "%02x", $0) }.joined()
    }
}
