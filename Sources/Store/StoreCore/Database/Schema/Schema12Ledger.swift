/// What is read of the ledger by account, on which day it was written, and what came of a family.
let schema12Ledger: String =
    """
    -- What receipts show is read from here, the newest first.
    CREATE INDEX ledger_of_account ON ledger (account, app, id) WHERE kind = 'purchase';

    -- A purchase that was written behind the day of its date: a renewal while the store was not
    -- running. Reports of sales count it on the day that it was written.
    CREATE TABLE ledger_posting (
        id INTEGER PRIMARY KEY REFERENCES ledger (id),
        date INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX ledger_posting_by_date ON ledger_posting (date);

    -- As before, but for the share: what repeats or restores one came through the family too.
    DROP VIEW transaction_record;
    CREATE VIEW transaction_record AS
        SELECT l.id, l.kind, l.environment, l.account, l.app, l.bundle_id, l.product_id,
            l.product_type, l.purchase_key, l.device, l.quantity, l.unit_price, l.charged,
            l.currency, l.storefront, l.original, l.original_date, l.application_username, l.date,
            l.period, l.revocable, a.id AS app_transaction, p.group_id,
            coalesce((SELECT e.expires FROM ledger_extension e WHERE e.period = p.period
                ORDER BY e.id DESC LIMIT 1), p.expires) AS expires, p.reason AS period_reason,
            CAST(EXISTS (SELECT 1 FROM ledger_upgrade u WHERE u.id = p.period) AS INT)
                AS is_upgraded,
            s.shared, t.token, r.reason, r.date AS revocation_date, r.type AS revocation_type,
            r.percentage, p.is_paid
        FROM ledger_entry l
            JOIN app_transaction a ON a.account = l.account AND a.app = l.app
            LEFT JOIN ledger_period p ON p.id = l.id
            LEFT JOIN ledger_share s ON s.id = l.revocable
            LEFT JOIN account_token t ON t.original = coalesce(l.original, l.id)
            LEFT JOIN revoked r ON r.id = l.revocable;

    """ + constancyTriggers(for: ["ledger_posting"])
