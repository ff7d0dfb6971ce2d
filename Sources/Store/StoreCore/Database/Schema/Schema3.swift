/// Prompts that customers answer on pages, and the browsers that they sign in with.
let schema3: String = """
    CREATE TABLE prompt (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        environment TEXT NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
        app INTEGER NOT NULL REFERENCES app (id),
        account INTEGER,
        kind TEXT NOT NULL CHECK (kind IN ('signIn', 'confirm', 'redeem', 'consent')),
        email TEXT CHECK (email IS NULL OR kind = 'signIn'),
        product_id TEXT,
        quantity INTEGER CHECK (quantity BETWEEN 1 AND 10),
        price INTEGER CHECK (price >= 0),
        new_price INTEGER CHECK (new_price >= 0),
        currency TEXT CHECK (length(currency) = 3),
        address TEXT NOT NULL,
        page_digest BLOB NOT NULL UNIQUE CHECK (length(page_digest) = 32),
        secret_digest BLOB NOT NULL CHECK (length(secret_digest) = 32),
        started INTEGER NOT NULL,
        ends INTEGER NOT NULL CHECK (ends > started),
        attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
        ending TEXT CHECK (ending IN (
            'yes', 'no', 'later', 'code', 'signedIn', 'abandoned', 'exhausted')),
        code TEXT,
        signed_in INTEGER,
        ended INTEGER,
        collected INTEGER,
        FOREIGN KEY (account, environment) REFERENCES account (id, environment),
        FOREIGN KEY (signed_in, environment) REFERENCES account (id, environment),
        FOREIGN KEY (app, product_id) REFERENCES product (app, product_id),
        CHECK ((account IS NULL) = (kind = 'signIn')),
        CHECK ((product_id IS NOT NULL) = (kind IN ('confirm', 'consent'))),
        CHECK ((quantity IS NOT NULL) = (kind = 'confirm')),
        CHECK ((price IS NOT NULL) = (kind IN ('confirm', 'consent'))),
        CHECK ((currency IS NOT NULL) = (price IS NOT NULL)),
        CHECK ((new_price IS NOT NULL) = (kind = 'consent')),
        CHECK ((ended IS NULL) = (ending IS NULL)),
        CHECK ((code IS NOT NULL) = (ending IS 'code')),
        CHECK ((signed_in IS NOT NULL) = (ending IS 'signedIn')),
        CHECK (collected IS NULL OR ending IS 'signedIn')
    ) STRICT;
    CREATE INDEX prompt_by_end ON prompt (ends);

    CREATE TRIGGER prompt_ends_once BEFORE UPDATE OF ending, code, signed_in, ended ON prompt
        WHEN OLD.ending IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'a prompt ends once'); END;

    CREATE TABLE page_session (
        token_digest BLOB PRIMARY KEY CHECK (length(token_digest) = 32),
        account INTEGER NOT NULL REFERENCES account (id),
        started INTEGER NOT NULL,
        ends INTEGER NOT NULL CHECK (ends > started)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX page_session_by_end ON page_session (ends);

    """
