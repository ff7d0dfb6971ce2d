import Foundation
import StoreCore
import StoreModel

struct SQLContentRepository: ContentRepository {
    let connection: any SQLConnection

    func releases(of product: ProductID, in app: AppID) throws -> [ContentRelease] {
        try connection.rows(
            """
            SELECT c.version, c.manifest_digest, c.manifest_length, c.blob_digest, c.blob_length,
                c.unpacked_length, c.approved
            FROM content_release c JOIN product p ON p.id = c.product
            WHERE p.app = ?1 AND p.product_id = ?2 ORDER BY c.id
            """, [.integer(app.number), .text(product.text)], Self.readRelease)
    }

    func insert(
        _ release: ContentRelease, of product: ProductID, in app: AppID, at date: Date
    ) throws {
        try connection.run(
            """
            INSERT INTO content_release (product, version, manifest_digest, manifest_length,
                blob_digest, blob_length, unpacked_length, approved, created)
            VALUES ((SELECT id FROM product WHERE app = ?1 AND product_id = ?2), ?3, ?4, ?5, ?6,
                ?7, ?8, ?9, ?10)
            """,
            [
                .integer(app.number), .text(product.text), .text(release.version.text),
                .text(release.manifestDigest.text), .integer(release.manifestLength),
                .text(release.blobDigest.text), .integer(release.blobLength),
                .integer(release.unpackedLength), .integer(release.isApproved), .date(date),
            ])
    }

    func approve(_ version: ContentVersion, of product: ProductID, in app: AppID) throws {
        try connection.run(
            """
            UPDATE content_release SET approved = 1
            WHERE version = ?3
                AND product = (SELECT id FROM product WHERE app = ?1 AND product_id = ?2)
            """, [.integer(app.number), .text(product.text), .text(version.text)])
    }

    static func readRelease(_ row: any SQLRow) throws -> ContentRelease {
        ContentRelease(
            version: try row.value(0) { ContentVersion($0) },
            manifestDigest: try row.value(1) { ContentDigest($0) },
            manifestLength: row.integer(2), blobDigest: try row.value(3) { ContentDigest($0) },
            blobLength: row.integer(4), unpackedLength: row.integer(5),
            isApproved: row.integer(6) == 1)
    }
}
