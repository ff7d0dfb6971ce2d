import Foundation
import StoreDatabase
import StoreModel

/// A picture, a sound or a film that belongs to an item; the bytes are found by digest.
package struct ItemMedia: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable, TextColumnValue {
        /// The publisher's original, from which all sizes are made.
        case artwork
        case screenshot
        case tabletScreenshot
        /// A part of a song, or of what is read aloud.
        case audioPreview
        case videoPreview
        /// What a buyer downloads.
        case download
    }

    package let id: AssetID
    package let item: ItemID
    package var kind: Kind
    /// From 1 on, among those of its kind.
    package var position: Int
    package var digest: ContentDigest
    /// For example `image/png`, `audio/mpeg`.
    package var mediaType: String
    package var fileName: String
    /// Bytes.
    package var size: Int64
    /// Pixels; nil for sounds.
    package var width: Int?
    package var height: Int?
}

extension ItemMedia: Record {
    package static let table: StaticString = "item_media"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        item = try column("item", \.item)
        kind = try column("kind", \.kind)
        position = try column("position", \.position)
        digest = try column("digest", \.digest)
        mediaType = try column("media_type", \.mediaType)
        fileName = try column("file_name", \.fileName)
        size = try column("size", \.size)
        width = try column("width", \.width)
        height = try column("height", \.height)
    }
}
