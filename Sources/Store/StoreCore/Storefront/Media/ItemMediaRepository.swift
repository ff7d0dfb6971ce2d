import StoreDatabase
import StoreModel

/// Pictures, sounds and films of items.
package struct ItemMediaRepository {
    let connection: any SQLConnection

    package func media(_ id: AssetID) throws -> ItemMedia? {
        try connection.find(ItemMedia.self, id)
    }

    /// In the order of kind and position.
    package func media(of items: [ItemID]) throws -> [ItemID: [ItemMedia]] {
        guard !items.isEmpty else { return [:] }
        let media = try connection.all(
            ItemMedia.self, "WHERE item IN \(list: items) ORDER BY item, kind, position")
        return Dictionary(grouping: media, by: \.item)
    }

    /// Those of some items whose buyers get a file: a download of the item, or of a part of it
    /// that is on sale.
    package func withFiles(_ items: [ItemID]) throws -> Set<ItemID> {
        guard !items.isEmpty else { return [] }
        return Set(
            try connection.values(
                ItemID.self,
                """
                SELECT i.id FROM item i
                WHERE i.id IN \(list: items)
                    AND (EXISTS (
                        SELECT 1 FROM item_media m WHERE m.item = i.id AND m.kind = 'download')
                    OR EXISTS (
                        SELECT 1 FROM item p JOIN item_media f ON f.item = p.id
                        WHERE p.parent = i.id AND p.state = 'ON_SALE' AND f.kind = 'download'))
                """))
    }

    /// Adds one, or changes place and file name of the one with this identifier. The schema
    /// refuses other bytes under it.
    package func save(_ media: ItemMedia) throws { try connection.save(media) }

    package func delete(_ id: AssetID) throws { try connection.delete(ItemMedia.self, id) }
}

extension StoreRepositories {
    package var itemMedia: ItemMediaRepository { ItemMediaRepository(connection: connection) }
}
