import Foundation
import StoreDatabase
import StoreModel

/// The ledger's facts as servers read them.
package struct TransactionRepository {
    let connection: any SQLConnection

    package func record(_ id: TransactionID) throws -> TransactionRecord? {
        try connection.find(TransactionRow.self, id)?.record
    }

    private func records(_ sql: SQL) throws -> [TransactionRecord] {
        try connection.records(TransactionRow.self, sql).map(\.record)
    }

    /// Everything of an account in an app, oldest first, from the last clearing of its history on.
    package func records(of subject: HistorySubject) throws -> [TransactionRecord] {
        try records(
            """
            SELECT \(TransactionRow.columns) FROM transaction_record
            WHERE account = \(subject.account) AND app = \(subject.app)
                AND id > \(subject.account.lastCleared)
            ORDER BY id
            """)
    }

    /// What an account has in an app, oldest first, from the last clearing of its history on: what
    /// was bought for good, paid periods, and consumables that were not finished.
    ///
    /// - Parameter limit: gives so many at most, the newest.
    package func recordsInUse(
        of subject: HistorySubject, limit: Int
    ) throws -> [TransactionRecord] {
        // The index has purchases only: what restores them, and there may be much, is not read.
        try records(
            """
            SELECT \(TransactionRow.columns, of: "t") FROM (
                SELECT id FROM ledger
                WHERE account = \(subject.account) AND app = \(subject.app) AND kind = 'purchase'
                    AND id > \(subject.account.lastCleared)
                    AND (product_type IN ('Non-Consumable', 'Non-Renewing Subscription')
                            AND original IS NULL
                        OR product_type = 'Auto-Renewable Subscription' AND EXISTS (
                            SELECT 1 FROM ledger_period p WHERE p.id = ledger.id AND p.is_paid = 1)
                        OR product_type = 'Consumable' AND NOT EXISTS (
                            SELECT 1 FROM ledger_finish f WHERE f.id = ledger.id))
                ORDER BY id DESC LIMIT \(limit)
            ) shown JOIN transaction_record t ON t.id = shown.id
            ORDER BY t.id
            """)
    }

    /// What a device of an account has not finished, and what was not revoked, oldest first.
    ///
    /// - Parameter limit: gives so many at most, the newest.
    package func unfinishedRecords(
        of subject: HistorySubject, device: String, limit: Int
    ) throws -> [TransactionRecord] {
        try records(
            """
            SELECT \(TransactionRow.columns, of: "t") FROM (
                SELECT id FROM ledger
                WHERE device = \(device) AND account = \(subject.account) AND app = \(subject.app)
                    AND id > \(subject.account.lastCleared)
                    AND NOT EXISTS (SELECT 1 FROM ledger_finish f WHERE f.id = ledger.id)
                ORDER BY id DESC LIMIT \(limit)
            ) shown JOIN transaction_record t ON t.id = shown.id
            WHERE t.reason IS NULL
            ORDER BY t.id
            """)
    }

    /// A part of an account's history, in the order of its last changes.
    ///
    /// - Parameters:
    ///   - after: gives what lies behind it, in the order that is asked for; nil for the beginning.
    ///   - onlyRevoked: leaves out what was not taken back.
    ///   - limit: gives so many at most.
    package func history(
        of subject: HistorySubject, after: HistoryRevision?, _ order: HistoryQuery.Order,
        onlyRevoked: Bool, limit: Int
    ) throws -> [(revision: HistoryRevision, record: TransactionRecord)] {
        let page = Self.page(
            of: subject, after: after, order, onlyRevoked: onlyRevoked, limit: limit)
        return try connection.records(HistoryRow.self, page).map {
            ($0.revision, $0.transaction.record)
        }
    }

    /// The statement of a page: as many rows are read as it has, wherever it lies in however long
    /// a history. The index `history_by_revision` has all transactions, `history_of_revoked` those
    /// that were taken back.
    static func page(
        of subject: HistorySubject, after: HistoryRevision?, _ order: HistoryQuery.Order,
        onlyRevoked: Bool, limit: Int
    ) -> SQL {
        let start = after?.number ?? (order == .ascending ? 0 : .max)
        let behind: SQL = order == .ascending ? "h.revision > \(start)" : "h.revision < \(start)"
        return """
            SELECT \(TransactionRow.columns, of: "t"), h.revision
            FROM history h JOIN transaction_record t ON t.id = h.id
            WHERE h.account = \(subject.account) AND h.app = \(subject.app) AND \(behind)
                \(raw: onlyRevoked ? "AND h.is_revoked = 1" : "")
            ORDER BY h.revision \(raw: order == .ascending ? "" : "DESC") LIMIT \(limit)
            """
    }

    /// Whether a revision was given before the database went back to an earlier state, which did not
    /// have it.
    package func isLost(_ revision: HistoryRevision, of subject: HistorySubject) throws -> Bool {
        try connection.exists(
            """
            FROM restoration r
            WHERE r.next_revision > \(revision) AND coalesce((
                SELECT max(h.revision) FROM history h
                WHERE h.account = \(subject.account) AND h.app = \(subject.app)
                    AND h.revision < r.next_revision), 0) < \(revision)
            """)
    }

    /// A number that is another one each time that the database has gone back to an earlier state,
    /// be it twice to the same: it goes by the clock (`NumberAdvance`).
    package func restorationMark() throws -> Int64 {
        try connection.value(
            Int64.self, "SELECT coalesce(max(next_revision), 0) FROM restoration") ?? 0
    }

    /// The last revision of an account's history; 0 for none.
    package func lastRevision(of subject: HistorySubject) throws -> HistoryRevision {
        try connection.value(
            HistoryRevision.self,
            """
            SELECT last FROM history_counter
            WHERE account = \(subject.account) AND app = \(subject.app)
            """) ?? HistoryRevision(number: 0)
    }

    /// A part of what an account bought in all apps, the newest first: what servers see of it.
    ///
    /// - Parameters:
    ///   - before: gives older ones only; nil for the newest.
    ///   - limit: gives so many at most.
    package func purchases(
        of account: AccountID, before: TransactionID?, limit: Int
    ) throws -> [TransactionRecord] {
        try records(
            """
            SELECT \(TransactionRow.columns, of: "t")
            FROM history h JOIN transaction_record t ON t.id = h.id
            WHERE h.account = \(account) AND h.id < \(before?.number ?? .max)
            ORDER BY h.id DESC LIMIT \(limit)
            """)
    }

    /// Whether an account has a product at a date by something that was not taken back: a purchase
    /// that lasts, or a period that runs, its own or its family's.
    package func isEntitled(
        _ subject: HistorySubject, to product: ProductID, at date: Date
    ) throws -> Bool {
        try connection.exists(
            """
            FROM transaction_record t
            WHERE t.account = \(subject.account) AND t.app = \(subject.app)
                AND t.product_id = \(product) AND t.kind = 'purchase'
                AND t.reason IS NULL AND t.upgrade_date IS NULL AND coalesce(t.is_paid, 1) = 1
                AND t.id > \(subject.account.lastCleared)
                AND (t.product_type = 'Non-Consumable'
                    OR t.product_type = 'Auto-Renewable Subscription' AND (
                        t.expires IS NULL OR t.expires > \(date) OR EXISTS (
                            SELECT 1 FROM subscription u
                            WHERE u.original = coalesce(t.original, t.id) AND u.latest = t.id
                                AND u.state = 'grace')))
            """)
    }

    /// Whether the transaction is one that servers see.
    package func isInHistory(_ id: TransactionID) throws -> Bool {
        try connection.exists("FROM history WHERE id = \(id)")
    }

    package func appTransaction(_ id: AppTransactionID) throws -> AppTransaction? {
        try connection.find(AppTransaction.self, id)
    }

    package func appTransaction(of account: AccountID, app: AppID) throws -> AppTransaction? {
        try connection.first(AppTransaction.self, "WHERE account = \(account) AND app = \(app)")
    }

    /// That an account has an app, written down where it is not yet.
    package func appTransaction(
        of account: AccountID, in environment: StoreEnvironment, app: AppID, at date: Date
    ) throws -> AppTransaction {
        try connection.run(
            """
            INSERT INTO app_transaction (account, environment, app, date)
            VALUES (\(account), \(environment), \(app), \(date))
            ON CONFLICT (account, app) DO NOTHING
            """)
        guard let found = try appTransaction(of: account, app: app) else {
            throw SQLError(code: .corrupt, "the database lost an app transaction")
        }
        return found
    }

    /// The token that a publisher's server set for a transaction.
    func accountToken(of id: TransactionID) throws -> String? {
        try connection.value(
            String.self, "SELECT token FROM account_token WHERE original = \(id)")
    }

    /// Sets the token by which a publisher's server knows who made a purchase.
    package func setAccountToken(_ token: String, of id: TransactionID, at date: Date) throws {
        try connection.run(
            """
            INSERT INTO account_token (original, token, date)
            VALUES (\(id), \(token), \(date))
            ON CONFLICT (original) DO UPDATE SET token = excluded.token, date = excluded.date
            """)
    }

    /// Takes a revocation back; the second time changes nothing.
    ///
    /// - Returns: whether it was the first time.
    package func recordReversal(of id: TransactionID, at date: Date) throws -> Bool {
        try connection.value(
            TransactionID.self,
            """
            INSERT INTO ledger_reversal (id, date)
            SELECT id, CAST(\(date) AS INTEGER) FROM ledger_revocation
            WHERE id = \(id) AND type <> 'FAMILY_REVOKE'
            ON CONFLICT DO NOTHING RETURNING id
            """) != nil
    }

    /// Whether a revocation was taken back.
    package func isReversed(_ id: TransactionID) throws -> Bool {
        try connection.exists("FROM ledger_reversal WHERE id = \(id)")
    }
}

extension StoreRepositories {
    package var transactions: TransactionRepository {
        TransactionRepository(connection: connection)
    }
}
