/// Testers, and what their publisher does to them.
///
/// What a tester was made of is not edited; endings, clearings and declined payments are facts.
let schema5Sandbox: String =
    """
    ALTER TABLE account_setting ADD COLUMN payment_failure TEXT NOT NULL DEFAULT 'none'
        CHECK (payment_failure IN ('none', 'next', 'all'));
    \(paymentFailureTrigger(on: "INSERT"))
    \(paymentFailureTrigger(on: "UPDATE"))

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
    -- Where there is one team only, the sandbox's accounts were its testers.
    INSERT INTO tester (account, team, first_name, last_name, renewal_rate, created)
        SELECT a.id, t.id, '', '', 'MONTHLY_RENEWAL_EVERY_FIVE_MINUTES', a.created
        FROM account a, team t
        WHERE a.environment = 'Sandbox' AND (SELECT count(*) FROM team) = 1;

    -- Also of accounts that belong to no team.
    CREATE TABLE tester_ending (
        account INTEGER NOT NULL,
        environment TEXT NOT NULL DEFAULT 'Sandbox' CHECK (environment = 'Sandbox'),
        ending TEXT NOT NULL CHECK (ending IN ('converted', 'deleted')),
        date INTEGER NOT NULL,
        PRIMARY KEY (account, ending),
        FOREIGN KEY (account, environment) REFERENCES account (id, environment)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER session_of_gone_tester BEFORE INSERT ON session
        WHEN EXISTS (SELECT 1 FROM tester_ending WHERE account = NEW.account)
        BEGIN SELECT RAISE(ABORT, 'a tester that is gone has no sessions'); END;
    CREATE TRIGGER page_session_of_gone_tester BEFORE INSERT ON page_session
        WHEN EXISTS (SELECT 1 FROM tester_ending WHERE account = NEW.account)
        BEGIN SELECT RAISE(ABORT, 'a tester that is gone has no sessions'); END;
    CREATE INDEX session_by_account ON session (account);
    CREATE INDEX page_session_by_account ON page_session (account);

    -- Apps see nothing of what an account bought up to the last of these transactions.
    CREATE TABLE history_clearing (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        account INTEGER NOT NULL,
        environment TEXT NOT NULL DEFAULT 'Sandbox' CHECK (environment = 'Sandbox'),
        -- 0 where nothing was bought.
        last INTEGER NOT NULL CHECK (last >= 0),
        date INTEGER NOT NULL,
        FOREIGN KEY (account, environment) REFERENCES account (id, environment)
    ) STRICT;
    CREATE INDEX history_clearing_by_account ON history_clearing (account, last);

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

    -- What is listed of a tester's purchases, the newest first.
    CREATE INDEX ledger_by_account ON ledger (account, id) WHERE environment = 'Sandbox';

    -- The columns in the order in which the program reads them.
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

    """ + constancyTriggers(for: ["tester_ending", "history_clearing", "declined_payment"])

/// A trigger that refuses to let the payments of customers fail.
private func paymentFailureTrigger(on event: String) -> String {
    """
    CREATE TRIGGER payment_failure_\(event.lowercased()) BEFORE \(event) ON account_setting
        WHEN NEW.payment_failure <> 'none'
            AND (SELECT environment FROM account WHERE id = NEW.account) IS NOT 'Sandbox'
        BEGIN SELECT RAISE(ABORT, 'only the payments of testers fail on purpose'); END;
    """
}
