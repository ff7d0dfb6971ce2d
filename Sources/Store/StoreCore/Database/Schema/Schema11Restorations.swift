/// Numbers that may have been given out before the database went back to an earlier state.
let schema11Restorations: String =
    """
    -- Each time that the database went back in time: a backup was restored, or a standby that lagged
    -- took over. Devices and servers may have numbers from the time that was lost.
    CREATE TABLE restoration (
        id INTEGER PRIMARY KEY,
        date INTEGER NOT NULL,
        -- Events behind the first and before the second number are lost.
        last_event INTEGER NOT NULL,
        next_event INTEGER NOT NULL,
        -- Since then all revisions of histories are larger.
        next_revision INTEGER NOT NULL
    ) STRICT;
    DROP TRIGGER history_of_purchase;
    DROP TRIGGER history_of_period;
    CREATE TRIGGER history_of_purchase AFTER INSERT ON ledger
        WHEN NEW.kind = 'purchase' AND NEW.original IS NULL
        BEGIN
            INSERT INTO history_counter (account, app, last) VALUES (NEW.account, NEW.app,
                    coalesce((SELECT max(r.next_revision) FROM restoration r), 1))
                ON CONFLICT (account, app) DO UPDATE SET last = history_counter.last + 1;
            INSERT INTO history (id, account, app, revision)
            SELECT NEW.id, c.account, c.app, c.last FROM history_counter c
            WHERE c.account = NEW.account AND c.app = NEW.app;
        END;
    CREATE TRIGGER history_of_period AFTER INSERT ON ledger_period
        WHEN NEW.is_paid = 1 AND NEW.id <> NEW.original
        BEGIN
            INSERT INTO history_counter (account, app, last)
                SELECT l.account, l.app,
                    coalesce((SELECT max(r.next_revision) FROM restoration r), 1)
                FROM ledger l WHERE l.id = NEW.id
                ON CONFLICT (account, app) DO UPDATE SET last = history_counter.last + 1;
            INSERT INTO history (id, account, app, revision)
            SELECT l.id, c.account, c.app, c.last
            FROM ledger l JOIN history_counter c ON c.account = l.account AND c.app = l.app
            WHERE l.id = NEW.id;
        END;

    """
