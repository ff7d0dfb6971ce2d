/// What publishers' servers are told: an outbox that outlives the process, and each attempt.
let schema8Notifications: String =
    """
    CREATE TABLE notification (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uuid TEXT NOT NULL UNIQUE DEFAULT (lower(
            hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4'
            || substr(hex(randomblob(2)), 2) || '-' || substr('89ab89ab89ab89ab',
                instr('0123456789ABCDEF', substr(hex(randomblob(1)), 1, 1)), 1)
            || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))),
        app INTEGER NOT NULL REFERENCES app (id),
        environment TEXT NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
        type TEXT NOT NULL,
        subtype TEXT,
        -- Whose it is; nil for what is about the app.
        account INTEGER REFERENCES account (id),
        transaction_id INTEGER REFERENCES ledger (id),
        -- What was so at its date, as JSON.
        facts TEXT NOT NULL,
        date INTEGER NOT NULL,
        state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed')),
        attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
        -- When it is sent next; nil for never.
        due INTEGER,
        -- Whether it is sent next because somebody asked for it, and when it would be without that.
        is_replay INTEGER NOT NULL DEFAULT 0 CHECK (is_replay IN (0, 1)),
        due_without INTEGER,
        CHECK ((account IS NULL) = (transaction_id IS NULL)),
        CHECK (state = 'waiting' OR due IS NULL OR is_replay = 1),
        CHECK (is_replay = 0 OR due IS NOT NULL),
        CHECK (due_without IS NULL OR is_replay = 1)
    ) STRICT;
    CREATE INDEX notification_due ON notification (due) WHERE due IS NOT NULL;
    CREATE INDEX notification_lane ON notification (app, environment, due) WHERE due IS NOT NULL;
    CREATE INDEX notification_by_app ON notification (app, environment, date, id);
    CREATE INDEX notification_by_account ON notification (account, app, date, id)
        WHERE account IS NOT NULL;
    CREATE INDEX notification_not_delivered ON notification (app, environment, date, id)
        WHERE state <> 'delivered';
    CREATE INDEX notification_tests ON notification (app, environment, date) WHERE type = 'TEST';
    CREATE INDEX notification_finished ON notification (date, id) WHERE due IS NULL;
    -- What is over goes once the history does not reach so far back.
    CREATE TRIGGER notification_is_kept BEFORE DELETE ON notification
        WHEN OLD.due IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'what is to be sent is never deleted'); END;
    CREATE TRIGGER notification_is_constant
        BEFORE UPDATE OF uuid, app, environment, type, subtype, account, transaction_id, facts, date
        ON notification
        BEGIN SELECT RAISE(ABORT, 'notifications are never rewritten'); END;

    CREATE TABLE notification_attempt (
        notification INTEGER NOT NULL REFERENCES notification (id),
        number INTEGER NOT NULL CHECK (number > 0),
        date INTEGER NOT NULL,
        url TEXT NOT NULL,
        result TEXT NOT NULL,
        -- Of the answer; nil where there was none.
        status INTEGER,
        -- A sentence for people; empty for nothing to say.
        detail TEXT NOT NULL,
        milliseconds INTEGER NOT NULL CHECK (milliseconds >= 0),
        -- Whether somebody asked for it.
        is_replay INTEGER NOT NULL CHECK (is_replay IN (0, 1)),
        PRIMARY KEY (notification, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER notification_attempt_is_kept BEFORE DELETE ON notification_attempt
        WHEN EXISTS (
            SELECT 1 FROM notification n WHERE n.id = OLD.notification AND n.due IS NOT NULL)
        BEGIN SELECT RAISE(ABORT, 'attempts of what is to be sent are never deleted'); END;
    CREATE TRIGGER notification_attempt_is_constant BEFORE UPDATE ON notification_attempt
        BEGIN SELECT RAISE(ABORT, 'attempts are never rewritten'); END;

    """
