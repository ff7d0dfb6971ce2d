/// Pictures, sounds and films of items. The bytes lie in the folder assets, by digest.
let schema7Media: String = """
    CREATE TABLE item_media (
        id TEXT PRIMARY KEY CHECK (length(id) = 36),
        item INTEGER NOT NULL REFERENCES item (id),
        kind TEXT NOT NULL CHECK (kind IN (
            'artwork', 'screenshot', 'tabletScreenshot', 'audioPreview', 'videoPreview',
            'download')),
        position INTEGER NOT NULL CHECK (position > 0),
        digest TEXT NOT NULL CHECK (length(digest) = 64),
        media_type TEXT NOT NULL CHECK (length(media_type) BETWEEN 3 AND 100),
        file_name TEXT NOT NULL CHECK (length(file_name) BETWEEN 1 AND 255),
        -- Bytes.
        size INTEGER NOT NULL CHECK (size > 0),
        -- Pixels, of pictures.
        width INTEGER CHECK (width > 0),
        height INTEGER CHECK (height > 0),
        UNIQUE (item, kind, position),
        CHECK ((width IS NULL) = (height IS NULL)),
        CHECK ((width IS NOT NULL) = (kind IN ('artwork', 'screenshot', 'tabletScreenshot'))),
        CHECK (kind NOT IN ('artwork', 'download') OR position = 1)
    ) STRICT;
    CREATE INDEX item_media_by_digest ON item_media (digest);
    -- Whoever has fetched it keeps it for a year: an identifier stands for the same bytes for
    -- ever.
    CREATE TRIGGER item_media_keeps_bytes BEFORE UPDATE ON item_media
        WHEN NEW.id <> OLD.id OR NEW.item <> OLD.item OR NEW.kind <> OLD.kind
            OR NEW.digest <> OLD.digest OR NEW.media_type <> OLD.media_type
            OR NEW.size <> OLD.size OR NEW.width IS NOT OLD.width
            OR NEW.height IS NOT OLD.height
        BEGIN SELECT RAISE(ABORT, 'media are replaced, never rewritten'); END;

    -- Customers see them.
    CREATE TRIGGER item_media_is_new AFTER INSERT ON item_media
        BEGIN UPDATE storefront_clock SET generation = generation + 1; END;
    CREATE TRIGGER item_media_has_changed AFTER UPDATE ON item_media
        BEGIN UPDATE storefront_clock SET generation = generation + 1; END;
    CREATE TRIGGER item_media_is_gone AFTER DELETE ON item_media
        BEGIN UPDATE storefront_clock SET generation = generation + 1; END;
    """
