/// Builds of apps with their files.
let schema15Builds: String =
    """
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
    CREATE INDEX app_build_by_digest ON app_build (digest);

    CREATE TABLE build_blob (
        build INTEGER NOT NULL REFERENCES build_delivery (build) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        blob TEXT NOT NULL REFERENCES content_blob (digest),
        PRIMARY KEY (build, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX build_blob_by_blob ON build_blob (blob);

    -- An upload is of a product's content, or of a build's file.
    CREATE TABLE new_content_upload (
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
    INSERT INTO new_content_upload (id, product, file_name, size, digest, part_size, state,
            created, changed, earlier_state, lease_holder, lease_ends, attempts, processed,
            version)
        SELECT id, product, file_name, size, digest, part_size, state, created, changed,
            earlier_state, lease_holder, lease_ends, attempts, processed, version
        FROM content_upload;

    CREATE TABLE new_content_upload_part (
        upload TEXT NOT NULL REFERENCES new_content_upload (id) ON DELETE CASCADE,
        number INTEGER NOT NULL CHECK (number >= 0),
        digest TEXT NOT NULL CHECK (length(digest) = 64),
        PRIMARY KEY (upload, number)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO new_content_upload_part (upload, number, digest)
        SELECT upload, number, digest FROM content_upload_part;

    CREATE TABLE new_content_upload_problem (
        upload TEXT NOT NULL REFERENCES new_content_upload (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        path TEXT NOT NULL,
        rule TEXT NOT NULL,
        advice TEXT NOT NULL,
        PRIMARY KEY (upload, position)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO new_content_upload_problem (upload, position, path, rule, advice)
        SELECT upload, position, path, rule, advice FROM content_upload_problem;

    DROP TABLE content_upload_part;
    DROP TABLE content_upload_problem;
    DROP TABLE content_upload;
    ALTER TABLE new_content_upload RENAME TO content_upload;
    ALTER TABLE new_content_upload_part RENAME TO content_upload_part;
    ALTER TABLE new_content_upload_problem RENAME TO content_upload_problem;

    CREATE UNIQUE INDEX content_upload_open ON content_upload (product, digest)
        WHERE state = 'AWAITING_UPLOAD';
    CREATE UNIQUE INDEX content_upload_processed ON content_upload (product)
        WHERE state = 'UPLOAD_COMPLETE';
    CREATE INDEX content_upload_by_product ON content_upload (product, created);
    CREATE UNIQUE INDEX build_upload_under_way ON content_upload (build)
        WHERE state IN ('AWAITING_UPLOAD', 'UPLOAD_COMPLETE');
    CREATE INDEX build_upload_by_build ON content_upload (build, created);

    """
