-- Step 21: what customers get back of a period that ends as a better product begins.

-- How much of what was charged for the period, in thousandths of a per cent.
ALTER TABLE ledger_upgrade ADD COLUMN percentage INTEGER NOT NULL DEFAULT 0
    CHECK (percentage BETWEEN 0 AND 100000);
CREATE INDEX ledger_upgrade_returned ON ledger_upgrade (date) WHERE percentage > 0;

-- As before, with what came back.
DROP VIEW transaction_record;
CREATE VIEW transaction_record AS
    SELECT l.id, l.kind, l.environment, l.account, l.app, l.bundle_id, l.product_id,
        l.product_type, l.purchase_key, l.device, l.quantity, l.unit_price, l.charged,
        l.currency, l.storefront, l.original, l.original_date, l.application_username, l.date,
        l.period, l.revocable, a.id AS app_transaction, p.group_id,
        coalesce((SELECT e.expires FROM ledger_extension e WHERE e.period = p.period
            ORDER BY e.id DESC LIMIT 1), p.expires) AS expires, p.reason AS period_reason,
        u.date AS upgrade_date,
        s.shared, t.token, r.reason, r.date AS revocation_date, r.type AS revocation_type,
        r.percentage, p.is_paid, o.offer_kind, o.offer_identifier, o.offer_mode,
        o.offer_period, o.offer_periods, o.offer_number, u.percentage AS upgrade_percentage
    FROM ledger_entry l
        JOIN app_transaction a ON a.account = l.account AND a.app = l.app
        LEFT JOIN ledger_period p ON p.id = l.id
        LEFT JOIN ledger_share s ON s.id = l.revocable
        LEFT JOIN account_token t ON t.original = coalesce(l.original, l.id)
        LEFT JOIN revoked r ON r.id = l.revocable
        LEFT JOIN ledger_upgrade u ON u.id = p.period
        LEFT JOIN ledger_offer o ON o.id = p.period;
