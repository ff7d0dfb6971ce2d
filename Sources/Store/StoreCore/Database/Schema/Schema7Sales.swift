/// Who got which items, and who sent them.
///
/// A sale is a fact, and so is a refund; both are only ever added. Who has an item now is told by
/// the sales without a refund; of a tester, by those since the history was last cleared.
let schema7Sales: String = """
    CREATE TABLE affiliate (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        token TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (
            length(token) BETWEEN 4 AND 20 AND NOT token GLOB '*[^0-9A-Za-z]*'),
        name TEXT NOT NULL CHECK (length(name) > 0),
        email TEXT NOT NULL CHECK (length(email) > 0),
        -- Hundredths of a percent.
        basis_points INTEGER NOT NULL CHECK (basis_points BETWEEN 0 AND 10000),
        active INTEGER NOT NULL CHECK (active IN (0, 1)),
        created INTEGER NOT NULL
    ) STRICT;
    CREATE TRIGGER affiliate_is_kept BEFORE DELETE ON affiliate
        BEGIN SELECT RAISE(ABORT, 'affiliates are never deleted'); END;
    CREATE TRIGGER affiliate_token_is_constant BEFORE UPDATE OF id, token, created ON affiliate
        BEGIN SELECT RAISE(ABORT, 'tokens of affiliates are never rewritten'); END;

    CREATE TABLE item_sale (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        item INTEGER NOT NULL REFERENCES item (id),
        -- Whose the item is.
        team INTEGER NOT NULL REFERENCES team (id),
        environment TEXT NOT NULL,
        account INTEGER NOT NULL,
        storefront TEXT NOT NULL CHECK (length(storefront) = 3),
        price INTEGER NOT NULL CHECK (price >= 0),
        currency TEXT NOT NULL CHECK (length(currency) = 3),
        -- What the link said, whether or not there is such an affiliate.
        affiliate_token TEXT CHECK (length(affiliate_token) BETWEEN 4 AND 20),
        campaign TEXT CHECK (length(campaign) BETWEEN 1 AND 40),
        provider TEXT CHECK (length(provider) BETWEEN 1 AND 20),
        affiliate INTEGER REFERENCES affiliate (id),
        commission INTEGER CHECK (commission BETWEEN 0 AND price),
        date INTEGER NOT NULL,
        FOREIGN KEY (account, environment) REFERENCES account (id, environment),
        CHECK ((commission IS NULL) = (affiliate IS NULL)),
        CHECK (affiliate IS NULL OR affiliate_token IS NOT NULL)
    ) STRICT;
    CREATE INDEX item_sale_by_account ON item_sale (account, item);
    CREATE INDEX item_sale_of_account ON item_sale (account);
    CREATE INDEX item_sale_by_item ON item_sale (item);
    CREATE INDEX item_sale_by_team ON item_sale (team);
    CREATE INDEX item_sale_by_day ON item_sale (environment, date);
    CREATE INDEX item_sale_by_affiliate ON item_sale (date, affiliate)
        WHERE affiliate IS NOT NULL AND environment = 'Production';

    CREATE TABLE item_refund (
        sale INTEGER PRIMARY KEY REFERENCES item_sale (id),
        date INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX item_refund_by_date ON item_refund (date);

    -- A tester has nothing any more of what was got up to the last of these sales; 0 where
    -- nothing was.
    ALTER TABLE history_clearing
        ADD COLUMN last_sale INTEGER NOT NULL DEFAULT 0 CHECK (last_sale >= 0);
    CREATE VIEW last_cleared_sale AS
        SELECT account, max(last_sale) AS id FROM history_clearing GROUP BY account;

    -- The columns in the order in which the program reads them.
    CREATE VIEW item_sale_entry AS
        SELECT s.id, s.item, s.environment, s.account, s.storefront, s.price, s.currency,
            s.affiliate_token, s.campaign, s.provider, s.affiliate, s.commission, s.date,
            r.date AS refund_date, s.team,
            s.id <= ifnull((SELECT id FROM last_cleared_sale WHERE account = s.account), 0)
                AS is_cleared
        FROM item_sale s LEFT JOIN item_refund r ON r.sale = s.id;

    CREATE TRIGGER item_sale_is_made_once BEFORE INSERT ON item_sale
        WHEN EXISTS (SELECT 1 FROM item_sale s WHERE s.account = NEW.account
            AND s.item = NEW.item AND NOT EXISTS (SELECT 1 FROM item_refund WHERE sale = s.id)
            AND s.id > ifnull((SELECT id FROM last_cleared_sale WHERE account = NEW.account), 0))
        BEGIN SELECT RAISE(ABORT, 'the account has the item already'); END;
    CREATE TRIGGER item_sale_is_kept BEFORE DELETE ON item_sale
        BEGIN SELECT RAISE(ABORT, 'sales of items are never deleted'); END;
    CREATE TRIGGER item_sale_is_constant BEFORE UPDATE ON item_sale
        BEGIN SELECT RAISE(ABORT, 'sales of items are never rewritten'); END;
    CREATE TRIGGER item_refund_is_kept BEFORE DELETE ON item_refund
        BEGIN SELECT RAISE(ABORT, 'refunds of items are never deleted'); END;
    CREATE TRIGGER item_refund_is_constant BEFORE UPDATE ON item_refund
        BEGIN SELECT RAISE(ABORT, 'refunds of items are never rewritten'); END;

    """
