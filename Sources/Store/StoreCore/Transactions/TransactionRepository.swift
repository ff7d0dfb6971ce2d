import Foundation
import StoreModel

/// The ledger's facts as servers read them.
package struct TransactionRepository {
    let connection: any SQLConnection

    package func record(_ id: TransactionID) throws -> TransactionRecord? {
        try connection.row(
            "SELECT * FROM transaction_record WHERE id = ?1", [.integer(id.number)],
            TransactionRow.read)
    }

    /// Everything of an account in an app, oldest first, from the last clearing of its history on.
    package func records(of subject: HistorySubject) throws -> [TransactionRecord] {
        try connection.rows(
            """
            SELECT * FROM transaction_record
            WHERE account = ?1 AND app = ?2
                AND id > (SELECT coalesce(max(last), 0) FROM history_clearing WHERE account = ?1)
            ORDER BY id
            """, [.integer(subject.account.number), .integer(subject.app.number)],
            TransactionRow.read)
    }

    /// What an account has in an app, oldest first, from the last clearing of its history on: what
    /// was bought for good, paid periods, and consumables that were not finished.
    ///
    /// - Parameter limit: gives so many at most, the newest.
    package func recordsInUse(
        of subject: HistorySubject, limit: Int
    ) throws -> [TransactionRecord] {
        // The index has purchases only: what restores them, and there may be much, is not read.
        try connection.rows(
            """
            SELECT t.* FROM (
                SELECT id FROM ledger
                WHERE account = ?1 AND app = ?2 AND kind = 'purchase'
                    AND id > (
                        SELECT coalesce(max(last), 0) FROM history_clearing WHERE account = ?1)
                    AND (product_type IN ('Non-Consumable', 'Non-Renewing Subscription')
                            AND original IS NULL
                        OR product_type = 'Auto-Renewable Subscription' AND EXISTS (
                            SELECT 1 FROM ledger_period p WHERE p.id = ledger.id AND p.is_paid = 1)
                        OR product_type = 'Consumable' AND NOT EXISTS (
                            SELECT 1 FROM ledger_finish f WHERE f.id = ledger.id))
                ORDER BY id DESC LIMIT ?3
            ) shown JOIN transaction_record t ON t.id = shown.id
            ORDER BY t.id
            """,
            [.integer(subject.account.number), .integer(subject.app.number), .integer(limit)],
            TransactionRow.read)
    }

    /// What a device of an account has not finished, and what was not revoked, oldest first.
    ///
    /// - Parameter limit: gives so many at most, the newest.
    package func unfinishedRecords(
        of subject: HistorySubject, device: String, limit: Int
    ) throws -> [TransactionRecord] {
        try connection.rows(
            """
            SELECT t.* FROM (
                SELECT id FROM ledger
                WHERE device = ?3 AND account = ?1 AND app = ?2
                    AND id > (
                        SELECT coalesce(max(last), 0) FROM history_clearing WHERE account = ?1)
                    AND NOT EXISTS (SELECT 1 FROM ledger_finish f WHERE f.id = ledger.id)
                ORDER BY id DESC LIMIT ?4
            ) shown JOIN transaction_record t ON t.id = shown.id
            WHERE t.reason IS NULL
            ORDER BY t.id
            """,
            [
                .integer(subject.account.number), .integer(subject.app.number), .text(device),
                .integer(limit),
            ], TransactionRow.read)
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
        let start = after?.number ?? (order == .ascending ? 0 : .max)
        return try connection.rows(
            Self.history(order, onlyRevoked: onlyRevoked),
            [
                .integer(subject.account.number), .integer(subject.app.number), .integer(start),
                .integer(limit),
            ]
        ) { row in
            (
                HistoryRevision(number: row.integer(TransactionRow.width)),
                try TransactionRow.read(row)
            )
        }
    }

    /// Whether a revision was given before the database went back to an earlier state, which did not
    /// have it.
    package func isLost(_ revision: HistoryRevision, of subject: HistorySubject) throws -> Bool {
        try connection.row(
            """
            SELECT 1 FROM restoration r WHERE r.next_revision > ?3 AND ?3 > coalesce((
                SELECT max(h.revision) FROM history h
                WHERE h.account = ?1 AND h.app = ?2 AND h.revision < r.next_revision), 0)
            LIMIT 1
            """,
            [
                .integer(subject.account.number), .integer(subject.app.number),
                .integer(revision.number),
            ]
        ) { _ in true } ?? false
    }

    /// A number that is another one each time that the database has gone back to an earlier state,
    /// be it twice to the same: it goes by the clock (`NumberAdvance`).
    package func restorationMark() throws -> Int64 {
        try connection.row("SELECT coalesce(max(next_revision), 0) FROM restoration", []) {
            $0.integer(0)
        } ?? 0
    }

    /// The last revision of an account's history; 0 for none.
    package func lastRevision(of subject: HistorySubject) throws -> HistoryRevision {
        let last = try connection.row(
            "SELECT last FROM history_counter WHERE account = ?1 AND app = ?2",
            [.integer(subject.account.number), .integer(subject.app.number)]
        ) { $0.integer(0) }
        return HistoryRevision(number: last ?? 0)
    }

    /// The statement of a page: as many rows are read as it has, wherever it lies in however long
    /// a history. Each has an index with all of its conditions, in the order of the page.
    static func history(_ order: HistoryQuery.Order, onlyRevoked: Bool) -> StaticString {
        switch (order, onlyRevoked) {
        case (.ascending, false):
            """
            SELECT t.*, h.revision FROM history h JOIN transaction_record t ON t.id = h.id
            WHERE h.account = ?1 AND h.app = ?2 AND h.revision > ?3
            ORDER BY h.revision LIMIT ?4
            """
        case (.descending, false):
            """
            SELECT t.*, h.revision FROM history h JOIN transaction_record t ON t.id = h.id
            WHERE h.account = ?1 AND h.app = ?2 AND h.revision < ?3
            ORDER BY h.revision DESC LIMIT ?4
            """
        case (.ascending, true):
            """
            SELECT t.*, h.revision FROM history h JOIN transaction_record t ON t.id = h.id
            WHERE h.account = ?1 AND h.app = ?2 AND h.revision > ?3 AND h.is_revoked = 1
            ORDER BY h.revision LIMIT ?4
            """
        case (.descending, true):
            """
            SELECT t.*, h.revision FROM history h JOIN transaction_record t ON t.id = h.id
            WHERE h.account = ?1 AND h.app = ?2 AND h.revision < ?3 AND h.is_revoked = 1
            ORDER BY h.revision DESC LIMIT ?4
            """
        }
    }

    /// A part of what an account bought in all apps, the newest first: what servers see of it.
    ///
    /// - Parameters:
    ///   - before: gives older ones only; nil for the newest.
    ///   - limit: gives so many at most.
    package func purchases(
        of account: AccountID, before: TransactionID?, limit: Int
    ) throws -> [TransactionRecord] {
        try connection.rows(
            """
            SELECT t.* FROM history h JOIN transaction_record t ON t.id = h.id
            WHERE h.account = ?1 AND h.id < ?2 ORDER BY h.id DESC LIMIT ?3
            """,
            [.integer(account.number), .integer(before?.number ?? .max), .integer(limit)],
            TransactionRow.read)
    }

    /// Whether an account has a product at a date by something that was not taken back: a purchase
    /// that lasts, or a period that runs, its own or its family's.
    package func isEntitled(
        _ subject: HistorySubject, to product: ProductID, at date: Date
    ) throws -> Bool {
        try connection.row(
            """
            SELECT 1 FROM transaction_record t
            WHERE t.account = ?1 AND t.app = ?2 AND t.product_id = ?3 AND t.kind = 'purchase'
                AND t.reason IS NULL AND t.upgrade_date IS NULL AND coalesce(t.is_paid, 1) = 1
                AND t.id > (SELECT coalesce(max(last), 0) FROM history_clearing WHERE account = ?1)
                AND (t.product_type = 'Non-Consumable'
                    OR t.product_type = 'Auto-Renewable Subscription' AND (
                        t.expires IS NULL OR t.expires > ?4 OR EXISTS (
                            SELECT 1 FROM subscription u
                            WHERE u.original = coalesce(t.original, t.id) AND u.latest = t.id
                                AND u.state = 'grace')))
            LIMIT 1
            """,
            [
                .integer(subject.account.number), .integer(subject.app.number),
                .text(product.text), .date(date),
            ]
        ) { _ in true } ?? false
    }

    /// Whether the transaction is one that servers see.
    package func isInHistory(_ id: TransactionID) throws -> Bool {
        try connection.row("SELECT 1 FROM history WHERE id = ?1", [.integer(id.number)]) { _ in
            true
        } ?? false
    }

    package func appTransaction(_ id: AppTransactionID) throws -> AppTransaction? {
        try connection.row(
            "SELECT id, account, environment, app, date FROM app_transaction WHERE id = ?1",
            [.integer(id.number)], readAppTransaction)
    }

    package func appTransaction(of account: AccountID, app: AppID) throws -> AppTransaction? {
        try connection.row(
            """
            SELECT id, account, environment, app, date FROM app_transaction
            WHERE account = ?1 AND app = ?2
            """, [.integer(account.number), .integer(app.number)], readAppTransaction)
    }

    /// That an account has an app, written down where it is not yet.
    package func appTransaction(
        of account: AccountID, in environment: StoreEnvironment, app: AppID, at date: Date
    ) throws -> AppTransaction {
        try connection.run(
            """
            INSERT INTO app_transaction (account, environment, app, date)
            VALUES (?1, ?2, ?3, ?4) ON CONFLICT (account, app) DO NOTHING
            """,
            [
                .integer(account.number), .text(environment.rawValue), .integer(app.number),
                .date(date),
            ])
        guard let found = try appTransaction(of: account, app: app) else {
            throw SQLError(code: .corrupt, "the database lost an app transaction")
        }
        return found
    }

    /// Sets the token by which a publisher's server knows whoever made a first purchase.
    package func setAccountToken(_ token: String, of original: TransactionID, at date: Date) throws
    {
        try connection.run(
            """
            INSERT INTO account_token (original, token, date) VALUES (?1, ?2, ?3)
            ON CONFLICT (original) DO UPDATE SET token = excluded.token, date = excluded.date
            """, [.integer(original.number), .text(token), .date(date)])
    }

    /// Takes a revocation back; the second time changes nothing.
    ///
    /// - Returns: whether it was the first time.
    package func recordReversal(of id: TransactionID, at date: Date) throws -> Bool {
        try connection.row(
            """
            INSERT INTO ledger_reversal (id, date)
            SELECT id, ?2 FROM ledger_revocation WHERE id = ?1 AND type <> 'FAMILY_REVOKE'
            ON CONFLICT DO NOTHING RETURNING id
            """, [.integer(id.number), .date(date)]
        ) { _ in true } ?? false
    }

    /// Whether a revocation was taken back.
    package func isReversed(_ id: TransactionID) throws -> Bool {
        try connection.row("SELECT 1 FROM ledger_reversal WHERE id = ?1", [.integer(id.number)]) {
            _ in true
        } ?? false
    }

    private func readAppTransaction(_ row: any SQLRow) throws -> AppTransaction {
        AppTransaction(
            id: AppTransactionID(number: row.integer(0)),
            account: AccountID(number: row.integer(1)),
            environment: try row.value(2, StoreEnvironment.init(rawValue:)),
            app: AppID(number: row.integer(3)), date: row.date(4))
    }
}
