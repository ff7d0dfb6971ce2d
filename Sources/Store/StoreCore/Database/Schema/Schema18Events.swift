/// Events about subscriptions.
let schema18Events: String =
    """
    -- A kind of its own, which the rule of the column `kind` has not: `kind` is 'transactions' beside
    -- it. Making the table anew for that would take long where devices have had millions of events.
    ALTER TABLE device_event ADD COLUMN is_subscription INTEGER CHECK (is_subscription = 1);

    """
