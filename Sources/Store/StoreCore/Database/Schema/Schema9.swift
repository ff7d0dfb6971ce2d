/// More than one kind of database, and more than one process on one of them.
let schema9: String = schema9Databases + schema9Processes

/// What several processes on one database have to agree on.
private let schema9Processes: String =
    """
    -- Bytes that nothing needs are taken away outside of transactions. Whoever comes to need some
    -- compares this with what stood here when they were seen.
    CREATE TABLE byte_removal (
        place TEXT NOT NULL CHECK (place IN ('CONTENT', 'PICTURES')),
        digest TEXT NOT NULL CHECK (length(digest) = 64),
        -- How often, lately.
        times INTEGER NOT NULL CHECK (times > 0),
        begun INTEGER NOT NULL,
        -- NULL while they are taken away.
        ended INTEGER,
        PRIMARY KEY (place, digest)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX byte_removal_by_begin ON byte_removal (begun);

    -- What a store does by itself, once whoever does it.
    CREATE TABLE job (
        name TEXT PRIMARY KEY CHECK (length(name) > 0),
        -- Who has it, and until when nobody else gets it.
        holder TEXT,
        lease_end INTEGER NOT NULL,
        -- When it was last begun that came to its end; NULL for never.
        last INTEGER
    ) STRICT, WITHOUT ROWID;

    """
