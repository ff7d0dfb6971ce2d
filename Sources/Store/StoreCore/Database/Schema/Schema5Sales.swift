/// What sales are added up by.
let schema5Sales: String =
    """
    CREATE INDEX ledger_by_day ON ledger (app, environment, date)
        WHERE kind = 'purchase' AND original IS NULL;
    CREATE INDEX ledger_revocation_by_date ON ledger_revocation (date);

    """
