/// Connect: what publishers and the store's staff maintain. One migration, in parts by subject.
let schema5: String = [
    schema5Audit, schema5People, schema5Apps, schema5Products, schema5Review, schema5Sandbox,
    schema5Sales, schema5Data,
].joined(separator: "\n")

/// Who changed what.
private let schema5Audit: String =
    """
    CREATE TABLE audit (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        team INTEGER REFERENCES team (id),
        actor TEXT NOT NULL CHECK (length(actor) > 0),
        action TEXT NOT NULL CHECK (length(action) > 0),
        subject TEXT NOT NULL,
        before TEXT,
        after TEXT,
        date INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX audit_by_team ON audit (team, id);

    """ + constancyTriggers(for: ["audit"])
