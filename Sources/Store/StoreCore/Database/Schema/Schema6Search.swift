/// The search for products knows their apps: `:7:` stands for the app 7, so that a search in one
/// app meets nothing of the others.
let schema6Search: String = """
    DROP TABLE product_search;
    -- By row of the product. Kept by the program: triggers may not use virtual tables where the
    -- schema is not trusted.
    CREATE VIRTUAL TABLE product_search USING fts5 (
        app, product_id, reference_name, tokenize = 'trigram', columnsize = 0);
    INSERT INTO product_search (rowid, app, product_id, reference_name)
        SELECT id, ':' || app || ':', product_id, reference_name FROM product
            WHERE deleted IS NULL;

    """
