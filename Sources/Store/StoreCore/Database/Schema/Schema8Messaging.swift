/// Messages to customers who are about to cancel, their images, and tests of who chooses them.
let schema8Messaging: String =
    """
    CREATE TABLE retention_image (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        app INTEGER NOT NULL REFERENCES app (id),
        environment TEXT NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
        id TEXT NOT NULL CHECK (length(id) = 36),
        size TEXT NOT NULL CHECK (size IN ('FULL_SIZE', 'BULLET_POINT')),
        state TEXT NOT NULL CHECK (state IN ('PENDING', 'APPROVED', 'REJECTED')),
        -- SHA-256 of the PNG.
        digest TEXT NOT NULL CHECK (length(digest) = 64),
        date INTEGER NOT NULL,
        UNIQUE (app, environment, id)
    ) STRICT;
    CREATE INDEX retention_image_by_digest ON retention_image (digest);
    CREATE INDEX retention_image_waiting ON retention_image (number) WHERE state = 'PENDING';
    CREATE TRIGGER retention_image_is_constant
        BEFORE UPDATE OF app, environment, id, size, digest, date ON retention_image
        BEGIN SELECT RAISE(ABORT, 'images are never rewritten'); END;

    CREATE TABLE retention_message (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        app INTEGER NOT NULL REFERENCES app (id),
        environment TEXT NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
        id TEXT NOT NULL CHECK (length(id) = 36),
        -- What is shown, as JSON.
        content TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('PENDING', 'APPROVED', 'REJECTED')),
        date INTEGER NOT NULL,
        UNIQUE (app, environment, id)
    ) STRICT;
    CREATE INDEX retention_message_waiting ON retention_message (number) WHERE state = 'PENDING';
    CREATE TRIGGER retention_message_is_constant
        BEFORE UPDATE OF app, environment, id, content, date ON retention_message
        BEGIN SELECT RAISE(ABORT, 'messages are never rewritten'); END;

    -- Which images a message shows.
    CREATE TABLE retention_message_image (
        message INTEGER NOT NULL REFERENCES retention_message (number) ON DELETE CASCADE,
        image INTEGER NOT NULL REFERENCES retention_image (number),
        PRIMARY KEY (message, image)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX retention_message_image_by_image ON retention_message_image (image);

    -- What subscribers to a product get in their language.
    CREATE TABLE retention_default (
        app INTEGER NOT NULL REFERENCES app (id),
        environment TEXT NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
        product_id TEXT NOT NULL,
        locale TEXT NOT NULL,
        message INTEGER NOT NULL REFERENCES retention_message (number) ON DELETE CASCADE,
        PRIMARY KEY (app, environment, product_id, locale),
        FOREIGN KEY (app, product_id) REFERENCES product (app, product_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX retention_default_by_message ON retention_default (message);

    -- Where a publisher's server chooses the message.
    CREATE TABLE retention_url (
        app INTEGER NOT NULL REFERENCES app (id),
        environment TEXT NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
        url TEXT NOT NULL,
        date INTEGER NOT NULL,
        PRIMARY KEY (app, environment)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE performance_test (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
        app INTEGER NOT NULL REFERENCES app (id),
        environment TEXT NOT NULL CHECK (environment = 'Sandbox'),
        url TEXT NOT NULL,
        original INTEGER NOT NULL REFERENCES ledger (id),
        -- How it is done, as JSON.
        plan TEXT NOT NULL,
        date INTEGER NOT NULL,
        -- Until when somebody is at it; nil for nobody.
        taken INTEGER,
        -- How many requests were answered.
        answered INTEGER NOT NULL DEFAULT 0 CHECK (answered >= 0),
        -- As JSON; nil while it runs.
        result TEXT,
        is_passed INTEGER CHECK (is_passed IN (0, 1)),
        CHECK ((result IS NULL) = (is_passed IS NULL))
    ) STRICT;
    -- One at a time.
    CREATE UNIQUE INDEX performance_test_at_work ON performance_test (app, environment)
        WHERE result IS NULL;
    CREATE INDEX performance_test_passed ON performance_test (app) WHERE is_passed = 1;

    """
