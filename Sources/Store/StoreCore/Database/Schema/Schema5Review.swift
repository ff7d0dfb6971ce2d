/// Submissions and decisions.
let schema5Review: String =
    """
    -- Things of one app that were submitted together. A party is kept with the name that it
    -- had then.
    CREATE TABLE review_submission (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        app INTEGER NOT NULL REFERENCES app (id),
        state TEXT NOT NULL CHECK (state IN (
            'WAITING_FOR_REVIEW', 'IN_REVIEW', 'COMPLETE', 'WITHDRAWN')),
        submitter TEXT NOT NULL CHECK (length(submitter) > 0),
        submitter_name TEXT NOT NULL,
        claimant TEXT CHECK (length(claimant) > 0),
        claimant_name TEXT,
        created INTEGER NOT NULL,
        -- When its state last changed.
        changed INTEGER NOT NULL CHECK (changed >= created),
        CHECK ((claimant IS NULL) = (claimant_name IS NULL)),
        CHECK ((claimant IS NOT NULL) = (state IN ('IN_REVIEW', 'COMPLETE')))
    ) STRICT;
    -- Few are open, however many there were.
    CREATE INDEX review_submission_open ON review_submission (id)
        WHERE state IN ('WAITING_FOR_REVIEW', 'IN_REVIEW');
    CREATE INDEX review_submission_by_app ON review_submission (app, id);
    CREATE TRIGGER review_submission_is_kept BEFORE DELETE ON review_submission
        BEGIN SELECT RAISE(ABORT, 'submissions are never deleted'); END;
    CREATE TRIGGER review_submission_ends_once BEFORE UPDATE ON review_submission
        WHEN OLD.state IN ('COMPLETE', 'WITHDRAWN')
        BEGIN SELECT RAISE(ABORT, 'a submission ends once'); END;

    CREATE TABLE review_item (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        submission INTEGER NOT NULL REFERENCES review_submission (id),
        product INTEGER REFERENCES product (id),
        -- No reference: a version that was rejected may be deleted.
        app_version TEXT CHECK (length(app_version) > 0),
        -- For people.
        name TEXT NOT NULL CHECK (length(name) > 0),
        content_version TEXT,
        revision INTEGER CHECK (revision > 0),
        -- The product as it was submitted, as JSON.
        snapshot TEXT,
        state TEXT NOT NULL CHECK (state IN (
            'WAITING_FOR_REVIEW', 'IN_REVIEW', 'ACCEPTED', 'APPROVED', 'REJECTED',
            'DEVELOPER_ACTION_NEEDED', 'WITHDRAWN', 'RETURNED')),
        -- What the reviewer said.
        message TEXT CHECK (
            state NOT IN ('REJECTED', 'DEVELOPER_ACTION_NEEDED')
            OR ifnull(length(message), 0) > 0),
        decider TEXT,
        decider_name TEXT,
        decided INTEGER,
        CHECK ((product IS NULL) = (app_version IS NOT NULL)),
        CHECK ((product IS NULL) = (snapshot IS NULL)),
        CHECK (app_version IS NULL OR (content_version IS NULL AND revision IS NULL)),
        CHECK ((decider IS NULL) = (decided IS NULL) AND (decider IS NULL) = (decider_name IS NULL)),
        CHECK ((decided IS NOT NULL) = (state IN (
            'ACCEPTED', 'APPROVED', 'REJECTED', 'DEVELOPER_ACTION_NEEDED', 'RETURNED')))
    ) STRICT;
    CREATE INDEX review_item_by_submission ON review_item (submission, id);
    CREATE INDEX review_item_by_product ON review_item (product, id)
        WHERE product IS NOT NULL;
    CREATE INDEX review_item_by_version ON review_item (app_version, id)
        WHERE app_version IS NOT NULL;
    -- What is with the reviewers is not submitted again.
    CREATE UNIQUE INDEX review_item_open_product ON review_item (product)
        WHERE product IS NOT NULL AND state IN ('WAITING_FOR_REVIEW', 'IN_REVIEW', 'ACCEPTED');
    CREATE UNIQUE INDEX review_item_open_version ON review_item (app_version)
        WHERE app_version IS NOT NULL
            AND state IN ('WAITING_FOR_REVIEW', 'IN_REVIEW', 'ACCEPTED');
    CREATE TRIGGER review_item_is_kept BEFORE DELETE ON review_item
        BEGIN SELECT RAISE(ABORT, 'what was submitted is never deleted'); END;
    CREATE TRIGGER review_item_is_decided_once BEFORE UPDATE ON review_item
        WHEN OLD.state NOT IN ('WAITING_FOR_REVIEW', 'IN_REVIEW', 'ACCEPTED')
        BEGIN SELECT RAISE(ABORT, 'what is decided stays so'); END;
    CREATE TRIGGER review_item_is_constant
        BEFORE UPDATE OF submission, product, app_version, content_version, revision, snapshot
        ON review_item
        BEGIN SELECT RAISE(ABORT, 'what was submitted is never rewritten'); END;

    -- How products came to be where they are sold.
    CREATE TABLE product_sale_change (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        product INTEGER NOT NULL REFERENCES product (id),
        step TEXT NOT NULL CHECK (step IN (
            'removeFromSale', 'returnToSale', 'takeDown', 'reinstate')),
        before TEXT NOT NULL,
        after TEXT NOT NULL CHECK (after <> before),
        reason TEXT NOT NULL CHECK (step <> 'takeDown' OR length(reason) > 0),
        actor TEXT NOT NULL CHECK (length(actor) > 0),
        actor_name TEXT NOT NULL,
        date INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX product_sale_change_by_product ON product_sale_change (product, id);

    """ + constancyTriggers(for: ["product_sale_change"])
