/// Rows that can't be dealt with stand aside, with the reason, and keep no others waiting.
let schema10SetAside: String =
    """
    ALTER TABLE notification ADD COLUMN set_aside TEXT;
    CREATE INDEX notification_set_aside ON notification (id) WHERE set_aside IS NOT NULL;
    ALTER TABLE refund_request ADD COLUMN set_aside TEXT;
    ALTER TABLE subscription ADD COLUMN set_aside TEXT;

    """
