/// Items and artists.
///
/// What is searched or joined has a column; texts, prices and facts are JSON that the program
/// writes and reads.
let schema7Items: String =
    """
    CREATE TABLE storefront_clock (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        generation INTEGER NOT NULL
    ) STRICT;
    INSERT INTO storefront_clock VALUES (1, 1);

    -- Apps, items and artists have numbers of one range: a lookup by number means one of them.
    -- Those that the store gives to what is no app begin here; a publisher can bring others
    -- along that are higher than those of all apps so far.
    CREATE TABLE item_number (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        last INTEGER NOT NULL
    ) STRICT;
    INSERT INTO item_number VALUES (1, 100000000000);

    CREATE TABLE artist (
        id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 1099511627775),
        team INTEGER NOT NULL REFERENCES team (id),
        name TEXT NOT NULL CHECK (length(name) > 0),
        -- As searches compare it.
        search_name TEXT NOT NULL,
        type TEXT NOT NULL CHECK (type IN (
            'Artist', 'Movie Artist', 'Author', 'Software Artist', 'Podcast Artist', 'TV Show')),
        genre INTEGER,
        amg_artist INTEGER,
        -- The one of its most popular work.
        popularity INTEGER NOT NULL DEFAULT 0 CHECK (popularity >= 0),
        -- Its row in artist_search.
        search_row INTEGER
    ) STRICT;
    CREATE INDEX artist_by_name ON artist (name, type, team);
    CREATE INDEX artist_by_search_name ON artist (search_name);
    CREATE INDEX artist_by_amg ON artist (amg_artist) WHERE amg_artist IS NOT NULL;

    CREATE TABLE item (
        -- Shares an integer with its popularity in the search's rows.
        id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 1099511627775),
        team INTEGER NOT NULL REFERENCES team (id),
        kind TEXT NOT NULL CHECK (kind IN (
            'software', 'mac-software', 'ebook', 'album', 'song', 'music-video',
            'feature-movie', 'short-film', 'tv-episode', 'tv-season', 'podcast', 'audiobook')),
        app INTEGER UNIQUE REFERENCES app (id) CHECK (app = id),
        artist INTEGER REFERENCES artist (id),
        parent INTEGER REFERENCES item (id) CHECK (parent <> id),
        -- Among the parts of its parent.
        disc INTEGER NOT NULL DEFAULT 1,
        position INTEGER NOT NULL DEFAULT 0,
        release_date INTEGER,
        state TEXT NOT NULL CHECK (state IN ('DRAFT', 'ON_SALE', 'REMOVED')),
        popularity INTEGER NOT NULL DEFAULT 0 CHECK (popularity >= 0),
        -- What it earned, comparable between items: see PopularityRules.
        gross INTEGER NOT NULL DEFAULT 0 CHECK (gross >= 0),
        explicitness TEXT NOT NULL CHECK (explicitness IN (
            'explicit', 'cleaned', 'notExplicit')),
        is_free INTEGER NOT NULL CHECK (is_free IN (0, 1)),
        -- Costs nothing in some storefronts, and something in others.
        is_free_somewhere INTEGER NOT NULL CHECK (is_free_somewhere IN (0, 1)),
        -- `:JPN:USA:`; null for all.
        storefronts TEXT CHECK (storefronts LIKE ':%'),
        bundle_id TEXT,
        upc TEXT,
        isbn TEXT,
        amg_album INTEGER,
        amg_video INTEGER,
        primary_locale TEXT NOT NULL,
        -- In the primary language.
        title TEXT NOT NULL CHECK (length(title) > 0),
        genres TEXT NOT NULL,
        texts TEXT NOT NULL,
        prices TEXT NOT NULL,
        rental_prices TEXT,
        facts TEXT NOT NULL,
        created INTEGER NOT NULL,
        changed INTEGER NOT NULL,
        -- Its row in the search's tables; null where customers don't see it.
        search_row INTEGER
    ) STRICT;
    CREATE INDEX item_by_popularity ON item (kind, is_free, popularity DESC, id)
        WHERE state = 'ON_SALE';
    CREATE INDEX item_by_mixed_price ON item (kind, popularity DESC, id)
        WHERE state = 'ON_SALE' AND is_free_somewhere = 1;
    CREATE INDEX item_by_gross ON item (kind, gross DESC, id) WHERE state = 'ON_SALE' AND gross > 0;
    CREATE INDEX item_by_release ON item (kind, release_date DESC, id) WHERE state = 'ON_SALE';
    CREATE INDEX item_on_sale ON item (id) WHERE state = 'ON_SALE';
    CREATE INDEX item_by_team ON item (team);
    CREATE INDEX item_by_artist ON item (artist, kind) WHERE artist IS NOT NULL;
    CREATE INDEX item_by_parent ON item (parent, disc, position) WHERE parent IS NOT NULL;
    CREATE INDEX item_by_bundle_id ON item (bundle_id) WHERE bundle_id IS NOT NULL;
    CREATE INDEX item_by_upc ON item (upc) WHERE upc IS NOT NULL;
    CREATE INDEX item_by_isbn ON item (isbn) WHERE isbn IS NOT NULL;
    CREATE INDEX item_by_amg_album ON item (amg_album) WHERE amg_album IS NOT NULL;
    CREATE INDEX item_by_amg_video ON item (amg_video) WHERE amg_video IS NOT NULL;

    -- The columns in the order in which the program reads them.
    CREATE VIEW item_row AS
        SELECT id, team, state, popularity, created, changed, kind, app, artist, parent, genres,
            release_date, explicitness, primary_locale, texts, prices, rental_prices, bundle_id,
            upc, isbn, amg_album, amg_video, facts
        FROM item;

    -- Genres of what customers see, for charts; the ones above a genre stand here too.
    CREATE TABLE item_genre (
        genre INTEGER NOT NULL,
        kind TEXT NOT NULL,
        is_free INTEGER NOT NULL,
        -- The most popular first: minus the popularity.
        rank INTEGER NOT NULL CHECK (rank <= 0),
        item INTEGER NOT NULL REFERENCES item (id),
        PRIMARY KEY (genre, kind, is_free, rank, item)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX item_genre_by_item ON item_genre (item, genre);

    CREATE VIEW next_app_number AS
        WITH RECURSIVE free (id) AS (
            SELECT 1 + max(last, ifnull((SELECT max(id) FROM app), 0)) FROM app_number
            UNION ALL
            SELECT id + 1 FROM free WHERE EXISTS (SELECT 1 FROM item i WHERE i.id = free.id)
                OR EXISTS (SELECT 1 FROM artist a WHERE a.id = free.id))
        SELECT max(id) AS number FROM free;

    CREATE TRIGGER item_number_is_new BEFORE INSERT ON item
        WHEN EXISTS (SELECT 1 FROM artist WHERE id = NEW.id)
            OR (NEW.app IS NULL AND EXISTS (SELECT 1 FROM app WHERE id = NEW.id))
        BEGIN SELECT RAISE(ABORT, 'the number belongs to something else'); END;
    CREATE TRIGGER artist_number_is_new BEFORE INSERT ON artist
        WHEN EXISTS (SELECT 1 FROM item WHERE id = NEW.id)
            OR EXISTS (SELECT 1 FROM app WHERE id = NEW.id)
        BEGIN SELECT RAISE(ABORT, 'the number belongs to something else'); END;
    CREATE TRIGGER app_number_is_new BEFORE INSERT ON app
        WHEN EXISTS (SELECT 1 FROM item WHERE id = NEW.id)
            OR EXISTS (SELECT 1 FROM artist WHERE id = NEW.id)
        BEGIN SELECT RAISE(ABORT, 'the number belongs to something else'); END;
    CREATE TRIGGER item_is_constant BEFORE UPDATE OF id, team, kind, app, created ON item
        WHEN NEW.id <> OLD.id OR NEW.team <> OLD.team OR NEW.kind <> OLD.kind
            OR NEW.app IS NOT OLD.app OR NEW.created <> OLD.created
        BEGIN SELECT RAISE(ABORT, 'an item stays what it is'); END;
    CREATE TRIGGER item_is_kept BEFORE DELETE ON item
        BEGIN SELECT RAISE(ABORT, 'items are never deleted'); END;
    CREATE TRIGGER artist_is_constant BEFORE UPDATE OF id, team ON artist
        WHEN NEW.id <> OLD.id OR NEW.team <> OLD.team
        BEGIN SELECT RAISE(ABORT, 'an artist stays who it is'); END;
    CREATE TRIGGER artist_is_kept BEFORE DELETE ON artist
        BEGIN SELECT RAISE(ABORT, 'artists are never deleted'); END;

    """
    + storefrontTriggers

/// Let the storefront's generation grow with each change that customers see. Popularity alone is
/// none: it changes with each sale, and whatever was made of items would never be kept. Where it
/// moves an item in the order of searches, `search_row` is another one.
private let storefrontTriggers: String = [
    "item_inserted AFTER INSERT ON item",
    """
    item_changed AFTER UPDATE OF artist, parent, disc, position, release_date, state, explicitness,
        is_free, storefronts, bundle_id, upc, isbn, amg_album, amg_video, primary_locale, title,
        genres, texts, prices, rental_prices, facts, search_row ON item
    """,
    "artist_inserted AFTER INSERT ON artist",
    "artist_changed AFTER UPDATE OF name, type, genre, amg_artist, search_row ON artist",
].map { event in
    """
    CREATE TRIGGER storefront_\(event)
        BEGIN UPDATE storefront_clock SET generation = generation + 1; END;

    """
}.joined()
