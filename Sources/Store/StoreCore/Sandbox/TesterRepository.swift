import Foundation
import StoreModel

/// Sandbox testers, and what their publishers do to them.
package struct TesterRepository {
    let connection: any SQLConnection

    // MARK: Testers

    /// A tester of any standing.
    package func tester(_ account: AccountID) throws -> Tester? {
        try connection.row(
            "SELECT * FROM tester_entry WHERE account = ?1", [.integer(account.number)],
            readTester)
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
        let wanted: [SQLValue] = [
            team.map { .integer($0) } ?? .noInteger, .text(text.lowercased()),
            .integer(includesConverted),
        ]
        let place: [SQLValue] = [.integer(page.limit), .integer(try page.offset())]
        // Two statements, so that a team's testers are found by its index.
        let found =
            team == nil
            ? try connection.rows(
                """
                SELECT * FROM tester_entry
                WHERE ?1 IS NULL AND (standing = 'active' OR ?3 = 1 AND standing = 'converted')
                    AND (instr(email, ?2) > 0
                        OR instr(lower(first_name || ' ' || last_name), ?2) > 0)
                ORDER BY account LIMIT ?4 OFFSET ?5
                """, wanted + place, readTester)
            : try connection.rows(
                """
                SELECT * FROM tester_entry
                WHERE team = ?1 AND (standing = 'active' OR ?3 = 1 AND standing = 'converted')
                    AND (instr(email, ?2) > 0
                        OR instr(lower(first_name || ' ' || last_name), ?2) > 0)
                ORDER BY account LIMIT ?4 OFFSET ?5
                """, wanted + place, readTester)
        let total = try connection.row(
            """
            SELECT count(*) FROM tester_entry
            WHERE (?1 IS NULL OR team = ?1)
                AND (standing = 'active' OR ?3 = 1 AND standing = 'converted')
                AND (instr(email, ?2) > 0
                        OR instr(lower(first_name || ' ' || last_name), ?2) > 0)
            """, wanted
        ) { Int($0.integer(0)) }
        return try ListPage(found, total: total ?? 0, from: page)
    }

    /// Makes a sandbox account a tester of a team.
    package func insert(_ profile: TesterProfile, of account: AccountID, at date: Date) throws {
        try connection.run(
            """
            INSERT INTO tester (account, team, first_name, last_name, secret_question,
                secret_answer_hash, renewal_rate, created)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            [
                .integer(account.number), .integer(profile.team), .text(profile.firstName),
                .text(profile.lastName), .text(profile.secret?.question),
                .text(profile.secret?.answerHash),
                .text(SubscriptionRenewalRate.standard.rawValue), .date(date),
            ])
    }

    package func setRenewalRate(_ rate: SubscriptionRenewalRate, of account: AccountID) throws {
        try connection.run(
            "UPDATE tester SET renewal_rate = ?2 WHERE account = ?1",
            [.integer(account.number), .text(rate.rawValue)])
    }

    /// Where any account of the sandbox is in its life.
    package func standing(of account: AccountID) throws -> TesterStanding {
        let ending = try connection.row(
            // The word for deleted comes behind the one for converted.
            "SELECT ending FROM tester_ending WHERE account = ?1 ORDER BY ending DESC LIMIT 1",
            [.integer(account.number)]
        ) { try $0.value(0, TesterStanding.init(rawValue:)) }
        return ending ?? .active
    }

    /// Records that an account of the sandbox was converted or deleted. The schema refuses the
    /// same a second time.
    package func record(_ ending: TesterStanding, of account: AccountID, at date: Date) throws {
        try connection.run(
            "INSERT INTO tester_ending (account, ending, date) VALUES (?1, ?2, ?3)",
            [.integer(account.number), .text(ending.rawValue), .date(date)])
    }

    /// Records that apps see nothing any more of what an account of the sandbox has bought
    /// until now, and that it has none of the items that it got.
    package func recordClearing(of account: AccountID, at date: Date) throws {
        try connection.run(
            """
            INSERT INTO history_clearing (account, last, date, last_sale)
            SELECT ?1, coalesce(max(id), 0), ?2,
                (SELECT coalesce(max(id), 0) FROM item_sale WHERE account = ?1)
            FROM ledger WHERE account = ?1 AND environment = 'Sandbox'
            """, [.integer(account.number), .date(date)])
    }

    private func readTester(_ row: any SQLRow) throws -> Tester {
        Tester(
            account: AccountID(number: row.integer(0)), team: row.integer(1), email: row.text(2),
            firstName: row.text(3), lastName: row.text(4),
            territory: try row.value(5, Storefront.named),
            renewalRate: try row.value(6, SubscriptionRenewalRate.init(rawValue:)),
            settings: AccountSettings(
                asksToBuy: row.integer(7) != 0, interruptsPurchases: row.integer(8) != 0,
                guardian: row.optionalInteger(9).map(AccountID.init(number:)),
                paymentFailure: try row.value(10, PaymentFailure.init(rawValue:))),
            standing: try row.value(11, TesterStanding.init(rawValue:)),
            creationDate: row.date(12), clearingDate: row.isNull(13) ? nil : row.date(13))
    }

    // MARK: Purchases

    /// Whether apps see nothing any more of what an account bought with a transaction.
    package func isCleared(_ transaction: TransactionID, of account: AccountID) throws -> Bool {
        try connection.row(
            "SELECT 1 FROM history_clearing WHERE account = ?1 AND last >= ?2 LIMIT 1",
            [.integer(account.number), .integer(transaction.number)]
        ) { _ in true } ?? false
    }

    /// The last transaction of an account of which apps see nothing any more; nil for none.
    package func lastCleared(of account: AccountID) throws -> TransactionID? {
        let last = try connection.row(
            "SELECT max(last) FROM history_clearing WHERE account = ?1",
            [.integer(account.number)]
        ) { $0.optionalInteger(0) }
        return (last ?? nil).map(TransactionID.init(number:))
    }

    /// A payment that was declined under a key.
    package func declinedPayment(
        key: String, account: AccountID, app: AppID
    ) throws -> DeclinedPayment? {
        try connection.row(
            """
            SELECT account, app, product_id, purchase_key, quantity, unit_price, currency, date
            FROM declined_payment WHERE account = ?1 AND app = ?2 AND purchase_key = ?3
            """, [.integer(account.number), .integer(app.number), .text(key)], readDeclined)
    }

    package func insert(_ payment: DeclinedPayment) throws {
        try connection.run(
            """
            INSERT INTO declined_payment (account, app, product_id, purchase_key, quantity,
                unit_price, currency, date)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            [
                .integer(payment.account.number), .integer(payment.app.number),
                .text(payment.productID.text), .text(payment.key), .integer(payment.quantity),
                .integer(payment.unitPrice.thousandths), .text(payment.unitPrice.currency),
                .date(payment.date),
            ])
    }

    /// Declined payments of a tester in the apps of a team, the newest first.
    package func declinedPayments(
        of account: AccountID, team: Int64, limit: Int
    ) throws -> [DeclinedPayment] {
        try connection.rows(
            """
            SELECT d.account, d.app, d.product_id, d.purchase_key, d.quantity, d.unit_price,
                d.currency, d.date
            FROM declined_payment d JOIN app a ON a.id = d.app
            WHERE d.account = ?1 AND a.team = ?2 ORDER BY d.date DESC LIMIT ?3
            """, [.integer(account.number), .integer(team), .integer(limit)], readDeclined)
    }

    /// Purchases of a tester in the apps of a team, without restores, the newest first.
    package func purchases(
        of account: AccountID, team: Int64, _ page: PageRequest
    ) throws -> ListPage<TesterPurchase> {
        let found = try connection.rows(
            """
            SELECT l.*, f.date, r.date,
                l.id <= (SELECT coalesce(max(last), 0) FROM history_clearing WHERE account = ?1)
            FROM ledger_entry l JOIN app a ON a.id = l.app
                LEFT JOIN ledger_finish f ON f.id = l.id
                LEFT JOIN revoked r ON r.id = l.revocable
            WHERE l.account = ?1 AND l.environment = 'Sandbox' AND l.kind = 'purchase'
                AND a.team = ?2
            ORDER BY l.id DESC LIMIT ?3 OFFSET ?4
            """,
            [
                .integer(account.number), .integer(team), .integer(page.limit),
                .integer(try page.offset()),
            ]
        ) { row in
            let width = LedgerRow.width
            return TesterPurchase(
                entry: try LedgerRow.read(row),
                finishDate: row.isNull(width) ? nil : row.date(width),
                revocationDate: row.isNull(width + 1) ? nil : row.date(width + 1),
                isCleared: row.integer(width + 2) != 0)
        }
        let total = try connection.row(
            """
            SELECT count(*) FROM ledger l JOIN app a ON a.id = l.app
            WHERE l.account = ?1 AND l.environment = 'Sandbox' AND l.kind = 'purchase'
                AND a.team = ?2
            """, [.integer(account.number), .integer(team)]
        ) { Int($0.integer(0)) }
        return try ListPage(found, total: total ?? 0, from: page)
    }

    /// What a tester wanted to buy in the apps of a team and nobody has decided, oldest first.
    package func undecided(of account: AccountID, team: Int64, limit: Int) throws
        -> [PendingPurchase]
    {
        try connection.rows(
            """
            SELECT p.* FROM pending_entry p JOIN app a ON a.id = p.app
            WHERE p.account = ?1 AND a.team = ?2 AND p.decision IS NULL
            ORDER BY p.id LIMIT ?3
            """, [.integer(account.number), .integer(team), .integer(limit)], PendingRow.read)
    }

    private func readDeclined(_ row: any SQLRow) throws -> DeclinedPayment {
        DeclinedPayment(
            account: AccountID(number: row.integer(0)), app: AppID(number: row.integer(1)),
            productID: try row.value(2) { ProductID($0) }, key: row.text(3),
            quantity: Int(row.integer(4)),
            unitPrice: Money(thousandths: row.integer(5), currency: row.text(6)),
            date: row.date(7))
    }
}
