/// Refunds that customers ask for, and what publishers say about them.
let schema8Refunds: String =
    """
    CREATE TABLE refund_request (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        transaction_id INTEGER NOT NULL REFERENCES ledger (id),
        account INTEGER NOT NULL REFERENCES account (id),
        app INTEGER NOT NULL REFERENCES app (id),
        environment TEXT NOT NULL,
        reason TEXT NOT NULL CHECK (reason IN (
            'UNINTENDED_PURCHASE', 'FULFILLMENT_ISSUE', 'UNSATISFIED_WITH_PURCHASE', 'LEGAL',
            'OTHER')),
        comment TEXT NOT NULL CHECK (length(comment) <= 4000),
        date INTEGER NOT NULL,
        -- When the store decides by itself, at the latest.
        deadline INTEGER NOT NULL,
        outcome TEXT CHECK (outcome IN ('REFUNDED', 'DECLINED')),
        -- Thousandths of a per cent of what was charged.
        percentage INTEGER CHECK (percentage BETWEEN 1 AND 100000),
        -- A sentence for people: which rule, or who.
        grounds TEXT,
        decided INTEGER,
        CHECK ((outcome IS NULL) = (decided IS NULL)),
        CHECK ((outcome IS NULL) = (grounds IS NULL)),
        CHECK ((outcome IS 'REFUNDED') = (percentage IS NOT NULL))
    ) STRICT;
    CREATE UNIQUE INDEX refund_request_waiting ON refund_request (transaction_id)
        WHERE outcome IS NULL;
    CREATE INDEX refund_request_by_transaction ON refund_request (transaction_id, id);
    CREATE INDEX refund_request_due ON refund_request (deadline) WHERE outcome IS NULL;
    CREATE INDEX refund_request_by_account ON refund_request (account, date);
    CREATE INDEX refund_request_by_app ON refund_request (app, id);
    CREATE INDEX refund_request_open ON refund_request (app, id) WHERE outcome IS NULL;
    CREATE TRIGGER refund_request_is_kept BEFORE DELETE ON refund_request
        BEGIN SELECT RAISE(ABORT, 'requests for refunds are never deleted'); END;
    CREATE TRIGGER refund_request_is_decided_once BEFORE UPDATE ON refund_request
        WHEN OLD.outcome IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'a refund is decided once'); END;

    -- What publishers' servers say about how a purchase was used; the last one counts. What has
    -- decided nothing makes room for it.
    CREATE TABLE consumption_information (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        transaction_id INTEGER NOT NULL REFERENCES ledger (id),
        -- JSON.
        facts TEXT NOT NULL,
        date INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX consumption_by_transaction ON consumption_information (transaction_id, id);
    CREATE TRIGGER consumption_information_is_constant BEFORE UPDATE ON consumption_information
        BEGIN SELECT RAISE(ABORT, 'what publishers say is never rewritten'); END;
    CREATE TRIGGER consumption_information_is_kept BEFORE DELETE ON consumption_information
        WHEN EXISTS (
            SELECT 1 FROM refund_request r
            WHERE r.transaction_id = OLD.transaction_id AND r.date <= OLD.date
                AND r.decided >= OLD.date)
        BEGIN SELECT RAISE(ABORT, 'what has decided a refund is never deleted'); END;

    """
