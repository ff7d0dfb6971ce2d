import StoreModel

/// Texts, prices, availability and review information of products.
///
/// What devices see of an app has a generation of its own: with thousands of products, a change
/// to another app's must not make everybody read them again.
let schema5Products: String =
    """
    ALTER TABLE product ADD COLUMN review_note TEXT NOT NULL DEFAULT ''
        CHECK (length(review_note) <= 4000);
    -- The territory whose tiers the prices of the others follow.
    ALTER TABLE product ADD COLUMN base_territory TEXT NOT NULL DEFAULT 'USA'
        CHECK (length(base_territory) = 3);
    -- Where it is sold: in all but those listed, and in new ones; or only in those listed.
    -- Alpha-3 codes with spaces between them.
    ALTER TABLE product ADD COLUMN in_new_territories INTEGER NOT NULL DEFAULT 1
        CHECK (in_new_territories IN (0, 1));
    ALTER TABLE product ADD COLUMN territories TEXT NOT NULL DEFAULT '';
    -- When its publisher deleted it. The row stays: its identifier is taken for ever, and
    -- customers own it.
    ALTER TABLE product ADD COLUMN deleted INTEGER;
    CREATE TRIGGER product_stays_deleted BEFORE UPDATE OF deleted ON product
        WHEN OLD.deleted IS NOT NULL AND NEW.deleted IS NOT OLD.deleted
        BEGIN SELECT RAISE(ABORT, 'a deleted product stays deleted'); END;
    CREATE TRIGGER product_is_kept BEFORE DELETE ON product
        BEGIN SELECT RAISE(ABORT, 'product identifiers stay taken for ever'); END;
    CREATE TRIGGER product_keeps_identity BEFORE UPDATE OF app, product_id, type ON product
        WHEN NEW.app <> OLD.app OR NEW.product_id <> OLD.product_id OR NEW.type <> OLD.type
        BEGIN SELECT RAISE(ABORT, 'a product keeps its app, identifier and type'); END;

    -- For lists: each holds what rows are chosen by, so that the table is read for those shown
    -- only.
    CREATE INDEX product_by_name ON product
        (app, reference_name COLLATE NOCASE, id, state, type, product_id) WHERE deleted IS NULL;
    CREATE INDEX product_by_identifier ON product
        (app, product_id COLLATE NOCASE, id, state, type, reference_name) WHERE deleted IS NULL;
    CREATE INDEX product_by_type ON product
        (app, type, reference_name COLLATE NOCASE, id, state, product_id) WHERE deleted IS NULL;
    CREATE INDEX product_by_state ON product (app, state) WHERE deleted IS NULL;

    -- How many products an app has of each kind, without deleted ones: lists tell how long they
    -- are, and counting thousands would take longer than showing fifty.
    CREATE TABLE product_count (
        app INTEGER NOT NULL REFERENCES app (id) ON DELETE CASCADE,
        state TEXT NOT NULL,
        type TEXT NOT NULL,
        count INTEGER NOT NULL CHECK (count >= 0),
        PRIMARY KEY (app, state, type)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO product_count SELECT app, state, type, count(*) FROM product GROUP BY 1, 2, 3;
    CREATE TRIGGER product_is_counted AFTER INSERT ON product WHEN NEW.deleted IS NULL BEGIN
        INSERT INTO product_count VALUES (NEW.app, NEW.state, NEW.type, 1)
            ON CONFLICT (app, state, type) DO UPDATE SET count = product_count.count + 1;
    END;
    CREATE TRIGGER product_is_counted_elsewhere AFTER UPDATE OF state, deleted ON product
        WHEN OLD.deleted IS NULL AND (NEW.state <> OLD.state OR NEW.deleted IS NOT NULL) BEGIN
        UPDATE product_count SET count = count - 1
            WHERE app = OLD.app AND state = OLD.state AND type = OLD.type;
        INSERT INTO product_count SELECT NEW.app, NEW.state, NEW.type, 1
            WHERE NEW.deleted IS NULL
            ON CONFLICT (app, state, type) DO UPDATE SET count = product_count.count + 1;
    END;

    -- By row of the product. Kept by the program: triggers may not use virtual tables where the
    -- schema is not trusted.
    CREATE VIRTUAL TABLE product_search USING fts5 (
        product_id, reference_name, tokenize = 'trigram', columnsize = 0);
    INSERT INTO product_search (rowid, product_id, reference_name)
        SELECT id, product_id, reference_name FROM product;

    -- Prices: a tier of the price list, or an amount in the territory's currency.
    CREATE TABLE new_product_price (
        product INTEGER NOT NULL REFERENCES product (id),
        territory TEXT NOT NULL CHECK (length(territory) = 3),
        -- 0: since ever.
        starts INTEGER NOT NULL CHECK (starts >= 0),
        ends INTEGER CHECK (ends > starts),
        tier TEXT,
        thousandths INTEGER CHECK (thousandths >= 0),
        PRIMARY KEY (product, territory, starts),
        CHECK ((tier IS NULL) = (thousandths IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
    INSERT INTO new_product_price (product, territory, starts, thousandths)
        SELECT product, storefront, 0, thousandths FROM product_price;
    DROP TABLE product_price;
    ALTER TABLE new_product_price RENAME TO product_price;
    UPDATE product SET base_territory = (
        SELECT min(territory) FROM product_price WHERE product = product.id)
        WHERE id IN (SELECT product FROM product_price)
            AND id NOT IN (SELECT product FROM product_price WHERE territory = 'USA');

    -- What was submitted of a product's texts, and what became of it. The texts of one that is
    -- being prepared are those in product_text.
    CREATE TABLE product_revision (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        product INTEGER NOT NULL REFERENCES product (id),
        number INTEGER NOT NULL CHECK (number > 0),
        state TEXT NOT NULL CHECK (state IN (
            'PREPARE_FOR_SUBMISSION', 'READY_FOR_REVIEW', 'WAITING_FOR_REVIEW', 'IN_REVIEW',
            'ACCEPTED', 'APPROVED', 'REPLACED_WITH_NEW_VERSION', 'REJECTED',
            'DEVELOPER_REJECTED')),
        created INTEGER NOT NULL,
        -- When the state last changed.
        changed INTEGER NOT NULL,
        UNIQUE (product, number)
    ) STRICT;
    CREATE UNIQUE INDEX product_revision_open ON product_revision (product)
        WHERE state NOT IN ('APPROVED', 'REPLACED_WITH_NEW_VERSION');
    CREATE UNIQUE INDEX product_revision_on_sale ON product_revision (product)
        WHERE state = 'APPROVED';
    CREATE TRIGGER product_revision_is_kept BEFORE DELETE ON product_revision
        BEGIN SELECT RAISE(ABORT, 'revisions are never deleted'); END;

    CREATE TABLE product_revision_text (
        revision INTEGER NOT NULL REFERENCES product_revision (id),
        locale TEXT NOT NULL,
        title TEXT NOT NULL,
        description TEXT NOT NULL,
        PRIMARY KEY (revision, locale)
    ) STRICT, WITHOUT ROWID;
    -- What was rejected may be changed and submitted again; what customers have read stays.
    CREATE TRIGGER product_revision_text_is_kept BEFORE DELETE ON product_revision_text
        WHEN (SELECT state FROM product_revision WHERE id = OLD.revision)
            IN ('APPROVED', 'REPLACED_WITH_NEW_VERSION')
        BEGIN SELECT RAISE(ABORT, 'approved texts are kept'); END;
    CREATE TRIGGER product_revision_text_is_constant BEFORE UPDATE ON product_revision_text
        BEGIN SELECT RAISE(ABORT, 'texts of revisions are replaced, never rewritten'); END;

    -- Screenshots for reviewers, and images for customers. The bytes lie in the folder assets,
    -- by digest.
    CREATE TABLE product_asset (
        id TEXT PRIMARY KEY CHECK (length(id) = 36),
        product INTEGER NOT NULL REFERENCES product (id),
        kind TEXT NOT NULL CHECK (kind IN ('reviewScreenshot', 'image')),
        file_name TEXT NOT NULL CHECK (length(file_name) BETWEEN 1 AND 255),
        size INTEGER NOT NULL CHECK (size > 0),
        state TEXT NOT NULL CHECK (state IN (
            'AWAITING_UPLOAD', 'COMPLETE', 'FAILED')),
        digest TEXT CHECK (length(digest) = 64),
        -- Of the bytes that arrived, hexadecimal.
        checksum TEXT CHECK (length(checksum) = 32),
        format TEXT CHECK (format IN ('png', 'jpeg')),
        width INTEGER CHECK (width > 0),
        height INTEGER CHECK (height > 0),
        -- Why it was refused.
        problem TEXT,
        created INTEGER NOT NULL,
        CHECK ((digest IS NULL) = (checksum IS NULL)),
        CHECK ((format IS NULL) = (width IS NULL) AND (width IS NULL) = (height IS NULL)),
        CHECK ((digest IS NULL) = (state = 'AWAITING_UPLOAD')),
        CHECK (state <> 'COMPLETE' OR format IS NOT NULL),
        CHECK ((problem IS NOT NULL) = (state = 'FAILED'))
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX product_asset_of_kind ON product_asset (product, kind);
    CREATE INDEX product_asset_by_digest ON product_asset (digest);

    -- Products that the app's page in the store shows, in their order.
    CREATE TABLE promoted_purchase (
        id TEXT PRIMARY KEY CHECK (length(id) = 36),
        app INTEGER NOT NULL REFERENCES app (id),
        product INTEGER NOT NULL UNIQUE REFERENCES product (id),
        position INTEGER NOT NULL CHECK (position >= 0),
        visible INTEGER NOT NULL CHECK (visible IN (0, 1)),
        enabled INTEGER NOT NULL CHECK (enabled IN (0, 1))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX promoted_purchase_by_app ON promoted_purchase (app, position);

    CREATE TABLE app_clock (
        app INTEGER PRIMARY KEY REFERENCES app (id) ON DELETE CASCADE,
        generation INTEGER NOT NULL
    ) STRICT;
    INSERT INTO app_clock SELECT id, 1 FROM app;
    CREATE TRIGGER app_clock_begins AFTER INSERT ON app
        BEGIN INSERT INTO app_clock VALUES (NEW.id, 1); END;
    CREATE TRIGGER app_clock_of_app AFTER UPDATE ON app
        BEGIN UPDATE app_clock SET generation = generation + 1 WHERE app = NEW.id; END;
    CREATE TRIGGER app_clock_of_team AFTER UPDATE ON team BEGIN
        UPDATE app_clock SET generation = generation + 1
            WHERE app IN (SELECT id FROM app WHERE team = NEW.id);
    END;

    """
    + clockTriggers(for: ["product_price", "product_revision"])
    + appClockTriggers(for: "product", app: { "\($0).app" })
    + ["product_text", "product_price", "product_revision", "content_release"].map { table in
        appClockTriggers(for: table) { "(SELECT app FROM product WHERE id = \($0).product)" }
    }.joined()

