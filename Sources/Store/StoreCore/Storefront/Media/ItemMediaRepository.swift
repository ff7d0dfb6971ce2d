import StoreModel

/// Pictures, sounds and films of items.
package struct ItemMediaRepository {
    let connection: any SQLConnection

    package func media(_ id: AssetID) throws -> ItemMedia? {
        try connection.row(
            """
            SELECT id, item, kind, position, digest, media_type, file_name, size, width, height
            FROM item_media WHERE id = ?1
            """, [.text(id.text)], read)
    }

    /// In the order of kind and position.
    package func media(of items: [ItemID]) throws -> [ItemID: [ItemMedia]] {
        guard !items.isEmpty else { return [:] }
        let media = try connection.rows(
            """
            SELECT id, item, kind, position, digest, media_type, file_name, size, width, height
            FROM item_media WHERE item IN (
                SELECT CAST(value AS INTEGER) FROM json_each(?1))
            ORDER BY item, kind, position
            """, [.list(items.map(\.number))], read)
        return Dictionary(grouping: media, by: \.item)
    }

    /// Those of some items whose buyers get a file: a download of the item, or of a part of it
    /// that is on sale.
    package func withFiles(_ items: [ItemID]) throws -> Set<ItemID> {
        guard !items.isEmpty else { return [] }
        return Set(
            try connection.rows(
                """
                SELECT i.id FROM item i
                WHERE i.id IN (SELECT CAST(value AS INTEGER) FROM json_each(?1))
                    AND (EXISTS (
                        SELECT 1 FROM item_media m WHERE m.item = i.id AND m.kind = 'download')
                    OR EXISTS (
                        SELECT 1 FROM item p JOIN item_media f ON f.item = p.id
                        WHERE p.parent = i.id AND p.state = 'ON_SALE' AND f.kind = 'download'))
                """, [.list(items.map(\.number))]
            ) { ItemID(number: $0.integer(0)) })
    }

    /// Media with these bytes, of any item.
    package func media(with digest: ContentDigest) throws -> [ItemMedia] {
        try connection.rows(
            """
            SELECT id, item, kind, position, digest, media_type, file_name, size, width, height
            FROM item_media WHERE digest = ?1 ORDER BY item, kind, position
            """, [.text(digest.text)], read)
    }

    /// Adds one, or changes place and file name of the one with this identifier. The schema
    /// refuses other bytes under it.
    package func save(_ media: ItemMedia) throws {
        try connection.run(
            """
            INSERT INTO item_media
                (id, item, kind, position, digest, media_type, file_name, size, width, height)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            ON CONFLICT (id) DO UPDATE SET
                item = ?2, kind = ?3, position = ?4, digest = ?5, media_type = ?6,
                file_name = ?7, size = ?8, width = ?9, height = ?10
            """,
            [
                .text(media.id.text), .integer(media.item.number), .text(media.kind.rawValue),
                .integer(media.position), .text(media.digest.text), .text(media.mediaType),
                .text(media.fileName), .integer(media.size),
                media.width.map { .integer($0) } ?? .noInteger,
                media.height.map { .integer($0) } ?? .noInteger,
            ])
    }

    package func delete(_ id: AssetID) throws {
        try connection.run("DELETE FROM item_media WHERE id = ?1", [.text(id.text)])
    }

    private func read(_ row: any SQLRow) throws -> ItemMedia {
        ItemMedia(
            id: try row.value(0) { AssetID($0) }, item: ItemID(number: row.integer(1)),
            kind: try row.value(2, ItemMedia.Kind.init(rawValue:)), position: Int(row.integer(3)),
            digest: try row.value(4) { ContentDigest($0) }, mediaType: row.text(5),
            fileName: row.text(6), size: row.integer(7),
            width: row.optionalInteger(8).map { Int($0) },
            height: row.optionalInteger(9).map { Int($0) })
    }
}
