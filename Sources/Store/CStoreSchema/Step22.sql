-- Step 22: what customers have chosen, the ends of months, and indexes for what grows.

-- When the customer last chose what it goes on with, at the price of that day; nil for when it was
-- started.
ALTER TABLE subscription ADD COLUMN chosen INTEGER;
-- The day of the month on which its periods begin, where the month is long enough.
ALTER TABLE subscription ADD COLUMN anchor_day INTEGER CHECK (anchor_day BETWEEN 1 AND 31);

-- Whether an account has used an offer's codes.
CREATE INDEX offer_code_use_by_account ON offer_code_use (account);

-- Sales of a day: renewals are among them.
DROP INDEX ledger_by_day;
CREATE INDEX ledger_by_day ON ledger (app, environment, date) WHERE kind = 'purchase';
