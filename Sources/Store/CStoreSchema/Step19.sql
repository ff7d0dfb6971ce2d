-- Step 19: clocks that testers and apps follow in the sandbox.

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
