-- The base schema, number 24: everything that a new store keeps in its database. Each later change
-- is a step in Steps.sql; those up to this number bring older stores here.
-- This is SQLite's SQL; `PostgresScript` makes PostgreSQL's of it, and knows the forms of
-- statements that stand here.
--
-- Dates are milliseconds since 1970, amounts thousandths of the currency's unit. Triggers named
-- `…_is_kept` and `…_is_constant` keep rows from being deleted and rewritten, whoever tries; some
-- do so under a condition, or for some columns.
--
-- `make reference` draws Documentation/Reference/Schema.md from it.

-- Teams and people, what they may do, and what they did
-- =====================================================

-- A publisher: who sells, and is paid.
CREATE TABLE team (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE CHECK (length(name) > 0),
    has_paid_agreement INTEGER NOT NULL CHECK (has_paid_agreement IN (0, 1))
) STRICT;
CREATE TRIGGER team_gets_agreements AFTER INSERT ON team
    BEGIN
        INSERT INTO agreement (team, kind, state) VALUES
            (NEW.id, 'FREE_APPS', iif(NEW.has_paid_agreement = 1, 'ACTIVE', 'NEW')),
            (NEW.id, 'PAID_APPS', iif(NEW.has_paid_agreement = 1, 'ACTIVE', 'NEW'));
    END;
CREATE TRIGGER team_agreement_is_true BEFORE UPDATE OF has_paid_agreement ON team
    WHEN NEW.has_paid_agreement <> (
        SELECT CAST(state = 'ACTIVE' AS INT) FROM agreement
        WHERE team = NEW.id AND kind = 'PAID_APPS')
    BEGIN SELECT RAISE(ABORT, 'a team has the agreement that it has'); END;
CREATE TRIGGER app_clock_of_team AFTER UPDATE ON team BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app IN (SELECT id FROM app WHERE team = NEW.id);
END;
-- Whether the items of a team are sold stands on the storefront's pages.
CREATE TRIGGER storefront_team_changed AFTER UPDATE OF has_paid_agreement ON team
    WHEN NEW.has_paid_agreement <> OLD.has_paid_agreement
    BEGIN UPDATE storefront_clock SET generation = generation + 1; END;

-- Somebody who signs in to the portal: a publisher's, or staff of the store.
CREATE TABLE person (
    id INTEGER PRIMARY KEY,
    -- In lower case.
    email TEXT NOT NULL UNIQUE CHECK (length(email) BETWEEN 3 AND 254),
    name TEXT NOT NULL CHECK (length(name) > 0),
    password_hash TEXT NOT NULL CHECK (length(password_hash) > 0),
    staff_role TEXT CHECK (staff_role IN ('REVIEWER', 'OPERATOR')),
    created INTEGER NOT NULL,
    -- When somebody took all rights away.
    disabled INTEGER
) STRICT;
CREATE INDEX person_staff ON person (staff_role, email) WHERE staff_role IS NOT NULL;
CREATE TRIGGER person_is_kept BEFORE DELETE ON person
    BEGIN SELECT RAISE(ABORT, 'people are disabled, never deleted'); END;
CREATE TRIGGER person_last_operator BEFORE UPDATE OF staff_role, disabled ON person
    WHEN OLD.staff_role = 'OPERATOR' AND OLD.disabled IS NULL
        AND (NEW.staff_role IS NOT 'OPERATOR' OR NEW.disabled IS NOT NULL)
        AND NOT EXISTS (
            SELECT 1 FROM person
            WHERE staff_role = 'OPERATOR' AND disabled IS NULL AND id <> OLD.id)
    BEGIN SELECT RAISE(ABORT, 'the last operator stays'); END;