/// Triggers that let an app's generation grow with each change to a table.
///
/// - Parameter app: an expression for the app that a row belongs to, given the row's name.
func appClockTriggers(for table: String, app: (String) -> String) -> String {
    ["INSERT", "UPDATE", "DELETE"].map { event in
        """
        CREATE TRIGGER \(table)_app_clock_\(event.lowercased()) AFTER \(event) ON \(table) BEGIN
            UPDATE app_clock SET generation = generation + 1
                WHERE app = \(app(event == "DELETE" ? "OLD" : "NEW"));
        END;

        """
    }.joined()
}

/// Finds products that are sold at one tier in every storefront, and says so in one row: earlier
/// schemas kept the amount of each storefront.
func foldPrices(_ connection: any SQLConnection) throws {
    let rows = try connection.rows(
        "SELECT product, territory, thousandths FROM product_price ORDER BY product", []
    ) { (product: $0.integer(0), territory: $0.text(1), thousandths: $0.integer(2)) }
    for (product, rows) in Dictionary(grouping: rows, by: \.product) {
        let amounts = Dictionary(
            rows.map { ($0.territory, $0.thousandths) }, uniquingKeysWith: { first, _ in first })
        let tier = PriceTier.all.first { tier in
            Storefront.all.allSatisfy { amounts[$0.code] == tier.price(in: $0).thousandths }
        }
        guard let tier, amounts.count == Storefront.all.count else { continue }
        try connection.run("DELETE FROM product_price WHERE product = ?1", [.integer(product)])
        try connection.run(
            """
            INSERT INTO product_price (product, territory, starts, tier)
            VALUES (?1, 'USA', 0, ?2)
            """, [.integer(product), .text(tier.identifier)])
    }
}
