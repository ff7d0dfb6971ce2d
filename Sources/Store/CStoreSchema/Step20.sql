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
