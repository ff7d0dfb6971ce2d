import Foundation
import StoreModel

/// Families, and what came to accounts through them.
package struct FamilyRepository {
    let connection: any SQLConnection

    /// The family that an account organizes or is in.
    package func family(of account: AccountID) throws -> Family? {
        try connection.row(
            """
            SELECT id, organizer, environment FROM family
            WHERE organizer = ?1 OR id = (SELECT family FROM family_member WHERE account = ?1)
            """, [.integer(account.number)], readHead
        ).map(complete)
    }

    /// The family that an account organizes, made where there is none.
    package func family(
        organizedBy account: AccountID, in environment: StoreEnvironment, at date: Date
    ) throws -> Family {
        try connection.run(
            """
            INSERT INTO family (organizer, environment, date) VALUES (?1, ?2, ?3)
            ON CONFLICT (organizer) DO NOTHING
            """, [.integer(account.number), .text(environment.rawValue), .date(date)])
        guard let family = try family(of: account) else {
            throw SQLError(code: .corrupt, "the database lost a family")
        }
        return family
    }

    package func add(_ account: AccountID, to family: Family, at date: Date) throws {
        try connection.run(
            "INSERT INTO family_member (account, family, environment, date) VALUES (?1, ?2, ?3, ?4)",
            [
                .integer(account.number), .integer(family.id), .text(family.environment.rawValue),
                .date(date),
            ])
    }

    /// Takes a member out; a family without members is none any longer.
    package func remove(_ account: AccountID) throws {
        let family = try connection.row(
            "DELETE FROM family_member WHERE account = ?1 RETURNING family",
            [.integer(account.number)]
        ) { $0.integer(0) }
        guard let family else { return }
        try connection.run(
            """
            DELETE FROM family
            WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM family_member m WHERE m.family = family.id)
            """, [.integer(family)])
    }

    package func families() throws -> [Family] {
        try connection.rows(
            "SELECT id, organizer, environment FROM family ORDER BY id", [], readHead
        )
        .map(complete)
    }

    /// What accounts got of a purchase, and have still.
    package func shares(of purchase: TransactionID) throws -> [LedgerEntry] {
        try connection.rows(
            """
            SELECT l.* FROM ledger_share s JOIN ledger_entry l ON l.id = s.id
            WHERE s.shared = ?1 AND NOT EXISTS (SELECT 1 FROM revoked r WHERE r.id = s.id)
            ORDER BY s.id
            """, [.integer(purchase.number)], LedgerRow.read)
    }

    /// How often an account got a purchase, whether it has it still or not.
    package func shareCount(of purchase: TransactionID, with account: AccountID) throws -> Int {
        try connection.row(
            """
            SELECT count(*) FROM ledger_share s JOIN ledger l ON l.id = s.id
            WHERE s.shared = ?1 AND l.account = ?2
            """, [.integer(purchase.number), .integer(account.number)]
        ) { Int($0.integer(0)) } ?? 0
    }

    /// The first period that an account got of a subscription, whether it has it still or not,
    /// without what was cleared.
    package func firstShare(
        ofSubscription original: TransactionID, with account: AccountID
    ) throws -> LedgerEntry? {
        try connection.row(
            Self.firstShare, [.integer(original.number), .integer(account.number)], LedgerRow.read)
    }

    /// What an account got through its family, and has at a date.
    package func sharesReceived(by account: AccountID, at date: Date) throws -> [LedgerEntry] {
        try connection.rows(
            Self.sharesReceived, [.integer(account.number), .date(date)], LedgerRow.read)
    }

    /// What others got of an account, and have at a date.
    package func sharesGiven(by account: AccountID, at date: Date) throws -> [LedgerEntry] {
        try connection.rows(
            Self.sharesGiven, [.integer(account.number), .date(date)], LedgerRow.read)
    }

    /// First purchases and running periods of an account, in all apps, that it has still.
    package func purchases(of account: AccountID) throws -> [LedgerEntry] {
        try connection.rows(
            Self.purchases, [.integer(account.number)], LedgerRow.read)
    }

    /// The last period of each subscription that an account got through its family in an app,
    /// whether it has it still or not, without what was cleared.
    package func sharedSubscriptions(of subject: HistorySubject) throws -> [TransactionRecord] {
        try connection.rows(
            """
            SELECT t.* FROM shared_subscription s JOIN history h ON h.id = s.latest
                JOIN transaction_record t ON t.id = s.latest
            WHERE s.account = ?1 AND s.app = ?2 ORDER BY s.original
            """, [.integer(subject.account.number), .integer(subject.app.number)],
            TransactionRow.read)
    }

    package func recordShare(_ id: TransactionID, of purchase: TransactionID) throws {
        try connection.run(
            "INSERT INTO ledger_share (id, shared) VALUES (?1, ?2)",
            [.integer(id.number), .integer(purchase.number)])
    }

    /// Whether the account got the transaction through its family.
    package func isShared(_ id: TransactionID) throws -> Bool {
        try connection.row("SELECT 1 FROM ledger_share WHERE id = ?1", [.integer(id.number)]) {
            _ in true
        } ?? false
    }

    // MARK: Statements

    static let firstShare: StaticString =
        """
        SELECT l.* FROM ledger_period p JOIN ledger_share s ON s.shared = p.id
            JOIN ledger_entry l ON l.id = s.id
        WHERE p.original = ?1 AND l.account = ?2
            AND l.id > (SELECT coalesce(max(last), 0) FROM history_clearing WHERE account = ?2)
        ORDER BY l.id LIMIT 1
        """

    static let sharesReceived: StaticString =
        """
        SELECT t.* FROM transaction_record t JOIN ledger_share s ON s.id = t.id
            JOIN ledger b ON b.id = s.shared
        WHERE t.account = ?1 AND t.reason IS NULL
            AND (t.expires IS NULL OR t.expires > ?2 OR EXISTS (
                SELECT 1 FROM subscription u
                WHERE u.original = coalesce(b.original, b.id) AND u.latest = b.id
                    AND u.state = 'grace'))
        ORDER BY t.id
        """

    static let sharesGiven: StaticString =
        """
        SELECT t.* FROM ledger b JOIN ledger_share s ON s.shared = b.id
            JOIN transaction_record t ON t.id = s.id
        WHERE b.account = ?1 AND t.reason IS NULL
            AND (t.expires IS NULL OR t.expires > ?2 OR EXISTS (
                SELECT 1 FROM subscription u
                WHERE u.original = coalesce(b.original, b.id) AND u.latest = b.id
                    AND u.state = 'grace'))
        ORDER BY t.id
        """

    static let purchases: StaticString =
        """
        SELECT l.* FROM history h JOIN ledger_entry l ON l.id = h.id
        WHERE l.account = ?1
            AND l.product_type IN ('Non-Consumable', 'Auto-Renewable Subscription')
            AND NOT EXISTS (SELECT 1 FROM ledger_share s WHERE s.id = l.id)
            AND NOT EXISTS (SELECT 1 FROM revoked r WHERE r.id = l.id)
            AND (l.product_type = 'Non-Consumable' OR EXISTS (
                SELECT 1 FROM subscription u
                WHERE u.original = coalesce(l.original, l.id) AND u.latest = l.id))
        ORDER BY l.id
        """

    private struct Head {
        let id: Int64
        let organizer: AccountID
        let environment: StoreEnvironment
    }

    private func readHead(_ row: any SQLRow) throws -> Head {
        Head(
            id: row.integer(0), organizer: AccountID(number: row.integer(1)),
            environment: try row.value(2, StoreEnvironment.init(rawValue:)))
    }

    private func complete(_ head: Head) throws -> Family {
        Family(
            id: head.id, organizer: head.organizer, environment: head.environment,
            members: try connection.rows(
                "SELECT account FROM family_member WHERE family = ?1 ORDER BY date, account",
                [.integer(head.id)]
            ) { AccountID(number: $0.integer(0)) })
    }
}
