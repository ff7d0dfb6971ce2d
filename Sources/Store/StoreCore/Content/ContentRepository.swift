import Foundation
import StoreDatabase
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
        return try connection.records(
            ReleaseDetails.self,
            """
            SELECT c.version, c.message, c.created, c.changed, r.date AS last_permit
            FROM content_release c LEFT JOIN release_permit r ON r.release = c.id
            WHERE c.product = \(Self.row(of: product, in: app)) ORDER BY c.id
            """
        ).map { details in
            ReleaseRecord(
                release: try releases.first { $0.version == details.version }.orMissing("release"),
                message: details.message, created: details.created, changed: details.changed,
                lastPermit: details.lastPermit)
        }
    }

    private static func row(of product: ProductID, in app: AppID) -> SQL {
        "(SELECT id FROM product WHERE app = \(app) AND product_id = \(product))"
    }

    /// The releases of an app's products, or of one of them, by the product's row.
    func releases(of app: AppID, only product: ProductID?) throws -> [Int64: [ContentRelease]] {
        let ofProduct: SQL? = product.map { "AND p.product_id = \($0)" }
        let blobs = Dictionary(
            grouping: try connection.records(
                ReleaseBlob.self,
                """
                SELECT r.release, \(ContentBlob.columns, of: "b")
                FROM release_blob r JOIN content_blob b ON b.digest = r.blob
                    JOIN content_release c ON c.id = r.release
                    JOIN product p ON p.id = c.product
                WHERE p.app = \(app) \(ofProduct) ORDER BY r.release, r.position
                """), by: \.release)
        let releases = try connection.records(
            ReleaseRow.self,
            """
            SELECT \(ReleaseRow.columns, of: "c")
            FROM content_release c JOIN product p ON p.id = c.product
            WHERE p.app = \(app) \(ofProduct) ORDER BY c.id
            """)
        return Dictionary(grouping: releases, by: \.product).mapValues {
            $0.map { $0.release(blobs[$0.id]?.map(\.blob) ?? []) }
        }
    }

    package func insert(
        _ release: ContentRelease, of product: ProductID, in app: AppID, at date: Date
    ) throws {
        let id = try connection.value(
            Int64.self,
            """
            INSERT INTO content_release (product, version, manifest_digest, manifest_length,
                download_length, unpacked_length, state, created, changed)
            VALUES (\(Self.row(of: product, in: app)), \(release.version),
                \(release.manifestDigest), \(release.manifestLength), \(release.downloadLength),
                \(release.unpackedLength), \(release.state), \(date), \(date))
            RETURNING id
            """
        ).orMissing("release")
        for (position, blob) in release.blobs.enumerated() {
            try connection.run(
                """
                INSERT INTO content_blob (digest, length, created)
                VALUES (\(blob.digest), \(blob.length), \(date)) ON CONFLICT (digest) DO NOTHING
                """)
            try connection.run(
                """
                INSERT INTO release_blob (release, position, blob)
                VALUES (\(id), \(position), \(blob.digest))
                """)
        }
    }

    /// - Parameter message: what the reviewer said; nil takes away what was said before.
    package func setState(
        _ state: ContentState, message: String?, of version: ContentVersion,
        of product: ProductID, in app: AppID, at date: Date
    ) throws {
        try connection.run(
            """
            UPDATE content_release SET state = \(state), message = \(message), changed = \(date)
            WHERE version = \(version) AND product = \(Self.row(of: product, in: app))
            """)
    }

    // MARK: Bytes

    /// Notes that somebody was permitted to download a version.
    ///
    /// - Returns: false where its bytes were given up; nothing is noted then.
    package func recordPermit(
        of version: ContentVersion, of product: ProductID, in app: AppID, at date: Date
    ) throws -> Bool {
        try connection.value(
            Int64.self,
            """
            INSERT INTO release_permit (release, date)
            SELECT id, CAST(\(date) AS INTEGER) FROM content_release
            WHERE version = \(version) AND retired IS NULL
                AND product = \(Self.row(of: product, in: app))
            ON CONFLICT (release) DO UPDATE SET date = max(release_permit.date, excluded.date)
            RETURNING release
            """) != nil
    }

    /// Gives up the bytes of a version.
    package func retire(
        _ version: ContentVersion, of product: ProductID, in app: AppID, at date: Date
    ) throws {
        try connection.run(
            """
            UPDATE content_release SET retired = \(date)
            WHERE version = \(version) AND retired IS NULL
                AND product = \(Self.row(of: product, in: app))
            """)
    }

    /// Whether a version whose bytes were not given up needs them.
    package func isNeeded(_ digest: ContentDigest) throws -> Bool {
        try connection.value(
            Int.self,
            """
            SELECT 1 WHERE
                EXISTS (SELECT 1 FROM content_release
                    WHERE manifest_digest = \(digest) AND retired IS NULL)
                OR EXISTS (SELECT 1 FROM release_blob r JOIN content_release c ON c.id = r.release
                    WHERE r.blob = \(digest) AND c.retired IS NULL)
                OR EXISTS (SELECT 1 FROM build_delivery
                    WHERE manifest_digest = \(digest) AND retired IS NULL)
                OR EXISTS (SELECT 1 FROM build_blob r JOIN build_delivery d ON d.build = r.build
                    WHERE r.blob = \(digest) AND d.retired IS NULL)
                OR EXISTS (SELECT 1 FROM app_build b JOIN build_delivery d ON d.build = b.number
                    WHERE b.digest = \(digest) AND d.retired IS NULL)
            """) != nil
    }

    /// Whether a version has ever had the bytes.
    package func isKnown(_ digest: ContentDigest) throws -> Bool {
        try connection.value(
            Int.self,
            """
            SELECT 1 WHERE
                EXISTS (SELECT 1 FROM content_release WHERE manifest_digest = \(digest))
                OR EXISTS (SELECT 1 FROM content_blob WHERE digest = \(digest))
                OR EXISTS (SELECT 1 FROM build_delivery WHERE manifest_digest = \(digest))
                OR EXISTS (SELECT 1 FROM app_build b JOIN build_delivery d ON d.build = b.number
                    WHERE b.digest = \(digest))
            """) != nil
    }

    /// Forgets bytes that no version needs.
    package func forget(_ digest: ContentDigest) throws {
        try connection.run("DELETE FROM release_blob WHERE blob = \(digest)")
        try connection.run("DELETE FROM build_blob WHERE blob = \(digest)")
        try connection.run("DELETE FROM content_blob WHERE digest = \(digest)")
    }
}

extension StoreRepositories {
    package var content: ContentRepository { ContentRepository(connection: connection) }
}
