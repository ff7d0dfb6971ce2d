/// What it takes to have more than one kind of database.
let schema9Databases: String =
    """
    -- A number is no truth value in PostgreSQL: conditions of indexes say what it is compared with.

    """ + reviewOrderIndexNames.map { "DROP INDEX IF EXISTS \($0);\n" }.joined()
    + reviewOrderIndexes("in_all", columns: "item, environment")
    + reviewOrderIndexes("in_storefront", columns: "item, environment, storefront")
        + """
        -- A row here: the shop goes on in another database, and nothing is written to this one.
        CREATE TABLE moved_to (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            -- Without a password.
            address TEXT NOT NULL,
            date INTEGER NOT NULL
        ) STRICT;

        """
