/// What happens to purchases outside of the device that asked for them: approval,
/// interruption, revocation, offer codes, price consent; and the events by which devices
/// hear of it.
///
/// Questions and answers are facts, as the ledger's rows are: added, never changed.
let schema2: String =
    """
    -- What a device has not finished is looked up by all of these, in this order.
    DROP INDEX ledger_by_device;
    CREATE INDEX ledger_by_device ON ledger (device, account, app, id);

    CREATE TABLE account_setting (
        account INTEGER PRIMARY KEY REFERENCES account (id),
        asks_to_buy INTEGER NOT NULL CHECK (asks_to_buy IN (0, 1)),
        interrupts_purchases INTEGER NOT NULL CHECK (interrupts_purchases IN (0, 1)),
        guardian INTEGER REFERENCES account (id) CHECK (guardian <> account)
    ) STRICT;

    \(guardianTrigger(on: "INSERT"))
    \(guardianTrigger(on: "UPDATE"))

    CREATE TABLE pending_purchase (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL CHECK (kind IN ('approval', 'interruption')),
        environment TEXT NOT NULL,
        account INTEGER NOT NULL,
        app INTEGER NOT NULL REFERENCES app (id),
        bundle_id TEXT NOT NULL,
        product_id TEXT NOT NULL,
        product_type TEXT NOT NULL,
        purchase_key TEXT NOT NULL CHECK (length(purchase_key) >= 16),
        device TEXT NOT NULL,
        quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 10),
        unit_price INTEGER NOT NULL CHECK (unit_price >= 0),
        currency TEXT NOT NULL CHECK (length(currency) = 3),
        storefront TEXT NOT NULL CHECK (length(storefront) = 3),
        application_username TEXT,
        date INTEGER NOT NULL,
        UNIQUE (account, app, purchase_key),
        FOREIGN KEY (account, environment) REFERENCES account (id, environment),
        FOREIGN KEY (app, product_id) REFERENCES product (app, product_id)
    ) STRICT;

    CREATE TABLE pending_decision (
        id INTEGER PRIMARY KEY REFERENCES pending_purchase (id),
        decision TEXT NOT NULL CHECK (decision IN ('approved', 'declined')),
        date INTEGER NOT NULL
    ) STRICT;

    -- The base URL that the page of an approval belongs to, and the passwords tried on it.
    CREATE TABLE approval_page (
        id INTEGER PRIMARY KEY REFERENCES pending_purchase (id),
        address TEXT NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0)
    ) STRICT;

    -- The columns in the order in which the program reads them.
    CREATE VIEW pending_entry AS
        SELECT p.id, p.kind, p.environment, p.account, p.app, p.bundle_id, p.product_id,
            p.product_type, p.purchase_key, p.device, p.quantity, p.unit_price, p.currency,
            p.storefront, p.application_username, p.date, d.decision, d.date AS decision_date
        FROM pending_purchase p LEFT JOIN pending_decision d ON d.id = p.id;

    CREATE TABLE ledger_revocation (
        id INTEGER PRIMARY KEY REFERENCES ledger (id),
        reason TEXT NOT NULL CHECK (reason IN ('developerIssue', 'other')),
        date INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE offer_code (
        code TEXT PRIMARY KEY CHECK (length(code) >= 8),
        app INTEGER NOT NULL,
        product_id TEXT NOT NULL,
        uses INTEGER NOT NULL CHECK (uses > 0),
        ends INTEGER NOT NULL,
        date INTEGER NOT NULL,
        FOREIGN KEY (app, product_id) REFERENCES product (app, product_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE offer_code_use (
        code TEXT NOT NULL REFERENCES offer_code (code),
        account INTEGER NOT NULL REFERENCES account (id),
        environment TEXT NOT NULL,
        -- The uses of a code are numbered within an environment: testers use up nothing.
        number INTEGER NOT NULL CHECK (number > 0),
        ledger INTEGER NOT NULL UNIQUE REFERENCES ledger (id),
        PRIMARY KEY (code, account),
        UNIQUE (code, environment, number),
        FOREIGN KEY (account, environment) REFERENCES account (id, environment)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE price_consent (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        account INTEGER NOT NULL REFERENCES account (id),
        app INTEGER NOT NULL,
        product_id TEXT NOT NULL,
        new_price INTEGER NOT NULL CHECK (new_price >= 0),
        date INTEGER NOT NULL,
        FOREIGN KEY (app, product_id) REFERENCES product (app, product_id)
    ) STRICT;
    CREATE INDEX price_consent_by_account ON price_consent (account, app);

    CREATE TABLE price_consent_decision (
        id INTEGER PRIMARY KEY REFERENCES price_consent (id),
        agreed INTEGER NOT NULL CHECK (agreed IN (0, 1)),
        date INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE device_event (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        account INTEGER NOT NULL REFERENCES account (id),
        app INTEGER NOT NULL REFERENCES app (id),
        kind TEXT NOT NULL CHECK (kind IN (
            'transactions', 'revocation', 'storePayment', 'priceConsent')),
        product_id TEXT CHECK (kind NOT IN ('revocation', 'storePayment') OR product_id IS NOT NULL),
        date INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX device_event_by_account ON device_event (account, app, id);

    """
    + constancyTriggers(for: [
        "pending_purchase", "pending_decision", "ledger_revocation", "offer_code",
        "offer_code_use", "price_consent", "price_consent_decision", "device_event",
    ])

/// A trigger that refuses a guardian of the other environment.
private func guardianTrigger(on event: String) -> String {
    """
    CREATE TRIGGER guardian_\(event.lowercased()) BEFORE \(event) ON account_setting
        WHEN NEW.guardian IS NOT NULL
            AND (SELECT environment FROM account WHERE id = NEW.guardian)
                IS NOT (SELECT environment FROM account WHERE id = NEW.account)
        BEGIN SELECT RAISE(ABORT, 'a guardian is of the same environment'); END;
    """
}

/// Triggers that refuse to change or delete what was written.
func constancyTriggers(for tables: [String]) -> String {
    tables.map { table in
        """
        CREATE TRIGGER \(table)_is_kept BEFORE DELETE ON \(table)
            BEGIN SELECT RAISE(ABORT, '\(table) rows are never deleted'); END;
        CREATE TRIGGER \(table)_is_constant BEFORE UPDATE ON \(table)
            BEGIN SELECT RAISE(ABORT, '\(table) rows are never rewritten'); END;

        """
    }.joined()
}
