import StoreDatabase
import StoreModel

/// The bytes outside of the database that its rows name: what a backup has to hold, and what has
/// to be there.
package struct StoreInventory: Sendable, Equatable {
    /// Something that is named by its SHA-256.
    package struct Item: Sendable, Hashable {
        package let digest: ContentDigest
        /// Bytes; nil where no row says how many.
        package let size: Int64?
    }

    /// A package on its way in.
    package struct Upload: Sendable, Equatable {
        package let id: UploadID
        /// Bytes of the whole package.
        package let size: Int64
        package let partSize: Int64
        /// SHA-256 of the parts that have arrived, by their numbers.
        package let parts: [Int: ContentDigest]
    }

    /// Manifests and blobs of content that was not given up, and files of builds with theirs.
    package let content: [Item]
    /// Pictures of products, media of items, images of messages.
    package let media: [Item]
    package let uploads: [Upload]

    /// Reads what the rows name, in the transaction that runs.
    ///
    /// - Throws: `SQLError`.
    init(_ connection: any SQLConnection) throws {
        content = try Self.items(
            connection,
            """
            SELECT manifest_digest AS digest, manifest_length AS size FROM content_release WHERE retired IS NULL
            UNION SELECT b.digest, b.length
            FROM release_blob r JOIN content_blob b ON b.digest = r.blob
                JOIN content_release c ON c.id = r.release
            WHERE c.retired IS NULL
            UNION SELECT manifest_digest, manifest_length FROM build_delivery
            WHERE retired IS NULL
            UNION SELECT b.digest, b.length
            FROM build_blob r JOIN content_blob b ON b.digest = r.blob
                JOIN build_delivery d ON d.build = r.build
            WHERE d.retired IS NULL
            UNION SELECT b.digest, b.size
            FROM app_build b JOIN build_delivery d ON d.build = b.number
            WHERE d.retired IS NULL
            ORDER BY 1
            """)
        media = try Self.items(
            connection,
            """
            SELECT digest, size FROM item_media
            UNION SELECT digest, NULL FROM product_asset WHERE digest IS NOT NULL
            UNION SELECT screenshot, NULL FROM review_item WHERE screenshot IS NOT NULL
            UNION SELECT digest, NULL FROM retention_image
            ORDER BY 1
            """)
        let parts = Dictionary(
            grouping: try connection.records(
                UploadPart.self, "SELECT upload, number, digest FROM content_upload_part"),
            by: \.upload)
        uploads = try connection.records(
            UploadSize.self,
            """
            SELECT id, size, part_size FROM content_upload
            WHERE state IN ('AWAITING_UPLOAD', 'UPLOAD_COMPLETE') ORDER BY id
            """
        ).map { upload in
            let parts = (parts[upload.id] ?? []).map { ($0.number, $0.digest) }
            return Upload(
                id: upload.id, size: upload.size, partSize: upload.partSize,
                parts: Dictionary(parts, uniquingKeysWith: { $1 }))
        }
    }

    /// Each digest once, with its size where some row knows it.
    private static func items(_ connection: any SQLConnection, _ sql: SQL) throws -> [Item] {
        var found: [ContentDigest: Item] = [:]
        for item in try connection.records(Item.self, sql) where found[item.digest]?.size == nil {
            found[item.digest] = item
        }
        return found.values.sorted { $0.digest.text < $1.digest.text }
    }
}

extension StoreInventory.Item: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        digest = try column("digest", \.digest)
        size = try column("size", \.size)
    }
}

private struct UploadPart: RecordPart {
    let upload: UploadID
    let number: Int
    let digest: ContentDigest

    init(_ column: borrowing RecordColumns<Self>) throws {
        upload = try column("upload", \.upload)
        number = try column("number", \.number)
        digest = try column("digest", \.digest)
    }
}

private struct UploadSize: RecordPart {
    let id: UploadID
    let size: Int64
    let partSize: Int64

    init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id)
        size = try column("size", \.size)
        partSize = try column("part_size", \.partSize)
    }
}
