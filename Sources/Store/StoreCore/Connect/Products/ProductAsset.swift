import Foundation
import StoreDatabase
import StoreModel

/// The name of a picture of a product: a UUID in small letters.
package struct AssetID: TextIdentifier, TextColumnValue {
    package static let name = "picture"
    package let text: String

    package init?(_ text: String) {
        guard text.utf8.count == 36, let uuid = UUID(uuidString: text),
            uuid.uuidString.lowercased() == text
        else { return nil }
        self.text = text
    }

    package init(_ uuid: UUID) {
        text = uuid.uuidString.lowercased()
    }
}

/// A picture of a product: reserved, then sent, then checked.
package struct ProductAsset: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable, TextColumnValue {
        case reviewScreenshot
        case image
    }

    package enum State: String, Sendable, Hashable, CaseIterable, TextColumnValue {
        case awaitingUpload = "AWAITING_UPLOAD"
        case complete = "COMPLETE"
        case failed = "FAILED"
    }

    package let id: AssetID
    package let product: ProductNumber
    package let kind: Kind
    package let fileName: String
    /// Bytes, as announced.
    package let size: Int64
    package var state: State = .awaitingUpload
    /// Of the bytes that arrived.
    package var digest: ContentDigest?
    /// MD5 of the bytes that arrived, hexadecimal.
    package var checksum: String?
    /// What the bytes' header says; nil before, and where it is no picture.
    package var header: ImageHeader?
    /// Why it was refused.
    package var problem: String?
    package let created: Date
}

extension ProductAsset: Record {
    package static let table: StaticString = "product_asset"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        product = try column("product", \.product, .immutable)
        kind = try column("kind", \.kind, .immutable)
        fileName = try column("file_name", \.fileName, .immutable)
        size = try column("size", \.size, .immutable)
        state = try column("state", \.state)
        digest = try column("digest", \.digest)
        checksum = try column("checksum", \.checksum)
        header = try column.part(\.header)
        problem = try column("problem", \.problem)
        created = try column("created", \.created, .immutable)
    }
}
