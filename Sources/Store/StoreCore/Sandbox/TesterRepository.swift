import Foundation
import StoreDatabase
import StoreModel

/// Sandbox testers, and what their publishers do to them.
package struct TesterRepository {
    let connection: any SQLConnection

    // MARK: Testers

    /// A tester of any status.
    package func tester(_ account: AccountID) throws -> Tester? {
        try connection.find(Tester.self, account)
    }

    /// Testers that are not deleted, the first made first.
    ///
    /// - Parameters:
    ///   - team: whose; nil for all.
    ///   - text: gives those with it in the address or a name only; empty gives all.
    ///   - includesConverted: whether those come too that became real accounts.
    package func testers(
        of team: Int64?, matching text: String, includesConverted: Bool, _ page: PageRequest
    ) throws -> ListPage<Tester> {
        let text = text.lowercased()
        let converted: SQL? = includesConverted ? "OR standing = 'converted'" : nil
        let ofTeam: SQL? = team.map { "AND team = \($0)" }
        return try connection.page(
            Tester.self,
            """
            WHERE (standing = 'active' \(converted))
                AND (instr(email, \(text)) > 0
                    OR instr(lower(first_name || ' ' || last_name), \(text)) > 0) \(ofTeam)
            """, by: "account", page)
    }

    /// Makes a sandbox account a tester of a team.
    package func insert(_ profile: TesterProfile, of account: AccountID, at date: Date) throws {
        try connection.run(
            """
            INSERT INTO tester (account, team, first_name, last_name, secret_question,
                secret_answer_hash, renewal_rate, created)
            VALUES (\(account), \(profile.team), \(profile.firstName), \(profile.lastName),
                \(profile.secret?.question), \(profile.secret?.answerHash),
                \(SubscriptionRenewalRate.standard), \(date))
            """)
    }

    package func setRenewalRate(_ rate: SubscriptionRenewalRate, of account: AccountID) throws {
        try connection.run("UPDATE tester SET renewal_rate = \(rate) WHERE account = \(account)")
    }

    /// Where any account of the sandbox is in its life.
    package func status(of account: AccountID) throws -> TesterStatus {
        // The word for deleted comes behind the one for converted.
        try connection.value(
            TesterStatus.self,
            """
            SELECT ending FROM tester_ending WHERE account = \(account)
            ORDER BY ending DESC LIMIT 1
            """) ?? .active
    }

    /// Records that an account of the sandbox was converted or deleted. The schema refuses the
    /// same a second time.
    package func record(_ ending: TesterStatus, of account: AccountID, at date: Date) throws {
        try Records<SandboxClock>(connection).release(account)
        try connection.run(
            """
            INSERT INTO tester_ending (account, ending, date)
            VALUES (\(account), \(ending), \(date))
            """)
    }

    /// Records that apps see nothing any more of what an account of the sandbox has bought
    /// until now, and that it has none of the items that it got.
    package func recordClearing(of account: AccountID, at date: Date) throws {
        try connection.run(
            """
            INSERT INTO history_clearing (account, last, date, last_sale)
            SELECT \(account), coalesce(max(id), 0), \(date),
                (SELECT coalesce(max(id), 0) FROM item_sale WHERE account = \(account))
            FROM ledger WHERE account = \(account) AND environment = 'Sandbox'
            """)
        // Nobody is asked about the price of what they don't have.
        try connection.run(
            """
            INSERT INTO price_consent_decision (id, agreed, date)
            SELECT c.id, 0, CAST(\(date) AS INTEGER) FROM price_consent c
            WHERE c.account = \(account)
                AND NOT EXISTS (SELECT 1 FROM price_consent_decision d WHERE d.id = c.id)
            """)
    }

    // MARK: Purchases

    /// Whether apps see nothing any more of what an account bought with a transaction.
    package func isCleared(_ transaction: TransactionID, of account: AccountID) throws -> Bool {
        try connection.exists(
            "FROM history_clearing WHERE account = \(account) AND last >= \(transaction)")
    }

    /// The last transaction of an account of which apps see nothing any more; nil for none.
    package func lastCleared(of account: AccountID) throws -> TransactionID? {
        try connection.value(
            TransactionID?.self,
            "SELECT max(last) FROM history_clearing WHERE account = \(account)") ?? nil
    }

    /// A payment that was declined under a key.
    package func declinedPayment(
        key: String, account: AccountID, app: AppID
    ) throws -> DeclinedPayment? {
        try connection.first(
            DeclinedPayment.self,
            "WHERE account = \(account) AND app = \(app) AND purchase_key = \(key)")
    }

    package func insert(_ payment: DeclinedPayment) throws { try connection.insert(payment) }

    /// Declined payments of a tester in the apps of a team, the newest first.
    package func declinedPayments(
        of account: AccountID, team: Int64, limit: Int
    ) throws -> [DeclinedPayment] {
        try connection.records(
            DeclinedPayment.self,
            """
            SELECT \(DeclinedPayment.columns, of: "d")
            FROM declined_payment d JOIN app a ON a.id = d.app
            WHERE d.account = \(account) AND a.team = \(team) ORDER BY d.date DESC LIMIT \(limit)
            """)
    }

    /// Purchases of a tester in the apps of a team, without restores, the newest first.
    package func purchases(
        of account: AccountID, team: Int64, _ page: PageRequest
    ) throws -> ListPage<TesterPurchase> {
        let found = try connection.records(
            TesterPurchase.self,
            """
            SELECT \(LedgerEntry.columns, of: "l"), f.date AS finish_date,
                r.date AS revocation_date,
                CASE WHEN l.id <= \(account.lastCleared) THEN 1 ELSE 0 END AS is_cleared
            FROM ledger_entry l JOIN app a ON a.id = l.app
                LEFT JOIN ledger_finish f ON f.id = l.id
                LEFT JOIN revoked r ON r.id = l.revocable
            WHERE l.account = \(account) AND l.environment = 'Sandbox' AND l.kind = 'purchase'
                AND a.team = \(team)
            ORDER BY l.id DESC LIMIT \(page.limit) OFFSET \(try page.offset())
            """)
        let total = try connection.value(
            Int.self,
            """
            SELECT count(*) FROM ledger l JOIN app a ON a.id = l.app
            WHERE l.account = \(account) AND l.environment = 'Sandbox' AND l.kind = 'purchase'
                AND a.team = \(team)
            """)
        return try ListPage(found, total: total ?? 0, from: page)
    }

    /// What a tester wanted to buy in the apps of a team and nobody has decided, oldest first.
    package func undecided(of account: AccountID, team: Int64, limit: Int) throws
        -> [PendingPurchase]
    {
        try connection.records(
            PendingPurchase.self,
            """
            SELECT \(PendingPurchase.columns, of: "p") FROM pending_entry p JOIN app a ON a.id = p.app
            WHERE p.account = \(account) AND a.team = \(team) AND p.decision IS NULL
            ORDER BY p.id LIMIT \(limit)
            """)
    }
}

extension StoreRepositories {
    package var testers: TesterRepository { TesterRepository(connection: connection) }
}