-- Who belongs to a team.
CREATE TABLE membership (
    team INTEGER NOT NULL REFERENCES team (id),
    person INTEGER NOT NULL REFERENCES person (id),
    since INTEGER NOT NULL,
    PRIMARY KEY (team, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX membership_by_person ON membership (person, team);

-- What members may do in their team.
CREATE TABLE membership_role (
    team INTEGER NOT NULL,
    person INTEGER NOT NULL,
    role TEXT NOT NULL CHECK (role IN (
        'ACCOUNT_HOLDER', 'ADMIN', 'APP_MANAGER', 'DEVELOPER', 'MARKETING', 'SALES',
        'FINANCE', 'CUSTOMER_SUPPORT')),
    PRIMARY KEY (team, person, role),
    FOREIGN KEY (team, person) REFERENCES membership (team, person) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX membership_account_holder ON membership_role (team)
    WHERE role = 'ACCOUNT_HOLDER';
-- The role moves to somebody else by an update.
CREATE TRIGGER membership_keeps_account_holder BEFORE DELETE ON membership_role
    WHEN OLD.role = 'ACCOUNT_HOLDER'
    BEGIN SELECT RAISE(ABORT, 'a team keeps its account holder'); END;

-- Invitations into a team, or among the staff where there is none.
CREATE TABLE invitation (
    id TEXT PRIMARY KEY CHECK (length(id) = 36),
    team INTEGER REFERENCES team (id),
    email TEXT NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
    token_digest BLOB NOT NULL UNIQUE,
    inviter TEXT NOT NULL,
    created INTEGER NOT NULL,
    ends INTEGER NOT NULL CHECK (ends > created),
    accepted INTEGER,
    person INTEGER REFERENCES person (id),
    revoked INTEGER,
    CHECK (accepted IS NULL OR revoked IS NULL),
    CHECK ((accepted IS NULL) = (person IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX invitation_open ON invitation (ifnull(team, 0), email)
    WHERE accepted IS NULL AND revoked IS NULL;
CREATE INDEX invitation_by_team ON invitation (ifnull(team, 0), created);
CREATE TRIGGER invitation_ends_once BEFORE UPDATE ON invitation
    WHEN OLD.accepted IS NOT NULL OR OLD.revoked IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'an invitation ends once'); END;

-- The roles that an invitation gives.
CREATE TABLE invitation_role (
    invitation TEXT NOT NULL REFERENCES invitation (id),
    role TEXT NOT NULL CHECK (role IN (
        'ACCOUNT_HOLDER', 'ADMIN', 'APP_MANAGER', 'DEVELOPER', 'MARKETING', 'SALES',
        'FINANCE', 'CUSTOMER_SUPPORT', 'REVIEWER', 'OPERATOR')),
    PRIMARY KEY (invitation, role)
) STRICT, WITHOUT ROWID;

-- The link with which somebody becomes the first operator.
CREATE TABLE first_link (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    token_digest BLOB NOT NULL,
    created INTEGER NOT NULL
) STRICT;

-- Sessions of the portal and of commands. Who leaves a team loses those in it.
CREATE TABLE connect_session (
    id TEXT PRIMARY KEY CHECK (length(id) = 36),
    token_digest BLOB NOT NULL UNIQUE,
    person INTEGER NOT NULL REFERENCES person (id),
    kind TEXT NOT NULL CHECK (kind IN ('browser', 'command')),
    -- The team acted for; none for the staff.
    team INTEGER,
    client TEXT NOT NULL,
    started INTEGER NOT NULL,
    used INTEGER NOT NULL CHECK (used >= started),
    ends INTEGER NOT NULL CHECK (ends > started),
    FOREIGN KEY (team, person) REFERENCES membership (team, person) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX connect_session_by_person ON connect_session (person, used);
CREATE INDEX connect_session_by_team ON connect_session (team, person);

-- Passwords that were wrong, by account and by address; both as digests.
CREATE TABLE sign_in_failure (
    subject BLOB PRIMARY KEY CHECK (length(subject) = 32),
    failures INTEGER NOT NULL CHECK (failures > 0),
    last INTEGER NOT NULL,
    -- Nothing is looked at before.
    ends INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_failure_by_last ON sign_in_failure (last);

-- What a team has agreed to: free apps, and paid ones.
CREATE TABLE agreement (
    team INTEGER NOT NULL REFERENCES team (id),
    kind TEXT NOT NULL CHECK (kind IN ('FREE_APPS', 'PAID_APPS')),
    state TEXT NOT NULL CHECK (state IN (
        'NEW', 'PENDING_USER_INFO', 'ACTIVE', 'TERMINATED')),
    -- Who accepted it, and when; nobody where the store has put it in force by itself.
    accepted_by TEXT,
    accepted INTEGER,
    changed INTEGER,
    CHECK ((accepted IS NULL) = (accepted_by IS NULL)),
    CHECK (state <> 'PENDING_USER_INFO' OR kind = 'PAID_APPS'),
    CHECK (state <> 'NEW' OR accepted IS NULL),
    CHECK (state <> 'PENDING_USER_INFO' OR accepted IS NOT NULL),
    PRIMARY KEY (team, kind)
) STRICT, WITHOUT ROWID;
-- What the rules about products look at follows the agreement, and nothing else.
CREATE TRIGGER team_follows_agreement AFTER UPDATE OF state ON agreement
    WHEN NEW.kind = 'PAID_APPS' AND OLD.state <> NEW.state
    BEGIN
        UPDATE team SET has_paid_agreement = CAST(NEW.state = 'ACTIVE' AS INT)
        WHERE id = NEW.team AND has_paid_agreement <> CAST(NEW.state = 'ACTIVE' AS INT);
    END;
-- An accepted one is in force only with bank account and tax form.
CREATE TRIGGER agreement_is_complete BEFORE UPDATE OF state ON agreement
    WHEN NEW.kind = 'PAID_APPS' AND NEW.state = 'ACTIVE' AND OLD.state <> 'ACTIVE'
        AND (NOT EXISTS (SELECT 1 FROM bank_account WHERE team = NEW.team)
            OR NOT EXISTS (SELECT 1 FROM tax_form WHERE team = NEW.team)
            OR NEW.accepted IS NULL)
    BEGIN SELECT RAISE(ABORT, 'the agreement lacks bank account or tax form'); END;
CREATE TRIGGER agreement_is_kept BEFORE DELETE ON agreement
    BEGIN SELECT RAISE(ABORT, 'agreements are terminated, never deleted'); END;

-- Where a team's proceeds go.
CREATE TABLE bank_account (
    team INTEGER PRIMARY KEY REFERENCES team (id),
    holder TEXT NOT NULL CHECK (length(holder) > 0),
    bank TEXT NOT NULL CHECK (length(bank) > 0),
    territory TEXT NOT NULL CHECK (length(territory) = 3),
    number TEXT NOT NULL CHECK (length(number) BETWEEN 4 AND 34),
    bic TEXT,
    currency TEXT NOT NULL CHECK (length(currency) = 3),
    changed INTEGER NOT NULL
) STRICT;

-- What a team has said for taxes.
CREATE TABLE tax_form (
    team INTEGER PRIMARY KEY REFERENCES team (id),
    legal_name TEXT NOT NULL CHECK (length(legal_name) > 0),
    territory TEXT NOT NULL CHECK (length(territory) = 3),
    tax_id TEXT NOT NULL CHECK (length(tax_id) BETWEEN 4 AND 40),
    address TEXT NOT NULL CHECK (length(address) > 0),
    changed INTEGER NOT NULL
) STRICT;

-- Who keys are issued to: a team, or the operator where there is none.
CREATE TABLE api_issuer (
    id TEXT PRIMARY KEY CHECK (length(id) = 36),
    team INTEGER REFERENCES team (id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX api_issuer_by_team ON api_issuer (ifnull(team, 0));

-- Keys by which programs use the APIs.
CREATE TABLE api_key (
    id TEXT PRIMARY KEY CHECK (length(id) = 10),
    issuer TEXT NOT NULL REFERENCES api_issuer (id),
    role TEXT NOT NULL CHECK (length(role) > 0),
    name TEXT NOT NULL CHECK (length(name) > 0),
    -- PEM; nobody but the holder has the private one.
    public_key TEXT NOT NULL,
    created INTEGER NOT NULL,
    revoked INTEGER,
    last_used INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX api_key_by_issuer ON api_key (issuer, created);
CREATE TRIGGER api_key_stays_revoked BEFORE UPDATE OF revoked ON api_key
    WHEN OLD.revoked IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'a revoked key stays revoked'); END;
CREATE TRIGGER api_key_is_kept BEFORE DELETE ON api_key
    BEGIN SELECT RAISE(ABORT, 'keys are revoked, never deleted'); END;

-- Who did what in the portal, by a command or through the API.
CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    team INTEGER REFERENCES team (id),
    actor TEXT NOT NULL CHECK (length(actor) > 0),
    action TEXT NOT NULL CHECK (length(action) > 0),
    subject TEXT NOT NULL,
    before TEXT,
    after TEXT,
    date INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_by_team ON audit (team, id);
CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit
    BEGIN SELECT RAISE(ABORT, 'audit rows are never deleted'); END;
CREATE TRIGGER audit_is_constant BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'audit rows are never rewritten'); END;

-- Apps, their versions and builds
-- ===============================

-- Identifiers that a team has registered, of one app or with a wildcard.
CREATE TABLE bundle_identifier (
    -- Its ten characters are made of this number.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    team INTEGER NOT NULL REFERENCES team (id),
    identifier TEXT NOT NULL CHECK (length(identifier) BETWEEN 1 AND 200),
    name TEXT NOT NULL CHECK (length(name) > 0),
    platform TEXT NOT NULL CHECK (platform IN ('IOS', 'MAC_OS', 'UNIVERSAL', 'SERVICES')),
    generation INTEGER NOT NULL CHECK (generation > 0),
    is_wildcard INTEGER NOT NULL GENERATED ALWAYS AS (
        CAST(identifier LIKE '%*' AS INT)) VIRTUAL,
    -- A platform that Apple's have not; `platform` is UNIVERSAL beside it.
    own_platform TEXT CHECK (own_platform IN ('LINUX'))
) STRICT;
CREATE UNIQUE INDEX bundle_identifier_explicit ON bundle_identifier (identifier)
    WHERE is_wildcard = 0;
CREATE UNIQUE INDEX bundle_identifier_by_team ON bundle_identifier (team, identifier);
CREATE TRIGGER bundle_identifier_is_constant
    BEFORE UPDATE OF identifier, platform ON bundle_identifier
    WHEN NEW.identifier <> OLD.identifier OR NEW.platform <> OLD.platform
    BEGIN SELECT RAISE(ABORT, 'a bundle identifier stays what it is'); END;
CREATE TRIGGER bundle_identifier_was_used AFTER DELETE ON bundle_identifier BEGIN
    INSERT INTO bundle_identifier_past VALUES (OLD.identifier, OLD.generation)
        ON CONFLICT (identifier) DO UPDATE
        SET last = max(bundle_identifier_past.last, excluded.last);
END;

-- Identifiers that were deleted: who registers one again goes on behind its last generation.
CREATE TABLE bundle_identifier_past (
    identifier TEXT PRIMARY KEY,
    -- The last generation that it had when it was deleted.
    last INTEGER NOT NULL CHECK (last > 0)
) STRICT, WITHOUT ROWID;

-- What apps with an identifier may use.
CREATE TABLE bundle_capability (
    identifier INTEGER NOT NULL REFERENCES bundle_identifier (id) ON DELETE CASCADE,
    type TEXT NOT NULL CHECK (length(type) > 0),
    -- JSON.
    settings TEXT NOT NULL,
    PRIMARY KEY (identifier, type)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER capability_needs_explicit BEFORE INSERT ON bundle_capability
    WHEN NEW.type = 'IN_APP_PURCHASE'
        AND (SELECT is_wildcard FROM bundle_identifier WHERE id = NEW.identifier) = 1
    BEGIN SELECT RAISE(ABORT, 'in-app purchase needs an explicit identifier'); END;

-- An app of a team.
CREATE TABLE app (
    id INTEGER PRIMARY KEY,
    team INTEGER NOT NULL REFERENCES team (id),
    bundle_id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    binary_state TEXT NOT NULL CHECK (binary_state IN (
        'PREPARE_FOR_SUBMISSION', 'READY_FOR_SALE', 'REJECTED', 'DEVELOPER_REJECTED')),
    generation INTEGER NOT NULL CHECK (generation > 0),
    -- Every app has an identifier, an SKU and a language: app_is_complete demands them.
    identifier INTEGER REFERENCES bundle_identifier (id),
    sku TEXT CHECK (length(sku) BETWEEN 1 AND 200),
    primary_locale TEXT CHECK (length(primary_locale) > 1),
    content_rights TEXT CHECK (content_rights IN (
        'DOES_NOT_USE_THIRD_PARTY_CONTENT', 'USES_THIRD_PARTY_CONTENT')),
    made_for_kids INTEGER NOT NULL DEFAULT 0
        CHECK (made_for_kids IN (0, 1)),
    status_url TEXT,
    status_url_version TEXT
        CHECK ((status_url_version IS NULL) = (status_url IS NULL)),
    sandbox_status_url TEXT,
    sandbox_status_url_version TEXT
        CHECK ((sandbox_status_url_version IS NULL) = (sandbox_status_url IS NULL)),
    streamlined INTEGER NOT NULL DEFAULT 1
        CHECK (streamlined IN (0, 1)),
    accessibility_url TEXT
) STRICT;
CREATE UNIQUE INDEX app_by_identifier ON app (identifier);
CREATE UNIQUE INDEX app_by_sku ON app (team, sku);
CREATE TRIGGER app_is_complete_new BEFORE INSERT ON app
    WHEN NEW.identifier IS NULL OR NEW.sku IS NULL OR NEW.primary_locale IS NULL
    BEGIN SELECT RAISE(ABORT, 'an app has an identifier, an SKU and a language'); END;
CREATE TRIGGER app_is_complete BEFORE UPDATE ON app
    WHEN NEW.identifier IS NULL OR NEW.sku IS NULL OR NEW.primary_locale IS NULL
    BEGIN SELECT RAISE(ABORT, 'an app has an identifier, an SKU and a language'); END;
CREATE TRIGGER app_clock_begins AFTER INSERT ON app
    BEGIN INSERT INTO app_clock VALUES (NEW.id, 1); END;
CREATE TRIGGER app_clock_of_app AFTER UPDATE ON app
    BEGIN UPDATE app_clock SET generation = generation + 1 WHERE app = NEW.id; END;
CREATE TRIGGER app_number_is_new BEFORE INSERT ON app
    WHEN EXISTS (SELECT 1 FROM item WHERE id = NEW.id)
        OR EXISTS (SELECT 1 FROM artist WHERE id = NEW.id)
    BEGIN SELECT RAISE(ABORT, 'the number belongs to something else'); END;
CREATE TRIGGER app_number_is_kept AFTER DELETE ON app
    BEGIN INSERT INTO former_apple_id VALUES (OLD.id) ON CONFLICT DO NOTHING; END;

-- The counter that grows with each change to what devices see of an app.
CREATE TABLE app_clock (
    app INTEGER PRIMARY KEY REFERENCES app (id) ON DELETE CASCADE,
    generation INTEGER NOT NULL
) STRICT;

-- The highest number that an app had in stores of before schema 16; since then `apple_id` counts.
CREATE TABLE app_number (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    last INTEGER NOT NULL
) STRICT;
INSERT INTO app_number VALUES (1, 0);

-- The last "Apple ID" that the store gave. Numbers that were given out before stay what they
-- are, also where an in-app purchase has one of something else; new ones follow all of them.
-- Publishers can bring numbers along, which the sequence then passes over; those close to the
-- end of the range don't move it there.
CREATE TABLE apple_id (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    last INTEGER NOT NULL CHECK (last BETWEEN 0 AND 1099511627775)
) STRICT;
INSERT INTO apple_id VALUES (1, 0);

-- Numbers of apps that were deleted: nothing else gets them.
CREATE TABLE former_apple_id (
    id INTEGER PRIMARY KEY
) STRICT;

-- Versions of an app, each with its review.
CREATE TABLE app_version (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
    app INTEGER NOT NULL REFERENCES app (id),
    platform TEXT NOT NULL CHECK (platform IN (
        'LINUX', 'IOS', 'MAC_OS', 'TV_OS', 'VISION_OS')),
    version TEXT NOT NULL CHECK (length(version) > 0),
    state TEXT NOT NULL CHECK (state IN (
        'PREPARE_FOR_SUBMISSION', 'WAITING_FOR_REVIEW', 'IN_REVIEW',
        'PENDING_DEVELOPER_RELEASE', 'READY_FOR_SALE', 'REJECTED', 'DEVELOPER_REJECTED',
        'REPLACED_WITH_NEW_VERSION', 'DEVELOPER_REMOVED_FROM_SALE', 'REMOVED_FROM_SALE')),
    release_type TEXT NOT NULL CHECK (release_type IN ('MANUAL', 'AFTER_APPROVAL')),
    whats_new TEXT NOT NULL,
    review_note TEXT NOT NULL,
    build TEXT,
    created INTEGER NOT NULL,
    submitted INTEGER,
    released INTEGER,
    -- Where a version that the store took from sale goes when it is reinstated.
    before_take_down TEXT CHECK (
        before_take_down IS NULL
        OR (before_take_down IN ('READY_FOR_SALE', 'DEVELOPER_REMOVED_FROM_SALE')
        AND state = 'REMOVED_FROM_SALE')),
    UNIQUE (app, platform, version),
    FOREIGN KEY (number, build) REFERENCES app_build (version, id),
    CHECK (state IN ('PREPARE_FOR_SUBMISSION', 'REJECTED', 'DEVELOPER_REJECTED')
        OR (build IS NOT NULL AND submitted IS NOT NULL)),
    CHECK (released IS NOT NULL OR state NOT IN (
        'READY_FOR_SALE', 'REPLACED_WITH_NEW_VERSION', 'DEVELOPER_REMOVED_FROM_SALE',
        'REMOVED_FROM_SALE'))
) STRICT;
-- One version on its way to the customers, and one that they can get.
CREATE UNIQUE INDEX app_version_ahead ON app_version (app, platform) WHERE state IN (
    'PREPARE_FOR_SUBMISSION', 'WAITING_FOR_REVIEW', 'IN_REVIEW',
    'PENDING_DEVELOPER_RELEASE', 'REJECTED', 'DEVELOPER_REJECTED');
CREATE UNIQUE INDEX app_version_on_sale ON app_version (app, platform)
    WHERE state IN ('READY_FOR_SALE', 'DEVELOPER_REMOVED_FROM_SALE', 'REMOVED_FROM_SALE');

-- Builds of a version that were uploaded.
CREATE TABLE app_build (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
    version INTEGER NOT NULL REFERENCES app_version (number) ON DELETE CASCADE,
    build TEXT NOT NULL CHECK (length(build) > 0),
    digest TEXT NOT NULL CHECK (length(digest) = 64),
    size INTEGER NOT NULL CHECK (size > 0),
    uploaded INTEGER NOT NULL,
    UNIQUE (version, build),
    UNIQUE (version, id)
) STRICT;
CREATE INDEX app_build_by_digest ON app_build (digest);
CREATE TRIGGER app_build_is_constant BEFORE UPDATE ON app_build
    BEGIN SELECT RAISE(ABORT, 'what was uploaded is never rewritten'); END;

-- Provisioning profiles that a team has made for an identifier.
CREATE TABLE profile (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    team INTEGER NOT NULL REFERENCES team (id),
    name TEXT NOT NULL CHECK (length(name) > 0),
    type TEXT NOT NULL CHECK (length(type) > 0),
    uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
    -- Null where it was deleted.
    bundle_identifier INTEGER REFERENCES bundle_identifier (id) ON DELETE SET NULL,
    identifier TEXT NOT NULL,
    generation INTEGER NOT NULL CHECK (generation > 0),
    content TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL CHECK (expires > created),
    UNIQUE (team, name)
) STRICT;
CREATE INDEX profile_by_identifier ON profile (bundle_identifier);

-- The secrets by which publishers' servers read the receipts of one app.
CREATE TABLE app_shared_secret (
    app INTEGER PRIMARY KEY REFERENCES app (id),
    secret TEXT NOT NULL CHECK (length(secret) = 32),
    date INTEGER NOT NULL
) STRICT;

-- The shared secret for receipts of all apps of a team.
CREATE TABLE team_shared_secret (
    team INTEGER PRIMARY KEY REFERENCES team (id),
    secret TEXT NOT NULL CHECK (length(secret) = 32),
    date INTEGER NOT NULL
) STRICT;

-- Products, their prices and texts
-- ================================

-- The counter that grows with each change to the catalog of any app.
CREATE TABLE catalog_clock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    generation INTEGER NOT NULL
) STRICT;
INSERT INTO catalog_clock VALUES (1, 1);

-- In-app purchases and subscriptions.
CREATE TABLE product (
    id INTEGER PRIMARY KEY,
    app INTEGER NOT NULL REFERENCES app (id),
    product_id TEXT NOT NULL,
    type TEXT NOT NULL CHECK (type IN (
        'Consumable', 'Non-Consumable', 'Non-Renewing Subscription',
        'Auto-Renewable Subscription')),
    reference_name TEXT NOT NULL,
    family_shareable INTEGER NOT NULL CHECK (family_shareable IN (0, 1)),
    state TEXT NOT NULL,
    primary_locale TEXT NOT NULL,
    subscription TEXT CHECK ((subscription IS NOT NULL) = (type = 'Auto-Renewable Subscription')),
    -- Whether the product's content is hosted here, and whether customers could ever buy it.
    hosts_content INTEGER NOT NULL DEFAULT 0
        CHECK (hosts_content = 0 OR (hosts_content = 1 AND type = 'Non-Consumable')),
    was_on_sale INTEGER NOT NULL DEFAULT 0
        CHECK (was_on_sale IN (0, 1)),
    review_note TEXT NOT NULL DEFAULT ''
        CHECK (length(review_note) <= 4000),
    -- The territory whose tiers the prices of the others follow.
    base_territory TEXT NOT NULL DEFAULT 'USA'
        CHECK (length(base_territory) = 3),
    -- Where it is sold: in all but those listed, and in new ones; or only in those listed.
    -- Alpha-3 codes with spaces between them.
    in_new_territories INTEGER NOT NULL DEFAULT 1
        CHECK (in_new_territories IN (0, 1)),
    territories TEXT NOT NULL DEFAULT '',
    -- When its publisher deleted it. The row stays: its identifier is taken for ever, and
    -- customers own it.
    deleted INTEGER,
    -- The group in the product's terms. Kept by the program: an index may not read JSON where the
    -- schema is not trusted.
    subscription_group TEXT CHECK (
        subscription_group IS NULL OR subscription IS NOT NULL),
    UNIQUE (app, product_id)
) STRICT;
-- For lists: each holds what rows are chosen by, so that the table is read for those shown
-- only.
CREATE INDEX product_by_name ON product
    (app, reference_name COLLATE NOCASE, id, state, type, product_id) WHERE deleted IS NULL;
CREATE INDEX product_by_identifier ON product
    (app, product_id COLLATE NOCASE, id, state, type, reference_name) WHERE deleted IS NULL;
CREATE INDEX product_by_type ON product
    (app, type, reference_name COLLATE NOCASE, id, state, product_id) WHERE deleted IS NULL;
CREATE INDEX product_by_state ON product (app, state) WHERE deleted IS NULL;
CREATE INDEX product_by_group ON product (app, subscription_group, state, id)
    WHERE subscription_group IS NOT NULL AND deleted IS NULL;
CREATE TRIGGER product_goes_on_sale_new AFTER INSERT ON product
    WHEN NEW.state = 'APPROVED' AND NEW.was_on_sale = 0
    BEGIN UPDATE product SET was_on_sale = 1 WHERE id = NEW.id; END;
CREATE TRIGGER product_goes_on_sale AFTER UPDATE OF state ON product
    WHEN NEW.state = 'APPROVED' AND NEW.was_on_sale = 0
    BEGIN UPDATE product SET was_on_sale = 1 WHERE id = NEW.id; END;
CREATE TRIGGER product_was_on_sale BEFORE UPDATE OF was_on_sale ON product
    WHEN OLD.was_on_sale = 1 AND NEW.was_on_sale = 0
    BEGIN SELECT RAISE(ABORT, 'what was on sale stays remembered'); END;
CREATE TRIGGER product_keeps_hosting BEFORE UPDATE OF hosts_content ON product
    WHEN OLD.hosts_content = 1 AND NEW.hosts_content = 0 AND OLD.was_on_sale = 1
    BEGIN SELECT RAISE(ABORT, 'a product that was on sale keeps its hosted content'); END;
CREATE TRIGGER product_stays_deleted BEFORE UPDATE OF deleted ON product
    WHEN OLD.deleted IS NOT NULL AND NEW.deleted IS NOT OLD.deleted
    BEGIN SELECT RAISE(ABORT, 'a deleted product stays deleted'); END;
CREATE TRIGGER product_is_kept BEFORE DELETE ON product
    BEGIN SELECT RAISE(ABORT, 'product identifiers stay taken for ever'); END;
CREATE TRIGGER product_keeps_identity BEFORE UPDATE OF app, product_id, type ON product
    WHEN NEW.app <> OLD.app OR NEW.product_id <> OLD.product_id OR NEW.type <> OLD.type
    BEGIN SELECT RAISE(ABORT, 'a product keeps its app, identifier and type'); END;
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

-- How many products an app has of each kind, without deleted ones: lists tell how long they
-- are, and counting thousands would take longer than showing fifty.
CREATE TABLE product_count (
    app INTEGER NOT NULL REFERENCES app (id) ON DELETE CASCADE,
    state TEXT NOT NULL,
    type TEXT NOT NULL,
    count INTEGER NOT NULL CHECK (count >= 0),
    PRIMARY KEY (app, state, type)
) STRICT, WITHOUT ROWID;

-- Identifiers and names of products, for search; a row has the product's number. Kept by the
-- program: triggers may not use virtual tables where the schema is not trusted.
CREATE VIRTUAL TABLE product_search USING fts5 (
    app, product_id, reference_name, tokenize = 'trigram', columnsize = 0);

-- Titles and descriptions that publishers edit, by language.
CREATE TABLE product_text (
    product INTEGER NOT NULL REFERENCES product (id),
    locale TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    PRIMARY KEY (product, locale)
) STRICT, WITHOUT ROWID;

-- Prices: a tier of the price list, or an amount in the territory's currency.
CREATE TABLE product_price (
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

-- The titles and descriptions of a revision.
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
CREATE TRIGGER product_sale_change_is_kept BEFORE DELETE ON product_sale_change
    BEGIN SELECT RAISE(ABORT, 'product_sale_change rows are never deleted'); END;
CREATE TRIGGER product_sale_change_is_constant BEFORE UPDATE ON product_sale_change
    BEGIN SELECT RAISE(ABORT, 'product_sale_change rows are never rewritten'); END;

-- What App Store Connect's API keeps for a publisher beside tables of its own: attributes and
-- links as JSON.
CREATE TABLE kept_resource (
    id TEXT NOT NULL CHECK (length(id) > 0),
    kind TEXT NOT NULL,
    app INTEGER NOT NULL REFERENCES app (id),
    -- What it belongs to, and goes with: the app, a product, or another one.
    product INTEGER REFERENCES product (id),
    parent INTEGER REFERENCES kept_resource (number) ON DELETE CASCADE,
    -- Within what the name is there once: the owner or the app.
    scope TEXT NOT NULL,
    name TEXT NOT NULL,
    territory TEXT,
    attributes TEXT NOT NULL CHECK (attributes LIKE '{%}'),
    links TEXT NOT NULL CHECK (links LIKE '{%}'),
    created INTEGER NOT NULL,
    number INTEGER PRIMARY KEY,
    UNIQUE (kind, id),
    UNIQUE (kind, scope, name),
    CHECK (product IS NULL OR parent IS NULL)
) STRICT;
CREATE INDEX kept_resource_by_app ON kept_resource (app, kind, number);
CREATE INDEX kept_resource_by_product ON kept_resource (product, kind, number)
    WHERE product IS NOT NULL;
CREATE INDEX kept_resource_by_parent ON kept_resource (parent, kind, number)
    WHERE parent IS NOT NULL;

-- Content that products host, and builds of apps
-- ==============================================

-- Pieces of hosted content, each kept once.
CREATE TABLE content_blob (
    digest TEXT PRIMARY KEY CHECK (length(digest) = 64),
    length INTEGER NOT NULL CHECK (length >= 0),
    created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Versions of a product's hosted content.
CREATE TABLE content_release (
    id INTEGER PRIMARY KEY,
    product INTEGER NOT NULL REFERENCES product (id),
    version TEXT NOT NULL,
    manifest_digest TEXT NOT NULL CHECK (length(manifest_digest) = 64),
    manifest_length INTEGER NOT NULL CHECK (manifest_length > 0),
    download_length INTEGER NOT NULL CHECK (download_length >= manifest_length),
    unpacked_length INTEGER NOT NULL CHECK (unpacked_length >= 0),
    state TEXT NOT NULL CHECK (state IN (
        'READY_TO_SUBMIT', 'WAITING_FOR_REVIEW', 'IN_REVIEW', 'APPROVED', 'REJECTED')),
    -- What the reviewer said.
    message TEXT,
    created INTEGER NOT NULL,
    -- When the state last changed.
    changed INTEGER NOT NULL,
    -- When its bytes were given up.
    retired INTEGER,
    UNIQUE (product, version)
) STRICT;
CREATE INDEX content_release_by_manifest ON content_release (manifest_digest);

-- The pieces that a version is made of, in their order.
CREATE TABLE release_blob (
    release INTEGER NOT NULL REFERENCES content_release (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position >= 0),
    blob TEXT NOT NULL REFERENCES content_blob (digest),
    PRIMARY KEY (release, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX release_blob_by_blob ON release_blob (blob);

-- The last permission to download a version. Not in its row, which would make every app
-- read the catalog again.
CREATE TABLE release_permit (
    release INTEGER PRIMARY KEY REFERENCES content_release (id) ON DELETE CASCADE,
    date INTEGER NOT NULL
) STRICT;

-- An upload is of a product's content, or of a build's file.
CREATE TABLE content_upload (
    id TEXT PRIMARY KEY CHECK (length(id) = 36),
    product INTEGER REFERENCES product (id),
    build INTEGER REFERENCES app_build (number) ON DELETE CASCADE,
    file_name TEXT NOT NULL,
    size INTEGER NOT NULL CHECK (size > 0),
    digest TEXT NOT NULL CHECK (length(digest) = 64),
    part_size INTEGER NOT NULL CHECK (part_size > 0),
    state TEXT NOT NULL CHECK (state IN (
        'AWAITING_UPLOAD', 'UPLOAD_COMPLETE', 'COMPLETE', 'FAILED')),
    created INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    -- The state of the product to go back to where the package is refused.
    earlier_state TEXT,
    lease_holder TEXT,
    lease_ends INTEGER,
    -- How often its processing was begun.
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    processed INTEGER NOT NULL DEFAULT 0 CHECK (processed >= 0),
    -- The version that it became.
    version TEXT CHECK ((version IS NOT NULL) = (state = 'COMPLETE')),
    CHECK ((product IS NULL) <> (build IS NULL)),
    CHECK ((lease_holder IS NULL) = (lease_ends IS NULL)),
    CHECK (lease_holder IS NULL OR state = 'UPLOAD_COMPLETE')
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX content_upload_open ON content_upload (product, digest)
    WHERE state = 'AWAITING_UPLOAD';
CREATE UNIQUE INDEX content_upload_processed ON content_upload (product)
    WHERE state = 'UPLOAD_COMPLETE';
CREATE INDEX content_upload_by_product ON content_upload (product, created);
CREATE UNIQUE INDEX build_upload_under_way ON content_upload (build)
    WHERE state IN ('AWAITING_UPLOAD', 'UPLOAD_COMPLETE');
CREATE INDEX build_upload_by_build ON content_upload (build, created);

-- Parts of an upload that have arrived.
CREATE TABLE content_upload_part (
    upload TEXT NOT NULL REFERENCES content_upload (id) ON DELETE CASCADE,
    number INTEGER NOT NULL CHECK (number >= 0),
    digest TEXT NOT NULL CHECK (length(digest) = 64),
    PRIMARY KEY (upload, number)
) STRICT, WITHOUT ROWID;

-- Why an upload was refused.
CREATE TABLE content_upload_problem (
    upload TEXT NOT NULL REFERENCES content_upload (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    path TEXT NOT NULL,
    rule TEXT NOT NULL,
    advice TEXT NOT NULL,
    PRIMARY KEY (upload, position)
) STRICT, WITHOUT ROWID;

-- A build that can be delivered: the file that was uploaded, named by the build's digest, and
-- the same as devices fetch it, in chunks.
CREATE TABLE build_delivery (
    build INTEGER PRIMARY KEY REFERENCES app_build (number) ON DELETE CASCADE,
    format TEXT NOT NULL CHECK (format IN ('appimage', 'flatpak', 'deb', 'tar.zst', 'zip')),
    file_name TEXT NOT NULL CHECK (length(file_name) BETWEEN 1 AND 255),
    manifest_digest TEXT NOT NULL CHECK (length(manifest_digest) = 64),
    manifest_length INTEGER NOT NULL CHECK (manifest_length > 0),
    download_length INTEGER NOT NULL CHECK (download_length >= 0),
    unpacked_length INTEGER NOT NULL CHECK (unpacked_length >= 0),
    created INTEGER NOT NULL,
    -- The last permission to download it; noted at most once an hour.
    permitted INTEGER,
    -- When its bytes were given up.
    retired INTEGER
) STRICT;
CREATE INDEX build_delivery_by_manifest ON build_delivery (manifest_digest);

-- The pieces that a build is delivered in, in their order.
CREATE TABLE build_blob (
    build INTEGER NOT NULL REFERENCES build_delivery (build) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    blob TEXT NOT NULL REFERENCES content_blob (digest),
    PRIMARY KEY (build, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX build_blob_by_blob ON build_blob (blob);

-- Removals of bytes that nothing needed, which happen outside of transactions. Whoever comes to
-- need some compares this with what stood here when they were seen.
CREATE TABLE byte_removal (
    place TEXT NOT NULL CHECK (place IN ('CONTENT', 'PICTURES')),
    digest TEXT NOT NULL CHECK (length(digest) = 64),
    -- How often, lately.
    times INTEGER NOT NULL CHECK (times > 0),
    begun INTEGER NOT NULL,
    -- NULL while they are taken away.
    ended INTEGER,
    PRIMARY KEY (place, digest)
) STRICT, WITHOUT ROWID;
CREATE INDEX byte_removal_by_begin ON byte_removal (begun);

-- Review
-- ======

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

-- What a submission asks to have reviewed, and what was decided.
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
    screenshot TEXT CHECK (length(screenshot) = 64),
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
CREATE INDEX review_item_by_screenshot ON review_item (screenshot)
    WHERE screenshot IS NOT NULL;
CREATE TRIGGER review_item_is_kept BEFORE DELETE ON review_item
    BEGIN SELECT RAISE(ABORT, 'what was submitted is never deleted'); END;
CREATE TRIGGER review_item_is_decided_once BEFORE UPDATE ON review_item
    WHEN OLD.state NOT IN ('WAITING_FOR_REVIEW', 'IN_REVIEW', 'ACCEPTED')
    BEGIN SELECT RAISE(ABORT, 'what is decided stays so'); END;
CREATE TRIGGER review_item_is_constant
    BEFORE UPDATE OF submission, product, app_version, content_version, revision, snapshot,
        screenshot ON review_item
    BEGIN SELECT RAISE(ABORT, 'what was submitted is never rewritten'); END;

-- Customers and testers
-- =====================

-- Customers, and testers of the sandbox.
CREATE TABLE account (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    environment TEXT NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
    email TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    storefront TEXT NOT NULL CHECK (length(storefront) = 3),
    created INTEGER NOT NULL,
    UNIQUE (environment, email),
    UNIQUE (id, environment)
) STRICT;

-- Devices on which a customer or tester is signed in.
CREATE TABLE session (
    token_digest BLOB PRIMARY KEY CHECK (length(token_digest) = 32),
    account INTEGER NOT NULL REFERENCES account (id),
    started INTEGER NOT NULL,
    ends INTEGER NOT NULL CHECK (ends > started)
) STRICT, WITHOUT ROWID;
CREATE INDEX session_by_account ON session (account);
CREATE TRIGGER session_of_gone_tester BEFORE INSERT ON session
    WHEN EXISTS (SELECT 1 FROM tester_ending WHERE account = NEW.account)
    BEGIN SELECT RAISE(ABORT, 'a tester that is gone has no sessions'); END;

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

-- How an account buys: who has to approve, and what a tester wants to see fail.
CREATE TABLE account_setting (
    account INTEGER PRIMARY KEY REFERENCES account (id),
    asks_to_buy INTEGER NOT NULL CHECK (asks_to_buy IN (0, 1)),
    interrupts_purchases INTEGER NOT NULL CHECK (interrupts_purchases IN (0, 1)),
    guardian INTEGER REFERENCES account (id) CHECK (guardian <> account),
    payment_failure TEXT NOT NULL DEFAULT 'none'
        CHECK (payment_failure IN ('none', 'next', 'all'))
) STRICT;
CREATE TRIGGER guardian_insert BEFORE INSERT ON account_setting
    WHEN NEW.guardian IS NOT NULL
        AND (SELECT environment FROM account WHERE id = NEW.guardian)
            IS NOT (SELECT environment FROM account WHERE id = NEW.account)
    BEGIN SELECT RAISE(ABORT, 'a guardian is of the same environment'); END;
CREATE TRIGGER guardian_update BEFORE UPDATE ON account_setting
    WHEN NEW.guardian IS NOT NULL
        AND (SELECT environment FROM account WHERE id = NEW.guardian)
            IS NOT (SELECT environment FROM account WHERE id = NEW.account)
    BEGIN SELECT RAISE(ABORT, 'a guardian is of the same environment'); END;
CREATE TRIGGER payment_failure_insert BEFORE INSERT ON account_setting
    WHEN NEW.payment_failure <> 'none'
        AND (SELECT environment FROM account WHERE id = NEW.account) IS NOT 'Sandbox'
    BEGIN SELECT RAISE(ABORT, 'only the payments of testers fail on purpose'); END;
CREATE TRIGGER payment_failure_update BEFORE UPDATE ON account_setting
    WHEN NEW.payment_failure <> 'none'
        AND (SELECT environment FROM account WHERE id = NEW.account) IS NOT 'Sandbox'
    BEGIN SELECT RAISE(ABORT, 'only the payments of testers fail on purpose'); END;

-- Who shares what they buy: each account is in one family at most.
CREATE TABLE family (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    organizer INTEGER NOT NULL UNIQUE,
    environment TEXT NOT NULL,
    date INTEGER NOT NULL,
    UNIQUE (id, environment),
    FOREIGN KEY (organizer, environment) REFERENCES account (id, environment)
) STRICT;

-- Who belongs to a family.
CREATE TABLE family_member (
    account INTEGER PRIMARY KEY,
    family INTEGER NOT NULL,
    environment TEXT NOT NULL,
    date INTEGER NOT NULL,
    FOREIGN KEY (account, environment) REFERENCES account (id, environment),
    FOREIGN KEY (family, environment) REFERENCES family (id, environment)
) STRICT;
CREATE INDEX family_member_by_family ON family_member (family, account);

-- Sandbox accounts of a team.
CREATE TABLE tester (
    account INTEGER PRIMARY KEY,
    environment TEXT NOT NULL DEFAULT 'Sandbox' CHECK (environment = 'Sandbox'),
    team INTEGER NOT NULL REFERENCES team (id),
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    secret_question TEXT,
    secret_answer_hash TEXT,
    renewal_rate TEXT NOT NULL CHECK (renewal_rate IN (
        'MONTHLY_RENEWAL_EVERY_THREE_MINUTES', 'MONTHLY_RENEWAL_EVERY_FIVE_MINUTES',
        'MONTHLY_RENEWAL_EVERY_FIFTEEN_MINUTES', 'MONTHLY_RENEWAL_EVERY_THIRTY_MINUTES',
        'MONTHLY_RENEWAL_EVERY_ONE_HOUR')),
    created INTEGER NOT NULL,
    FOREIGN KEY (account, environment) REFERENCES account (id, environment),
    CHECK ((secret_question IS NULL) = (secret_answer_hash IS NULL))
) STRICT;
CREATE INDEX tester_by_team ON tester (team, account);
CREATE TRIGGER tester_is_kept BEFORE DELETE ON tester
    BEGIN SELECT RAISE(ABORT, 'testers are deleted by a fact, their rows never'); END;
CREATE TRIGGER tester_is_not_edited BEFORE UPDATE OF account, environment, team, first_name,
    last_name, secret_question, secret_answer_hash, created ON tester
    BEGIN SELECT RAISE(ABORT, 'a tester is not edited'); END;

-- Testers that were deleted or became customers, also accounts that belong to no team.
CREATE TABLE tester_ending (
    account INTEGER NOT NULL,
    environment TEXT NOT NULL DEFAULT 'Sandbox' CHECK (environment = 'Sandbox'),
    ending TEXT NOT NULL CHECK (ending IN ('converted', 'deleted')),
    date INTEGER NOT NULL,
    PRIMARY KEY (account, ending),
    FOREIGN KEY (account, environment) REFERENCES account (id, environment)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER tester_ending_is_kept BEFORE DELETE ON tester_ending
    BEGIN SELECT RAISE(ABORT, 'tester_ending rows are never deleted'); END;
CREATE TRIGGER tester_ending_is_constant BEFORE UPDATE ON tester_ending
    BEGIN SELECT RAISE(ABORT, 'tester_ending rows are never rewritten'); END;

-- A clock of a team's sandbox.
CREATE TABLE sandbox_clock (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    team INTEGER NOT NULL REFERENCES team (id),
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
    date INTEGER NOT NULL,
    created INTEGER NOT NULL,
    UNIQUE (team, name)
) STRICT;
CREATE TRIGGER sandbox_clock_goes_forward BEFORE UPDATE ON sandbox_clock
    WHEN NEW.date < OLD.date OR NEW.team <> OLD.team
    BEGIN SELECT RAISE(ABORT, 'a clock goes forward, and stays with its team'); END;

-- A tester, or all testers in an app.
CREATE TABLE sandbox_clock_follower (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    clock INTEGER NOT NULL REFERENCES sandbox_clock (id),
    account INTEGER UNIQUE REFERENCES account (id),
    app INTEGER UNIQUE REFERENCES app (id),
    CHECK ((account IS NULL) <> (app IS NULL))
) STRICT;
CREATE INDEX sandbox_clock_follower_by_clock ON sandbox_clock_follower (clock);

-- The clock that a tester follows in an app of the same team: the tester's own, or the app's.
CREATE VIEW sandbox_time AS
    SELECT t.account AS account, p.id AS app, coalesce(own.clock, general.clock) AS clock
    FROM tester t JOIN app p ON p.team = t.team
        LEFT JOIN sandbox_clock_follower own ON own.account = t.account
        LEFT JOIN sandbox_clock_follower general ON general.app = p.id
    WHERE own.clock IS NOT NULL OR general.clock IS NOT NULL;

-- Apps see nothing of what an account bought up to the last of these transactions.
CREATE TABLE history_clearing (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL,
    environment TEXT NOT NULL DEFAULT 'Sandbox' CHECK (environment = 'Sandbox'),
    -- 0 where nothing was bought.
    last INTEGER NOT NULL CHECK (last >= 0),
    date INTEGER NOT NULL,
    -- A tester has nothing any more of what was got up to the last of these sales; 0 where
    -- nothing was.
    last_sale INTEGER NOT NULL DEFAULT 0 CHECK (last_sale >= 0),
    FOREIGN KEY (account, environment) REFERENCES account (id, environment)
) STRICT;
CREATE INDEX history_clearing_by_account ON history_clearing (account, last);
CREATE TRIGGER history_clearing_is_kept BEFORE DELETE ON history_clearing
    BEGIN SELECT RAISE(ABORT, 'history_clearing rows are never deleted'); END;
CREATE TRIGGER history_clearing_is_constant BEFORE UPDATE ON history_clearing
    BEGIN SELECT RAISE(ABORT, 'history_clearing rows are never rewritten'); END;
CREATE TRIGGER history_is_cleared AFTER INSERT ON history_clearing
    BEGIN DELETE FROM history WHERE account = NEW.account AND id <= NEW.last; END;
CREATE TRIGGER subscription_is_cleared AFTER INSERT ON history_clearing
    BEGIN
        UPDATE subscription SET state = 'cleared', due = NULL, renews = 0
        WHERE account = NEW.account AND state <> 'cleared';
    END;

-- Testers with their accounts and settings.
CREATE VIEW tester_entry AS
    SELECT t.account, t.team, a.email, t.first_name, t.last_name, a.storefront,
        t.renewal_rate, coalesce(s.asks_to_buy, 0) AS asks_to_buy,
        coalesce(s.interrupts_purchases, 0) AS interrupts_purchases, s.guardian,
        coalesce(s.payment_failure, 'none') AS payment_failure,
        coalesce((SELECT max(e.ending) FROM tester_ending e WHERE e.account = t.account),
            'active') AS standing,
        t.created,
        (SELECT max(c.date) FROM history_clearing c WHERE c.account = t.account) AS cleared
    FROM tester t JOIN account a ON a.id = t.account
        LEFT JOIN account_setting s ON s.account = t.account;

-- Browsers in which a customer is signed in to the storefront.
CREATE TABLE page_session (
    token_digest BLOB PRIMARY KEY CHECK (length(token_digest) = 32),
    account INTEGER NOT NULL REFERENCES account (id),
    started INTEGER NOT NULL,
    ends INTEGER NOT NULL CHECK (ends > started)
) STRICT, WITHOUT ROWID;
CREATE INDEX page_session_by_end ON page_session (ends);
CREATE INDEX page_session_by_account ON page_session (account);
CREATE TRIGGER page_session_of_gone_tester BEFORE INSERT ON page_session
    WHEN EXISTS (SELECT 1 FROM tester_ending WHERE account = NEW.account)
    BEGIN SELECT RAISE(ABORT, 'a tester that is gone has no sessions'); END;

-- What devices are to hear of. An event without an account is for everybody with the app in an
-- environment.
CREATE TABLE device_event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER REFERENCES account (id),
    environment TEXT CHECK (environment IN ('Production', 'Sandbox')),
    app INTEGER NOT NULL REFERENCES app (id),
    kind TEXT NOT NULL CHECK (kind IN (
        'transactions', 'revocation', 'storePayment', 'priceConsent', 'contentVersion')),
    product_id TEXT CHECK (
        kind NOT IN ('revocation', 'storePayment', 'contentVersion')
        OR product_id IS NOT NULL),
    date INTEGER NOT NULL,
    -- A kind of its own, beside which `kind` is 'transactions': to change the rule of that column,
    -- the table would have to be made anew, which takes long with millions of events.
    is_subscription INTEGER CHECK (is_subscription = 1),
    CHECK ((account IS NULL) = (environment IS NOT NULL))
) STRICT;
CREATE INDEX device_event_by_account ON device_event (account, app, id)
    WHERE account IS NOT NULL;
CREATE INDEX device_event_by_app ON device_event (app, environment, id)
    WHERE account IS NULL;
CREATE TRIGGER device_event_is_kept BEFORE DELETE ON device_event
    BEGIN SELECT RAISE(ABORT, 'device_event rows are never deleted'); END;
CREATE TRIGGER device_event_is_constant BEFORE UPDATE ON device_event
    BEGIN SELECT RAISE(ABORT, 'device_event rows are never rewritten'); END;

-- Purchases: the ledger, what was asked for and what was refused
-- ==============================================================

-- That an account has an app. The number is the app transaction's.
CREATE TABLE app_transaction (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL,
    environment TEXT NOT NULL,
    app INTEGER NOT NULL REFERENCES app (id),
    date INTEGER NOT NULL,
    UNIQUE (account, app),
    FOREIGN KEY (account, environment) REFERENCES account (id, environment)
) STRICT;
INSERT INTO sqlite_sequence (name, seq) VALUES ('app_transaction', 700000000000000000);
CREATE TRIGGER app_transaction_is_kept BEFORE DELETE ON app_transaction
    BEGIN SELECT RAISE(ABORT, 'app_transaction rows are never deleted'); END;
CREATE TRIGGER app_transaction_is_constant BEFORE UPDATE ON app_transaction
    BEGIN SELECT RAISE(ABORT, 'app_transaction rows are never rewritten'); END;

-- Every purchase and every restore, as it was made.
CREATE TABLE ledger (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('purchase', 'restore')),
    environment TEXT NOT NULL,
    account INTEGER NOT NULL,
    app INTEGER NOT NULL REFERENCES app (id),
    bundle_id TEXT NOT NULL,
    product_id TEXT NOT NULL,
    product_type TEXT NOT NULL,
    purchase_key TEXT NOT NULL CHECK (length(purchase_key) >= 16),
    device TEXT NOT NULL,
    quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 10),
    unit_price INTEGER NOT NULL CHECK (unit_price >= 0),
    charged INTEGER NOT NULL CHECK (charged IN (0, unit_price * quantity)),
    currency TEXT NOT NULL CHECK (length(currency) = 3),
    storefront TEXT NOT NULL CHECK (length(storefront) = 3),
    original INTEGER REFERENCES ledger (id),
    original_date INTEGER CHECK ((original_date IS NULL) = (original IS NULL)),
    application_username TEXT,
    date INTEGER NOT NULL,
    UNIQUE (account, app, purchase_key),
    FOREIGN KEY (account, environment) REFERENCES account (id, environment),
    FOREIGN KEY (app, product_id) REFERENCES product (app, product_id),
    CHECK (kind = 'purchase' OR (original IS NOT NULL AND charged = 0))
) STRICT;
INSERT INTO sqlite_sequence (name, seq) VALUES ('ledger', 1000000000000000);
CREATE INDEX ledger_by_product ON ledger (account, app, product_id)
    WHERE kind = 'purchase' AND original IS NULL;
CREATE INDEX ledger_by_device ON ledger (device, account, app, id);
-- What is listed of a tester's purchases, the newest first.
CREATE INDEX ledger_by_account ON ledger (account, id) WHERE environment = 'Sandbox';
-- Sales of a day: renewals are among them.
CREATE INDEX ledger_by_day ON ledger (app, environment, date) WHERE kind = 'purchase';
-- What receipts show is read from here, the newest first.
CREATE INDEX ledger_of_account ON ledger (account, app, id) WHERE kind = 'purchase';
CREATE TRIGGER ledger_is_kept BEFORE DELETE ON ledger
    BEGIN SELECT RAISE(ABORT, 'ledger rows are never deleted'); END;
CREATE TRIGGER ledger_is_constant BEFORE UPDATE ON ledger
    BEGIN SELECT RAISE(ABORT, 'ledger rows are never rewritten'); END;
CREATE TRIGGER ledger_sells_no_refused_key BEFORE INSERT ON ledger
    WHEN EXISTS (SELECT 1 FROM refused_purchase WHERE account = NEW.account
        AND app = NEW.app AND purchase_key = NEW.purchase_key)
    BEGIN SELECT RAISE(ABORT, 'an order under this purchase key was refused'); END;
CREATE TRIGGER app_transaction_of_ledger AFTER INSERT ON ledger
    WHEN NOT EXISTS (
        SELECT 1 FROM app_transaction WHERE account = NEW.account AND app = NEW.app)
    BEGIN
        INSERT INTO app_transaction (account, environment, app, date)
        VALUES (NEW.account, NEW.environment, NEW.app, NEW.date);
    END;
CREATE TRIGGER history_of_purchase AFTER INSERT ON ledger
    WHEN NEW.kind = 'purchase' AND NEW.original IS NULL
    BEGIN
        INSERT INTO history_counter (account, app, last) VALUES (NEW.account, NEW.app,
                coalesce((SELECT max(r.next_revision) FROM restoration r), 1))
            ON CONFLICT (account, app) DO UPDATE SET last = history_counter.last + 1;
        INSERT INTO history (id, account, app, revision)
        SELECT NEW.id, c.account, c.app, c.last FROM history_counter c
        WHERE c.account = NEW.account AND c.app = NEW.app;
    END;

-- Transactions that the app has finished.
CREATE TABLE ledger_finish (
    id INTEGER PRIMARY KEY REFERENCES ledger (id),
    date INTEGER NOT NULL
) STRICT;
CREATE TRIGGER finish_is_kept BEFORE DELETE ON ledger_finish
    BEGIN SELECT RAISE(ABORT, 'finishes are never deleted'); END;
CREATE TRIGGER finish_is_constant BEFORE UPDATE ON ledger_finish
    BEGIN SELECT RAISE(ABORT, 'finishes are never rewritten'); END;

-- What a transaction is to a subscription.
CREATE TABLE ledger_period (
    id INTEGER PRIMARY KEY REFERENCES ledger (id),
    -- The subscription's first purchase.
    original INTEGER NOT NULL REFERENCES ledger (id),
    group_id TEXT NOT NULL,
    expires INTEGER NOT NULL,
    reason TEXT NOT NULL CHECK (reason IN ('PURCHASE', 'RENEWAL')),
    -- 0 where it began no period: it restores one, or the order changed the subscription.
    is_paid INTEGER NOT NULL CHECK (is_paid IN (0, 1)),
    -- The paid period that it is, or stands for: it ends with that, and is taken back with it.
    period INTEGER NOT NULL REFERENCES ledger (id),
    CHECK ((is_paid = 1) = (period = id))
) STRICT;
CREATE INDEX ledger_period_by_original ON ledger_period (original, id);
CREATE TRIGGER ledger_period_is_kept BEFORE DELETE ON ledger_period
    BEGIN SELECT RAISE(ABORT, 'ledger_period rows are never deleted'); END;
CREATE TRIGGER ledger_period_is_constant BEFORE UPDATE ON ledger_period
    BEGIN SELECT RAISE(ABORT, 'ledger_period rows are never rewritten'); END;
CREATE TRIGGER shared_subscription_of_period AFTER INSERT ON ledger_period
    WHEN NEW.is_paid = 1 AND EXISTS (SELECT 1 FROM ledger_share s WHERE s.id = NEW.id)
    BEGIN
        INSERT INTO shared_subscription (original, account, app, latest)
        SELECT ifnull(l.original, l.id), l.account, l.app, l.id FROM ledger l
        WHERE l.id = NEW.id
        ON CONFLICT (original) DO UPDATE SET latest = excluded.latest;
    END;
CREATE TRIGGER history_of_period AFTER INSERT ON ledger_period
    WHEN NEW.is_paid = 1 AND NEW.id <> NEW.original
    BEGIN
        INSERT INTO history_counter (account, app, last)
            SELECT l.account, l.app,
                coalesce((SELECT max(r.next_revision) FROM restoration r), 1)
            FROM ledger l WHERE l.id = NEW.id
            ON CONFLICT (account, app) DO UPDATE SET last = history_counter.last + 1;
        INSERT INTO history (id, account, app, revision)
        SELECT l.id, c.account, c.app, c.last
        FROM ledger l JOIN history_counter c ON c.account = l.account AND c.app = l.app
        WHERE l.id = NEW.id;
    END;

-- The ledger with what each row stands for.
CREATE VIEW ledger_entry AS
    SELECT l.id, l.kind, l.environment, l.account, l.app, l.bundle_id, l.product_id,
        l.product_type, l.purchase_key, l.device, l.quantity, l.unit_price, l.charged,
        l.currency, l.storefront, l.original, l.original_date, l.application_username, l.date,
        (SELECT p.period FROM ledger_period p WHERE p.id = l.id AND p.period <> p.id)
            AS period,
        -- What is revoked where this one is.
        coalesce((SELECT p.period FROM ledger_period p WHERE p.id = l.id),
            CASE WHEN l.kind = 'purchase' AND l.product_type = 'Auto-Renewable Subscription'
                THEN l.id ELSE coalesce(l.original, l.id) END) AS revocable
    FROM ledger l;

-- A period that was made longer; the last one counts.
CREATE TABLE ledger_extension (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    period INTEGER NOT NULL REFERENCES ledger_period (id),
    original INTEGER NOT NULL REFERENCES ledger (id),
    app INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    days INTEGER NOT NULL CHECK (days BETWEEN 1 AND 90),
    reason INTEGER NOT NULL CHECK (reason BETWEEN 0 AND 3),
    -- Longer than a request's own: those of many at once have something before it.
    request TEXT NOT NULL CHECK (length(request) BETWEEN 1 AND 140),
    date INTEGER NOT NULL,
    UNIQUE (original, request)
) STRICT;
CREATE INDEX ledger_extension_by_period ON ledger_extension (period, id);
CREATE TRIGGER history_after_extension AFTER INSERT ON ledger_extension
    BEGIN
        INSERT INTO history_counter (account, app, last)
            SELECT h.account, h.app, 1 FROM history h WHERE h.id = NEW.period
            ON CONFLICT (account, app) DO UPDATE SET last = history_counter.last + 1;
        UPDATE history SET revision = (
            SELECT c.last FROM history_counter c
            WHERE c.account = history.account AND c.app = history.app)
        WHERE id = NEW.period;
    END;
CREATE TRIGGER ledger_extension_is_kept BEFORE DELETE ON ledger_extension
    BEGIN SELECT RAISE(ABORT, 'ledger_extension rows are never deleted'); END;
CREATE TRIGGER ledger_extension_is_constant BEFORE UPDATE ON ledger_extension
    BEGIN SELECT RAISE(ABORT, 'ledger_extension rows are never rewritten'); END;

-- A period that ended because the customer went on to a better product of its group.
CREATE TABLE ledger_upgrade (
    id INTEGER PRIMARY KEY REFERENCES ledger_period (id),
    date INTEGER NOT NULL,
    -- How much of what was charged for the period came back, in thousandths of a per cent.
    percentage INTEGER NOT NULL DEFAULT 0 CHECK (percentage BETWEEN 0 AND 100000)
) STRICT;
CREATE INDEX ledger_upgrade_returned ON ledger_upgrade (date) WHERE percentage > 0;
CREATE TRIGGER history_after_upgrade AFTER INSERT ON ledger_upgrade
    BEGIN
        INSERT INTO history_counter (account, app, last)
            SELECT h.account, h.app, 1 FROM history h WHERE h.id = NEW.id
            ON CONFLICT (account, app) DO UPDATE SET last = history_counter.last + 1;
        UPDATE history SET revision = (
            SELECT c.last FROM history_counter c
            WHERE c.account = history.account AND c.app = history.app)
        WHERE id = NEW.id;
    END;
CREATE TRIGGER ledger_upgrade_is_kept BEFORE DELETE ON ledger_upgrade
    BEGIN SELECT RAISE(ABORT, 'ledger_upgrade rows are never deleted'); END;
CREATE TRIGGER ledger_upgrade_is_constant BEFORE UPDATE ON ledger_upgrade
    BEGIN SELECT RAISE(ABORT, 'ledger_upgrade rows are never rewritten'); END;

-- What came to an account through its family.
CREATE TABLE ledger_share (
    id INTEGER PRIMARY KEY REFERENCES ledger (id),
    shared INTEGER NOT NULL REFERENCES ledger (id)
) STRICT;
CREATE INDEX ledger_share_by_shared ON ledger_share (shared);
CREATE TRIGGER ledger_share_is_kept BEFORE DELETE ON ledger_share
    BEGIN SELECT RAISE(ABORT, 'ledger_share rows are never deleted'); END;
CREATE TRIGGER ledger_share_is_constant BEFORE UPDATE ON ledger_share
    BEGIN SELECT RAISE(ABORT, 'ledger_share rows are never rewritten'); END;

-- A period that was charged by an offer.
CREATE TABLE ledger_offer (
    id INTEGER PRIMARY KEY REFERENCES ledger (id),
    account INTEGER NOT NULL,
    app INTEGER NOT NULL,
    group_id TEXT NOT NULL,
    offer_kind TEXT NOT NULL CHECK (offer_kind IN (
        'introductory', 'promotional', 'code', 'winBack')),
    offer_identifier TEXT
        CHECK ((offer_identifier IS NULL) = (offer_kind = 'introductory')),
    offer_mode TEXT NOT NULL CHECK (offer_mode IN ('free', 'payAsYouGo', 'payUpFront')),
    offer_period TEXT NOT NULL,
    offer_periods INTEGER NOT NULL CHECK (offer_periods >= 1),
    -- Which of its charges it is.
    offer_number INTEGER NOT NULL CHECK (offer_number BETWEEN 1 AND offer_periods)
) STRICT;
-- Who had an introductory offer of a group gets no other.
CREATE INDEX ledger_offer_introductory ON ledger_offer (account, app, group_id, id)
    WHERE offer_kind = 'introductory';
CREATE TRIGGER ledger_offer_is_kept BEFORE DELETE ON ledger_offer
    BEGIN SELECT RAISE(ABORT, 'ledger_offer rows are never deleted'); END;
CREATE TRIGGER ledger_offer_is_constant BEFORE UPDATE ON ledger_offer
    BEGIN SELECT RAISE(ABORT, 'ledger_offer rows are never rewritten'); END;

-- The token that a publisher's server set for a transaction, instead of the app's.
CREATE TABLE account_token (
    original INTEGER PRIMARY KEY REFERENCES ledger (id),
    token TEXT NOT NULL CHECK (length(token) = 36),
    date INTEGER NOT NULL
) STRICT;
CREATE TRIGGER history_after_token AFTER INSERT ON account_token
    BEGIN
        INSERT INTO history_counter (account, app, last)
            SELECT h.account, h.app, 1 FROM history h WHERE h.id = NEW.original
            ON CONFLICT (account, app) DO UPDATE SET last = history_counter.last + 1;
        UPDATE history SET revision = (
            SELECT c.last FROM history_counter c
            WHERE c.account = history.account AND c.app = history.app)
        WHERE id = NEW.original;
    END;
CREATE TRIGGER history_after_token_change AFTER UPDATE ON account_token
    BEGIN
        INSERT INTO history_counter (account, app, last)
            SELECT h.account, h.app, 1 FROM history h WHERE h.id = NEW.original
            ON CONFLICT (account, app) DO UPDATE SET last = history_counter.last + 1;
        UPDATE history SET revision = (
            SELECT c.last FROM history_counter c
            WHERE c.account = history.account AND c.app = history.app)
        WHERE id = NEW.original;
    END;

-- Refunds, and shares that ended.
CREATE TABLE ledger_revocation (
    id INTEGER PRIMARY KEY REFERENCES ledger (id),
    reason TEXT NOT NULL CHECK (reason IN ('developerIssue', 'other')),
    date INTEGER NOT NULL,
    type TEXT NOT NULL DEFAULT 'REFUND_FULL'
        CHECK (type IN ('REFUND_FULL', 'REFUND_PRORATED', 'FAMILY_REVOKE')),
    percentage INTEGER NOT NULL DEFAULT 100000
        CHECK (percentage BETWEEN 0 AND 100000)
) STRICT;
CREATE INDEX ledger_revocation_by_date ON ledger_revocation (date);
CREATE TRIGGER ledger_revocation_is_kept BEFORE DELETE ON ledger_revocation
    BEGIN SELECT RAISE(ABORT, 'ledger_revocation rows are never deleted'); END;
CREATE TRIGGER ledger_revocation_is_constant BEFORE UPDATE ON ledger_revocation
    BEGIN SELECT RAISE(ABORT, 'ledger_revocation rows are never rewritten'); END;
CREATE TRIGGER history_after_revocation AFTER INSERT ON ledger_revocation
    BEGIN
        INSERT INTO history_counter (account, app, last)
            SELECT h.account, h.app, 1 FROM history h WHERE h.id = NEW.id
            ON CONFLICT (account, app) DO UPDATE SET last = history_counter.last + 1;
        UPDATE history SET is_revoked = 1, revision = (
            SELECT c.last FROM history_counter c
            WHERE c.account = history.account AND c.app = history.app)
        WHERE id = NEW.id;
    END;

-- A revocation that was taken back.
CREATE TABLE ledger_reversal (
    id INTEGER PRIMARY KEY REFERENCES ledger_revocation (id),
    date INTEGER NOT NULL
) STRICT;
CREATE TRIGGER history_after_reversal AFTER INSERT ON ledger_reversal
    BEGIN
        INSERT INTO history_counter (account, app, last)
            SELECT h.account, h.app, 1 FROM history h WHERE h.id = NEW.id
            ON CONFLICT (account, app) DO UPDATE SET last = history_counter.last + 1;
        UPDATE history SET is_revoked = 0, revision = (
            SELECT c.last FROM history_counter c
            WHERE c.account = history.account AND c.app = history.app)
        WHERE id = NEW.id;
    END;
CREATE TRIGGER ledger_reversal_is_kept BEFORE DELETE ON ledger_reversal
    BEGIN SELECT RAISE(ABORT, 'ledger_reversal rows are never deleted'); END;
CREATE TRIGGER ledger_reversal_is_constant BEFORE UPDATE ON ledger_reversal
    BEGIN SELECT RAISE(ABORT, 'ledger_reversal rows are never rewritten'); END;

-- Revocations that were not taken back.
CREATE VIEW revoked AS
    SELECT id, reason, date, type, percentage FROM ledger_revocation
    WHERE NOT EXISTS (SELECT 1 FROM ledger_reversal v WHERE v.id = ledger_revocation.id);

-- A purchase that was written behind the day of its date: a renewal while the store was not
-- running. Reports of sales count it on the day that it was written.
CREATE TABLE ledger_posting (
    id INTEGER PRIMARY KEY REFERENCES ledger (id),
    date INTEGER NOT NULL
) STRICT;
CREATE INDEX ledger_posting_by_date ON ledger_posting (date);
CREATE TRIGGER ledger_posting_is_kept BEFORE DELETE ON ledger_posting
    BEGIN SELECT RAISE(ABORT, 'ledger_posting rows are never deleted'); END;
CREATE TRIGGER ledger_posting_is_constant BEFORE UPDATE ON ledger_posting
    BEGIN SELECT RAISE(ABORT, 'ledger_posting rows are never rewritten'); END;

-- What servers see of an account in an app, in the order in which it last changed. A row for
-- each purchase that is one of its own: not for what repeats or restores another.
CREATE TABLE history (
    id INTEGER PRIMARY KEY REFERENCES ledger (id),
    account INTEGER NOT NULL,
    app INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    is_revoked INTEGER NOT NULL DEFAULT 0 CHECK (is_revoked IN (0, 1))
) STRICT;
-- What a customer bought in all apps, in the order of the numbers.
CREATE INDEX history_by_account ON history (account);
CREATE UNIQUE INDEX history_by_revision ON history (account, app, revision);
CREATE UNIQUE INDEX history_of_revoked ON history (account, app, revision)
    WHERE is_revoked = 1;

-- The last revision of each history. It outlives clearings: servers keep revisions, and ask for
-- what came behind them.
CREATE TABLE history_counter (
    account INTEGER NOT NULL,
    app INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (account, app)
) STRICT, WITHOUT ROWID;

-- Everything that a signed transaction says.
CREATE VIEW transaction_record AS
    SELECT l.id, l.kind, l.environment, l.account, l.app, l.bundle_id, l.product_id,
        l.product_type, l.purchase_key, l.device, l.quantity, l.unit_price, l.charged,
        l.currency, l.storefront, l.original, l.original_date, l.application_username, l.date,
        l.period, l.revocable, a.id AS app_transaction, p.group_id,
        coalesce((SELECT e.expires FROM ledger_extension e WHERE e.period = p.period
            ORDER BY e.id DESC LIMIT 1), p.expires) AS expires, p.reason AS period_reason,
        u.date AS upgrade_date,
        s.shared, t.token, r.reason, r.date AS revocation_date, r.type AS revocation_type,
        r.percentage, p.is_paid, o.offer_kind, o.offer_identifier, o.offer_mode,
        o.offer_period, o.offer_periods, o.offer_number, u.percentage AS upgrade_percentage
    FROM ledger_entry l
        JOIN app_transaction a ON a.account = l.account AND a.app = l.app
        LEFT JOIN ledger_period p ON p.id = l.id
        LEFT JOIN ledger_share s ON s.id = l.revocable
        LEFT JOIN account_token t ON t.original = coalesce(l.original, l.id)
        LEFT JOIN revoked r ON r.id = l.revocable
        LEFT JOIN ledger_upgrade u ON u.id = p.period
        LEFT JOIN ledger_offer o ON o.id = p.period;

-- Purchases that wait for a guardian, or for what interrupts them.
CREATE TABLE pending_purchase (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('approval', 'interruption')),
    environment TEXT NOT NULL,
    account INTEGER NOT NULL,
    app INTEGER NOT NULL REFERENCES app (id),
    bundle_id TEXT NOT NULL,
    product_id TEXT NOT NULL,
    product_type TEXT NOT NULL,
    purchase_key TEXT NOT NULL CHECK (length(purchase_key) >= 16),
    device TEXT NOT NULL,
    quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 10),
    unit_price INTEGER NOT NULL CHECK (unit_price >= 0),
    currency TEXT NOT NULL CHECK (length(currency) = 3),
    storefront TEXT NOT NULL CHECK (length(storefront) = 3),
    application_username TEXT,
    date INTEGER NOT NULL,
    -- The offer as it was priced when it was asked for, JSON.
    offer TEXT,
    UNIQUE (account, app, purchase_key),
    FOREIGN KEY (account, environment) REFERENCES account (id, environment),
    FOREIGN KEY (app, product_id) REFERENCES product (app, product_id)
) STRICT;
CREATE TRIGGER pending_purchase_is_kept BEFORE DELETE ON pending_purchase
    BEGIN SELECT RAISE(ABORT, 'pending_purchase rows are never deleted'); END;
CREATE TRIGGER pending_purchase_is_constant BEFORE UPDATE ON pending_purchase
    BEGIN SELECT RAISE(ABORT, 'pending_purchase rows are never rewritten'); END;

-- What became of a purchase that waited.
CREATE TABLE pending_decision (
    id INTEGER PRIMARY KEY REFERENCES pending_purchase (id),
    decision TEXT NOT NULL CHECK (decision IN ('approved', 'declined')),
    date INTEGER NOT NULL
) STRICT;
CREATE TRIGGER pending_decision_is_kept BEFORE DELETE ON pending_decision
    BEGIN SELECT RAISE(ABORT, 'pending_decision rows are never deleted'); END;
CREATE TRIGGER pending_decision_is_constant BEFORE UPDATE ON pending_decision
    BEGIN SELECT RAISE(ABORT, 'pending_decision rows are never rewritten'); END;

-- Purchases that wait or waited, with what was decided.
CREATE VIEW pending_entry AS
    SELECT p.id, p.kind, p.environment, p.account, p.app, p.bundle_id, p.product_id,
        p.product_type, p.purchase_key, p.device, p.quantity, p.unit_price, p.currency,
        p.storefront, p.application_username, p.date, d.decision, d.date AS decision_date,
        p.offer
    FROM pending_purchase p LEFT JOIN pending_decision d ON d.id = p.id;

-- The base URL that the page of an approval belongs to, and the passwords tried on it.
CREATE TABLE approval_page (
    id INTEGER PRIMARY KEY REFERENCES pending_purchase (id),
    address TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0)
) STRICT;

-- Payments of testers that were to fail, and did.
CREATE TABLE declined_payment (
    account INTEGER NOT NULL,
    environment TEXT NOT NULL DEFAULT 'Sandbox' CHECK (environment = 'Sandbox'),
    app INTEGER NOT NULL,
    product_id TEXT NOT NULL,
    purchase_key TEXT NOT NULL CHECK (length(purchase_key) >= 16),
    quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 10),
    unit_price INTEGER NOT NULL CHECK (unit_price > 0),
    currency TEXT NOT NULL CHECK (length(currency) = 3),
    date INTEGER NOT NULL,
    PRIMARY KEY (account, app, purchase_key),
    FOREIGN KEY (account, environment) REFERENCES account (id, environment),
    FOREIGN KEY (app, product_id) REFERENCES product (app, product_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX declined_payment_by_date ON declined_payment (account, date);
CREATE TRIGGER declined_payment_is_kept BEFORE DELETE ON declined_payment
    BEGIN SELECT RAISE(ABORT, 'declined_payment rows are never deleted'); END;
CREATE TRIGGER declined_payment_is_constant BEFORE UPDATE ON declined_payment
    BEGIN SELECT RAISE(ABORT, 'declined_payment rows are never rewritten'); END;

-- Purchases that were refused, so that the same request gets the same answer.
CREATE TABLE refused_purchase (
    account INTEGER NOT NULL,
    environment TEXT NOT NULL,
    app INTEGER NOT NULL REFERENCES app (id) ON DELETE CASCADE,
    purchase_key TEXT NOT NULL CHECK (length(purchase_key) >= 16),
    refusal TEXT NOT NULL CHECK (refusal IN (
        'invalidProduct', 'typeNotSold', 'quantityOutOfRange', 'priceChanged',
        'offerUnknown')),
    -- Why a product is not sold.
    reason TEXT CHECK ((reason IS NOT NULL) = (refusal = 'invalidProduct')),
    -- What the answer names: a product, state, type, storefront, offer or the like.
    detail TEXT,
    -- The quantity that was asked for, or the price of that day.
    amount INTEGER CHECK (
        (amount IS NOT NULL) = (refusal IN ('quantityOutOfRange', 'priceChanged'))),
    currency TEXT CHECK (
        (currency IS NOT NULL) = (refusal = 'priceChanged') AND length(currency) = 3),
    date INTEGER NOT NULL,
    -- Why an offer was refused that the product has; `refusal` is 'offerUnknown' beside it, whose
    -- rule has no other names.
    offer_problem TEXT CHECK (offer_problem IN (
        'ineligible', 'signatureInvalid', 'signatureMissing')),
    PRIMARY KEY (account, app, purchase_key),
    FOREIGN KEY (account, environment) REFERENCES account (id, environment)
) STRICT, WITHOUT ROWID;
CREATE INDEX refused_purchase_by_date ON refused_purchase (date);
CREATE INDEX refused_purchase_by_app ON refused_purchase (app);
CREATE TRIGGER refused_purchase_is_constant BEFORE UPDATE ON refused_purchase
    BEGIN SELECT RAISE(ABORT, 'refused_purchase rows are never rewritten'); END;

-- Each time that the database went back in time: a backup was restored, or a standby that lagged
-- took over. Devices and servers may have numbers from the time that was lost.
CREATE TABLE restoration (
    id INTEGER PRIMARY KEY,
    date INTEGER NOT NULL,
    -- Events behind the first and before the second number are lost.
    last_event INTEGER NOT NULL,
    next_event INTEGER NOT NULL,
    -- Since then all revisions of histories are larger.
    next_revision INTEGER NOT NULL,
    -- Lost events from this number on may be of another backup, which took the place before this
    -- one did: what happened before them happened in another store.
    other_event INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Codes that give a product or an offer: the operator's, and of those of the API what was used.
CREATE TABLE offer_code (
    code TEXT PRIMARY KEY CHECK (length(code) >= 8),
    app INTEGER NOT NULL,
    product_id TEXT NOT NULL,
    uses INTEGER NOT NULL CHECK (uses > 0),
    ends INTEGER NOT NULL,
    date INTEGER NOT NULL,
    -- The name of the subscription's offer; nil where the code gives the product.
    offer TEXT,
    FOREIGN KEY (app, product_id) REFERENCES product (app, product_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER offer_code_is_kept BEFORE DELETE ON offer_code
    BEGIN SELECT RAISE(ABORT, 'offer_code rows are never deleted'); END;
CREATE TRIGGER offer_code_is_constant BEFORE UPDATE ON offer_code
    BEGIN SELECT RAISE(ABORT, 'offer_code rows are never rewritten'); END;

-- Who has used which code.
CREATE TABLE offer_code_use (
    code TEXT NOT NULL REFERENCES offer_code (code),
    account INTEGER NOT NULL REFERENCES account (id),
    environment TEXT NOT NULL,
    -- The uses of a code are numbered within an environment: testers use up nothing.
    number INTEGER NOT NULL CHECK (number > 0),
    ledger INTEGER NOT NULL UNIQUE REFERENCES ledger (id),
    PRIMARY KEY (code, account),
    UNIQUE (code, environment, number),
    FOREIGN KEY (account, environment) REFERENCES account (id, environment)
) STRICT, WITHOUT ROWID;
-- Whether an account has used an offer's codes.
CREATE INDEX offer_code_use_by_account ON offer_code_use (account);
CREATE TRIGGER offer_code_use_is_kept BEFORE DELETE ON offer_code_use
    BEGIN SELECT RAISE(ABORT, 'offer_code_use rows are never deleted'); END;
CREATE TRIGGER offer_code_use_is_constant BEFORE UPDATE ON offer_code_use
    BEGIN SELECT RAISE(ABORT, 'offer_code_use rows are never rewritten'); END;

-- What publishers' servers have signed is good for one purchase.
CREATE TABLE offer_nonce (
    nonce TEXT PRIMARY KEY CHECK (length(nonce) = 36),
    account INTEGER NOT NULL REFERENCES account (id),
    purchase_key TEXT NOT NULL,
    date INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX offer_nonce_by_date ON offer_nonce (date);

-- Customers who were asked about a higher price.
CREATE TABLE price_consent (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES account (id),
    app INTEGER NOT NULL,
    product_id TEXT NOT NULL,
    new_price INTEGER NOT NULL CHECK (new_price >= 0),
    date INTEGER NOT NULL,
    FOREIGN KEY (app, product_id) REFERENCES product (app, product_id)
) STRICT;
CREATE INDEX price_consent_by_account ON price_consent (account, app);
CREATE TRIGGER price_consent_is_kept BEFORE DELETE ON price_consent
    BEGIN SELECT RAISE(ABORT, 'price_consent rows are never deleted'); END;
CREATE TRIGGER price_consent_is_constant BEFORE UPDATE ON price_consent
    BEGIN SELECT RAISE(ABORT, 'price_consent rows are never rewritten'); END;

-- What customers have answered to a higher price.
CREATE TABLE price_consent_decision (
    id INTEGER PRIMARY KEY REFERENCES price_consent (id),
    agreed INTEGER NOT NULL CHECK (agreed IN (0, 1)),
    date INTEGER NOT NULL
) STRICT;
CREATE TRIGGER price_consent_decision_is_kept BEFORE DELETE ON price_consent_decision
    BEGIN SELECT RAISE(ABORT, 'price_consent_decision rows are never deleted'); END;
CREATE TRIGGER price_consent_decision_is_constant BEFORE UPDATE ON price_consent_decision
    BEGIN SELECT RAISE(ABORT, 'price_consent_decision rows are never rewritten'); END;

-- Subscriptions
-- =============

-- The state of each subscription.
CREATE TABLE subscription (
    original INTEGER PRIMARY KEY REFERENCES ledger (id),
    account INTEGER NOT NULL,
    environment TEXT NOT NULL,
    app INTEGER NOT NULL REFERENCES app (id),
    group_id TEXT NOT NULL,
    -- Of the running or last period.
    product_id TEXT NOT NULL,
    -- What it goes on with.
    renewal_product_id TEXT NOT NULL,
    renews INTEGER NOT NULL CHECK (renews IN (0, 1)),
    state TEXT NOT NULL CHECK (state IN (
        'active', 'expired', 'retry', 'grace', 'revoked', 'cleared')),
    latest INTEGER NOT NULL REFERENCES ledger (id),
    -- When the last unbroken time of being subscribed began.
    started INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    grace_end INTEGER,
    retry_end INTEGER,
    -- Why it ended, or will: as in signed renewal information.
    intent INTEGER CHECK (intent BETWEEN 1 AND 5),
    -- Since it was started.
    renewals INTEGER NOT NULL CHECK (renewals >= 0),
    -- When there is something to do; nil for nothing.
    due INTEGER,
    -- Why the store can't read the row, and passes over it.
    set_aside TEXT,
    -- When the customer last chose what it goes on with, at the price of that day.
    chosen INTEGER,
    -- The day of the month on which its periods begin, where the month is long enough.
    anchor_day INTEGER CHECK (anchor_day BETWEEN 1 AND 31),
    FOREIGN KEY (account, environment) REFERENCES account (id, environment),
    CHECK ((state = 'grace') <= (grace_end IS NOT NULL)),
    CHECK ((state IN ('grace', 'retry')) <= (retry_end IS NOT NULL)),
    CHECK ((state IN ('active', 'grace', 'retry')) = (due IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX subscription_by_group ON subscription (account, app, group_id)
    WHERE state <> 'cleared';
CREATE INDEX subscription_due ON subscription (due) WHERE due IS NOT NULL;
CREATE INDEX subscription_by_product ON subscription (app, environment, product_id, original);
CREATE TRIGGER subscription_is_kept BEFORE DELETE ON subscription
    BEGIN SELECT RAISE(ABORT, 'subscriptions are never deleted'); END;

-- What a subscription goes on with after the running period.
CREATE TABLE accepted_offer (
    original INTEGER PRIMARY KEY REFERENCES subscription (original),
    product_id TEXT NOT NULL,
    offer_kind TEXT NOT NULL CHECK (offer_kind IN (
        'introductory', 'promotional', 'code', 'winBack')),
    offer_identifier TEXT
        CHECK ((offer_identifier IS NULL) = (offer_kind = 'introductory')),
    offer_mode TEXT NOT NULL CHECK (offer_mode IN ('free', 'payAsYouGo', 'payUpFront')),
    offer_period TEXT NOT NULL,
    offer_periods INTEGER NOT NULL CHECK (offer_periods >= 1),
    -- Which of its charges it is.
    offer_number INTEGER NOT NULL CHECK (offer_number BETWEEN 1 AND offer_periods),
    price INTEGER NOT NULL CHECK (price >= 0),
    currency TEXT NOT NULL CHECK (length(currency) = 3),
    -- Whether it waits for the end of the introductory offer.
    is_stacked INTEGER NOT NULL DEFAULT 0 CHECK (is_stacked IN (0, 1))
) STRICT;

-- The last period of each subscription that came to an account through its family. Who bought
-- it has a subscription; whom it is shared with has this.
CREATE TABLE shared_subscription (
    original INTEGER PRIMARY KEY REFERENCES ledger (id),
    account INTEGER NOT NULL REFERENCES account (id),
    app INTEGER NOT NULL REFERENCES app (id),
    latest INTEGER NOT NULL REFERENCES ledger (id)
) STRICT;
CREATE INDEX shared_subscription_by_account ON shared_subscription (account, app, original);

-- A request to make all subscriptions to a product longer.
CREATE TABLE mass_extension (
    app INTEGER NOT NULL REFERENCES app (id),
    environment TEXT NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
    request TEXT NOT NULL CHECK (length(request) BETWEEN 1 AND 128),
    product_id TEXT NOT NULL,
    days INTEGER NOT NULL CHECK (days BETWEEN 1 AND 90),
    reason INTEGER NOT NULL CHECK (reason BETWEEN 0 AND 3),
    -- Alpha-3 codes with blanks between; nil for all storefronts.
    storefronts TEXT,
    date INTEGER NOT NULL,
    -- The last subscription that was looked at.
    position INTEGER NOT NULL DEFAULT 0,
    succeeded INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    completed INTEGER,
    PRIMARY KEY (app, environment, request)
) STRICT, WITHOUT ROWID;
CREATE INDEX mass_extension_at_work ON mass_extension (date) WHERE completed IS NULL;
CREATE INDEX mass_extension_unfinished ON mass_extension (app, environment)
    WHERE completed IS NULL;
CREATE INDEX mass_extension_by_app ON mass_extension (app, environment, date);

-- Refunds, notifications and messages
-- ===================================

-- Customers' requests for a refund.
CREATE TABLE refund_request (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    transaction_id INTEGER NOT NULL REFERENCES ledger (id),
    account INTEGER NOT NULL REFERENCES account (id),
    app INTEGER NOT NULL REFERENCES app (id),
    environment TEXT NOT NULL,
    reason TEXT NOT NULL CHECK (reason IN (
        'UNINTENDED_PURCHASE', 'FULFILLMENT_ISSUE', 'UNSATISFIED_WITH_PURCHASE', 'LEGAL',
        'OTHER')),
    comment TEXT NOT NULL CHECK (length(comment) <= 4000),
    date INTEGER NOT NULL,
    -- When the store decides by itself, at the latest.
    deadline INTEGER NOT NULL,
    outcome TEXT CHECK (outcome IN ('REFUNDED', 'DECLINED')),
    -- Thousandths of a per cent of what was charged.
    percentage INTEGER CHECK (percentage BETWEEN 1 AND 100000),
    -- A sentence for people: which rule, or who.
    grounds TEXT,
    decided INTEGER,
    -- Why the store can't read the row, and passes over it.
    set_aside TEXT,
    CHECK ((outcome IS NULL) = (decided IS NULL)),
    CHECK ((outcome IS NULL) = (grounds IS NULL)),
    CHECK ((outcome IS 'REFUNDED') = (percentage IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX refund_request_waiting ON refund_request (transaction_id)
    WHERE outcome IS NULL;
CREATE INDEX refund_request_by_transaction ON refund_request (transaction_id, id);
CREATE INDEX refund_request_due ON refund_request (deadline) WHERE outcome IS NULL;
CREATE INDEX refund_request_by_account ON refund_request (account, date);
CREATE INDEX refund_request_by_app ON refund_request (app, id);
CREATE INDEX refund_request_open ON refund_request (app, id) WHERE outcome IS NULL;
CREATE TRIGGER refund_request_is_kept BEFORE DELETE ON refund_request
    BEGIN SELECT RAISE(ABORT, 'requests for refunds are never deleted'); END;
CREATE TRIGGER refund_request_is_decided_once BEFORE UPDATE ON refund_request
    WHEN OLD.outcome IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'a refund is decided once'); END;

-- What publishers' servers say about how a purchase was used; the last one counts. What has
-- decided nothing makes room for it.
CREATE TABLE consumption_information (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    transaction_id INTEGER NOT NULL REFERENCES ledger (id),
    -- JSON.
    facts TEXT NOT NULL,
    date INTEGER NOT NULL
) STRICT;
CREATE INDEX consumption_by_transaction ON consumption_information (transaction_id, id);
CREATE TRIGGER consumption_information_is_constant BEFORE UPDATE ON consumption_information
    BEGIN SELECT RAISE(ABORT, 'what publishers say is never rewritten'); END;
CREATE TRIGGER consumption_information_is_kept BEFORE DELETE ON consumption_information
    WHEN EXISTS (
        SELECT 1 FROM refund_request r
        WHERE r.transaction_id = OLD.transaction_id AND r.date <= OLD.date
            AND r.decided >= OLD.date)
    BEGIN SELECT RAISE(ABORT, 'what has decided a refund is never deleted'); END;

-- Server notifications to publishers.
CREATE TABLE notification (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uuid TEXT NOT NULL UNIQUE DEFAULT (lower(
        hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4'
        || substr(hex(randomblob(2)), 2) || '-' || substr('89ab89ab89ab89ab',
            instr('0123456789ABCDEF', substr(hex(randomblob(1)), 1, 1)), 1)
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))),
    app INTEGER NOT NULL REFERENCES app (id),
    environment TEXT NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
    type TEXT NOT NULL,
    subtype TEXT,
    -- Whose it is; nil for what is about the app.
    account INTEGER REFERENCES account (id),
    transaction_id INTEGER REFERENCES ledger (id),
    -- What was so at its date, as JSON.
    facts TEXT NOT NULL,
    date INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed')),
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    -- When it is sent next; nil for never.
    due INTEGER,
    -- Whether it is sent next because somebody asked for it, and when it would be without that.
    is_replay INTEGER NOT NULL DEFAULT 0 CHECK (is_replay IN (0, 1)),
    due_without INTEGER,
    -- Why the store can't read the row, and passes over it.
    set_aside TEXT,
    CHECK ((account IS NULL) = (transaction_id IS NULL)),
    CHECK (state = 'waiting' OR due IS NULL OR is_replay = 1),
    CHECK (is_replay = 0 OR due IS NOT NULL),
    CHECK (due_without IS NULL OR is_replay = 1)
) STRICT;
CREATE INDEX notification_due ON notification (due) WHERE due IS NOT NULL;
CREATE INDEX notification_lane ON notification (app, environment, due) WHERE due IS NOT NULL;
CREATE INDEX notification_by_app ON notification (app, environment, date, id);
CREATE INDEX notification_by_account ON notification (account, app, date, id)
    WHERE account IS NOT NULL;
CREATE INDEX notification_not_delivered ON notification (app, environment, date, id)
    WHERE state <> 'delivered';
CREATE INDEX notification_tests ON notification (app, environment, date) WHERE type = 'TEST';
CREATE INDEX notification_finished ON notification (date, id) WHERE due IS NULL;
CREATE INDEX notification_set_aside ON notification (id) WHERE set_aside IS NOT NULL;
-- What is over goes once the history does not reach so far back.
CREATE TRIGGER notification_is_kept BEFORE DELETE ON notification
    WHEN OLD.due IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'what is to be sent is never deleted'); END;
CREATE TRIGGER notification_is_constant
    BEFORE UPDATE OF uuid, app, environment, type, subtype, account, transaction_id, facts, date
    ON notification
    BEGIN SELECT RAISE(ABORT, 'notifications are never rewritten'); END;

-- Each time that a notification was sent, and how it went.
CREATE TABLE notification_attempt (
    notification INTEGER NOT NULL REFERENCES notification (id),
    number INTEGER NOT NULL CHECK (number > 0),
    date INTEGER NOT NULL,
    url TEXT NOT NULL,
    result TEXT NOT NULL,
    -- Of the answer; nil where there was none.
    status INTEGER,
    -- A sentence for people; empty for nothing to say.
    detail TEXT NOT NULL,
    milliseconds INTEGER NOT NULL CHECK (milliseconds >= 0),
    -- Whether somebody asked for it.
    is_replay INTEGER NOT NULL CHECK (is_replay IN (0, 1)),
    PRIMARY KEY (notification, number)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER notification_attempt_is_kept BEFORE DELETE ON notification_attempt
    WHEN EXISTS (
        SELECT 1 FROM notification n WHERE n.id = OLD.notification AND n.due IS NOT NULL)
    BEGIN SELECT RAISE(ABORT, 'attempts of what is to be sent are never deleted'); END;
CREATE TRIGGER notification_attempt_is_constant BEFORE UPDATE ON notification_attempt
    BEGIN SELECT RAISE(ABORT, 'attempts are never rewritten'); END;

-- Images of a publisher's retention messages.
CREATE TABLE retention_image (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    app INTEGER NOT NULL REFERENCES app (id),
    environment TEXT NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
    id TEXT NOT NULL CHECK (length(id) = 36),
    size TEXT NOT NULL CHECK (size IN ('FULL_SIZE', 'BULLET_POINT')),
    state TEXT NOT NULL CHECK (state IN ('PENDING', 'APPROVED', 'REJECTED')),
    -- SHA-256 of the PNG.
    digest TEXT NOT NULL CHECK (length(digest) = 64),
    date INTEGER NOT NULL,
    UNIQUE (app, environment, id)
) STRICT;
CREATE INDEX retention_image_by_digest ON retention_image (digest);
CREATE INDEX retention_image_waiting ON retention_image (number) WHERE state = 'PENDING';
CREATE TRIGGER retention_image_is_constant
    BEFORE UPDATE OF app, environment, id, size, digest, date ON retention_image
    BEGIN SELECT RAISE(ABORT, 'images are never rewritten'); END;

-- Messages that are shown to who is about to cancel.
CREATE TABLE retention_message (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    app INTEGER NOT NULL REFERENCES app (id),
    environment TEXT NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
    id TEXT NOT NULL CHECK (length(id) = 36),
    -- What is shown, as JSON.
    content TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('PENDING', 'APPROVED', 'REJECTED')),
    date INTEGER NOT NULL,
    UNIQUE (app, environment, id)
) STRICT;
CREATE INDEX retention_message_waiting ON retention_message (number) WHERE state = 'PENDING';
CREATE TRIGGER retention_message_is_constant
    BEFORE UPDATE OF app, environment, id, content, date ON retention_message
    BEGIN SELECT RAISE(ABORT, 'messages are never rewritten'); END;

-- Which images a message shows.
CREATE TABLE retention_message_image (
    message INTEGER NOT NULL REFERENCES retention_message (number) ON DELETE CASCADE,
    image INTEGER NOT NULL REFERENCES retention_image (number),
    PRIMARY KEY (message, image)
) STRICT, WITHOUT ROWID;
CREATE INDEX retention_message_image_by_image ON retention_message_image (image);

-- What subscribers to a product get in their language.
CREATE TABLE retention_default (
    app INTEGER NOT NULL REFERENCES app (id),
    environment TEXT NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
    product_id TEXT NOT NULL,
    locale TEXT NOT NULL,
    message INTEGER NOT NULL REFERENCES retention_message (number) ON DELETE CASCADE,
    PRIMARY KEY (app, environment, product_id, locale),
    FOREIGN KEY (app, product_id) REFERENCES product (app, product_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX retention_default_by_message ON retention_default (message);

-- Where a publisher's server chooses the message.
CREATE TABLE retention_url (
    app INTEGER NOT NULL REFERENCES app (id),
    environment TEXT NOT NULL CHECK (environment IN ('Production', 'Sandbox')),
    url TEXT NOT NULL,
    date INTEGER NOT NULL,
    PRIMARY KEY (app, environment)
) STRICT, WITHOUT ROWID;

-- Tests of a publisher's server for retention messages.
CREATE TABLE performance_test (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
    app INTEGER NOT NULL REFERENCES app (id),
    environment TEXT NOT NULL CHECK (environment = 'Sandbox'),
    url TEXT NOT NULL,
    original INTEGER NOT NULL REFERENCES ledger (id),
    -- How it is done, as JSON.
    plan TEXT NOT NULL,
    date INTEGER NOT NULL,
    -- Until when somebody is at it; nil for nobody.
    taken INTEGER,
    -- How many requests were answered.
    answered INTEGER NOT NULL DEFAULT 0 CHECK (answered >= 0),
    -- As JSON; nil while it runs.
    result TEXT,
    is_passed INTEGER CHECK (is_passed IN (0, 1)),
    CHECK ((result IS NULL) = (is_passed IS NULL))
) STRICT;
-- One at a time.
CREATE UNIQUE INDEX performance_test_at_work ON performance_test (app, environment)
    WHERE result IS NULL;
CREATE INDEX performance_test_passed ON performance_test (app) WHERE is_passed = 1;

-- The storefront: items, search, reviews
-- ======================================

-- The counter that grows with each change to the storefront's pages.
CREATE TABLE storefront_clock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    generation INTEGER NOT NULL
) STRICT;
INSERT INTO storefront_clock VALUES (1, 1);

-- The last number of an item or artist in stores of before schema 16; since then `apple_id` counts.
CREATE TABLE item_number (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    last INTEGER NOT NULL
) STRICT;
INSERT INTO item_number VALUES (1, 100000000000);

-- Makers of items: developers, authors, musicians.
CREATE TABLE artist (
    id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 1099511627775),
    team INTEGER NOT NULL REFERENCES team (id),
    name TEXT NOT NULL CHECK (length(name) > 0),
    -- As searches compare it.
    search_name TEXT NOT NULL,
    type TEXT NOT NULL CHECK (type IN (
        'Artist', 'Movie Artist', 'Author', 'Software Artist', 'Podcast Artist', 'TV Show')),
    genre INTEGER,
    amg_artist INTEGER,
    -- The one of its most popular work.
    popularity INTEGER NOT NULL DEFAULT 0 CHECK (popularity >= 0),
    -- Its row in artist_search.
    search_row INTEGER
) STRICT;
CREATE INDEX artist_by_name ON artist (name, type, team);
CREATE INDEX artist_by_search_name ON artist (search_name);
CREATE INDEX artist_by_amg ON artist (amg_artist) WHERE amg_artist IS NOT NULL;
CREATE TRIGGER artist_number_is_new BEFORE INSERT ON artist
    WHEN EXISTS (SELECT 1 FROM item WHERE id = NEW.id)
        OR EXISTS (SELECT 1 FROM app WHERE id = NEW.id)
    BEGIN SELECT RAISE(ABORT, 'the number belongs to something else'); END;
CREATE TRIGGER artist_is_constant BEFORE UPDATE OF id, team ON artist
    WHEN NEW.id <> OLD.id OR NEW.team <> OLD.team
    BEGIN SELECT RAISE(ABORT, 'an artist stays who it is'); END;
CREATE TRIGGER artist_is_kept BEFORE DELETE ON artist
    BEGIN SELECT RAISE(ABORT, 'artists are never deleted'); END;
CREATE TRIGGER storefront_artist_inserted AFTER INSERT ON artist
    BEGIN UPDATE storefront_clock SET generation = generation + 1; END;
CREATE TRIGGER storefront_artist_changed
    AFTER UPDATE OF name, type, genre, amg_artist, search_row ON artist
    BEGIN UPDATE storefront_clock SET generation = generation + 1; END;
CREATE TRIGGER feed_hears_of_artist AFTER INSERT ON artist BEGIN
    UPDATE feed_clock SET version = version + 1;
    INSERT INTO feed_artist_change SELECT NEW.id, version FROM feed_clock;
END;
CREATE TRIGGER feed_hears_of_artist_changed
    AFTER UPDATE OF name, type, genre, amg_artist ON artist
    WHEN NEW.name <> OLD.name OR NEW.type <> OLD.type OR NEW.genre IS NOT OLD.genre
        OR NEW.amg_artist IS NOT OLD.amg_artist
BEGIN
    UPDATE feed_clock SET version = version + 1;
    INSERT INTO feed_artist_change SELECT NEW.id, version FROM feed_clock WHERE true
        ON CONFLICT (artist) DO UPDATE SET version = excluded.version;
    -- Their rows say its name.
    INSERT INTO feed_item_change
        SELECT i.id, c.version FROM item i, feed_clock c WHERE i.artist = NEW.id
        ON CONFLICT (item) DO UPDATE SET version = excluded.version;
END;

-- What the storefront shows and sells beside in-app purchases: apps, books, music, films.
CREATE TABLE item (
    -- Shares an integer with its popularity in the search's rows.
    id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 1099511627775),
    team INTEGER NOT NULL REFERENCES team (id),
    kind TEXT NOT NULL CHECK (kind IN (
        'software', 'mac-software', 'ebook', 'album', 'song', 'music-video',
        'feature-movie', 'short-film', 'tv-episode', 'tv-season', 'podcast', 'audiobook')),
    app INTEGER UNIQUE REFERENCES app (id) CHECK (app = id),
    artist INTEGER REFERENCES artist (id),
    parent INTEGER REFERENCES item (id) CHECK (parent <> id),
    -- Among the parts of its parent.
    disc INTEGER NOT NULL DEFAULT 1,
    position INTEGER NOT NULL DEFAULT 0,
    release_date INTEGER,
    state TEXT NOT NULL CHECK (state IN ('DRAFT', 'ON_SALE', 'REMOVED')),
    popularity INTEGER NOT NULL DEFAULT 0 CHECK (popularity >= 0),
    -- What it earned, comparable between items: see PopularityRules.
    gross INTEGER NOT NULL DEFAULT 0 CHECK (gross >= 0),
    explicitness TEXT NOT NULL CHECK (explicitness IN (
        'explicit', 'cleaned', 'notExplicit')),
    is_free INTEGER NOT NULL CHECK (is_free IN (0, 1)),
    -- Costs nothing in some storefronts, and something in others.
    is_free_somewhere INTEGER NOT NULL CHECK (is_free_somewhere IN (0, 1)),
    -- `:JPN:USA:`; null for all.
    storefronts TEXT CHECK (storefronts LIKE ':%'),
    bundle_id TEXT,
    upc TEXT,
    isbn TEXT,
    amg_album INTEGER,
    amg_video INTEGER,
    primary_locale TEXT NOT NULL,
    -- In the primary language.
    title TEXT NOT NULL CHECK (length(title) > 0),
    genres TEXT NOT NULL,
    texts TEXT NOT NULL,
    prices TEXT NOT NULL,
    rental_prices TEXT,
    facts TEXT NOT NULL,
    created INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    -- Its row in the search's tables; null where customers don't see it.
    search_row INTEGER
) STRICT;
CREATE INDEX item_by_popularity ON item (kind, is_free, popularity DESC, id)
    WHERE state = 'ON_SALE';
CREATE INDEX item_by_mixed_price ON item (kind, popularity DESC, id)
    WHERE state = 'ON_SALE' AND is_free_somewhere = 1;
CREATE INDEX item_by_gross ON item (kind, gross DESC, id) WHERE state = 'ON_SALE' AND gross > 0;
CREATE INDEX item_by_release ON item (kind, release_date DESC, id) WHERE state = 'ON_SALE';
CREATE INDEX item_on_sale ON item (id) WHERE state = 'ON_SALE';
CREATE INDEX item_by_team ON item (team);
CREATE INDEX item_by_artist ON item (artist, kind) WHERE artist IS NOT NULL;
CREATE INDEX item_by_parent ON item (parent, disc, position) WHERE parent IS NOT NULL;
CREATE INDEX item_by_bundle_id ON item (bundle_id) WHERE bundle_id IS NOT NULL;
CREATE INDEX item_by_upc ON item (upc) WHERE upc IS NOT NULL;
CREATE INDEX item_by_isbn ON item (isbn) WHERE isbn IS NOT NULL;
CREATE INDEX item_by_amg_album ON item (amg_album) WHERE amg_album IS NOT NULL;
CREATE INDEX item_by_amg_video ON item (amg_video) WHERE amg_video IS NOT NULL;
CREATE TRIGGER item_number_is_new BEFORE INSERT ON item
    WHEN EXISTS (SELECT 1 FROM artist WHERE id = NEW.id)
        OR (NEW.app IS NULL AND EXISTS (SELECT 1 FROM app WHERE id = NEW.id))
    BEGIN SELECT RAISE(ABORT, 'the number belongs to something else'); END;
CREATE TRIGGER item_is_constant BEFORE UPDATE OF id, team, kind, app, created ON item
    WHEN NEW.id <> OLD.id OR NEW.team <> OLD.team OR NEW.kind <> OLD.kind
        OR NEW.app IS NOT OLD.app OR NEW.created <> OLD.created
    BEGIN SELECT RAISE(ABORT, 'an item stays what it is'); END;
CREATE TRIGGER item_is_kept BEFORE DELETE ON item
    BEGIN SELECT RAISE(ABORT, 'items are never deleted'); END;
CREATE TRIGGER storefront_item_inserted AFTER INSERT ON item
    BEGIN UPDATE storefront_clock SET generation = generation + 1; END;
CREATE TRIGGER storefront_item_changed
    AFTER UPDATE OF artist, parent, disc, position, release_date, state, explicitness, is_free,
        storefronts, bundle_id, upc, isbn, amg_album, amg_video, primary_locale, title, genres,
        texts, prices, rental_prices, facts, search_row
    ON item
    BEGIN UPDATE storefront_clock SET generation = generation + 1; END;
-- A date says nothing where it lies before an export that the change comes after: the clock
-- went back, or the change waited to be written.
CREATE TRIGGER feed_hears_of_item_added AFTER INSERT ON item
    WHEN NEW.changed < (SELECT exported FROM feed_clock)
BEGIN
    UPDATE feed_clock SET version = version + 1;
    INSERT INTO feed_item_change SELECT NEW.id, version FROM feed_clock;
END;
CREATE TRIGGER feed_hears_of_item_changed AFTER UPDATE OF changed ON item
    WHEN NEW.changed < (SELECT exported FROM feed_clock)
BEGIN
    UPDATE feed_clock SET version = version + 1;
    INSERT INTO feed_item_change SELECT NEW.id, version FROM feed_clock WHERE true
        ON CONFLICT (item) DO UPDATE SET version = excluded.version;
END;

-- Genres of what customers see, for charts; the ones above a genre stand here too.
CREATE TABLE item_genre (
    genre INTEGER NOT NULL,
    kind TEXT NOT NULL,
    is_free INTEGER NOT NULL,
    -- The most popular first: minus the popularity.
    rank INTEGER NOT NULL CHECK (rank <= 0),
    item INTEGER NOT NULL REFERENCES item (id),
    PRIMARY KEY (genre, kind, is_free, rank, item)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX item_genre_by_item ON item_genre (item, genre);

-- Titles of items in all languages, in the order of the alphabet.
CREATE TABLE item_title (
    title TEXT NOT NULL,
    search_row INTEGER NOT NULL,
    PRIMARY KEY (title, search_row)
) STRICT, WITHOUT ROWID;

-- Short names, by which most searches are answered. `titles` are those in other languages
-- than the primary one, one a line.
CREATE VIRTUAL TABLE item_name_search USING fts5 (
    title, titles, artist, collection,
    tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'",
    prefix = '1 2 3', columnsize = 0);

-- Words of names, by what `TypingErrors` finds them: a word that nothing has any more is only
-- a guess too many.
CREATE TABLE search_word (
    word TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- The parts of words by which search finds what is misspelt.
CREATE TABLE search_word_part (
    part TEXT NOT NULL,
    word TEXT NOT NULL REFERENCES search_word (word),
    PRIMARY KEY (part, word)
) STRICT, WITHOUT ROWID;

-- The words in items' names, and how many items have each.
CREATE VIRTUAL TABLE item_name_word USING fts5vocab (item_name_search, row);

-- Everything that is said; `marks` are words such as `year2012`.
CREATE VIRTUAL TABLE item_text_search USING fts5 (
    names, description, keywords, composer, director, producer, actor, marks,
    tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'",
    columnsize = 0);

-- The names of artists, for search.
CREATE VIRTUAL TABLE artist_search USING fts5 (
    name, tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'",
    prefix = '1 2 3', columnsize = 0);

-- The words in artists' names, and how many artists have each.
CREATE VIRTUAL TABLE artist_word USING fts5vocab (artist_search, row);

-- Artwork, screenshots, previews and downloads of items.
CREATE TABLE item_media (
    id TEXT PRIMARY KEY CHECK (length(id) = 36),
    item INTEGER NOT NULL REFERENCES item (id),
    kind TEXT NOT NULL CHECK (kind IN (
        'artwork', 'screenshot', 'tabletScreenshot', 'audioPreview', 'videoPreview',
        'download')),
    position INTEGER NOT NULL CHECK (position > 0),
    digest TEXT NOT NULL CHECK (length(digest) = 64),
    media_type TEXT NOT NULL CHECK (length(media_type) BETWEEN 3 AND 100),
    file_name TEXT NOT NULL CHECK (length(file_name) BETWEEN 1 AND 255),
    -- Bytes.
    size INTEGER NOT NULL CHECK (size > 0),
    -- Pixels, of pictures.
    width INTEGER CHECK (width > 0),
    height INTEGER CHECK (height > 0),
    UNIQUE (item, kind, position),
    CHECK ((width IS NULL) = (height IS NULL)),
    CHECK ((width IS NOT NULL) = (kind IN ('artwork', 'screenshot', 'tabletScreenshot'))),
    CHECK (kind NOT IN ('artwork', 'download') OR position = 1)
) STRICT;
CREATE INDEX item_media_by_digest ON item_media (digest);
-- Whoever has fetched it keeps it for a year: an identifier stands for the same bytes for
-- ever.
CREATE TRIGGER item_media_keeps_bytes BEFORE UPDATE ON item_media
    WHEN NEW.id <> OLD.id OR NEW.item <> OLD.item OR NEW.kind <> OLD.kind
        OR NEW.digest <> OLD.digest OR NEW.media_type <> OLD.media_type
        OR NEW.size <> OLD.size OR NEW.width IS NOT OLD.width
        OR NEW.height IS NOT OLD.height
    BEGIN SELECT RAISE(ABORT, 'media are replaced, never rewritten'); END;
-- Customers see them.
CREATE TRIGGER item_media_is_new AFTER INSERT ON item_media
    BEGIN UPDATE storefront_clock SET generation = generation + 1; END;
CREATE TRIGGER item_media_has_changed AFTER UPDATE ON item_media
    BEGIN UPDATE storefront_clock SET generation = generation + 1; END;
CREATE TRIGGER item_media_is_gone AFTER DELETE ON item_media
    BEGIN UPDATE storefront_clock SET generation = generation + 1; END;
CREATE TRIGGER feed_hears_of_media_added AFTER INSERT ON item_media BEGIN
    UPDATE feed_clock SET version = version + 1;
    INSERT INTO feed_item_change SELECT NEW.item, version FROM feed_clock WHERE true
        ON CONFLICT (item) DO UPDATE SET version = excluded.version;
END;
CREATE TRIGGER feed_hears_of_media_changed AFTER UPDATE ON item_media BEGIN
    UPDATE feed_clock SET version = version + 1;
    INSERT INTO feed_item_change SELECT NEW.item, version FROM feed_clock WHERE true
        ON CONFLICT (item) DO UPDATE SET version = excluded.version;
END;
CREATE TRIGGER feed_hears_of_media_removed AFTER DELETE ON item_media BEGIN
    UPDATE feed_clock SET version = version + 1;
    INSERT INTO feed_item_change SELECT OLD.item, version FROM feed_clock WHERE true
        ON CONFLICT (item) DO UPDATE SET version = excluded.version;
END;

-- Ratings and reviews of customers.
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
CREATE INDEX customer_review_by_state ON customer_review (state);
CREATE INDEX customer_review_by_team ON customer_review (team, state);
CREATE INDEX customer_review_by_item ON customer_review (item, state);
CREATE INDEX customer_review_helpful_in_all ON customer_review (
    item, environment, helpfulness DESC, changed DESC, id DESC)
    WHERE state = 'PUBLISHED' AND has_text = 1;
CREATE INDEX customer_review_recent_in_all ON customer_review (
    item, environment, changed DESC, id DESC)
    WHERE state = 'PUBLISHED' AND has_text = 1;
CREATE INDEX customer_review_favorable_in_all ON customer_review (
    item, environment, rating DESC, changed DESC, id DESC)
    WHERE state = 'PUBLISHED' AND has_text = 1;
CREATE INDEX customer_review_critical_in_all ON customer_review (
    item, environment, rating, changed DESC, id DESC)
    WHERE state = 'PUBLISHED' AND has_text = 1;
CREATE INDEX customer_review_helpful_in_storefront ON customer_review (
    item, environment, storefront, helpfulness DESC, changed DESC, id DESC)
    WHERE state = 'PUBLISHED' AND has_text = 1;
CREATE INDEX customer_review_recent_in_storefront ON customer_review (
    item, environment, storefront, changed DESC, id DESC)
    WHERE state = 'PUBLISHED' AND has_text = 1;
CREATE INDEX customer_review_favorable_in_storefront ON customer_review (
    item, environment, storefront, rating DESC, changed DESC, id DESC)
    WHERE state = 'PUBLISHED' AND has_text = 1;
CREATE INDEX customer_review_critical_in_storefront ON customer_review (
    item, environment, storefront, rating, changed DESC, id DESC)
    WHERE state = 'PUBLISHED' AND has_text = 1;
CREATE TRIGGER customer_review_stays_where_it_is
    BEFORE UPDATE OF id, item, team, environment, account, storefront, created
    ON customer_review
    BEGIN SELECT RAISE(ABORT, 'a review stays with its item and account'); END;
CREATE TRIGGER customer_review_counted_in AFTER INSERT ON customer_review
    WHEN NEW.state = 'PUBLISHED'
    BEGIN INSERT INTO item_rating (item, environment, version, one, two, three, four, five)
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
        SET reviews = review_count.reviews + 1; END;
CREATE TRIGGER customer_review_counted_out AFTER DELETE ON customer_review
    WHEN OLD.state = 'PUBLISHED'
    BEGIN UPDATE item_rating SET one = one - CAST(OLD.rating = 1 AS INT),
        two = two - CAST(OLD.rating = 2 AS INT), three = three - CAST(OLD.rating = 3 AS INT),
        four = four - CAST(OLD.rating = 4 AS INT), five = five - CAST(OLD.rating = 5 AS INT)
    WHERE item = OLD.item AND environment = OLD.environment
        AND (version = '' OR version = OLD.version);
UPDATE review_count SET reviews = reviews - 1
    WHERE item = OLD.item AND environment = OLD.environment
        AND storefront IN ('', OLD.storefront) AND (OLD.title <> '' OR OLD.body <> ''); END;
CREATE TRIGGER customer_review_recounted_out
    AFTER UPDATE OF rating, title, body, version, state ON customer_review
    WHEN OLD.state = 'PUBLISHED'
    BEGIN UPDATE item_rating SET one = one - CAST(OLD.rating = 1 AS INT),
        two = two - CAST(OLD.rating = 2 AS INT), three = three - CAST(OLD.rating = 3 AS INT),
        four = four - CAST(OLD.rating = 4 AS INT), five = five - CAST(OLD.rating = 5 AS INT)
    WHERE item = OLD.item AND environment = OLD.environment
        AND (version = '' OR version = OLD.version);
UPDATE review_count SET reviews = reviews - 1
    WHERE item = OLD.item AND environment = OLD.environment
        AND storefront IN ('', OLD.storefront) AND (OLD.title <> '' OR OLD.body <> ''); END;
CREATE TRIGGER customer_review_recounted_in
    AFTER UPDATE OF rating, title, body, version, state ON customer_review
    WHEN NEW.state = 'PUBLISHED'
    BEGIN INSERT INTO item_rating (item, environment, version, one, two, three, four, five)
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
        SET reviews = review_count.reviews + 1; END;
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

-- Reviews without what only indexes need. Not read any more.
CREATE VIEW customer_review_entry AS
    SELECT id, item, account, nickname, storefront, rating, title, body, version, state,
        hold_reason, helpful_votes, votes, response, response_date, created, changed,
        environment, team, has_text, helpfulness
    FROM customer_review;

-- Whether customers found a review helpful: one vote for each account, whose last word counts.
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

-- Whoever was rejected is looked at the next time too, also after removing the review.
CREATE TABLE review_rejection (
    account INTEGER NOT NULL REFERENCES account (id),
    item INTEGER NOT NULL REFERENCES item (id),
    PRIMARY KEY (account, item)
) STRICT, WITHOUT ROWID;

-- Questions that a customer is to answer on a page: to sign in, to buy a product or an item, to
-- redeem a code, to agree to a price.
CREATE TABLE prompt (
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
    -- The offer that the customer is told of, JSON.
    offer TEXT CHECK (offer IS NULL OR kind = 'confirm'),
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
CREATE INDEX prompt_by_end ON prompt (ends);
CREATE TRIGGER prompt_ends_once BEFORE UPDATE OF ending, code, signed_in, ended ON prompt
    WHEN OLD.ending IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'a prompt ends once'); END;

-- Sales of items, affiliates and the partner feed
-- ===============================================

-- Who sends customers, and earns a share.
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

-- Sales of items.
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
CREATE TRIGGER item_sale_is_made_once BEFORE INSERT ON item_sale
    WHEN EXISTS (SELECT 1 FROM item_sale s WHERE s.account = NEW.account
        AND s.item = NEW.item AND NOT EXISTS (SELECT 1 FROM item_refund WHERE sale = s.id)
        AND s.id > ifnull((SELECT id FROM last_cleared_sale WHERE account = NEW.account), 0))
    BEGIN SELECT RAISE(ABORT, 'the account has the item already'); END;
CREATE TRIGGER item_sale_is_kept BEFORE DELETE ON item_sale
    BEGIN SELECT RAISE(ABORT, 'sales of items are never deleted'); END;
CREATE TRIGGER item_sale_is_constant BEFORE UPDATE ON item_sale
    BEGIN SELECT RAISE(ABORT, 'sales of items are never rewritten'); END;

-- Sales of items that were taken back.
CREATE TABLE item_refund (
    sale INTEGER PRIMARY KEY REFERENCES item_sale (id),
    date INTEGER NOT NULL
) STRICT;
CREATE INDEX item_refund_by_date ON item_refund (date);
CREATE TRIGGER item_refund_is_kept BEFORE DELETE ON item_refund
    BEGIN SELECT RAISE(ABORT, 'refunds of items are never deleted'); END;
CREATE TRIGGER item_refund_is_constant BEFORE UPDATE ON item_refund
    BEGIN SELECT RAISE(ABORT, 'refunds of items are never rewritten'); END;

-- The last sale that a clearing of a tester's history hides.
CREATE VIEW last_cleared_sale AS
    SELECT account, max(last_sale) AS id FROM history_clearing GROUP BY account;

-- Sales of items with their refunds.
CREATE VIEW item_sale_entry AS
    SELECT s.id, s.item, s.environment, s.account, s.storefront, s.price, s.currency,
        s.affiliate_token, s.campaign, s.provider, s.affiliate, s.commission, s.date,
        r.date AS refund_date, s.team,
        s.id <= ifnull((SELECT id FROM last_cleared_sale WHERE account = s.account), 0)
            AS is_cleared
    FROM item_sale s LEFT JOIN item_refund r ON r.sale = s.id;

-- Who may fetch the partner feed.
CREATE TABLE feed_partner (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
    -- The name in HTTP Basic, which takes no colon.
    user_name TEXT NOT NULL UNIQUE
        CHECK (length(user_name) BETWEEN 3 AND 64 AND user_name NOT GLOB '*[^a-z0-9._-]*'),
    password_hash TEXT NOT NULL CHECK (length(password_hash) > 0),
    is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
    created INTEGER NOT NULL,
    last_use INTEGER
) STRICT;
CREATE TRIGGER feed_partner_is_kept BEFORE DELETE ON feed_partner
    BEGIN SELECT RAISE(ABORT, 'partners are deactivated, never deleted'); END;
CREATE TRIGGER feed_partner_keeps_name BEFORE UPDATE OF id, user_name, created ON feed_partner
    WHEN OLD.id <> NEW.id OR OLD.user_name <> NEW.user_name OR OLD.created <> NEW.created
    BEGIN SELECT RAISE(ABORT, 'a partner keeps its user name'); END;

-- What the next incremental export tells of beside the items whose own date has changed.
CREATE TABLE feed_clock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL,
    -- When the newest export began.
    exported INTEGER NOT NULL
) STRICT;
INSERT INTO feed_clock VALUES (1, 1, 0);

-- Items that the next incremental export has to tell of although their date does not: the feed's
-- version at their last change.
CREATE TABLE feed_item_change (
    item INTEGER PRIMARY KEY REFERENCES item (id),
    version INTEGER NOT NULL
) STRICT;
CREATE INDEX feed_item_change_by_version ON feed_item_change (version);

-- Artists that the next incremental export has to tell of although their date does not: the feed's
-- version at their last change.
CREATE TABLE feed_artist_change (
    artist INTEGER PRIMARY KEY REFERENCES artist (id),
    version INTEGER NOT NULL
) STRICT;

-- The database itself
-- ===================

-- Where the shop has moved: with a row here it goes on in another database, and nothing is written
-- to this one.
CREATE TABLE moved_to (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- Without a password.
    address TEXT NOT NULL,
    date INTEGER NOT NULL
) STRICT;

-- What a store does by itself, once whoever does it.
CREATE TABLE job (
    name TEXT PRIMARY KEY CHECK (length(name) > 0),
    -- Who has it, and until when nobody else gets it.
    holder TEXT,
    lease_end INTEGER NOT NULL,
    -- When it was last begun that came to its end; NULL for never.
    last INTEGER
) STRICT, WITHOUT ROWID;

-- Counters that grow with each change
-- ===================================
--
-- Programs read again what they keep of the catalog when its counter has grown, and devices what
-- they know of an app when the app's has.

CREATE TRIGGER team_clock_insert AFTER INSERT ON team
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER team_clock_update AFTER UPDATE ON team
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER team_clock_delete AFTER DELETE ON team
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER app_clock_insert AFTER INSERT ON app
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER app_clock_update AFTER UPDATE ON app
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER app_clock_delete AFTER DELETE ON app
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER product_clock_insert AFTER INSERT ON product
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER product_clock_update AFTER UPDATE ON product
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER product_clock_delete AFTER DELETE ON product
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER product_text_clock_insert AFTER INSERT ON product_text
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER product_text_clock_update AFTER UPDATE ON product_text
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER product_text_clock_delete AFTER DELETE ON product_text
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER product_price_clock_insert AFTER INSERT ON product_price
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER product_price_clock_update AFTER UPDATE ON product_price
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER product_price_clock_delete AFTER DELETE ON product_price
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER product_revision_clock_insert AFTER INSERT ON product_revision
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER product_revision_clock_update AFTER UPDATE ON product_revision
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER product_revision_clock_delete AFTER DELETE ON product_revision
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER kept_resource_clock_insert AFTER INSERT ON kept_resource
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER kept_resource_clock_update AFTER UPDATE ON kept_resource
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER kept_resource_clock_delete AFTER DELETE ON kept_resource
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER content_release_clock_insert AFTER INSERT ON content_release
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER content_release_clock_update AFTER UPDATE ON content_release
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;
CREATE TRIGGER content_release_clock_delete AFTER DELETE ON content_release
    BEGIN UPDATE catalog_clock SET generation = generation + 1; END;

CREATE TRIGGER product_app_clock_insert AFTER INSERT ON product BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app = NEW.app;
END;
CREATE TRIGGER product_app_clock_update AFTER UPDATE ON product BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app = NEW.app;
END;
CREATE TRIGGER product_app_clock_delete AFTER DELETE ON product BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app = OLD.app;
END;
CREATE TRIGGER product_text_app_clock_insert AFTER INSERT ON product_text BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app = (SELECT app FROM product WHERE id = NEW.product);
END;
CREATE TRIGGER product_text_app_clock_update AFTER UPDATE ON product_text BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app = (SELECT app FROM product WHERE id = NEW.product);
END;
CREATE TRIGGER product_text_app_clock_delete AFTER DELETE ON product_text BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app = (SELECT app FROM product WHERE id = OLD.product);
END;
CREATE TRIGGER product_price_app_clock_insert AFTER INSERT ON product_price BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app = (SELECT app FROM product WHERE id = NEW.product);
END;
CREATE TRIGGER product_price_app_clock_update AFTER UPDATE ON product_price BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app = (SELECT app FROM product WHERE id = NEW.product);
END;
CREATE TRIGGER product_price_app_clock_delete AFTER DELETE ON product_price BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app = (SELECT app FROM product WHERE id = OLD.product);
END;
CREATE TRIGGER product_revision_app_clock_insert AFTER INSERT ON product_revision BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app = (SELECT app FROM product WHERE id = NEW.product);
END;
CREATE TRIGGER product_revision_app_clock_update AFTER UPDATE ON product_revision BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app = (SELECT app FROM product WHERE id = NEW.product);
END;
CREATE TRIGGER product_revision_app_clock_delete AFTER DELETE ON product_revision BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app = (SELECT app FROM product WHERE id = OLD.product);
END;
CREATE TRIGGER kept_resource_app_clock_insert AFTER INSERT ON kept_resource BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app = NEW.app;
END;
CREATE TRIGGER kept_resource_app_clock_update AFTER UPDATE ON kept_resource BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app = NEW.app;
END;
CREATE TRIGGER kept_resource_app_clock_delete AFTER DELETE ON kept_resource BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app = OLD.app;
END;
CREATE TRIGGER content_release_app_clock_insert AFTER INSERT ON content_release BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app = (SELECT app FROM product WHERE id = NEW.product);
END;
CREATE TRIGGER content_release_app_clock_update AFTER UPDATE ON content_release BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app = (SELECT app FROM product WHERE id = NEW.product);
END;
CREATE TRIGGER content_release_app_clock_delete AFTER DELETE ON content_release BEGIN
    UPDATE app_clock SET generation = generation + 1
        WHERE app = (SELECT app FROM product WHERE id = OLD.product);
END;
