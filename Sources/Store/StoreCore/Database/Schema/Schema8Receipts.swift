/// What it takes to answer publishers' servers about receipts.
let schema8Receipts: String =
    """
    -- The secrets by which publishers' servers read receipts: an app's, or all of a team's.
    CREATE TABLE app_shared_secret (
        app INTEGER PRIMARY KEY REFERENCES app (id),
        secret TEXT NOT NULL CHECK (length(secret) = 32),
        date INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE team_shared_secret (
        team INTEGER PRIMARY KEY REFERENCES team (id),
        secret TEXT NOT NULL CHECK (length(secret) = 32),
        date INTEGER NOT NULL
    ) STRICT;

    """
