import StoreModel

/// A file whose bytes the store has, checked, and which belongs to no item yet.
package struct TakenMedia: Sendable, Hashable {
    package let kind: ItemMedia.Kind
    package let digest: ContentDigest
    /// Bytes.
    package let size: Int64
    package let mediaType: String
    package let fileName: String
    /// Of a picture.
    package let header: ImageHeader?

    func media(_ id: AssetID, position: Int, of item: ItemID) -> ItemMedia {
        ItemMedia(
            id: id, item: item, kind: kind, position: position, digest: digest,
            mediaType: mediaType, fileName: fileName, size: size, width: header?.width,
            height: header?.height)
    }
}
