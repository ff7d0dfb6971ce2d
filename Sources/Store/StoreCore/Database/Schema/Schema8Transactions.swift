/// What signed transactions say beside the ledger's rows, and the order in which servers read an
/// account's history.
let schema8Transactions: String =
    """
    -- That an account has an app. The number is the app transaction's.
    CREATE TABLE app_transaction (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        account INTEGER NOT NULL,
        environment TEXT NOT NULL,
        app INTEGER NOT NULL REFERENCES app (id),
        date INTEGER NOT NULL,
        UNIQUE (account, app),
        FOREIGN KEY (account, environment) REFERENCES account (id, environment)
    ) STRICT;
    INSERT INTO sqlite_sequence (name, seq) VALUES ('app_transaction', 700000000000000000);
    INSERT INTO app_transaction (account, environment, app, date)
        SELECT account, min(environment), app, min(date) FROM ledger
        GROUP BY account, app ORDER BY min(id);
    CREATE TRIGGER app_transaction_of_ledger AFTER INSERT ON ledger
        WHEN NOT EXISTS (
            SELECT 1 FROM app_transaction WHERE account = NEW.account AND app = NEW.app)
        BEGIN
            INSERT INTO app_transaction (account, environment, app, date)
            VALUES (NEW.account, NEW.environment, NEW.app, NEW.date);
        END;

    -- What a transaction is to a subscription.
    CREATE TABLE ledger_period (
        id INTEGER PRIMARY KEY REFERENCES ledger (id),
        -- The subscription's first purchase.
        original INTEGER NOT NULL REFERENCES ledger (id),
        group_id TEXT NOT NULL,
        expires INTEGER NOT NULL,
        reason TEXT NOT NULL CHECK (reason IN ('PURCHASE', 'RENEWAL')),
        -- 0 where it began no period: it restores one, or the order changed the subscription.
        is_paid INTEGER NOT NULL CHECK (is_paid IN (0, 1)),
        -- The paid period that it is, or stands for: it ends with that, and is taken back with it.
        period INTEGER NOT NULL REFERENCES ledger (id),
        CHECK ((is_paid = 1) = (period = id))
    ) STRICT;
    CREATE INDEX ledger_period_by_original ON ledger_period (original, id);

    -- The columns in the order in which the program reads them.
    DROP VIEW ledger_entry;
    CREATE VIEW ledger_entry AS
        SELECT l.id, l.kind, l.environment, l.account, l.app, l.bundle_id, l.product_id,
            l.product_type, l.purchase_key, l.device, l.quantity, l.unit_price, l.charged,
            l.currency, l.storefront, l.original, l.original_date, l.application_username, l.date,
            (SELECT p.period FROM ledger_period p WHERE p.id = l.id AND p.period <> p.id)
                AS period,
            -- What is revoked where this one is.
            coalesce((SELECT p.period FROM ledger_period p WHERE p.id = l.id),
                CASE WHEN l.kind = 'purchase' AND l.product_type = 'Auto-Renewable Subscription'
                    THEN l.id ELSE coalesce(l.original, l.id) END) AS revocable
        FROM ledger l;

    -- A period that was made longer; the last one counts.
    CREATE TABLE ledger_extension (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        period INTEGER NOT NULL REFERENCES ledger_period (id),
        original INTEGER NOT NULL REFERENCES ledger (id),
        app INTEGER NOT NULL,
        expires INTEGER NOT NULL,
        days INTEGER NOT NULL CHECK (days BETWEEN 1 AND 90),
        reason INTEGER NOT NULL CHECK (reason BETWEEN 0 AND 3),
        -- Longer than a request's own: those of many at once have something before it.
        request TEXT NOT NULL CHECK (length(request) BETWEEN 1 AND 140),
        date INTEGER NOT NULL,
        UNIQUE (original, request)
    ) STRICT;
    CREATE INDEX ledger_extension_by_period ON ledger_extension (period, id);

    -- A period that ended because the customer went on to a better product of its group.
    CREATE TABLE ledger_upgrade (
        id INTEGER PRIMARY KEY REFERENCES ledger_period (id),
        date INTEGER NOT NULL
    ) STRICT;

    -- What came to an account through its family.
    CREATE TABLE ledger_share (
        id INTEGER PRIMARY KEY REFERENCES ledger (id),
        shared INTEGER NOT NULL REFERENCES ledger (id)
    ) STRICT;
    CREATE INDEX ledger_share_by_shared ON ledger_share (shared);

    -- The token that a publisher's server set for a first purchase, instead of the app's.
    CREATE TABLE account_token (
        original INTEGER PRIMARY KEY REFERENCES ledger (id),
        token TEXT NOT NULL CHECK (length(token) = 36),
        date INTEGER NOT NULL
    ) STRICT;

    ALTER TABLE ledger_revocation ADD COLUMN type TEXT NOT NULL DEFAULT 'REFUND_FULL'
        CHECK (type IN ('REFUND_FULL', 'REFUND_PRORATED', 'FAMILY_REVOKE'));
    ALTER TABLE ledger_revocation ADD COLUMN percentage INTEGER NOT NULL DEFAULT 100000
        CHECK (percentage BETWEEN 0 AND 100000);

    -- A revocation that was taken back.
    CREATE TABLE ledger_reversal (
        id INTEGER PRIMARY KEY REFERENCES ledger_revocation (id),
        date INTEGER NOT NULL
    ) STRICT;
    CREATE VIEW revoked AS
        SELECT id, reason, date, type, percentage FROM ledger_revocation
        WHERE NOT EXISTS (SELECT 1 FROM ledger_reversal v WHERE v.id = ledger_revocation.id);

    -- What servers see of an account in an app, in the order in which it last changed. A row for
    -- each purchase that is one of its own: not for what repeats or restores another.
    CREATE TABLE history (
        id INTEGER PRIMARY KEY REFERENCES ledger (id),
        account INTEGER NOT NULL,
        app INTEGER NOT NULL,
        revision INTEGER NOT NULL,
        is_revoked INTEGER NOT NULL DEFAULT 0 CHECK (is_revoked IN (0, 1))
    ) STRICT;
    -- What a customer bought in all apps, in the order of the numbers.
    CREATE INDEX history_by_account ON history (account);
    CREATE UNIQUE INDEX history_by_revision ON history (account, app, revision);
    CREATE UNIQUE INDEX history_of_revoked ON history (account, app, revision)
        WHERE is_revoked = 1;
    INSERT INTO history (id, account, app, revision, is_revoked)
        SELECT l.id, l.account, l.app, row_number() OVER (
                PARTITION BY l.account, l.app ORDER BY l.id),
            CAST(EXISTS (SELECT 1 FROM ledger_revocation r WHERE r.id = l.id) AS INT)
        FROM ledger l
        WHERE l.kind = 'purchase' AND l.original IS NULL AND l.id > ifnull(
            (SELECT max(last) FROM history_clearing c WHERE c.account = l.account), 0);
    -- The last revision of each history. It outlives clearings: servers keep revisions, and ask for
    -- what came behind them.
    CREATE TABLE history_counter (
        account INTEGER NOT NULL,
        app INTEGER NOT NULL,
        last INTEGER NOT NULL,
        PRIMARY KEY (account, app)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO history_counter (account, app, last)
        SELECT account, app, max(revision) FROM history GROUP BY account, app;
    CREATE TRIGGER history_of_purchase AFTER INSERT ON ledger
        WHEN NEW.kind = 'purchase' AND NEW.original IS NULL
        BEGIN
            INSERT INTO history_counter (account, app, last) VALUES (NEW.account, NEW.app, 1)
                ON CONFLICT (account, app) DO UPDATE SET last = history_counter.last + 1;
            INSERT INTO history (id, account, app, revision)
            SELECT NEW.id, c.account, c.app, c.last FROM history_counter c
            WHERE c.account = NEW.account AND c.app = NEW.app;
        END;
    CREATE TRIGGER history_of_period AFTER INSERT ON ledger_period
        WHEN NEW.is_paid = 1 AND NEW.id <> NEW.original
        BEGIN
            INSERT INTO history_counter (account, app, last)
                SELECT l.account, l.app, 1 FROM ledger l WHERE l.id = NEW.id
                ON CONFLICT (account, app) DO UPDATE SET last = history_counter.last + 1;
            INSERT INTO history (id, account, app, revision)
            SELECT l.id, c.account, c.app, c.last
            FROM ledger l JOIN history_counter c ON c.account = l.account AND c.app = l.app
            WHERE l.id = NEW.id;
        END;
    CREATE TRIGGER history_is_cleared AFTER INSERT ON history_clearing
        BEGIN DELETE FROM history WHERE account = NEW.account AND id <= NEW.last; END;
    \(historyTrigger("revocation", after: "INSERT ON ledger_revocation", set: "is_revoked = 1,"))
    \(historyTrigger("reversal", after: "INSERT ON ledger_reversal", set: "is_revoked = 0,"))
    \(historyTrigger("extension", after: "INSERT ON ledger_extension", of: "period"))
    \(historyTrigger("upgrade", after: "INSERT ON ledger_upgrade"))
    \(historyTrigger("token", after: "INSERT ON account_token", of: "original"))
    \(historyTrigger("token_change", after: "UPDATE ON account_token", of: "original"))

    -- The columns in the order in which the program reads them.
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
            LEFT JOIN ledger_share s ON s.id = l.id
            LEFT JOIN account_token t ON t.original = coalesce(l.original, l.id)
            LEFT JOIN revoked r ON r.id = l.revocable;

    """
    + constancyTriggers(for: [
        "app_transaction", "ledger_period", "ledger_extension", "ledger_upgrade", "ledger_share",
        "ledger_reversal",
    ])

/// A trigger that moves a transaction to the end of its account's history, because something
/// about it has changed.
private func historyTrigger(
    _ name: String, after event: String, of column: String = "id", set: String = ""
) -> String {
    """
    CREATE TRIGGER history_after_\(name) AFTER \(event)
        BEGIN
            INSERT INTO history_counter (account, app, last)
                SELECT h.account, h.app, 1 FROM history h WHERE h.id = NEW.\(column)
                ON CONFLICT (account, app) DO UPDATE SET last = history_counter.last + 1;
            UPDATE history SET \(set) revision = (
                SELECT c.last FROM history_counter c
                WHERE c.account = history.account AND c.app = history.app)
            WHERE id = NEW.\(column);
        END;
    """
}
