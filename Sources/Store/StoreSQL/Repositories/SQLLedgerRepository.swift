import Foundation
import StoreCore
import StoreModel

struct SQLLedgerRepository: LedgerRepository {
    let connection: any SQLConnection

    func entry(_ id: TransactionID) throws -> LedgerEntry? {
        try connection.row(
            "SELECT * FROM ledger_entry WHERE id = ?1", [.integer(id.number)], readEntry)
    }

    func entry(key: String, account: AccountID, app: AppID) throws -> LedgerEntry? {
        try connection.row(
            """
            SELECT * FROM ledger_entry WHERE account = ?1 AND app = ?2 AND purchase_key = ?3
            """, [.integer(account.number), .integer(app.number), .text(key)], readEntry)
    }

    func entries(account: AccountID, app: AppID) throws -> [LedgerEntry] {
        try connection.rows(
            "SELECT * FROM ledger_entry WHERE account = ?1 AND app = ?2 ORDER BY id",
            [.integer(account.number), .integer(app.number)], readEntry)
    }

    func firstPurchase(
        of product: ProductID, account: AccountID, app: AppID
    ) throws -> LedgerEntry? {
        try connection.row(
            """
            SELECT * FROM ledger_entry
            WHERE account = ?1 AND app = ?2 AND product_id = ?3
                AND kind = 'purchase' AND original IS NULL
                AND NOT EXISTS (
                    SELECT 1 FROM ledger_revocation r WHERE r.id = ledger_entry.id)
            ORDER BY id LIMIT 1
            """, [.integer(account.number), .integer(app.number), .text(product.text)], readEntry)
    }

    func restorable(
        account: AccountID, app: AppID, device: String, after: TransactionID?, limit: Int
    ) throws -> [LedgerEntry] {
        try connection.rows(
            """
            SELECT * FROM ledger_entry
            WHERE account = ?1 AND app = ?2 AND kind = 'purchase' AND original IS NULL
                AND product_type IN ('Non-Consumable', 'Auto-Renewable Subscription')
                AND (device <> ?3
                    OR EXISTS (SELECT 1 FROM ledger_finish f WHERE f.id = ledger_entry.id))
                AND NOT EXISTS (
                    SELECT 1 FROM ledger_revocation r WHERE r.id = ledger_entry.id)
                AND id > ?4
            ORDER BY id LIMIT ?5
            """,
            [
                .integer(account.number), .integer(app.number), .text(device),
                .integer(after?.number ?? 0), .integer(limit),
            ], readEntry)
    }

    func unfinished(account: AccountID, app: AppID, device: String) throws -> [LedgerEntry] {
        try connection.rows(
            """
            SELECT * FROM ledger_entry
            WHERE device = ?3 AND account = ?1 AND app = ?2
                AND NOT EXISTS (SELECT 1 FROM ledger_finish f WHERE f.id = ledger_entry.id)
                AND NOT EXISTS (
                    SELECT 1 FROM ledger_revocation r
                    WHERE r.id = coalesce(ledger_entry.original, ledger_entry.id))
            ORDER BY id
            """, [.integer(account.number), .integer(app.number), .text(device)], readEntry)
    }

    func insertIfNew(_ entry: LedgerDraft) throws -> LedgerEntry? {
        let id = try connection.row(
            """
            INSERT INTO ledger (kind, environment, account, app, bundle_id, product_id,
                product_type, purchase_key, device, quantity, unit_price, charged, currency,
                storefront, original, original_date, application_username, date)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
                ?18)
            ON CONFLICT (account, app, purchase_key) DO NOTHING
            RETURNING id
            """,
            [
                .text(entry.kind.rawValue), .text(entry.environment.rawValue),
                .integer(entry.account.number), .integer(entry.app.number),
                .text(entry.bundleID.text), .text(entry.productID.text),
                .text(entry.productType.rawValue), .text(entry.key), .text(entry.device),
                .integer(entry.quantity), .integer(entry.unitPrice.thousandths),
                .integer(entry.charged.thousandths), .text(entry.charged.currency),
                .text(entry.storefront.code),
                entry.original.map { .integer($0.id.number) } ?? .null,
                .date(entry.original?.date), .text(entry.applicationUsername), .date(entry.date),
            ]
        ) { TransactionID(number: $0.integer(0)) }
        return id.map { LedgerEntry(id: $0, details: entry) }
    }

    func recordFinish(of id: TransactionID, at date: Date) throws {
        try connection.run(
            "INSERT INTO ledger_finish (id, date) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            [.integer(id.number), .date(date)])
    }

    func isFinished(_ id: TransactionID) throws -> Bool {
        try connection.row("SELECT 1 FROM ledger_finish WHERE id = ?1", [.integer(id.number)]) {
            _ in
            true
        } ?? false
    }

    func recordRevocation(_ revocation: Revocation) throws -> Bool {
        try connection.row(
            """
            INSERT INTO ledger_revocation (id, reason, date) VALUES (?1, ?2, ?3)
            ON CONFLICT DO NOTHING RETURNING id
            """,
            [
                .integer(revocation.transaction.number), .text(revocation.reason.rawValue),
                .date(revocation.date),
            ]
        ) { _ in true } ?? false
    }

    func revocations(account: AccountID, app: AppID) throws -> [Revocation] {
        try connection.rows(
            """
            SELECT r.id, r.reason, r.date FROM ledger l JOIN ledger_revocation r ON r.id = l.id
            WHERE l.account = ?1 AND l.app = ?2 ORDER BY r.id
            """, [.integer(account.number), .integer(app.number)]
        ) { row in
            Revocation(
                transaction: TransactionID(number: row.integer(0)),
                reason: try row.value(1, Revocation.Reason.init(rawValue:)), date: row.date(2))
        }
    }

    private func readEntry(_ row: any SQLRow) throws -> LedgerEntry {
        let currency = row.text(13)
        return LedgerEntry(
            id: TransactionID(number: row.integer(0)),
            details: LedgerDraft(
                kind: try row.value(1, LedgerDraft.Kind.init(rawValue:)),
                environment: try row.value(2, StoreEnvironment.init(rawValue:)),
                account: AccountID(number: row.integer(3)), app: AppID(number: row.integer(4)),
                bundleID: try row.value(5) { BundleID($0) },
                productID: try row.value(6) { ProductID($0) },
                productType: try row.value(7, ProductType.init(rawValue:)), key: row.text(8),
                device: row.text(9), quantity: Int(row.integer(10)),
                unitPrice: Money(thousandths: row.integer(11), currency: currency),
                charged: Money(thousandths: row.integer(12), currency: currency),
                storefront: try row.value(14, Storefront.named),
                original: row.optionalInteger(15).map {
                    LedgerOriginal(id: TransactionID(number: $0), date: row.date(16))
                },
                applicationUsername: row.optionalText(17), date: row.date(18)))
    }
}
