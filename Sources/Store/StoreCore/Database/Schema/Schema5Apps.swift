/// Identifiers, profiles, apps, versions and binaries.
let schema5Apps: String =
    """
    CREATE TABLE bundle_identifier (
        -- Its ten characters are made of this number.
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        team INTEGER NOT NULL REFERENCES team (id),
        identifier TEXT NOT NULL CHECK (length(identifier) BETWEEN 1 AND 200),
        name TEXT NOT NULL CHECK (length(name) > 0),
        platform TEXT NOT NULL CHECK (platform IN ('IOS', 'MAC_OS', 'UNIVERSAL', 'SERVICES')),
        generation INTEGER NOT NULL CHECK (generation > 0),
        is_wildcard INTEGER NOT NULL GENERATED ALWAYS AS (
            CAST(identifier LIKE '%*' AS INT)) VIRTUAL
    ) STRICT;
    CREATE UNIQUE INDEX bundle_identifier_explicit ON bundle_identifier (identifier)
        WHERE is_wildcard = 0;
    CREATE UNIQUE INDEX bundle_identifier_by_team ON bundle_identifier (team, identifier);
    CREATE TRIGGER bundle_identifier_is_constant
        BEFORE UPDATE OF identifier, platform ON bundle_identifier
        WHEN NEW.identifier <> OLD.identifier OR NEW.platform <> OLD.platform
        BEGIN SELECT RAISE(ABORT, 'a bundle identifier stays what it is'); END;

    CREATE TABLE bundle_capability (
        identifier INTEGER NOT NULL REFERENCES bundle_identifier (id) ON DELETE CASCADE,
        type TEXT NOT NULL CHECK (length(type) > 0),
        -- JSON.
        settings TEXT NOT NULL,
        PRIMARY KEY (identifier, type)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER capability_needs_explicit BEFORE INSERT ON bundle_capability
        WHEN NEW.type = 'IN_APP_PURCHASE'
            AND (SELECT is_wildcard FROM bundle_identifier WHERE id = NEW.identifier) = 1
        BEGIN SELECT RAISE(ABORT, 'in-app purchase needs an explicit identifier'); END;

    CREATE TABLE profile (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        team INTEGER NOT NULL REFERENCES team (id),
        name TEXT NOT NULL CHECK (length(name) > 0),
        type TEXT NOT NULL CHECK (length(type) > 0),
        uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
        -- Null where it was deleted.
        bundle_identifier INTEGER REFERENCES bundle_identifier (id) ON DELETE SET NULL,
        identifier TEXT NOT NULL,
        generation INTEGER NOT NULL CHECK (generation > 0),
        content TEXT NOT NULL,
        created INTEGER NOT NULL,
        expires INTEGER NOT NULL CHECK (expires > created),
        UNIQUE (team, name)
    ) STRICT;
    CREATE INDEX profile_by_identifier ON profile (bundle_identifier);

    -- Every app has an identifier, an SKU and a language; columns that are added can say so by
    -- trigger only.
    ALTER TABLE app ADD COLUMN identifier INTEGER REFERENCES bundle_identifier (id);
    ALTER TABLE app ADD COLUMN sku TEXT CHECK (length(sku) BETWEEN 1 AND 200);
    ALTER TABLE app ADD COLUMN primary_locale TEXT CHECK (length(primary_locale) > 1);
    ALTER TABLE app ADD COLUMN content_rights TEXT CHECK (content_rights IN (
        'DOES_NOT_USE_THIRD_PARTY_CONTENT', 'USES_THIRD_PARTY_CONTENT'));
    ALTER TABLE app ADD COLUMN made_for_kids INTEGER NOT NULL DEFAULT 0
        CHECK (made_for_kids IN (0, 1));
    ALTER TABLE app ADD COLUMN status_url TEXT;
    ALTER TABLE app ADD COLUMN status_url_version TEXT
        CHECK ((status_url_version IS NULL) = (status_url IS NULL));
    ALTER TABLE app ADD COLUMN sandbox_status_url TEXT;
    ALTER TABLE app ADD COLUMN sandbox_status_url_version TEXT
        CHECK ((sandbox_status_url_version IS NULL) = (sandbox_status_url IS NULL));
    ALTER TABLE app ADD COLUMN streamlined INTEGER NOT NULL DEFAULT 1
        CHECK (streamlined IN (0, 1));
    ALTER TABLE app ADD COLUMN accessibility_url TEXT;

    INSERT INTO bundle_identifier (team, identifier, name, platform, generation)
        SELECT team, bundle_id, name, 'UNIVERSAL', generation FROM app ORDER BY id;
    INSERT INTO bundle_capability SELECT id, 'IN_APP_PURCHASE', '[]' FROM bundle_identifier;
    UPDATE app SET sku = bundle_id,
        identifier = (SELECT id FROM bundle_identifier b WHERE b.identifier = app.bundle_id),
        primary_locale = coalesce((
            SELECT known.value
            FROM product p, json_each('[
                "ar-SA", "bn-BD", "ca", "cs", "da", "de-DE", "el", "en-US", "en-AU", "en-CA",
                "en-GB", "es-ES", "es-MX", "fi", "fr-FR", "fr-CA", "gu-IN", "he", "hi", "hr",
                "hu", "id", "it", "ja", "kn-IN", "ko", "ml-IN", "mr-IN", "ms", "nl-NL", "no",
                "or-IN", "pa-IN", "pl", "pt-BR", "pt-PT", "ro", "ru", "sk", "sl-SI", "sv",
                "ta-IN", "te-IN", "th", "tr", "uk", "ur-PK", "vi", "zh-Hans", "zh-Hant"]') known
            WHERE p.app = app.id
                AND (known.value = replace(p.primary_locale, '_', '-')
                    OR substr(known.value, 1, 2) = substr(p.primary_locale, 1, 2))
            ORDER BY p.id, known.value <> replace(p.primary_locale, '_', '-'), known.key
            LIMIT 1), 'en-US');

    CREATE UNIQUE INDEX app_by_identifier ON app (identifier);
    CREATE UNIQUE INDEX app_by_sku ON app (team, sku);
    CREATE TRIGGER app_is_complete_new BEFORE INSERT ON app
        WHEN NEW.identifier IS NULL OR NEW.sku IS NULL OR NEW.primary_locale IS NULL
        BEGIN SELECT RAISE(ABORT, 'an app has an identifier, an SKU and a language'); END;
    CREATE TRIGGER app_is_complete BEFORE UPDATE ON app
        WHEN NEW.identifier IS NULL OR NEW.sku IS NULL OR NEW.primary_locale IS NULL
        BEGIN SELECT RAISE(ABORT, 'an app has an identifier, an SKU and a language'); END;

    -- The highest number that an app ever had: none is given twice.
    CREATE TABLE app_number (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        last INTEGER NOT NULL
    ) STRICT;
    INSERT INTO app_number VALUES (1, 0);
    CREATE TRIGGER app_number_was_given AFTER DELETE ON app
        BEGIN UPDATE app_number SET last = max(last, OLD.id); END;

    CREATE TABLE app_version (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
        app INTEGER NOT NULL REFERENCES app (id),
        platform TEXT NOT NULL CHECK (platform IN (
            'LINUX', 'IOS', 'MAC_OS', 'TV_OS', 'VISION_OS')),
        version TEXT NOT NULL CHECK (length(version) > 0),
        state TEXT NOT NULL CHECK (state IN (
            'PREPARE_FOR_SUBMISSION', 'WAITING_FOR_REVIEW', 'IN_REVIEW',
            'PENDING_DEVELOPER_RELEASE', 'READY_FOR_SALE', 'REJECTED', 'DEVELOPER_REJECTED',
            'REPLACED_WITH_NEW_VERSION', 'DEVELOPER_REMOVED_FROM_SALE', 'REMOVED_FROM_SALE')),
        release_type TEXT NOT NULL CHECK (release_type IN ('MANUAL', 'AFTER_APPROVAL')),
        whats_new TEXT NOT NULL,
        review_note TEXT NOT NULL,
        build TEXT,
        created INTEGER NOT NULL,
        submitted INTEGER,
        released INTEGER,
        UNIQUE (app, platform, version),
        FOREIGN KEY (number, build) REFERENCES app_build (version, id),
        CHECK (state IN ('PREPARE_FOR_SUBMISSION', 'REJECTED', 'DEVELOPER_REJECTED')
            OR (build IS NOT NULL AND submitted IS NOT NULL)),
        CHECK (released IS NOT NULL OR state NOT IN (
            'READY_FOR_SALE', 'REPLACED_WITH_NEW_VERSION', 'DEVELOPER_REMOVED_FROM_SALE',
            'REMOVED_FROM_SALE'))
    ) STRICT;
    -- One version on its way to the customers, and one that they can get.
    CREATE UNIQUE INDEX app_version_ahead ON app_version (app, platform) WHERE state IN (
        'PREPARE_FOR_SUBMISSION', 'WAITING_FOR_REVIEW', 'IN_REVIEW',
        'PENDING_DEVELOPER_RELEASE', 'REJECTED', 'DEVELOPER_REJECTED');
    CREATE UNIQUE INDEX app_version_on_sale ON app_version (app, platform)
        WHERE state IN ('READY_FOR_SALE', 'DEVELOPER_REMOVED_FROM_SALE', 'REMOVED_FROM_SALE');

    CREATE TABLE app_build (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
        version INTEGER NOT NULL REFERENCES app_version (number) ON DELETE CASCADE,
        build TEXT NOT NULL CHECK (length(build) > 0),
        digest TEXT NOT NULL CHECK (length(digest) = 64),
        size INTEGER NOT NULL CHECK (size > 0),
        uploaded INTEGER NOT NULL,
        UNIQUE (version, build),
        UNIQUE (version, id)
    ) STRICT;
    CREATE TRIGGER app_build_is_constant BEFORE UPDATE ON app_build
        BEGIN SELECT RAISE(ABORT, 'what was uploaded is never rewritten'); END;

    """
