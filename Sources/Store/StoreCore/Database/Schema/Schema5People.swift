/// People, their roles, sessions and agreements.
let schema5People: String = schema5Persons + schema5Sessions + schema5Agreements

private let schema5Persons: String =
    """
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

    CREATE TABLE membership (
        team INTEGER NOT NULL REFERENCES team (id),
        person INTEGER NOT NULL REFERENCES person (id),
        since INTEGER NOT NULL,
        PRIMARY KEY (team, person)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX membership_by_person ON membership (person, team);

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

    -- Into a team, or among the staff where there is none.
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

    """

private let schema5Sessions: String =
    """
    -- Who leaves a team loses the sessions in it.
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

    ALTER TABLE api_key ADD COLUMN last_used INTEGER;
    CREATE INDEX api_key_by_issuer ON api_key (issuer, created);

    """

private let schema5Agreements: String =
    """
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
    CREATE TABLE tax_form (
        team INTEGER PRIMARY KEY REFERENCES team (id),
        legal_name TEXT NOT NULL CHECK (length(legal_name) > 0),
        territory TEXT NOT NULL CHECK (length(territory) = 3),
        tax_id TEXT NOT NULL CHECK (length(tax_id) BETWEEN 4 AND 40),
        address TEXT NOT NULL CHECK (length(address) > 0),
        changed INTEGER NOT NULL
    ) STRICT;

    -- Teams of earlier programs keep what they have.
    INSERT INTO agreement (team, kind, state)
        SELECT id, 'FREE_APPS', 'ACTIVE' FROM team
        UNION ALL
        SELECT id, 'PAID_APPS', iif(has_paid_agreement = 1, 'ACTIVE', 'NEW') FROM team;
    CREATE TRIGGER team_gets_agreements AFTER INSERT ON team
        BEGIN
            INSERT INTO agreement (team, kind, state) VALUES
                (NEW.id, 'FREE_APPS', iif(NEW.has_paid_agreement = 1, 'ACTIVE', 'NEW')),
                (NEW.id, 'PAID_APPS', iif(NEW.has_paid_agreement = 1, 'ACTIVE', 'NEW'));
        END;
    -- What the rules about products look at follows the agreement, and nothing else.
    CREATE TRIGGER team_follows_agreement AFTER UPDATE OF state ON agreement
        WHEN NEW.kind = 'PAID_APPS' AND OLD.state <> NEW.state
        BEGIN
            UPDATE team SET has_paid_agreement = CAST(NEW.state = 'ACTIVE' AS INT)
            WHERE id = NEW.team AND has_paid_agreement <> CAST(NEW.state = 'ACTIVE' AS INT);
        END;
    CREATE TRIGGER team_agreement_is_true BEFORE UPDATE OF has_paid_agreement ON team
        WHEN NEW.has_paid_agreement <> (
            SELECT CAST(state = 'ACTIVE' AS INT) FROM agreement
            WHERE team = NEW.id AND kind = 'PAID_APPS')
        BEGIN SELECT RAISE(ABORT, 'a team has the agreement that it has'); END;
    -- An accepted one is in force only with bank account and tax form.
    CREATE TRIGGER agreement_is_complete BEFORE UPDATE OF state ON agreement
        WHEN NEW.kind = 'PAID_APPS' AND NEW.state = 'ACTIVE' AND OLD.state <> 'ACTIVE'
            AND (NOT EXISTS (SELECT 1 FROM bank_account WHERE team = NEW.team)
                OR NOT EXISTS (SELECT 1 FROM tax_form WHERE team = NEW.team)
                OR NEW.accepted IS NULL)
        BEGIN SELECT RAISE(ABORT, 'the agreement lacks bank account or tax form'); END;
    CREATE TRIGGER agreement_is_kept BEFORE DELETE ON agreement
        BEGIN SELECT RAISE(ABORT, 'agreements are terminated, never deleted'); END;

    """
