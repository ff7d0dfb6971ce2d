import Foundation
import StoreDatabase
import StoreModel

/// Families, and what came to accounts through them.
package struct FamilyRepository {
    let connection: any SQLConnection

    /// The family that an account organizes or is in.
    package func family(of account: AccountID) throws -> Family? {
        try connection.first(
            FamilyRow.self,
            """
            WHERE organizer = \(account)
                OR id = (SELECT family FROM family_member WHERE account = \(account))
            """
        ).map(complete)
    }

    /// The family that an account organizes, made where there is none.
    package func family(
        organizedBy account: AccountID, in environment: StoreEnvironment, at date: Date
    ) throws -> Family {
        try connection.run(
            """
            INSERT INTO family (organizer, environment, date)
            VALUES (\(account), \(environment), \(date)) ON CONFLICT (organizer) DO NOTHING
            """)
        guard let family = try family(of: account) else {
            throw SQLError(code: .corrupt, "the database lost a family")
        }
        return family
    }

    package func add(_ account: AccountID, to family: Family, at date: Date) throws {
        try connection.run(
            """
            INSERT INTO family_member (account, family, environment, date)
            VALUES (\(account), \(family.id), \(family.environment), \(date))
            """)
    }

    /// Takes a member out; a family without members is none any longer.
    package func remove(_ account: AccountID) throws {
        let family = try connection.value(
            Int64.self, "DELETE FROM family_member WHERE account = \(account) RETURNING family")
        guard let family else { return }
        try connection.run(
            """
            DELETE FROM family WHERE id = \(family)
                AND NOT EXISTS (SELECT 1 FROM family_member m WHERE m.family = family.id)
            """)
    }

    package func families() throws -> [Family] {
        try connection.all(FamilyRow.self, "ORDER BY id").map(complete)
    }

    private func complete(_ row: FamilyRow) throws -> Family {
        Family(
            id: row.id, organizer: row.organizer, environment: row.environment,
            members: try connection.values(
                AccountID.self,
                """
                SELECT account FROM family_member WHERE family = \(row.id)
                ORDER BY date, account
                """))
    }

    /// What accounts got of a purchase, and have still.
    package func shares(of purchase: TransactionID) throws -> [LedgerEntry] {
        try connection.records(
            LedgerEntry.self,
            """
            SELECT \(LedgerEntry.columns, of: "l")
            FROM ledger_share s JOIN ledger_entry l ON l.id = s.id
            WHERE s.shared = \(purchase)
                AND NOT EXISTS (SELECT 1 FROM revoked r WHERE r.id = s.id)
            ORDER BY s.id
            """)
    }

    /// How often an account got a purchase, whether it has it still or not.
    package func shareCount(of purchase: TransactionID, with account: AccountID) throws -> Int {
        try connection.value(
            Int.self,
            """
            SELECT count(*) FROM ledger_share s JOIN ledger l ON l.id = s.id
            WHERE s.shared = \(purchase) AND l.account = \(account)
            """) ?? 0
    }

    /// The first period that an account got of a subscription, whether it has it still or not,
    /// without what was cleared.
    package func firstShare(
        ofSubscription original: TransactionID, with account: AccountID
    ) throws -> LedgerEntry? {
        try connection.records(LedgerEntry.self, Self.firstShare(of: original, with: account)).first
    }

    /// What an account got through its family, and has at a date.
    package func sharesReceived(by account: AccountID, at date: Date) throws -> [LedgerEntry] {
        try connection.records(LedgerEntry.self, Self.shares(to: account, at: date))
    }

    /// What others got of an account, and have at a date.
    package func sharesGiven(by account: AccountID, at date: Date) throws -> [LedgerEntry] {
        try connection.records(LedgerEntry.self, Self.shares(from: account, at: date))
    }

    /// First purchases and running periods of an account, in all apps, that it has still.
    package func purchases(of account: AccountID) throws -> [LedgerEntry] {
        try connection.records(LedgerEntry.self, Self.purchases(of: account))
    }

    /// The last period of each subscription that an account got through its family in an app,
    /// whether it has it still or not, without what was cleared.
    package func sharedSubscriptions(of subject: HistorySubject) throws -> [TransactionRecord] {
        try connection.records(
            TransactionRow.self,
            """
            SELECT \(TransactionRow.columns, of: "t")
            FROM shared_subscription s JOIN history h ON h.id = s.latest
                JOIN transaction_record t ON t.id = s.latest
            WHERE s.account = \(subject.account) AND s.app = \(subject.app) ORDER BY s.original
            """
        ).map(\.record)
    }

    package func recordShare(_ id: TransactionID, of purchase: TransactionID) throws {
        try connection.run("INSERT INTO ledger_share (id, shared) VALUES (\(id), \(purchase))")
    }

    /// Whether the account got the transaction through its family.
    package func isShared(_ id: TransactionID) throws -> Bool {
        try connection.exists("FROM ledger_share WHERE id = \(id)")
    }

    // MARK: Statements

    static func firstShare(of original: TransactionID, with account: AccountID) -> SQL {
        """
        SELECT \(LedgerEntry.columns, of: "l")
        FROM ledger_period p JOIN ledger_share s ON s.shared = p.id
            JOIN ledger_entry l ON l.id = s.id
        WHERE p.original = \(original) AND l.account = \(account)
            AND l.id > \(account.lastCleared)
        ORDER BY l.id LIMIT 1
        """
    }

    static func shares(to account: AccountID, at date: Date) -> SQL {
        """
        SELECT \(LedgerEntry.columns, of: "t")
        FROM transaction_record t JOIN ledger_share s ON s.id = t.id
            JOIN ledger b ON b.id = s.shared
        WHERE t.account = \(account) AND \(isHeld(at: date))
        ORDER BY t.id
        """
    }

    static func shares(from account: AccountID, at date: Date) -> SQL {
        """
        SELECT \(LedgerEntry.columns, of: "t")
        FROM ledger b JOIN ledger_share s ON s.shared = b.id
            JOIN transaction_record t ON t.id = s.id
        WHERE b.account = \(account) AND \(isHeld(at: date))
        ORDER BY t.id
        """
    }

    /// The condition that an account still has `t`, its share of the purchase `b`.
    private static func isHeld(at date: Date) -> SQL {
        """
        t.reason IS NULL AND (t.expires IS NULL OR t.expires > \(date) OR EXISTS (
            SELECT 1 FROM subscription u
            WHERE u.original = coalesce(b.original, b.id) AND u.latest = b.id
                AND u.state = 'grace'))
        """
    }

    static func purchases(of account: AccountID) -> SQL {
        """
        SELECT \(LedgerEntry.columns, of: "l") FROM history h JOIN ledger_entry l ON l.id = h.id
        WHERE l.account = \(account)
            AND l.product_type IN ('Non-Consumable', 'Auto-Renewable Subscription')
            AND NOT EXISTS (SELECT 1 FROM ledger_share s WHERE s.id = l.id)
            AND NOT EXISTS (SELECT 1 FROM revoked r WHERE r.id = l.id)
            AND (l.product_type = 'Non-Consumable' OR EXISTS (
                SELECT 1 FROM subscription u
                WHERE u.original = coalesce(l.original, l.id) AND u.latest = l.id))
        ORDER BY l.id
        """
    }
}

extension StoreRepositories {
    package var families: FamilyRepository { FamilyRepository(connection: connection) }
}
