import Foundation
import StoreModel

/// Accepted versions of hosted content.
package struct ContentRepository {
    let connection: any SQLConnection

    package func releases(of product: ProductID, in app: AppID) throws -> [ContentRelease] {
        try releases(of: app, only: product).values.first ?? []
    }

    /// The versions of a product with what happened to them, oldest first.
    package func records(of product: ProductID, in app: AppID) throws -> [ReleaseRecord] {
        let releases = try releases(of: product, in: app)
        return try connection.rows(
            """
            SELECT c.version, c.message, c.created, c.changed, r.date
            FROM content_release c JOIN product p ON p.id = c.product
                LEFT JOIN release_permit r ON r.release = c.id
            WHERE p.app = ?1 AND p.product_id = ?2 ORDER BY c.id
            """, [.integer(app.number), .text(product.text)]
        ) { row in
            let version = try row.value(0) { ContentVersion($0) }
            return ReleaseRecord(
                release: try releases.first { $0.version == version }.orMissing("release"),
                message: row.optionalText(1), created: row.date(2), changed: row.date(3),
                lastPermit: row.isNull(4) ? nil : row.date(4))
        }
    }

    /// The releases of an app's products, or of one of them, by the product's row.
    func releases(of app: AppID, only id: ProductID?) throws -> [Int64: [ContentRelease]] {
        let wanted = ProductRange(id).values(in: app)
        let blobs = try grouped(
            connection.rows(
                """
                SELECT r.release, b.digest, b.length
                FROM release_blob r JOIN content_blob b ON b.digest = r.blob
                    JOIN content_release c ON c.id = r.release
                    JOIN product p ON p.id = c.product
                WHERE p.app = ?1 AND p.product_id BETWEEN ?2 AND ?3
                ORDER BY r.release, r.position
                """, wanted, Self.readBlob))
        return try grouped(
            connection.rows(
                """
                SELECT c.id, c.version, c.manifest_digest, c.manifest_length, c.download_length,
                    c.unpacked_length, c.state, c.retired, c.product
                FROM content_release c JOIN product p ON p.id = c.product
                WHERE p.app = ?1 AND p.product_id BETWEEN ?2 AND ?3 ORDER BY c.id
                """, wanted
            ) { ($0.integer(8), try Self.readRelease($0, blobs: blobs)) })
    }

    package func insert(
        _ release: ContentRelease, of product: ProductID, in app: AppID, at date: Date
    ) throws {
        let id = try connection.row(
            """
            INSERT INTO content_release (product, version, manifest_digest, manifest_length,
                download_length, unpacked_length, state, created, changed)
            VALUES ((SELECT id FROM product WHERE app = ?1 AND product_id = ?2), ?3, ?4, ?5, ?6,
                ?7, ?8, ?9, ?9)
            RETURNING id
            """,
            [
                .integer(app.number), .text(product.text), .text(release.version.text),
                .text(release.manifestDigest.text), .integer(release.manifestLength),
                .integer(release.downloadLength), .integer(release.unpackedLength),
                .text(release.state.rawValue), .date(date),
            ]
        ) { $0.integer(0) }
        let row = SQLValue.integer(try id.orMissing("release"))
        for (position, blob) in release.blobs.enumerated() {
            try connection.run(
                """
                INSERT INTO content_blob (digest, length, created) VALUES (?1, ?2, ?3)
                ON CONFLICT (digest) DO NOTHING
                """, [.text(blob.digest.text), .integer(blob.length), .date(date)])
            try connection.run(
                "INSERT INTO release_blob (release, position, blob) VALUES (?1, ?2, ?3)",
                [row, .integer(position), .text(blob.digest.text)])
        }
    }

    /// - Parameter message: what the reviewer said; nil takes away what was said before.
    package func setState(
        _ state: ContentState, message: String?, of version: ContentVersion,
        of product: ProductID, in app: AppID, at date: Date
    ) throws {
        try connection.run(
            """
            UPDATE content_release SET state = ?4, message = ?5, changed = ?6
            WHERE version = ?3
                AND product = (SELECT id FROM product WHERE app = ?1 AND product_id = ?2)
            """,
            [
                .integer(app.number), .text(product.text), .text(version.text),
                .text(state.rawValue), .text(message), .date(date),
            ])
    }

    // MARK: Bytes

    /// Notes that somebody was permitted to download a version.
    ///
    /// - Returns: false where its bytes were given up; nothing is noted then.
    package func recordPermit(
        of version: ContentVersion, of product: ProductID, in app: AppID, at date: Date
    ) throws -> Bool {
        try connection.row(
            """
            INSERT INTO release_permit (release, date)
            SELECT id, ?4 FROM content_release
            WHERE version = ?3 AND retired IS NULL
                AND product = (SELECT id FROM product WHERE app = ?1 AND product_id = ?2)
            ON CONFLICT (release) DO UPDATE SET date = max(release_permit.date, excluded.date)
            RETURNING 1
            """,
            [
                .integer(app.number), .text(product.text), .text(version.text), .date(date),
            ]
        ) { _ in true } ?? false
    }

    /// Gives up the bytes of a version.
    package func retire(
        _ version: ContentVersion, of product: ProductID, in app: AppID, at date: Date
    ) throws {
        try connection.run(
            """
            UPDATE content_release SET retired = ?4
            WHERE version = ?3 AND retired IS NULL
                AND product = (SELECT id FROM product WHERE app = ?1 AND product_id = ?2)
            """,
            [.integer(app.number), .text(product.text), .text(version.text), .date(date)])
    }

    /// Whether a version whose bytes were not given up needs them.
    package func isNeeded(_ digest: ContentDigest) throws -> Bool {
        try connection.row(
            """
            SELECT 1 WHERE
                EXISTS (SELECT 1 FROM content_release
                    WHERE manifest_digest = ?1 AND retired IS NULL)
                OR EXISTS (SELECT 1 FROM release_blob r JOIN content_release c ON c.id = r.release
                    WHERE r.blob = ?1 AND c.retired IS NULL)
                OR EXISTS (SELECT 1 FROM build_delivery
                    WHERE manifest_digest = ?1 AND retired IS NULL)
                OR EXISTS (SELECT 1 FROM build_blob r JOIN build_delivery d ON d.build = r.build
                    WHERE r.blob = ?1 AND d.retired IS NULL)
                OR EXISTS (SELECT 1 FROM app_build b JOIN build_delivery d ON d.build = b.number
                    WHERE b.digest = ?1 AND d.retired IS NULL)
            """, [.text(digest.text)]
        ) { _ in true } ?? false
    }

    /// Whether a version has ever had the bytes.
    package func isKnown(_ digest: ContentDigest) throws -> Bool {
        try connection.row(
            """
            SELECT 1 WHERE
                EXISTS (SELECT 1 FROM content_release WHERE manifest_digest = ?1)
                OR EXISTS (SELECT 1 FROM content_blob WHERE digest = ?1)
                OR EXISTS (SELECT 1 FROM build_delivery WHERE manifest_digest = ?1)
                OR EXISTS (SELECT 1 FROM app_build b JOIN build_delivery d ON d.build = b.number
                    WHERE b.digest = ?1)
            """, [.text(digest.text)]
        ) { _ in true } ?? false
    }

    /// Forgets bytes that no version needs.
    package func forget(_ digest: ContentDigest) throws {
        try connection.run("DELETE FROM release_blob WHERE blob = ?1", [.text(digest.text)])
        try connection.run("DELETE FROM build_blob WHERE blob = ?1", [.text(digest.text)])
        try connection.run("DELETE FROM content_blob WHERE digest = ?1", [.text(digest.text)])
    }

    private static func readBlob(_ row: any SQLRow) throws -> (Int64, ContentBlob) {
        (
            row.integer(0),
            ContentBlob(digest: try row.value(1) { ContentDigest($0) }, length: row.integer(2))
        )
    }

    private static func readRelease(
        _ row: any SQLRow, blobs: [Int64: [ContentBlob]]
    ) throws -> ContentRelease {
        ContentRelease(
            version: try row.value(1) { ContentVersion($0) },
            manifestDigest: try row.value(2) { ContentDigest($0) },
            manifestLength: row.integer(3), blobs: blobs[row.integer(0)] ?? [],
            downloadLength: row.integer(4), unpackedLength: row.integer(5),
            state: try row.value(6, ContentState.init(rawValue:)), isRetired: !row.isNull(7))
    }
}

/// Values by the number that they come with, in their order.
func grouped<Value>(_ rows: [(Int64, Value)]) -> [Int64: [Value]] {
    Dictionary(grouping: rows, by: \.0).mapValues { $0.map(\.1) }
}
