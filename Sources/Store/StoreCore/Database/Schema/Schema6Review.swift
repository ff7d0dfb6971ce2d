/// What reviewers have before them, and where versions go back to.
let schema6Review: String =
    """
    -- Before schema 5 there were no submissions: what waited for a decision then has nothing that
    -- could be decided, and is submitted again.
    UPDATE product SET state = 'READY_TO_SUBMIT'
        WHERE state IN ('WAITING_FOR_REVIEW', 'IN_REVIEW') AND deleted IS NULL
            AND NOT EXISTS (SELECT 1 FROM review_item i WHERE i.product = product.id
                AND i.state IN ('WAITING_FOR_REVIEW', 'IN_REVIEW', 'ACCEPTED'));
    UPDATE content_release SET state = 'READY_TO_SUBMIT'
        WHERE state IN ('WAITING_FOR_REVIEW', 'IN_REVIEW')
            AND NOT EXISTS (SELECT 1 FROM review_item i
                WHERE i.product = content_release.product
                    AND i.content_version = content_release.version
                    AND i.state IN ('WAITING_FOR_REVIEW', 'IN_REVIEW', 'ACCEPTED'));

    -- The digest of the screenshot in the snapshot: its bytes are kept with it.
    DROP TRIGGER review_item_is_decided_once;
    DROP TRIGGER review_item_is_constant;
    ALTER TABLE review_item ADD COLUMN screenshot TEXT CHECK (length(screenshot) = 64);
    UPDATE review_item SET screenshot = json_extract(snapshot, '$.screenshot')
        WHERE snapshot IS NOT NULL;
    CREATE INDEX review_item_by_screenshot ON review_item (screenshot)
        WHERE screenshot IS NOT NULL;
    CREATE TRIGGER review_item_is_decided_once BEFORE UPDATE ON review_item
        WHEN OLD.state NOT IN ('WAITING_FOR_REVIEW', 'IN_REVIEW', 'ACCEPTED')
        BEGIN SELECT RAISE(ABORT, 'what is decided stays so'); END;
    CREATE TRIGGER review_item_is_constant
        BEFORE UPDATE OF submission, product, app_version, content_version, revision, snapshot,
            screenshot ON review_item
        BEGIN SELECT RAISE(ABORT, 'what was submitted is never rewritten'); END;

    -- Where a version that the store took from sale goes when it is reinstated.
    ALTER TABLE app_version ADD COLUMN before_take_down TEXT CHECK (
        before_take_down IS NULL
        OR (before_take_down IN ('READY_FOR_SALE', 'DEVELOPER_REMOVED_FROM_SALE')
            AND state = 'REMOVED_FROM_SALE'));

    """
