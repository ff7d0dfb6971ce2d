import Foundation
import StoreDatabase
import StoreModel

/// Subscriptions of accounts, as they stand.
package struct RenewalRepository {
    let connection: any SQLConnection

    package func subscription(_ original: TransactionID) throws -> Subscription? {
        try connection.find(Subscription.self, original)
    }

    /// What an account has in a group, whether it runs or has ended.
    package func subscription(
        of account: AccountID, app: AppID, group: String
    ) throws -> Subscription? {
        try connection.first(
            Subscription.self,
            """
            WHERE account = \(account) AND app = \(app) AND group_id = \(group)
                AND state <> 'cleared'
            """)
    }

    /// Everything of an account in an app, without what was cleared.
    package func subscriptions(of account: AccountID, app: AppID) throws -> [Subscription] {
        try connection.all(
            Subscription.self,
            """
            WHERE account = \(account) AND app = \(app) AND state <> 'cleared' ORDER BY original
            """)
    }

    /// Everything of an account, without what was cleared.
    package func subscriptions(of account: AccountID) throws -> [Subscription] {
        try connection.all(
            Subscription.self,
            "WHERE account = \(account) AND state <> 'cleared' ORDER BY original")
    }

    /// Adds a subscription, or changes how it stands.
    package func save(_ subscription: Subscription) throws { try connection.save(subscription) }

    /// Notes that a transaction is a paid period of a subscription.
    package func insertPeriod(
        _ id: TransactionID, of subscription: Subscription, end: Date, reason: TransactionReason
    ) throws {
        try connection.run(
            """
            INSERT INTO ledger_period (id, original, group_id, expires, reason, is_paid, period)
            VALUES (\(id), \(subscription.original.id), \(subscription.group), \(end), \(reason),
                1, \(id))
            """)
    }

    /// Notes that a transaction stands for a paid period: ends when it does, and is taken back with
    /// it. Changes nothing where there is no such period.
    package func insertStandIn(_ id: TransactionID, for period: TransactionID) throws {
        try connection.run(
            """
            INSERT INTO ledger_period (id, original, group_id, expires, reason, is_paid, period)
            SELECT CAST(\(id) AS INTEGER), original, group_id, expires, 'PURCHASE', 0, period
            FROM ledger_period WHERE id = \(period)
            """)
    }

    /// When the time ends that was paid for with a period, without what was given beside it.
    func paidEnd(of period: TransactionID) throws -> Date? {
        try connection.value(Date.self, "SELECT expires FROM ledger_period WHERE id = \(period)")
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
            "UPDATE subscription SET set_aside = \(reason) WHERE original = \(original)")
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
        try connection.all(
            Subscription.self,
            """
            WHERE app = \(app) AND environment = \(environment) AND product_id = \(product)
                AND original > \(after) AND state IN \(cases: Subscription.State.entitled)
            ORDER BY original LIMIT \(limit)
            """)
    }

    /// The number of the next subscription that a request concerns, whether it can be read or not.
    func nextRunning(of work: MassExtension) throws -> TransactionID? {
        try connection.value(
            TransactionID.self,
            """
            SELECT original FROM subscription
            WHERE app = \(work.app) AND environment = \(work.environment)
                AND product_id = \(work.product) AND original > \(work.position)
                AND state IN \(cases: Subscription.State.entitled)
            ORDER BY original LIMIT 1
            """)
    }

    /// The last question about the price of a product; `nil` where none was asked.
    ///
    /// - Parameter currency: that the account pays in; questions in another one don't count.
    func latestPriceConsent(
        about product: ProductID, account: AccountID, app: AppID, in currency: String
    ) throws -> LatestPriceConsent? {
        try connection.records(
            LatestPriceConsent.self,
            """
            SELECT \(LatestPriceConsent.columns) FROM price_consent c
                LEFT JOIN (SELECT id AS question, agreed, date AS answered
                    FROM price_consent_decision) d ON d.question = c.id
            WHERE c.account = \(account) AND c.app = \(app) AND c.product_id = \(product)
                AND (c.currency IS NULL OR c.currency = \(currency))
            ORDER BY c.id DESC LIMIT 1
            """
        ).first
    }
}

/// A question about a higher price, and how it was answered.
struct LatestPriceConsent: RecordPart {
    let asked: PriceConsentDraft
    private let date: Date
    /// `nil` while nobody has answered.
    private let agreed: Bool?
    private let answered: Date?

    init(_ column: borrowing RecordColumns<Self>) throws {
        asked = try column.part(\.asked)
        date = try column("date", \.date)
        agreed = try column("agreed", \.agreed)
        answered = try column("answered", \.answered)
    }

    /// Whether it counts for a subscription whose customer chose the product at a date: as long as it is
    /// open, and if the customer agreed then or later. Who has refused is not renewed: the subscription
    /// says so itself.
    func counts(since choice: Date) -> Bool {
        guard let agreed, let answered else {
            // Earlier versions left questions open that a choice had answered.
            return asked.currency != nil || date > choice
        }
        // Not every date comes from the database, which keeps milliseconds.
        return agreed && answered.wholeMilliseconds >= choice.wholeMilliseconds
    }

    var isOpen: Bool { agreed == nil }

    /// The most that the customer pays until they are asked again; `nil` where the catalog alone says it.
    var highestPrice: Int64? {
        guard let current = asked.currentPrice else { return nil }
        return isOpen ? current.thousandths : asked.newPrice
    }
}

extension StoreRepositories {
    /// Subscriptions of accounts.
    package var renewals: RenewalRepository { RenewalRepository(connection: connection) }
}
