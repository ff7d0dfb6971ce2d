/// What customers think of items.
///
/// The triggers keep the counts: however a review comes, changes or goes, its stars, its votes
/// and the length of the lists that it stands in are right at the end of the same transaction.
let schema7Reviews: String =
    """
    CREATE TABLE customer_review (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        item INTEGER NOT NULL REFERENCES item (id),
        -- Whose the item is.
        team INTEGER NOT NULL REFERENCES team (id),
        environment TEXT NOT NULL,
        account INTEGER NOT NULL,
        nickname TEXT NOT NULL,
        storefront TEXT NOT NULL CHECK (length(storefront) = 3),
        rating INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 5),
        title TEXT NOT NULL,
        body TEXT NOT NULL,
        version TEXT CHECK (version <> ''),
        state TEXT NOT NULL CHECK (state IN ('PUBLISHED', 'HELD', 'REJECTED')),
        hold_reason TEXT CHECK (hold_reason IS NULL OR state <> 'PUBLISHED'),
        votes INTEGER NOT NULL DEFAULT 0 CHECK (votes >= 0),
        helpful_votes INTEGER NOT NULL DEFAULT 0 CHECK (helpful_votes BETWEEN 0 AND votes),
        response TEXT CHECK (response <> ''),
        response_date INTEGER CHECK ((response_date IS NULL) = (response IS NULL)),
        created INTEGER NOT NULL,
        changed INTEGER NOT NULL,
        has_text INTEGER NOT NULL GENERATED ALWAYS AS (
            CAST(title <> '' OR body <> '' AS INT)) VIRTUAL,
        helpfulness INTEGER NOT NULL GENERATED ALWAYS AS (2 * helpful_votes - votes) VIRTUAL,
        UNIQUE (account, item),
        CHECK (nickname <> '' OR title = '' AND body = ''),
        FOREIGN KEY (account, environment) REFERENCES account (id, environment)
    ) STRICT;

    """ + reviewOrderIndexes("in_all", columns: "item, environment")
    + reviewOrderIndexes("in_storefront", columns: "item, environment, storefront") + """
        CREATE INDEX customer_review_by_state ON customer_review (state);
        CREATE INDEX customer_review_by_team ON customer_review (team, state);
        CREATE INDEX customer_review_by_item ON customer_review (item, state);

        -- The columns in the order in which the program reads them.
        CREATE VIEW customer_review_entry AS
            SELECT id, item, account, nickname, storefront, rating, title, body, version, state,
                hold_reason, helpful_votes, votes, response, response_date, created, changed,
                environment, team, has_text, helpfulness
            FROM customer_review;

        CREATE TRIGGER customer_review_stays_where_it_is
            BEFORE UPDATE OF id, item, team, environment, account, storefront, created
            ON customer_review
            BEGIN SELECT RAISE(ABORT, 'a review stays with its item and account'); END;

        -- One for each account, whose last word counts.
        CREATE TABLE review_vote (
            review INTEGER NOT NULL REFERENCES customer_review (id) ON DELETE CASCADE,
            account INTEGER NOT NULL REFERENCES account (id),
            helpful INTEGER NOT NULL CHECK (helpful IN (0, 1)),
            date INTEGER NOT NULL,
            PRIMARY KEY (review, account)
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER review_vote_is_for_others BEFORE INSERT ON review_vote
            WHEN EXISTS (SELECT 1 FROM customer_review
                WHERE id = NEW.review AND account = NEW.account)
            BEGIN SELECT RAISE(ABORT, 'nobody votes on a review of their own'); END;
        CREATE TRIGGER review_vote_added AFTER INSERT ON review_vote
            BEGIN UPDATE customer_review SET votes = votes + 1,
                helpful_votes = helpful_votes + NEW.helpful WHERE id = NEW.review; END;
        CREATE TRIGGER review_vote_changed AFTER UPDATE ON review_vote
            BEGIN UPDATE customer_review SET helpful_votes = helpful_votes - OLD.helpful + NEW.helpful
                WHERE id = NEW.review; END;
        CREATE TRIGGER review_vote_taken AFTER DELETE ON review_vote
            BEGIN UPDATE customer_review SET votes = votes - 1,
                helpful_votes = helpful_votes - OLD.helpful WHERE id = OLD.review; END;

        -- How many published reviews gave how many stars, by version; '' stands for all of them.
        CREATE TABLE item_rating (
            item INTEGER NOT NULL REFERENCES item (id),
            environment TEXT NOT NULL,
            version TEXT NOT NULL,
            one INTEGER NOT NULL CHECK (one >= 0),
            two INTEGER NOT NULL CHECK (two >= 0),
            three INTEGER NOT NULL CHECK (three >= 0),
            four INTEGER NOT NULL CHECK (four >= 0),
            five INTEGER NOT NULL CHECK (five >= 0),
            PRIMARY KEY (item, environment, version)
        ) STRICT, WITHOUT ROWID;

        -- How many published reviews with text there are, by storefront; '' stands for all of them.
        CREATE TABLE review_count (
            item INTEGER NOT NULL REFERENCES item (id),
            environment TEXT NOT NULL,
            storefront TEXT NOT NULL,
            reviews INTEGER NOT NULL CHECK (reviews >= 0),
            PRIMARY KEY (item, environment, storefront)
        ) STRICT, WITHOUT ROWID;

        CREATE TRIGGER customer_review_counted_in AFTER INSERT ON customer_review
            WHEN NEW.state = 'PUBLISHED'
            BEGIN \(countsIn) END;
        CREATE TRIGGER customer_review_counted_out AFTER DELETE ON customer_review
            WHEN OLD.state = 'PUBLISHED'
            BEGIN \(countsOut) END;
        CREATE TRIGGER customer_review_recounted_out
            AFTER UPDATE OF rating, title, body, version, state ON customer_review
            WHEN OLD.state = 'PUBLISHED'
            BEGIN \(countsOut) END;
        CREATE TRIGGER customer_review_recounted_in
            AFTER UPDATE OF rating, title, body, version, state ON customer_review
            WHEN NEW.state = 'PUBLISHED'
            BEGIN \(countsIn) END;

        -- Whoever was rejected is looked at the next time too, also after removing the review.
        CREATE TABLE review_rejection (
            account INTEGER NOT NULL REFERENCES account (id),
            item INTEGER NOT NULL REFERENCES item (id),
            PRIMARY KEY (account, item)
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER customer_review_rejected AFTER UPDATE OF state ON customer_review
            WHEN NEW.state = 'REJECTED'
            BEGIN INSERT INTO review_rejection VALUES (NEW.account, NEW.item)
                ON CONFLICT DO NOTHING; END;
        CREATE TRIGGER customer_review_accepted AFTER UPDATE OF state ON customer_review
            WHEN NEW.state = 'PUBLISHED'
            BEGIN DELETE FROM review_rejection
                WHERE account = NEW.account AND item = NEW.item; END;

        CREATE TRIGGER customer_review_clock_insert AFTER INSERT ON customer_review
            BEGIN UPDATE storefront_clock SET generation = generation + 1; END;
        CREATE TRIGGER customer_review_clock_update AFTER UPDATE ON customer_review
            BEGIN UPDATE storefront_clock SET generation = generation + 1; END;
        CREATE TRIGGER customer_review_clock_delete AFTER DELETE ON customer_review
            BEGIN UPDATE storefront_clock SET generation = generation + 1; END;

        """

