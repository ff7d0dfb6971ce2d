/// Catalog, accounts, ledger and content.
///
/// Dates are milliseconds since 1970, amounts thousandths of the currency's unit.
let schema1: String = """
    CREATE TABLE catalog_clock (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        generation INTEGER NOT NULL
    ) STRICT;
    INSERT INTO catalog_clock VALUES (1, 1);

    CREATE TABLE team (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE CHECK (length(name) > 0),
        has_paid_agreement INTEGER NOT NULL CHECK (has_paid_agreement IN (0, 1))
    ) STRICT;

    CREATE TABLE app (
        id INTEGER PRIMARY KEY,
        team INTEGER NOT NULL REFERENCES team (id),
        bundle_id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        binary_state TEXT NOT NULL CHECK (binary_state IN (
            'PREPARE_FOR_SUBMISSION', 'READY_FOR_SALE', 'REJECTED', 'DEVELOPER_REJECTED')),
        generation INTEGER NOT NULL CHECK (generation > 0)
    ) STRICT;

    CREATE TABLE product (
        id INTEGER PRIMARY KEY,
        app INTEGER NOT NULL REFERENCES app (id),
        product_id TEXT NOT NULL,
        type TEXT NOT NULL CHECK (type IN (
            'Consumable', 'Non-Consumable', 'Non-Renewing Subscription',
            'Auto-Renewable Subscription')),
        reference_name TEXT NOT NULL,
        family_shareable INTEGER NOT NULL CHECK (family_shareable IN (0, 1)),
        state TEXT NOT NULL,
        primary_locale TEXT NOT NULL,
        subscription TEXT CHECK ((subscription IS NOT NULL) = (type = 'Auto-Renewable Subscription')),
        UNIQUE (app, product_id)
    ) STRICT;

    CREATE TABLE product_text (
        product INTEGER NOT NULL REFERENCES product (id),
        locale TEXT NOT NULL,
        title TEXT NOT NULL,
        description TEXT NOT NULL,
        PRIMARY KEY (product, locale)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE product_price (
        product INTEGER NOT NULL REFERENCES product (id),
        storefront TEXT NOT NULL CHECK (length(storefront) = 3),
        thousandths INTEGER NOT NULL CHECK (thousandths >= 0),
        PRIMARY KEY (product, storefront)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE content_release (
        id INTEGER PRIMARY KEY,
        product INTEGER NOT NULL REFERENCES product (id),
        version TEXT NOT NULL,
        manifest_digest TEXT NOT NULL CHECK (length(manifest_digest) = 64),
        manifest_length INTEGER NOT NULL CHECK (manifest_length > 0),
        blob_digest TEXT NOT NULL CHECK (length(blob_digest) = 64),
        blob_length INTEGER NOT NULL CHECK (blob_length >= 0),
        unpacked_length INTEGER NOT NULL CHECK (unpacked_length >= 0),
        approved INTEGER NOT NULL CHECK (approved IN (0, 1)),
        created INTEGER NOT NULL,
        UNIQUE (product, version)
    ) STRICT;

    CREATE TABLE account (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        environment TEXT NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
        email TEXT NOT NULL,
        password_hash TEXT NOT NULL,
        storefront TEXT NOT NULL CHECK (length(storefront) = 3),
        created INTEGER NOT NULL,
        UNIQUE (environment, email),
        UNIQUE (id, environment)
    ) STRICT;

    CREATE TABLE session (
        token_digest BLOB PRIMARY KEY CHECK (length(token_digest) = 32),
        account INTEGER NOT NULL REFERENCES account (id),
        started INTEGER NOT NULL,
        ends INTEGER NOT NULL CHECK (ends > started)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE ledger (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL CHECK (kind IN ('purchase', 'restore')),
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
        charged INTEGER NOT NULL CHECK (charged IN (0, unit_price * quantity)),
        currency TEXT NOT NULL CHECK (length(currency) = 3),
        storefront TEXT NOT NULL CHECK (length(storefront) = 3),
        original INTEGER REFERENCES ledger (id),
        original_date INTEGER CHECK ((original_date IS NULL) = (original IS NULL)),
        application_username TEXT,
        date INTEGER NOT NULL,
        UNIQUE (account, app, purchase_key),
        FOREIGN KEY (account, environment) REFERENCES account (id, environment),
        FOREIGN KEY (app, product_id) REFERENCES product (app, product_id),
        CHECK (kind = 'purchase' OR (original IS NOT NULL AND charged = 0))
    ) STRICT;
    INSERT INTO sqlite_sequence (name, seq) VALUES ('ledger', 1000000000000000);
    CREATE INDEX ledger_by_product ON ledger (account, app, product_id)
        WHERE kind = 'purchase' AND original IS NULL;
    CREATE INDEX ledger_by_device ON ledger (device);

    -- The columns in the order in which the program reads them.
    CREATE VIEW ledger_entry AS
        SELECT id, kind, environment, account, app, bundle_id, product_id, product_type,
            purchase_key, device, quantity, unit_price, charged, currency, storefront, original,
            original_date, application_username, date
        FROM ledger;

    CREATE TABLE ledger_finish (
        id INTEGER PRIMARY KEY REFERENCES ledger (id),
        date INTEGER NOT NULL
    ) STRICT;

    CREATE TRIGGER ledger_is_kept BEFORE DELETE ON ledger
        BEGIN SELECT RAISE(ABORT, 'ledger rows are never deleted'); END;
    CREATE TRIGGER ledger_is_constant BEFORE UPDATE ON ledger
        BEGIN SELECT RAISE(ABORT, 'ledger rows are never rewritten'); END;
    CREATE TRIGGER finish_is_kept BEFORE DELETE ON ledger_finish
        BEGIN SELECT RAISE(ABORT, 'finishes are never deleted'); END;
    CREATE TRIGGER finish_is_constant BEFORE UPDATE ON ledger_finish
        BEGIN SELECT RAISE(ABORT, 'finishes are never rewritten'); END;

    """
    + clockTriggers(for: [
        "team", "app", "product", "product_text", "product_price", "content_release",
    ])

/// Triggers that let the catalog's generation grow with each change to a table.
func clockTriggers(for tables: [String]) -> String {
    tables.flatMap { table in
        ["INSERT", "UPDATE", "DELETE"].map { event in
            """
            CREATE TRIGGER \(table)_clock_\(event.lowercased()) AFTER \(event) ON \(table)
                BEGIN UPDATE catalog_clock SET generation = generation + 1; END;

            """
        }
    }.joined()
}
