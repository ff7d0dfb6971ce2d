/// One sequence of numbers for apps, in-app purchases, items and artists.
let schema16Numbers: String =
    """
    -- The last "Apple ID" that the store gave. Numbers that were given out before stay what they
    -- are, also where an in-app purchase has one of something else; new ones follow all of them.
    -- Publishers can bring numbers along, which the sequence then passes over; those close to the
    -- end of the range don't move it there.
    CREATE TABLE apple_id (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        last INTEGER NOT NULL CHECK (last BETWEEN 0 AND 1099511627775)
    ) STRICT;
    INSERT INTO apple_id
        SELECT 1, max(
            a.last, CASE WHEN i.last > 100000000000 THEN i.last ELSE 0 END,
            ifnull((SELECT max(id) FROM app WHERE id < 1000000000000), 0),
            ifnull((SELECT max(id) FROM product WHERE id < 1000000000000), 0),
            ifnull((SELECT max(id) FROM item WHERE id < 1000000000000), 0),
            ifnull((SELECT max(id) FROM artist WHERE id < 1000000000000), 0))
        FROM app_number a, item_number i;

    -- Numbers of apps that were deleted: nothing else gets them.
    CREATE TABLE former_apple_id (id INTEGER PRIMARY KEY) STRICT;
    CREATE TRIGGER app_number_is_kept AFTER DELETE ON app
        BEGIN INSERT INTO former_apple_id VALUES (OLD.id) ON CONFLICT DO NOTHING; END;

    -- Up to here numbers belong to apps of before, whether they are still there or not.
    DROP TRIGGER app_number_was_given;
    DROP VIEW next_app_number;

    """
