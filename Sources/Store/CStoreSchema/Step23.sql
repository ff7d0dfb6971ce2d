-- Step 23: codes that go along with an introductory offer.

-- Whether the accepted offer waits for the end of the introductory one.
ALTER TABLE accepted_offer ADD COLUMN is_stacked INTEGER NOT NULL DEFAULT 0
    CHECK (is_stacked IN (0, 1));
