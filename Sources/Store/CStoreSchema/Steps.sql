-- What brings a database from one schema to the next: each step begins with its number, and is never
-- changed once it is committed. `PostgresScript` makes PostgreSQL's SQL of it.

-- Step 19: clocks that testers and apps follow in the sandbox.

-- A clock of a team's sandbox.
CREATE TABLE sandbox_clock (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    team INTEGER NOT NULL REFERENCES team (id),
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
    date INTEGER NOT NULL,
    created INTEGER NOT NULL,
    UNIQUE (team, name)
) STRICT;
CREATE TRIGGER sandbox_clock_goes_forward BEFORE UPDATE ON sandbox_clock
    WHEN NEW.date < OLD.date OR NEW.team <> OLD.team
    BEGIN SELECT RAISE(ABORT, 'a clock goes forward, and stays with its team'); END;

-- A tester, or all testers in an app.
CREATE TABLE sandbox_clock_follower (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    clock INTEGER NOT NULL REFERENCES sandbox_clock (id),
    account INTEGER UNIQUE REFERENCES account (id),
    app INTEGER UNIQUE REFERENCES app (id),
    CHECK ((account IS NULL) <> (app IS NULL))
) STRICT;
CREATE INDEX sandbox_clock_follower_by_clock ON sandbox_clock_follower (clock);

-- The clock that a tester follows in an app of the same team: the tester's own, or the app's.
CREATE VIEW sandbox_time AS
    SELECT t.account AS account, p.id AS app, coalesce(own.clock, general.clock) AS clock
    FROM tester t JOIN app p ON p.team = t.team
        LEFT JOIN sandbox_clock_follower own ON own.account = t.account
        LEFT JOIN sandbox_clock_follower general ON general.app = p.id
    WHERE own.clock IS NOT NULL OR general.clock IS NOT NULL;

-- Step 20: offers of subscriptions: what was charged by one, and what will be.

-- A period that was charged by an offer.
CREATE TABLE ledger_offer (
    id INTEGER PRIMARY KEY REFERENCES ledger (id),
    account INTEGER NOT NULL,
    app INTEGER NOT NULL,
    group_id TEXT NOT NULL,
    offer_kind TEXT NOT NULL CHECK (offer_kind IN (
        'introductory', 'promotional', 'code', 'winBack')),
    offer_identifier TEXT
        CHECK ((offer_identifier IS NULL) = (offer_kind = 'introductory')),
    offer_mode TEXT NOT NULL CHECK (offer_mode IN ('free', 'payAsYouGo', 'payUpFront')),
    offer_period TEXT NOT NULL,
    offer_periods INTEGER NOT NULL CHECK (offer_periods >= 1),
    -- Which of its charges it is.
    offer_number INTEGER NOT NULL CHECK (offer_number BETWEEN 1 AND offer_periods)
) STRICT;
-- Who had an introductory offer of a group gets no other.
CREATE INDEX ledger_offer_introductory ON ledger_offer (account, app, group_id, id)
    WHERE offer_kind = 'introductory';

-- What a subscription goes on with after the running period.
CREATE TABLE accepted_offer (
    original INTEGER PRIMARY KEY REFERENCES subscription (original),
    product_id TEXT NOT NULL,
    offer_kind TEXT NOT NULL CHECK (offer_kind IN (
        'introductory', 'promotional', 'code', 'winBack')),
    offer_identifier TEXT
        CHECK ((offer_identifier IS NULL) = (offer_kind = 'introductory')),
    offer_mode TEXT NOT NULL CHECK (offer_mode IN ('free', 'payAsYouGo', 'payUpFront')),
    offer_period TEXT NOT NULL,
    offer_periods INTEGER NOT NULL CHECK (offer_periods >= 1),
    -- Which of its charges it is.
    offer_number INTEGER NOT NULL CHECK (offer_number BETWEEN 1 AND offer_periods),
    price INTEGER NOT NULL CHECK (price >= 0),
    currency TEXT NOT NULL CHECK (length(currency) = 3)
) STRICT;

