/// Generations of bundle identifiers outlive them: profiles of one that was deleted, or of one
/// that somebody else registered anew, must not become valid again.
let schema6Identifiers: String =
    """
    CREATE TABLE bundle_identifier_past (
        identifier TEXT PRIMARY KEY,
        -- The last generation that it had when it was deleted.
        last INTEGER NOT NULL CHECK (last > 0)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER bundle_identifier_was_used AFTER DELETE ON bundle_identifier BEGIN
        INSERT INTO bundle_identifier_past VALUES (OLD.identifier, OLD.generation)
            ON CONFLICT (identifier) DO UPDATE
            SET last = max(bundle_identifier_past.last, excluded.last);
    END;
    -- What was deleted so far is known from the audit log: each entry has raised the generation
    -- by one at most.
    INSERT INTO bundle_identifier_past
        SELECT subject, 1 + count(*) FROM audit WHERE action LIKE 'bundleId.%'
        GROUP BY subject HAVING sum(CAST(action = 'bundleId.delete' AS INT)) > 0;
    -- Profiles of those that were registered anew since may be such of the earlier owner.
    UPDATE bundle_identifier SET generation = max(generation, 1 + (
            SELECT last FROM bundle_identifier_past p
            WHERE p.identifier = bundle_identifier.identifier))
        WHERE is_wildcard = 0 AND identifier IN (SELECT identifier FROM bundle_identifier_past);
    UPDATE app SET generation = b.generation
        FROM bundle_identifier b WHERE b.id = app.identifier AND b.generation > app.generation;

    """
