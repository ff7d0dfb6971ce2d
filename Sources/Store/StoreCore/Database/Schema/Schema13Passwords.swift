/// Links for lost passwords, and pages that follow publishers' agreements.
let schema13Passwords: String =
    """
    -- A link by which a lost password is set anew, of somebody who uses Connect, or of a customer
    -- or tester.
    CREATE TABLE password_reset (
        token_digest BLOB PRIMARY KEY CHECK (length(token_digest) = 32),
        person INTEGER REFERENCES person (id),
        account INTEGER REFERENCES account (id),
        created INTEGER NOT NULL,
        ends INTEGER NOT NULL CHECK (ends > created),
        used INTEGER,
        CHECK ((person IS NULL) <> (account IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX password_reset_by_end ON password_reset (ends);
    CREATE TRIGGER password_reset_works_once BEFORE UPDATE ON password_reset
        WHEN OLD.used IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'a link works once'); END;

    -- Whether the items of a team are sold stands on the storefront's pages.
    CREATE TRIGGER storefront_team_changed AFTER UPDATE OF has_paid_agreement ON team
        WHEN NEW.has_paid_agreement <> OLD.has_paid_agreement
        BEGIN UPDATE storefront_clock SET generation = generation + 1; END;

    """
