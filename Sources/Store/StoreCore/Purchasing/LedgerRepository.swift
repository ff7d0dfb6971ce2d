import Foundation
import StoreModel

/// The ledger: facts are added, never changed.
package struct LedgerRepository {
    let connection: any SQLConnection

    package func entry(_ id: TransactionID) throws -> LedgerEntry? {
        try connection.row(
            "SELECT * FROM ledger_entry WHERE id = ?1", [.integer(id.number)], LedgerRow.read)
    }

    package func entry(key: String, account: AccountID, app: AppID) throws -> LedgerEntry? {
        try connection.row(
            """
            SELECT * FROM ledger_entry WHERE account = ?1 AND app = ?2 AND purchase_key = ?3
            """, [.integer(account.number), .integer(app.number), .text(key)], LedgerRow.read)
    }

    /// What an account has in an app under some keys, in no order.
    package func entries(keys: [String], account: AccountID, app: AppID) throws -> [LedgerEntry] {
        try connection.rows(
            """
            SELECT * FROM ledger_entry WHERE account = ?1 AND app = ?2
                AND purchase_key IN (SELECT value FROM json_each(?3))
            """, [.integer(account.number), .integer(app.number), .list(keys)], LedgerRow.read)
    }

    /// Everything of an account in an app, oldest first, from the last clearing of its history
    /// on. So it is with all that follows: what lies before a clearing is found by identifier
    /// and by key only.
    package func entries(account: AccountID, app: AppID) throws -> [LedgerEntry] {
        try connection.rows(
            """
            SELECT * FROM ledger_entry
            WHERE account = ?1 AND app = ?2
                AND id > (SELECT coalesce(max(last), 0) FROM history_clearing WHERE account = ?1)
            ORDER BY id
            """, [.integer(account.number), .integer(app.number)], LedgerRow.read)
    }

    /// The account's first purchase of a product that was not revoked.
    package func firstPurchase(
        of product: ProductID, account: AccountID, app: AppID
    ) throws -> LedgerEntry? {
        try connection.row(
            """
            SELECT * FROM ledger_entry
            WHERE account = ?1 AND app = ?2 AND product_id = ?3
                AND kind = 'purchase' AND original IS NULL
                AND NOT EXISTS (
                    SELECT 1 FROM revoked r WHERE r.id = ledger_entry.id)
                AND id > (SELECT coalesce(max(last), 0) FROM history_clearing WHERE account = ?1)
            ORDER BY id LIMIT 1
            """, [.integer(account.number), .integer(app.number), .text(product.text)],
            LedgerRow.read)
    }

    /// The first purchase of each product that the account can have restored on a device, and the
    /// last period of each subscription, its own and its family's: finished ones, and those of
    /// other devices, which may be lost; none that was revoked.
    ///
    /// - Parameters:
    ///   - after: gives those behind it only.
    ///   - limit: gives so many at most.
    package func restorable(
        account: AccountID, app: AppID, device: String, after: TransactionID?, limit: Int
    ) throws -> [LedgerEntry] {
        try connection.rows(
            """
            SELECT * FROM ledger_entry
            WHERE account = ?1 AND app = ?2 AND kind = 'purchase'
                AND (product_type = 'Non-Consumable' AND original IS NULL
                    OR product_type = 'Auto-Renewable Subscription' AND (
                        original IS NULL AND NOT EXISTS (
                            SELECT 1 FROM ledger_period p WHERE p.id = ledger_entry.id)
                        OR EXISTS (
                            SELECT 1 FROM subscription s
                            WHERE s.original = coalesce(ledger_entry.original, ledger_entry.id)
                                AND s.latest = ledger_entry.id)
                        OR EXISTS (
                            SELECT 1 FROM shared_subscription s
                            WHERE s.original = coalesce(ledger_entry.original, ledger_entry.id)
                                AND s.latest = ledger_entry.id)))
                AND (device <> ?3
                    OR EXISTS (SELECT 1 FROM ledger_finish f WHERE f.id = ledger_entry.id))
                AND NOT EXISTS (
                    SELECT 1 FROM revoked r WHERE r.id = ledger_entry.id)
                AND id > ?4
                AND id > (SELECT coalesce(max(last), 0) FROM history_clearing WHERE account = ?1)
            ORDER BY id LIMIT ?5
            """,
            [
                .integer(account.number), .integer(app.number), .text(device),
                .integer(after?.number ?? 0), .integer(limit),
            ], LedgerRow.read)
    }

    /// What a device bought and has not finished, and what was not revoked.
    ///
    /// - Parameters:
    ///   - after: gives those behind it only.
    ///   - limit: gives so many at most.
    package func unfinished(
        account: AccountID, app: AppID, device: String, after: TransactionID?, limit: Int
    ) throws -> [LedgerEntry] {
        try connection.rows(
            """
            SELECT * FROM ledger_entry
            WHERE device = ?3 AND account = ?1 AND app = ?2 AND id > ?4
                AND id > (SELECT coalesce(max(last), 0) FROM history_clearing WHERE account = ?1)
                AND NOT EXISTS (SELECT 1 FROM ledger_finish f WHERE f.id = ledger_entry.id)
                AND NOT EXISTS (
                    SELECT 1 FROM revoked r
                    WHERE r.id = ledger_entry.revocable)
            ORDER BY id LIMIT ?5
            """,
            [
                .integer(account.number), .integer(app.number), .text(device),
                .integer(after?.number ?? 0), .integer(limit),
            ], LedgerRow.read)
    }

    /// Adds a fact; the ledger gives it its identifier. Nil where the account has used the
    /// key in this app before: nothing is added then.
    package func insertIfNew(_ entry: LedgerDraft) throws -> LedgerEntry? {
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
                entry.original.map { .integer($0.id.number) } ?? .noInteger,
                .date(entry.original?.date), .text(entry.applicationUsername), .date(entry.date),
            ]
        ) { TransactionID(number: $0.integer(0)) }
        return id.map { LedgerEntry(id: $0, details: entry) }
    }

    /// Records when a fact was written whose own date lies on a day before.
    package func recordPosting(of id: TransactionID, at date: Date) throws {
        try connection.run(
            "INSERT INTO ledger_posting (id, date) VALUES (?1, ?2)",
            [.integer(id.number), .date(date)])
    }

    /// Records that a transaction was finished; the second time changes nothing.
    package func recordFinish(of id: TransactionID, at date: Date) throws {
        try connection.run(
            "INSERT INTO ledger_finish (id, date) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            [.integer(id.number), .date(date)])
    }

    package func isFinished(_ id: TransactionID) throws -> Bool {
        try connection.row("SELECT 1 FROM ledger_finish WHERE id = ?1", [.integer(id.number)]) {
            _ in
            true
        } ?? false
    }

    /// Records that the customer may not use what was bought any longer; the second time
    /// changes nothing.
    ///
    /// - Returns: whether it was the first time.
    package func recordRevocation(_ revocation: Revocation) throws -> Bool {
        try connection.row(
            """
            INSERT INTO ledger_revocation (id, reason, date, type, percentage)
            VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT DO NOTHING RETURNING id
            """,
            [
                .integer(revocation.transaction.number), .text(revocation.reason.rawValue),
                .date(revocation.date), .text(revocation.kind.rawValue),
                .integer(revocation.percentage),
            ]
        ) { _ in true } ?? false
    }

    /// Whether a first purchase was taken back.
    package func isRevoked(_ id: TransactionID) throws -> Bool {
        try connection.row(
            "SELECT 1 FROM revoked WHERE id = ?1", [.integer(id.number)]
        ) { _ in true } ?? false
    }

    /// What was taken back of an account in an app.
    package func revocations(account: AccountID, app: AppID) throws -> [Revocation] {
        try connection.rows(
            """
            SELECT r.id, r.reason, r.date, r.type, r.percentage FROM ledger l JOIN revoked r ON r.id = l.id
            WHERE l.account = ?1 AND l.app = ?2 ORDER BY r.id
            """, [.integer(account.number), .integer(app.number)]
        ) { row in
            Revocation(
                transaction: TransactionID(number: row.integer(0)),
                reason: try row.value(1, Revocation.Reason.init(rawValue:)), date: row.date(2),
                kind: try row.value(3, Revocation.Kind.init(rawValue:)),
                percentage: Int(row.integer(4)))
        }
    }
}

extension LedgerRepository {
    /// Adds a fact under a key that must be new.
    ///
    /// - Throws: `LedgerKeyUsed`.
    package func insert(_ entry: LedgerDraft) throws -> LedgerEntry {
        guard let inserted = try insertIfNew(entry) else { throw LedgerKeyUsed(key: entry.key) }
        return inserted
    }
}
