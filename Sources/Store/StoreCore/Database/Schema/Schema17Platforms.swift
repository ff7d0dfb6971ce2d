/// Bundle identifiers for Linux.
let schema17Platforms: String =
    """
    -- A platform that Apple's have not; `platform` is UNIVERSAL beside it.
    ALTER TABLE bundle_identifier ADD COLUMN own_platform TEXT CHECK (own_platform IN ('LINUX'));

    """