-- What publishers' servers have signed is good for one purchase.
CREATE TABLE offer_nonce (
    nonce TEXT PRIMARY KEY CHECK (length(nonce) = 36),
    account INTEGER NOT NULL REFERENCES account (id),
    purchase_key TEXT NOT NULL,
    date INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX offer_nonce_by_date ON offer_nonce (date);

-- The offer as it was priced when it was asked for, JSON.
ALTER TABLE pending_purchase ADD COLUMN offer TEXT;
DROP VIEW pending_entry;
CREATE VIEW pending_entry AS
    SELECT p.id, p.kind, p.environment, p.account, p.app, p.bundle_id, p.product_id,
        p.product_type, p.purchase_key, p.device, p.quantity, p.unit_price, p.currency,
        p.storefront, p.application_username, p.date, d.decision, d.date AS decision_date,
        p.offer
    FROM pending_purchase p LEFT JOIN pending_decision d ON d.id = p.id;
-- The offer that the customer is told of, JSON.
ALTER TABLE prompt ADD COLUMN offer TEXT CHECK (offer IS NULL OR kind = 'confirm');
-- The name of the subscription's offer; nil where the code gives the product.
ALTER TABLE offer_code ADD COLUMN offer TEXT;
-- Why an offer was refused that the product has; `refusal` is 'offerUnknown' beside it, whose rule
-- has no other names.
ALTER TABLE refused_purchase ADD COLUMN offer_problem TEXT
    CHECK (offer_problem IN ('ineligible', 'signatureInvalid', 'signatureMissing'));

-- As before, with the offer of the period.
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
        r.percentage, p.is_paid, o.offer_kind, o.offer_identifier, o.offer_mode,
        o.offer_period, o.offer_periods, o.offer_number
    FROM ledger_entry l
        JOIN app_transaction a ON a.account = l.account AND a.app = l.app
        LEFT JOIN ledger_period p ON p.id = l.id
        LEFT JOIN ledger_share s ON s.id = l.revocable
        LEFT JOIN account_token t ON t.original = coalesce(l.original, l.id)
        LEFT JOIN revoked r ON r.id = l.revocable
        LEFT JOIN ledger_offer o ON o.id = p.period;
CREATE TRIGGER ledger_offer_is_kept BEFORE DELETE ON ledger_offer
    BEGIN SELECT RAISE(ABORT, 'ledger_offer rows are never deleted'); END;
CREATE TRIGGER ledger_offer_is_constant BEFORE UPDATE ON ledger_offer
    BEGIN SELECT RAISE(ABORT, 'ledger_offer rows are never rewritten'); END;

-- What the API keeps of offers is part of what devices see of an app.
CREATE TRIGGER kept_resource_clock_insert AFTER INSERT ON kept_resource
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER kept_resource_clock_update AFTER UPDATE ON kept_resource
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER kept_resource_clock_delete AFTER DELETE ON kept_resource
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER kept_resource_app_clock_insert AFTER INSERT ON kept_resource BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app = NEW.app;
END;
CREATE TRIGGER kept_resource_app_clock_update AFTER UPDATE ON kept_resource BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app = NEW.app;
END;
CREATE TRIGGER kept_resource_app_clock_delete AFTER DELETE ON kept_resource BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app = OLD.app;
END;

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

-- Step 22: what customers have chosen, the ends of months, and indexes for what grows.

-- When the customer last chose what it goes on with, at the price of that day; nil for when it was
-- started.
ALTER TABLE subscription ADD COLUMN chosen INTEGER;
-- The day of the month on which its periods begin, where the month is long enough.
ALTER TABLE subscription ADD COLUMN anchor_day INTEGER CHECK (anchor_day BETWEEN 1 AND 31);

-- Whether an account has used an offer's codes.
CREATE INDEX offer_code_use_by_account ON offer_code_use (account);

-- Sales of a day: renewals are among them.
DROP INDEX ledger_by_day;
CREATE INDEX ledger_by_day ON ledger (app, environment, date) WHERE kind = 'purchase';

-- Step 23: codes that go along with an introductory offer.

-- Whether the accepted offer waits for the end of the introductory one.
ALTER TABLE accepted_offer ADD COLUMN is_stacked INTEGER NOT NULL DEFAULT 0
    CHECK (is_stacked IN (0, 1));

-- Step 24: the program names the columns of items itself.

DROP VIEW item_row;

-- Step 25: what customers paid when they were asked about a higher price.

-- The currency of both prices; NULL for a question of an earlier version, which did not keep it.
ALTER TABLE price_consent ADD COLUMN currency TEXT;
-- What a period cost when the question was asked; NULL as above.
ALTER TABLE price_consent ADD COLUMN current_price INTEGER CHECK (current_price >= 0);

-- Step 26: `chosen` of subscriptions of earlier versions.

UPDATE subscription SET chosen = started WHERE chosen IS NULL;

-- Step 27: items that the store takes down.

-- When the store's staff took it from sale; its publisher can't put it back. NULL otherwise.
ALTER TABLE item ADD COLUMN taken_down INTEGER CHECK (taken_down IS NULL OR state = 'REMOVED');

-- Step 28: account tokens of single transactions.

-- A token is of the transaction that it was set for, and of what restores it. Before, it was of everything
-- that the transaction was the original of: that stays so for what there is.
INSERT INTO account_token (original, token, date)
    SELECT l.id, t.token, t.date FROM ledger l JOIN account_token t ON t.original = l.original
    WHERE l.kind <> 'restore';
-- The token of a change of plan, for the periods that begin with it; NULL for that of the running period.
ALTER TABLE subscription ADD COLUMN account_token TEXT;
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
        LEFT JOIN account_token t ON t.original = CASE l.kind
            WHEN 'restore' THEN coalesce(p.period, l.original, l.id) ELSE l.id END
        LEFT JOIN revoked r ON r.id = l.revocable
        LEFT JOIN ledger_upgrade u ON u.id = p.period
        LEFT JOIN ledger_offer o ON o.id = p.period;
