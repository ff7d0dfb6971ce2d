import Foundation
import StoreDatabase
import StoreModel

/// The ledger: facts are added, never changed.
package struct LedgerRepository {
    let connection: any SQLConnection

    package func entry(_ id: TransactionID) throws -> LedgerEntry? {
        try connection.find(LedgerEntry.self, id)
    }

    package func entry(key: String, account: AccountID, app: AppID) throws -> LedgerEntry? {
        try connection.first(
            LedgerEntry.self,
            "WHERE account = \(account) AND app = \(app) AND purchase_key = \(key)")
    }

    /// What an account has in an app under some keys, in no order.
    package func entries(keys: [String], account: AccountID, app: AppID) throws -> [LedgerEntry] {
        try connection.all(
            LedgerEntry.self,
            "WHERE account = \(account) AND app = \(app) AND purchase_key IN \(list: keys)")
    }

    /// Everything of an account in an app, oldest first, from the last clearing of its history
    /// on. So it is with all that follows: what lies before a clearing is found by identifier
    /// and by key only.
    package func entries(account: AccountID, app: AppID) throws -> [LedgerEntry] {
        try connection.all(
            LedgerEntry.self,
            """
            WHERE account = \(account) AND app = \(app) AND id > \(account.lastCleared)
            ORDER BY id
            """)
    }

    /// The account's first purchase of a product that was not revoked.
    package func firstPurchase(
        of product: ProductID, account: AccountID, app: AppID
    ) throws -> LedgerEntry? {
        try connection.first(
            LedgerEntry.self,
            """
            WHERE account = \(account) AND app = \(app) AND product_id = \(product)
                AND kind = 'purchase' AND original IS NULL
                AND NOT EXISTS (SELECT 1 FROM revoked r WHERE r.id = ledger_entry.id)
                AND id > \(account.lastCleared)
            ORDER BY id
            """)
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
        try connection.all(
            LedgerEntry.self,
            """
            WHERE account = \(account) AND app = \(app) AND kind = 'purchase'
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
                AND (device <> \(device)
                    OR EXISTS (SELECT 1 FROM ledger_finish f WHERE f.id = ledger_entry.id))
                AND NOT EXISTS (SELECT 1 FROM revoked r WHERE r.id = ledger_entry.id)
                AND id > \(after?.number ?? 0) AND id > \(account.lastCleared)
            ORDER BY id LIMIT \(limit)
            """)
    }

    /// What a device bought and has not finished, and what was not revoked.
    ///
    /// - Parameters:
    ///   - after: gives those behind it only.
    ///   - limit: gives so many at most.
    package func unfinished(
        account: AccountID, app: AppID, device: String, after: TransactionID?, limit: Int
    ) throws -> [LedgerEntry] {
        try connection.all(
            LedgerEntry.self,
            """
            WHERE device = \(device) AND account = \(account) AND app = \(app)
                AND id > \(after?.number ?? 0) AND id > \(account.lastCleared)
                AND NOT EXISTS (SELECT 1 FROM ledger_finish f WHERE f.id = ledger_entry.id)
                AND NOT EXISTS (SELECT 1 FROM revoked r WHERE r.id = ledger_entry.revocable)
            ORDER BY id LIMIT \(limit)
            """)
    }

    /// Adds a fact; the ledger gives it its identifier. Nil where the account has used the
    /// key in this app before: nothing is added then.
    package func insertIfNew(_ entry: LedgerDraft) throws -> LedgerEntry? {
        try connection.value(
            TransactionID.self,
            """
            \(try entry.insertion()) ON CONFLICT (account, app, purchase_key) DO NOTHING
            RETURNING id
            """
        ).map { LedgerEntry(id: $0, details: entry) }
    }

    /// Records when a fact was written whose own date lies on a day before.
    package func recordPosting(of id: TransactionID, at date: Date) throws {
        try connection.run("INSERT INTO ledger_posting (id, date) VALUES (\(id), \(date))")
    }

    /// Records that a transaction was finished; the second time changes nothing.
    package func recordFinish(of id: TransactionID, at date: Date) throws {
        try connection.run(
            """
            INSERT INTO ledger_finish (id, date) VALUES (\(id), \(date)) ON CONFLICT DO NOTHING
            """)
    }

    package func isFinished(_ id: TransactionID) throws -> Bool {
        try connection.exists("FROM ledger_finish WHERE id = \(id)")
    }

    /// Records that the customer may not use what was bought any longer; the second time
    /// changes nothing.
    ///
    /// - Returns: whether it was the first time.
    package func recordRevocation(_ revocation: Revocation) throws -> Bool {
        try connection.value(
            TransactionID.self, "\(try revocation.insertion()) ON CONFLICT DO NOTHING RETURNING id")
            != nil
    }

    /// Whether a first purchase was taken back.
    package func isRevoked(_ id: TransactionID) throws -> Bool {
        try connection.exists("FROM revoked WHERE id = \(id)")
    }

    /// What was taken back of an account in an app.
    package func revocations(account: AccountID, app: AppID) throws -> [Revocation] {
        try connection.records(
            Revocation.self,
            """
            SELECT \(Revocation.columns, of: "r") FROM ledger l JOIN revoked r ON r.id = l.id
            WHERE l.account = \(account) AND l.app = \(app) ORDER BY r.id
            """)
    }
}

extension StoreRepositories {
    package var ledger: LedgerRepository { LedgerRepository(connection: connection) }
}

extension AccountID {
    /// The number of the last ledger entry that there was when the account's history was last
    /// cleared; 0 where it never was.
    var lastCleared: SQL {
        "(SELECT coalesce(max(last), 0) FROM history_clearing WHERE account = \(self))"
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
