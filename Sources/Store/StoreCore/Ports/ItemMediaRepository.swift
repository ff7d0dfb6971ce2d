import StoreModel

/// Pictures, sounds and films of items.
package protocol ItemMediaRepository {
    func media(_ id: AssetID) throws -> ItemMedia?
    /// In the order of kind and position.
    func media(of items: [ItemID]) throws -> [ItemID: [ItemMedia]]
    /// Those of some items whose buyers get a file: a download of the item, or of a part of it
    /// that is on sale.
    func withFiles(_ items: [ItemID]) throws -> Set<ItemID>
    /// Media with these bytes, of any item.
    func media(with digest: ContentDigest) throws -> [ItemMedia]
    /// Adds one, or changes place and file name of the one with this identifier. The schema
    /// refuses other bytes under it.
    func save(_ media: ItemMedia) throws
    func delete(_ id: AssetID) throws
}
