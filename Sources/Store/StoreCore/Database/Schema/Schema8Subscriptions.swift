/// Auto-renewable subscriptions: how each stands, requests to extend many, and families.
let schema8Subscriptions: String =
    """
    CREATE TABLE subscription (
        original INTEGER PRIMARY KEY REFERENCES ledger (id),
        account INTEGER NOT NULL,
        environment TEXT NOT NULL,
        app INTEGER NOT NULL REFERENCES app (id),
        group_id TEXT NOT NULL,
        -- Of the running or last period.
        product_id TEXT NOT NULL,
        -- What it goes on with.
        renewal_product_id TEXT NOT NULL,
        renews INTEGER NOT NULL CHECK (renews IN (0, 1)),
        state TEXT NOT NULL CHECK (state IN (
            'active', 'expired', 'retry', 'grace', 'revoked', 'cleared')),
        latest INTEGER NOT NULL REFERENCES ledger (id),
        -- When the last unbroken time of being subscribed began.
        started INTEGER NOT NULL,
        expires INTEGER NOT NULL,
        grace_end INTEGER,
        retry_end INTEGER,
        -- Why it ended, or will: as in signed renewal information.
        intent INTEGER CHECK (intent BETWEEN 1 AND 5),
        -- Since it was started.
        renewals INTEGER NOT NULL CHECK (renewals >= 0),
        -- When there is something to do; nil for nothing.
        due INTEGER,
        FOREIGN KEY (account, environment) REFERENCES account (id, environment),
        CHECK ((state = 'grace') <= (grace_end IS NOT NULL)),
        CHECK ((state IN ('grace', 'retry')) <= (retry_end IS NOT NULL)),
        CHECK ((state IN ('active', 'grace', 'retry')) = (due IS NOT NULL))
    ) STRICT;
    CREATE UNIQUE INDEX subscription_by_group ON subscription (account, app, group_id)
        WHERE state <> 'cleared';
    CREATE INDEX subscription_due ON subscription (due) WHERE due IS NOT NULL;
    CREATE INDEX subscription_by_product ON subscription (app, environment, product_id, original);
    CREATE TRIGGER subscription_is_kept BEFORE DELETE ON subscription
        BEGIN SELECT RAISE(ABORT, 'subscriptions are never deleted'); END;
    CREATE TRIGGER subscription_is_cleared AFTER INSERT ON history_clearing
        BEGIN
            UPDATE subscription SET state = 'cleared', due = NULL, renews = 0
            WHERE account = NEW.account AND state <> 'cleared';
        END;

    -- A request to make all subscriptions to a product longer.
    CREATE TABLE mass_extension (
        app INTEGER NOT NULL REFERENCES app (id),
        environment TEXT NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
        request TEXT NOT NULL CHECK (length(request) BETWEEN 1 AND 128),
        product_id TEXT NOT NULL,
        days INTEGER NOT NULL CHECK (days BETWEEN 1 AND 90),
        reason INTEGER NOT NULL CHECK (reason BETWEEN 0 AND 3),
        -- Alpha-3 codes with blanks between; nil for all storefronts.
        storefronts TEXT,
        date INTEGER NOT NULL,
        -- The last subscription that was looked at.
        position INTEGER NOT NULL DEFAULT 0,
        succeeded INTEGER NOT NULL DEFAULT 0,
        failed INTEGER NOT NULL DEFAULT 0,
        completed INTEGER,
        PRIMARY KEY (app, environment, request)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX mass_extension_at_work ON mass_extension (date) WHERE completed IS NULL;
    CREATE INDEX mass_extension_unfinished ON mass_extension (app, environment)
        WHERE completed IS NULL;
    CREATE INDEX mass_extension_by_app ON mass_extension (app, environment, date);

    -- Who shares what they buy: each account is in one family at most.
    CREATE TABLE family (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        organizer INTEGER NOT NULL UNIQUE,
        environment TEXT NOT NULL,
        date INTEGER NOT NULL,
        UNIQUE (id, environment),
        FOREIGN KEY (organizer, environment) REFERENCES account (id, environment)
    ) STRICT;
    CREATE TABLE family_member (
        account INTEGER PRIMARY KEY,
        family INTEGER NOT NULL,
        environment TEXT NOT NULL,
        date INTEGER NOT NULL,
        FOREIGN KEY (account, environment) REFERENCES account (id, environment),
        FOREIGN KEY (family, environment) REFERENCES family (id, environment)
    ) STRICT;
    CREATE INDEX family_member_by_family ON family_member (family, account);

    """
