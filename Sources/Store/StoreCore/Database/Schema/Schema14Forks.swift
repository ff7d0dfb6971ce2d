/// Which lost numbers of events say nothing about what their devices heard.
let schema14Forks: String =
    """
    -- Lost events from this number on may be of another backup, which took the place before this
    -- one did: what happened before them happened in another store.
    ALTER TABLE restoration ADD COLUMN other_event INTEGER NOT NULL DEFAULT 0;
    UPDATE restoration SET other_event = next_event;

    """
