import Foundation
import StoreModel

/// Subscriptions of accounts, as they stand.
package struct RenewalRepository {
    let connection: any SQLConnection

    package func subscription(_ original: TransactionID) throws -> Subscription? {
        try connection.row(
            """
            SELECT s.*, l.date FROM subscription s JOIN ledger l ON l.id = s.original
            WHERE s.original = ?1
            """, [.integer(original.number)], read)
    }

    /// What an account has in a group, whether it runs or has ended.
    package func subscription(
        of account: AccountID, app: AppID, group: String
    ) throws -> Subscription? {
        try connection.row(
            """
            SELECT s.*, l.date FROM subscription s JOIN ledger l ON l.id = s.original
            WHERE s.account = ?1 AND s.app = ?2 AND s.group_id = ?3 AND s.state <> 'cleared'
            """, [.integer(account.number), .integer(app.number), .text(group)], read)
    }

    /// Everything of an account in an app, without what was cleared.
    package func subscriptions(of account: AccountID, app: AppID) throws -> [Subscription] {
        try connection.rows(
            """
            SELECT s.*, l.date FROM subscription s JOIN ledger l ON l.id = s.original
            WHERE s.account = ?1 AND s.app = ?2 AND s.state <> 'cleared'
            ORDER BY s.original
            """, [.integer(account.number), .integer(app.number)], read)
    }

    /// Everything of an account, without what was cleared.
    package func subscriptions(of account: AccountID) throws -> [Subscription] {
        try connection.rows(
            """
            SELECT s.*, l.date FROM subscription s JOIN ledger l ON l.id = s.original
            WHERE s.account = ?1 AND s.state <> 'cleared' ORDER BY s.original
            """, [.integer(account.number)], read)
    }

    /// Adds a subscription, or changes how it stands.
    package func save(_ subscription: Subscription) throws {
        try connection.run(
            """
            INSERT INTO subscription (original, account, environment, app, group_id, product_id,
                renewal_product_id, renews, state, latest, started, expires, grace_end, retry_end,
                intent, renewals, due)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
            ON CONFLICT (original) DO UPDATE SET product_id = excluded.product_id,
                renewal_product_id = excluded.renewal_product_id, renews = excluded.renews,
                state = excluded.state, latest = excluded.latest, started = excluded.started,
                expires = excluded.expires, grace_end = excluded.grace_end,
                retry_end = excluded.retry_end, intent = excluded.intent,
                renewals = excluded.renewals, due = excluded.due, set_aside = NULL
            """,
            [
                .integer(subscription.original.id.number), .integer(subscription.account.number),
                .text(subscription.environment.rawValue), .integer(subscription.app.number),
                .text(subscription.group), .text(subscription.product.text),
                .text(subscription.renewalProduct.text), .integer(subscription.renews),
                .text(subscription.state.rawValue), .integer(subscription.latest.number),
                .date(subscription.start), .date(subscription.expiration),
                .date(subscription.graceEnd), .date(subscription.retryEnd),
                subscription.intent.map { .integer($0.rawValue) } ?? .noInteger,
                .integer(subscription.renewals), .date(subscription.due),
            ])
    }

    /// Notes that a transaction is a paid period of a subscription.
    package func insertPeriod(
        _ id: TransactionID, of subscription: Subscription, end: Date, reason: TransactionReason
    ) throws {
        try connection.run(
            """
            INSERT INTO ledger_period (id, original, group_id, expires, reason, is_paid, period)
            VALUES (?1, ?2, ?3, ?4, ?5, 1, ?1)
            """,
            [
                .integer(id.number), .integer(subscription.original.id.number),
                .text(subscription.group), .date(end), .text(reason.rawValue),
            ])
    }

    /// Notes that a transaction stands for a paid period: ends when it does, and is taken back with
    /// it. Changes nothing where there is no such period.
    package func insertStandIn(_ id: TransactionID, for period: TransactionID) throws {
        try connection.run(
            """
            INSERT INTO ledger_period (id, original, group_id, expires, reason, is_paid, period)
            SELECT ?1, original, group_id, expires, 'PURCHASE', 0, period FROM ledger_period
            WHERE id = ?2
            """, [.integer(id.number), .integer(period.number)])
    }

    /// When the time ends that was paid for with a period, without what was given beside it.
    func paidEnd(of period: TransactionID) throws -> Date? {
        try connection.row(
            "SELECT expires FROM ledger_period WHERE id = ?1", [.integer(period.number)]
        ) { $0.date(0) }
    }

    /// Notes that a better product has ended a period.
    ///
    /// - Parameter part: how much of its charge comes back, in thousandths of a per cent.
    package func recordUpgrade(
        of period: TransactionID, returning part: Int, at date: Date
    ) throws {
        try connection.run(
            """
            INSERT INTO ledger_upgrade (id, date, percentage)
            VALUES (\(period), \(date), \(part)) ON CONFLICT DO NOTHING
            """)
    }

    /// Those that are due, the longest waiting first, without those that were set aside. Who follows
    /// a sandbox clock is not due by the store's time.
    package func due(at date: Date, limit: Int) throws -> [TransactionID] {
        try connection.values(
            TransactionID.self,
            """
            SELECT original FROM subscription
            WHERE due IS NOT NULL AND due <= \(date) AND set_aside IS NULL AND \(Self.followsStore)
            ORDER BY due LIMIT \(limit)
            """)
    }

    private static let followsStore: SQL = """
        (environment = 'Production' OR NOT EXISTS (
            SELECT 1 FROM sandbox_time f
            WHERE f.account = subscription.account AND f.app = subscription.app))
        """

    /// Keeps a subscription that can't be renewed, ended or made longer from keeping others waiting, with the
    /// reason, until it is saved again.
    package func setAside(_ original: TransactionID, because reason: String) throws {
        try connection.run(
            "UPDATE subscription SET set_aside = ?2 WHERE original = ?1",
            [.integer(original.number), .text(reason)])
    }

    /// When the next one is due by the store's time; nil for none, and for those that were set aside.
    package func nextDue() throws -> Date? {
        try connection.value(
            Date.self,
            """
            SELECT due FROM subscription
            WHERE due IS NOT NULL AND set_aside IS NULL AND \(Self.followsStore)
            ORDER BY due LIMIT 1
            """)
    }

    /// Running subscriptions to a product behind a number, in order.
    package func running(
        product: ProductID, app: AppID, in environment: StoreEnvironment, after: Int64, limit: Int
    ) throws -> [Subscription] {
        try connection.rows(
            """
            SELECT s.*, l.date FROM subscription s JOIN ledger l ON l.id = s.original
            WHERE s.app = ?1 AND s.environment = ?2 AND s.product_id = ?3 AND s.original > ?4
                AND s.state IN ('active', 'grace')
            ORDER BY s.original LIMIT ?5
            """,
            [
                .integer(app.number), .text(environment.rawValue), .text(product.text),
                .integer(after), .integer(limit),
            ], read)
    }

    /// The number of the next subscription that a request concerns, whether it can be read or not.
    func nextRunning(of work: MassExtension) throws -> TransactionID? {
        try connection.value(
            TransactionID.self,
            """
            SELECT original FROM subscription
            WHERE app = \(work.app) AND environment = \(work.environment)
                AND product_id = \(work.product) AND original > \(work.position)
                AND state IN ('active', 'grace')
            ORDER BY original LIMIT 1
            """)
    }

    /// How the last question about the price of a product stands.
    ///
    /// - Parameter since: of questions from then on.
    package func priceIncrease(
        of product: ProductID, account: AccountID, app: AppID, since: Date
    ) throws -> RenewalSituation.PriceIncrease {
        try connection.row(
            """
            SELECT d.agreed FROM price_consent c LEFT JOIN price_consent_decision d ON d.id = c.id
            WHERE c.account = ?1 AND c.app = ?2 AND c.product_id = ?3 AND c.date >= ?4
            ORDER BY c.id DESC LIMIT 1
            """,
            [
                .integer(account.number), .integer(app.number), .text(product.text), .date(since),
            ]
        ) { row -> RenewalSituation.PriceIncrease in
            row.isNull(0) ? .unanswered : row.integer(0) != 0 ? .agreed : .refused
        } ?? .none
    }

    private func read(_ row: any SQLRow) throws -> Subscription {
        Subscription(
            original: LedgerOriginal(
                id: TransactionID(number: row.integer(0)), date: row.date(18)),
            account: AccountID(number: row.integer(1)),
            environment: try row.value(2, StoreEnvironment.init(rawValue:)),
            app: AppID(number: row.integer(3)), group: row.text(4),
            product: try row.value(5) { ProductID($0) },
            renewalProduct: try row.value(6) { ProductID($0) }, renews: row.integer(7) != 0,
            state: try row.value(8, Subscription.State.init(rawValue:)),
            latest: TransactionID(number: row.integer(9)), start: row.date(10),
            expiration: row.date(11), graceEnd: row.isNull(12) ? nil : row.date(12),
            retryEnd: row.isNull(13) ? nil : row.date(13),
            intent: row.optionalInteger(14).flatMap {
                Subscription.ExpirationIntent(rawValue: Int($0))
            },
            renewals: Int(row.integer(15)), due: row.isNull(16) ? nil : row.date(16))
    }
}
