/// Prompts that show an item: who looks at one need not be signed in.
let schema7Prompts: String = """
    CREATE TABLE new_prompt (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        environment TEXT NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
        app INTEGER NOT NULL REFERENCES app (id),
        account INTEGER,
        kind TEXT NOT NULL CHECK (kind IN ('signIn', 'confirm', 'redeem', 'consent', 'item')),
        email TEXT CHECK (email IS NULL OR kind = 'signIn'),
        product_id TEXT,
        quantity INTEGER CHECK (quantity BETWEEN 1 AND 10),
        price INTEGER CHECK (price >= 0),
        new_price INTEGER CHECK (new_price >= 0),
        currency TEXT CHECK (length(currency) = 3),
        item INTEGER REFERENCES item (id),
        affiliate_token TEXT CHECK (affiliate_token IS NULL OR kind = 'item'),
        campaign TEXT CHECK (campaign IS NULL OR kind = 'item'),
        provider TEXT CHECK (provider IS NULL OR kind = 'item'),
        address TEXT NOT NULL,
        page_digest BLOB NOT NULL UNIQUE CHECK (length(page_digest) = 32),
        secret_digest BLOB NOT NULL CHECK (length(secret_digest) = 32),
        started INTEGER NOT NULL,
        ends INTEGER NOT NULL CHECK (ends > started),
        attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
        ending TEXT CHECK (ending IN (
            'yes', 'no', 'later', 'done', 'code', 'signedIn', 'abandoned', 'exhausted')),
        code TEXT,
        signed_in INTEGER,
        ended INTEGER,
        collected INTEGER,
        -- When the page counts as closed.
        absent INTEGER CHECK (absent IS NULL OR kind = 'item'),
        FOREIGN KEY (account, environment) REFERENCES account (id, environment),
        FOREIGN KEY (signed_in, environment) REFERENCES account (id, environment),
        FOREIGN KEY (app, product_id) REFERENCES product (app, product_id),
        CHECK (kind = 'item' OR (account IS NULL) = (kind = 'signIn')),
        CHECK ((product_id IS NOT NULL) = (kind IN ('confirm', 'consent'))),
        CHECK ((quantity IS NOT NULL) = (kind = 'confirm')),
        CHECK ((price IS NOT NULL) = (kind IN ('confirm', 'consent'))),
        CHECK ((currency IS NOT NULL) = (price IS NOT NULL)),
        CHECK ((new_price IS NOT NULL) = (kind = 'consent')),
        CHECK ((item IS NOT NULL) = (kind = 'item')),
        CHECK ((ended IS NULL) = (ending IS NULL)),
        CHECK (ending IS NOT 'done' OR kind = 'item'),
        CHECK ((code IS NOT NULL) = (ending IS 'code')),
        CHECK ((signed_in IS NOT NULL) = (ending IS 'signedIn')),
        CHECK (collected IS NULL OR ending IS 'signedIn')
    ) STRICT;
    INSERT INTO new_prompt (id, environment, app, account, kind, email, product_id, quantity,
            price, new_price, currency, address, page_digest, secret_digest, started, ends,
            attempts, ending, code, signed_in, ended, collected)
        SELECT id, environment, app, account, kind, email, product_id, quantity, price, new_price,
            currency, address, page_digest, secret_digest, started, ends, attempts, ending, code,
            signed_in, ended, collected
        FROM prompt;
    -- Numbers of prompts that were cleared away are not given out again.
    DELETE FROM sqlite_sequence WHERE name = 'new_prompt';
    INSERT INTO sqlite_sequence (name, seq)
        SELECT 'new_prompt', seq FROM sqlite_sequence WHERE name = 'prompt';
    DROP TABLE prompt;
    ALTER TABLE new_prompt RENAME TO prompt;
    CREATE INDEX prompt_by_end ON prompt (ends);

    CREATE TRIGGER prompt_ends_once BEFORE UPDATE OF ending, code, signed_in, ended ON prompt
        WHEN OLD.ending IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'a prompt ends once'); END;

    """
