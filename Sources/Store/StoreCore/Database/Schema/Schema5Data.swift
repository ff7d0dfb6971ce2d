/// Resources of the API that the store keeps without acting on them.
let schema5Data: String =
    """
    CREATE TABLE kept_resource (
        id TEXT NOT NULL CHECK (length(id) > 0),
        kind TEXT NOT NULL,
        app INTEGER NOT NULL REFERENCES app (id),
        -- What it belongs to, and goes with: the app, a product, or another one.
        product INTEGER REFERENCES product (id),
        parent INTEGER REFERENCES kept_resource (number) ON DELETE CASCADE,
        -- Within what the name is there once: the owner or the app.
        scope TEXT NOT NULL,
        name TEXT NOT NULL,
        territory TEXT,
        attributes TEXT NOT NULL CHECK (attributes LIKE '{%}'),
        links TEXT NOT NULL CHECK (links LIKE '{%}'),
        created INTEGER NOT NULL,
        number INTEGER PRIMARY KEY,
        UNIQUE (kind, id),
        UNIQUE (kind, scope, name),
        CHECK (product IS NULL OR parent IS NULL)
    ) STRICT;
    CREATE INDEX kept_resource_by_app ON kept_resource (app, kind, number);
    CREATE INDEX kept_resource_by_product ON kept_resource (product, kind, number)
        WHERE product IS NOT NULL;
    CREATE INDEX kept_resource_by_parent ON kept_resource (parent, kind, number)
        WHERE parent IS NOT NULL;
    CREATE INDEX product_subscriptions ON product (app, id)
        WHERE subscription IS NOT NULL AND deleted IS NULL;

    """