/// What `reviewOrderIndexes` makes.
let reviewOrderIndexNames: [String] = ["in_all", "in_storefront"].flatMap { name in
    ["helpful", "recent", "favorable", "critical"].map { "customer_review_\($0)_\(name)" }
}

/// An index for each order in which customers read reviews.
func reviewOrderIndexes(_ name: String, columns: String) -> String {
    [
        ("helpful", "helpfulness DESC"), ("recent", ""), ("favorable", "rating DESC"),
        ("critical", "rating"),
    ].map { order, column in
        """
        CREATE INDEX customer_review_\(order)_\(name) ON customer_review (
            \(columns)\(column.isEmpty ? "" : ", " + column), changed DESC, id DESC)
            WHERE state = 'PUBLISHED' AND has_text = 1;

        """
    }.joined()
}

/// Adds a new row of `customer_review` to what is counted.
private let countsIn: String = """
    INSERT INTO item_rating (item, environment, version, one, two, three, four, five)
        SELECT NEW.item, NEW.environment, v.version, 
            CAST(NEW.rating = 1 AS INT), CAST(NEW.rating = 2 AS INT),
            CAST(NEW.rating = 3 AS INT), CAST(NEW.rating = 4 AS INT),
            CAST(NEW.rating = 5 AS INT)
        FROM (SELECT '' AS version UNION ALL SELECT NEW.version) v
        WHERE v.version IS NOT NULL
        ON CONFLICT (item, environment, version) DO UPDATE SET
            one = item_rating.one + excluded.one, two = item_rating.two + excluded.two,
            three = item_rating.three + excluded.three,
            four = item_rating.four + excluded.four, five = item_rating.five + excluded.five;
    INSERT INTO review_count (item, environment, storefront, reviews)
        SELECT NEW.item, NEW.environment, s.storefront, 1
        FROM (SELECT '' AS storefront UNION ALL SELECT NEW.storefront) s
        WHERE NEW.title <> '' OR NEW.body <> ''
        ON CONFLICT (item, environment, storefront) DO UPDATE
            SET reviews = review_count.reviews + 1;
    """

/// Takes an old row of `customer_review` from what is counted.
private let countsOut: String = """
    UPDATE item_rating SET one = one - CAST(OLD.rating = 1 AS INT),
            two = two - CAST(OLD.rating = 2 AS INT), three = three - CAST(OLD.rating = 3 AS INT),
            four = four - CAST(OLD.rating = 4 AS INT), five = five - CAST(OLD.rating = 5 AS INT)
        WHERE item = OLD.item AND environment = OLD.environment
            AND (version = '' OR version = OLD.version);
    UPDATE review_count SET reviews = reviews - 1
        WHERE item = OLD.item AND environment = OLD.environment
            AND storefront IN ('', OLD.storefront) AND (OLD.title <> '' OR OLD.body <> '');
    """
