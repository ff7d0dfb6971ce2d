/// Hosted content: whether a product hosts some, its versions with their blobs, uploads and
/// their processing; keys of the API; events for everybody who has an app.
let schema4: String =
    """
    -- Whether the product's content is hosted here, and whether customers could ever buy it.
    ALTER TABLE product ADD COLUMN hosts_content INTEGER NOT NULL DEFAULT 0
        CHECK (hosts_content = 0 OR (hosts_content = 1 AND type = 'Non-Consumable'));
    ALTER TABLE product ADD COLUMN was_on_sale INTEGER NOT NULL DEFAULT 0
        CHECK (was_on_sale IN (0, 1));
    UPDATE product SET hosts_content = 1 WHERE id IN (SELECT product FROM content_release);
    UPDATE product SET was_on_sale = 1
        WHERE state IN ('APPROVED', 'DEVELOPER_REMOVED_FROM_SALE', 'REMOVED_FROM_SALE');

    CREATE TRIGGER product_goes_on_sale_new AFTER INSERT ON product
        WHEN NEW.state = 'APPROVED' AND NEW.was_on_sale = 0
        BEGIN UPDATE product SET was_on_sale = 1 WHERE id = NEW.id; END;
    CREATE TRIGGER product_goes_on_sale AFTER UPDATE OF state ON product
        WHEN NEW.state = 'APPROVED' AND NEW.was_on_sale = 0
        BEGIN UPDATE product SET was_on_sale = 1 WHERE id = NEW.id; END;
    CREATE TRIGGER product_was_on_sale BEFORE UPDATE OF was_on_sale ON product
        WHEN OLD.was_on_sale = 1 AND NEW.was_on_sale = 0
        BEGIN SELECT RAISE(ABORT, 'what was on sale stays remembered'); END;
    CREATE TRIGGER product_keeps_hosting BEFORE UPDATE OF hosts_content ON product
        WHEN OLD.hosts_content = 1 AND NEW.hosts_content = 0 AND OLD.was_on_sale = 1
        BEGIN SELECT RAISE(ABORT, 'a product that was on sale keeps its hosted content'); END;

    CREATE TABLE content_blob (
        digest TEXT PRIMARY KEY CHECK (length(digest) = 64),
        length INTEGER NOT NULL CHECK (length >= 0),
        created INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE new_content_release (
        id INTEGER PRIMARY KEY,
        product INTEGER NOT NULL REFERENCES product (id),
        version TEXT NOT NULL,
        manifest_digest TEXT NOT NULL CHECK (length(manifest_digest) = 64),
        manifest_length INTEGER NOT NULL CHECK (manifest_length > 0),
        download_length INTEGER NOT NULL CHECK (download_length >= manifest_length),
        unpacked_length INTEGER NOT NULL CHECK (unpacked_length >= 0),
        state TEXT NOT NULL CHECK (state IN (
            'READY_TO_SUBMIT', 'WAITING_FOR_REVIEW', 'IN_REVIEW', 'APPROVED', 'REJECTED')),
        -- What the reviewer said.
        message TEXT,
        created INTEGER NOT NULL,
        -- When the state last changed.
        changed INTEGER NOT NULL,
        -- When its bytes were given up.
        retired INTEGER,
        UNIQUE (product, version)
    ) STRICT;

    CREATE TABLE release_blob (
        release INTEGER NOT NULL REFERENCES new_content_release (id) ON DELETE CASCADE,
        position INTEGER NOT NULL CHECK (position >= 0),
        blob TEXT NOT NULL REFERENCES content_blob (digest),
        PRIMARY KEY (release, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX release_blob_by_blob ON release_blob (blob);

    INSERT INTO new_content_release
        SELECT id, product, version, manifest_digest, manifest_length,
            manifest_length + blob_length, unpacked_length,
            CASE approved WHEN 1 THEN 'APPROVED' ELSE 'READY_TO_SUBMIT' END, NULL, created,
            created, NULL
        FROM content_release;
    INSERT INTO content_blob
        SELECT blob_digest, blob_length, created FROM content_release WHERE true ORDER BY id
        ON CONFLICT DO NOTHING;
    INSERT INTO release_blob SELECT id, 0, blob_digest FROM content_release;
    DROP TABLE content_release;
    ALTER TABLE new_content_release RENAME TO content_release;

    CREATE INDEX content_release_by_manifest ON content_release (manifest_digest);

    -- The last permission to download a version. Not in its row, which would make every app
    -- read the catalog again.
    CREATE TABLE release_permit (
        release INTEGER PRIMARY KEY REFERENCES content_release (id) ON DELETE CASCADE,
        date INTEGER NOT NULL
    ) STRICT;

    -- An issuer is a team, or the operator where there is none.
    CREATE TABLE api_issuer (
        id TEXT PRIMARY KEY CHECK (length(id) = 36),
        team INTEGER REFERENCES team (id)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX api_issuer_by_team ON api_issuer (ifnull(team, 0));

    CREATE TABLE api_key (
        id TEXT PRIMARY KEY CHECK (length(id) = 10),
        issuer TEXT NOT NULL REFERENCES api_issuer (id),
        role TEXT NOT NULL CHECK (length(role) > 0),
        name TEXT NOT NULL CHECK (length(name) > 0),
        -- PEM; nobody but the holder has the private one.
        public_key TEXT NOT NULL,
        created INTEGER NOT NULL,
        revoked INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER api_key_stays_revoked BEFORE UPDATE OF revoked ON api_key
        WHEN OLD.revoked IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'a revoked key stays revoked'); END;
    CREATE TRIGGER api_key_is_kept BEFORE DELETE ON api_key
        BEGIN SELECT RAISE(ABORT, 'keys are revoked, never deleted'); END;

    CREATE TABLE content_upload (
        id TEXT PRIMARY KEY CHECK (length(id) = 36),
        product INTEGER NOT NULL REFERENCES product (id),
        file_name TEXT NOT NULL,
        size INTEGER NOT NULL CHECK (size > 0),
        digest TEXT NOT NULL CHECK (length(digest) = 64),
        part_size INTEGER NOT NULL CHECK (part_size > 0),
        state TEXT NOT NULL CHECK (state IN (
            'AWAITING_UPLOAD', 'UPLOAD_COMPLETE', 'COMPLETE', 'FAILED')),
        created INTEGER NOT NULL,
        changed INTEGER NOT NULL,
        -- The state of the product to go back to where the package is refused.
        earlier_state TEXT,
        lease_holder TEXT,
        lease_ends INTEGER,
        -- How often its processing was begun.
        attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
        processed INTEGER NOT NULL DEFAULT 0 CHECK (processed >= 0),
        -- The version that it became.
        version TEXT CHECK ((version IS NOT NULL) = (state = 'COMPLETE')),
        CHECK ((lease_holder IS NULL) = (lease_ends IS NULL)),
        CHECK (lease_holder IS NULL OR state = 'UPLOAD_COMPLETE')
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX content_upload_open ON content_upload (product, digest)
        WHERE state = 'AWAITING_UPLOAD';
    CREATE UNIQUE INDEX content_upload_processed ON content_upload (product)
        WHERE state = 'UPLOAD_COMPLETE';
    CREATE INDEX content_upload_by_product ON content_upload (product, created);

    -- The parts that have arrived, with the digest of their bytes.
    CREATE TABLE content_upload_part (
        upload TEXT NOT NULL REFERENCES content_upload (id) ON DELETE CASCADE,
        number INTEGER NOT NULL CHECK (number >= 0),
        digest TEXT NOT NULL CHECK (length(digest) = 64),
        PRIMARY KEY (upload, number)
    ) STRICT, WITHOUT ROWID;

    -- Why a package was refused.
    CREATE TABLE content_upload_problem (
        upload TEXT NOT NULL REFERENCES content_upload (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        path TEXT NOT NULL,
        rule TEXT NOT NULL,
        advice TEXT NOT NULL,
        PRIMARY KEY (upload, position)
    ) STRICT, WITHOUT ROWID;

    -- An event without an account is for everybody with the app in an environment.
    CREATE TABLE new_device_event (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        account INTEGER REFERENCES account (id),
        environment TEXT CHECK (environment IN ('Production', 'Sandbox')),
        app INTEGER NOT NULL REFERENCES app (id),
        kind TEXT NOT NULL CHECK (kind IN (
            'transactions', 'revocation', 'storePayment', 'priceConsent', 'contentVersion')),
        product_id TEXT CHECK (
            kind NOT IN ('revocation', 'storePayment', 'contentVersion')
            OR product_id IS NOT NULL),
        date INTEGER NOT NULL,
        CHECK ((account IS NULL) = (environment IS NOT NULL))
    ) STRICT;
    INSERT INTO new_device_event
        SELECT id, account, NULL, app, kind, product_id, date FROM device_event;
    DROP TABLE device_event;
    ALTER TABLE new_device_event RENAME TO device_event;
    CREATE INDEX device_event_by_account ON device_event (account, app, id)
        WHERE account IS NOT NULL;
    CREATE INDEX device_event_by_app ON device_event (app, environment, id)
        WHERE account IS NULL;

    """
    + clockTriggers(for: ["content_release"]) + constancyTriggers(for: ["device_event"])
