/// Something that is true of every store, whatever its database: a query whose rows are what is
/// wrong.
package struct StoreInvariant: Sendable {
    /// What the check is called, in one or two words.
    package let name: String
    /// What is wrong with the rows, behind their numbers.
    package let problem: String
    package let advice: String
    /// Gives the number of each row that breaks the rule.
    let query: StaticString

    /// Where nothing is known but that the rows are damaged.
    private static let restore =
        "the program never does this: find out who wrote to the database, and restore an earlier "
        + "backup"

    private init(
        _ name: String, _ problem: String, advice: String = restore, _ query: StaticString
    ) {
        (self.name, self.problem, self.advice, self.query) = (name, problem, advice, query)
    }

    package static let all: [StoreInvariant] = ledger + subscriptions + outbox

    private static let ledger = [
        StoreInvariant(
            "purchase keys", "transactions have the purchase key of another one of the account",
            """
            SELECT max(id) FROM ledger GROUP BY account, app, purchase_key HAVING count(*) > 1
            """),
        StoreInvariant(
            "approved purchases", "purchases were approved, and the ledger has none of them",
            """
            SELECT p.id FROM pending_purchase p JOIN pending_decision d ON d.id = p.id
            WHERE d.decision = 'approved' AND NOT EXISTS (
                SELECT 1 FROM ledger l WHERE l.account = p.account AND l.app = p.app
                    AND l.purchase_key IN (p.purchase_key, 'resolved-' || p.purchase_key))
            """),
        StoreInvariant(
            "refused purchases", "transactions stand in the ledger under a key that was refused",
            """
            SELECT l.id FROM refused_purchase r JOIN ledger l
                ON l.account = r.account AND l.app = r.app AND l.purchase_key = r.purchase_key
            """),
        StoreInvariant(
            "charges", "the charged amounts of transactions don't match their prices",
            """
            SELECT id FROM ledger WHERE charged NOT IN (0, unit_price * quantity)
                OR (kind <> 'purchase' AND (charged <> 0 OR original IS NULL))
            """),
        StoreInvariant(
            "first purchases",
            "transactions name a first purchase that does not exist, or is another app's",
            """
            SELECT l.id FROM ledger l LEFT JOIN ledger o ON o.id = l.original
            WHERE l.original IS NOT NULL AND (o.id IS NULL OR o.app <> l.app
                OR o.environment <> l.environment OR o.kind <> 'purchase')
            """),
        StoreInvariant(
            "entitlements", "purchases are in no history: publishers' servers don't see them",
            """
            SELECT l.id FROM ledger l
            WHERE l.kind = 'purchase' AND l.original IS NULL
                AND NOT EXISTS (SELECT 1 FROM history h WHERE h.id = l.id)
                AND NOT EXISTS (SELECT 1 FROM history_clearing c
                    WHERE c.account = l.account AND c.last >= l.id)
            """),
        StoreInvariant(
            "app transactions", "transactions are of an account that does not have the app",
            """
            SELECT l.id FROM ledger l WHERE NOT EXISTS (
                SELECT 1 FROM app_transaction a WHERE a.account = l.account AND a.app = l.app)
            """),
        StoreInvariant(
            "finished transactions", "transactions are finished twice, or are in no ledger",
            """
            SELECT f.id FROM ledger_finish f LEFT JOIN ledger l ON l.id = f.id WHERE l.id IS NULL
            UNION ALL SELECT id FROM ledger_finish GROUP BY id HAVING count(*) > 1
            """),
        StoreInvariant(
            "refunds", "refunds name no purchase, or give back more than it cost",
            """
            SELECT r.id FROM ledger_revocation r LEFT JOIN ledger l ON l.id = r.id
            WHERE l.id IS NULL OR l.kind <> 'purchase' OR r.percentage NOT BETWEEN 0 AND 100000
            """),
        StoreInvariant(
            "granted refunds", "requests for refunds were granted, and nothing was refunded",
            """
            SELECT r.id FROM refund_request r
            WHERE r.outcome = 'REFUNDED' AND NOT EXISTS (
                SELECT 1 FROM ledger_entry e JOIN ledger_revocation v ON v.id = e.revocable
                WHERE e.id = r.transaction_id)
            """),
        StoreInvariant(
            "offer codes", "codes were redeemed more often than they allow",
            """
            SELECT u.ledger FROM offer_code_use u JOIN offer_code c ON c.code = u.code
            WHERE u.number > c.uses
            """),
        StoreInvariant(
            "histories", "histories have revisions above their counter",
            """
            SELECT DISTINCT c.account FROM history_counter c WHERE c.last < (
                SELECT max(h.revision) FROM history h
                WHERE h.account = c.account AND h.app = c.app)
            """),
    ]

    private static let subscriptions = [
        StoreInvariant(
            "periods", "paid periods begin before the one before has ended",
            """
            SELECT b.id
            FROM ledger_period b JOIN ledger l ON l.id = b.id
                JOIN ledger_period a ON a.original = b.original AND a.id < b.id AND a.is_paid = 1
            WHERE b.is_paid = 1 AND l.date < a.expires
                AND NOT EXISTS (SELECT 1 FROM ledger_upgrade u WHERE u.id = a.id)
                AND NOT EXISTS (SELECT 1 FROM ledger_revocation r WHERE r.id = a.id)
                AND NOT EXISTS (SELECT 1 FROM ledger_share s WHERE s.id = b.id)
            """),
        StoreInvariant(
            "upgrades", "more was refunded for a period than was charged",
            """
            SELECT u.id FROM ledger_upgrade u JOIN revoked r ON r.id = u.id
            WHERE r.type <> 'FAMILY_REVOKE' AND u.percentage + r.percentage > 100000
            """),
        StoreInvariant(
            "offers",
            "offers were applied to transactions that are no paid period of the same customer",
            """
            SELECT o.id FROM ledger_offer o LEFT JOIN ledger l ON l.id = o.id
                LEFT JOIN ledger_period p ON p.id = o.id AND p.is_paid = 1
            WHERE l.id IS NULL OR p.id IS NULL OR l.account <> o.account OR l.app <> o.app
                OR p.group_id <> o.group_id
            """),
        // Subscriptions of stores from before periods have none.
        StoreInvariant(
            "paid subscriptions", "payments for a subscription have no period",
            """
            SELECT l.id FROM ledger l
            WHERE l.kind = 'purchase' AND l.product_type = 'Auto-Renewable Subscription'
                AND l.id > (SELECT min(p.id) FROM ledger_period p)
                AND NOT EXISTS (SELECT 1 FROM ledger_period p WHERE p.id = l.id)
            """),
        StoreInvariant(
            "subscriptions", "subscriptions run by a period that is not theirs",
            """
            SELECT s.original FROM subscription s
            WHERE s.state <> 'cleared' AND NOT EXISTS (
                SELECT 1 FROM ledger_period p WHERE p.id = s.latest AND p.original = s.original)
            """),
    ]

    private static let outbox = [
        StoreInvariant(
            "notifications", "notifications were not delivered, and are never sent again",
            advice: "send them with openstore notification resend",
            """
            SELECT id FROM notification WHERE state = 'waiting' AND due IS NULL
            """)
    ]
}
