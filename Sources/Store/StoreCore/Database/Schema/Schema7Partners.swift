/// Who may fetch the partner feed.
let schema7Partners: String = """
    CREATE TABLE feed_partner (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
        -- The name in HTTP Basic, which takes no colon.
        user_name TEXT NOT NULL UNIQUE
            CHECK (length(user_name) BETWEEN 3 AND 64 AND user_name NOT GLOB '*[^a-z0-9._-]*'),
        password_hash TEXT NOT NULL CHECK (length(password_hash) > 0),
        is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
        created INTEGER NOT NULL,
        last_use INTEGER
    ) STRICT;
    CREATE TRIGGER feed_partner_is_kept BEFORE DELETE ON feed_partner
        BEGIN SELECT RAISE(ABORT, 'partners are deactivated, never deleted'); END;
    CREATE TRIGGER feed_partner_keeps_name BEFORE UPDATE OF id, user_name, created ON feed_partner
        WHEN OLD.id <> NEW.id OR OLD.user_name <> NEW.user_name OR OLD.created <> NEW.created
        BEGIN SELECT RAISE(ABORT, 'a partner keeps its user name'); END;

    -- What the next incremental export tells of beside the items whose own date has changed.
    CREATE TABLE feed_clock (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        version INTEGER NOT NULL,
        -- When the newest export began.
        exported INTEGER NOT NULL
    ) STRICT;
    INSERT INTO feed_clock VALUES (1, 1, 0);
    CREATE TABLE feed_item_change (
        item INTEGER PRIMARY KEY REFERENCES item (id),
        version INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX feed_item_change_by_version ON feed_item_change (version);
    CREATE TABLE feed_artist_change (
        artist INTEGER PRIMARY KEY REFERENCES artist (id),
        version INTEGER NOT NULL
    ) STRICT;
    -- A date says nothing where it lies before an export that the change comes after: the clock
    -- went back, or the change waited to be written.
    CREATE TRIGGER feed_hears_of_item_added AFTER INSERT ON item
        WHEN NEW.changed < (SELECT exported FROM feed_clock)
    BEGIN
        UPDATE feed_clock SET version = version + 1;
        INSERT INTO feed_item_change SELECT NEW.id, version FROM feed_clock;
    END;
    CREATE TRIGGER feed_hears_of_item_changed AFTER UPDATE OF changed ON item
        WHEN NEW.changed < (SELECT exported FROM feed_clock)
    BEGIN
        UPDATE feed_clock SET version = version + 1;
        INSERT INTO feed_item_change SELECT NEW.id, version FROM feed_clock WHERE true
            ON CONFLICT (item) DO UPDATE SET version = excluded.version;
    END;
    CREATE TRIGGER feed_hears_of_media_added AFTER INSERT ON item_media BEGIN
        UPDATE feed_clock SET version = version + 1;
        INSERT INTO feed_item_change SELECT NEW.item, version FROM feed_clock WHERE true
            ON CONFLICT (item) DO UPDATE SET version = excluded.version;
    END;
    CREATE TRIGGER feed_hears_of_media_changed AFTER UPDATE ON item_media BEGIN
        UPDATE feed_clock SET version = version + 1;
        INSERT INTO feed_item_change SELECT NEW.item, version FROM feed_clock WHERE true
            ON CONFLICT (item) DO UPDATE SET version = excluded.version;
    END;
    CREATE TRIGGER feed_hears_of_media_removed AFTER DELETE ON item_media BEGIN
        UPDATE feed_clock SET version = version + 1;
        INSERT INTO feed_item_change SELECT OLD.item, version FROM feed_clock WHERE true
            ON CONFLICT (item) DO UPDATE SET version = excluded.version;
    END;
    CREATE TRIGGER feed_hears_of_artist AFTER INSERT ON artist BEGIN
        UPDATE feed_clock SET version = version + 1;
        INSERT INTO feed_artist_change SELECT NEW.id, version FROM feed_clock;
    END;
    CREATE TRIGGER feed_hears_of_artist_changed
        AFTER UPDATE OF name, type, genre, amg_artist ON artist
        WHEN NEW.name <> OLD.name OR NEW.type <> OLD.type OR NEW.genre IS NOT OLD.genre
            OR NEW.amg_artist IS NOT OLD.amg_artist
    BEGIN
        UPDATE feed_clock SET version = version + 1;
        INSERT INTO feed_artist_change SELECT NEW.id, version FROM feed_clock WHERE true
            ON CONFLICT (artist) DO UPDATE SET version = excluded.version;
        -- Their rows say its name.
        INSERT INTO feed_item_change
            SELECT i.id, c.version FROM item i, feed_clock c WHERE i.artist = NEW.id
            ON CONFLICT (item) DO UPDATE SET version = excluded.version;
    END;
    """
