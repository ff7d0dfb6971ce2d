/// What publishers' servers ask about, where the ledger would have to be walked for it.
let schema8Servers: String =
    """
    -- The last period of each subscription that came to an account through its family. Who bought
    -- it has a subscription; whom it is shared with has this.
    CREATE TABLE shared_subscription (
        original INTEGER PRIMARY KEY REFERENCES ledger (id),
        account INTEGER NOT NULL REFERENCES account (id),
        app INTEGER NOT NULL REFERENCES app (id),
        latest INTEGER NOT NULL REFERENCES ledger (id)
    ) STRICT;
    CREATE INDEX shared_subscription_by_account ON shared_subscription (account, app, original);
    CREATE TRIGGER shared_subscription_of_period AFTER INSERT ON ledger_period
        WHEN NEW.is_paid = 1 AND EXISTS (SELECT 1 FROM ledger_share s WHERE s.id = NEW.id)
        BEGIN
            INSERT INTO shared_subscription (original, account, app, latest)
            SELECT ifnull(l.original, l.id), l.account, l.app, l.id FROM ledger l
            WHERE l.id = NEW.id
            ON CONFLICT (original) DO UPDATE SET latest = excluded.latest;
        END;

    """
