import Foundation
import StoreDatabase
import StoreModel

/// What publishers name an image or a message by: a UUID, in small letters here.
package struct RetentionID: TextIdentifier, TextColumnValue {
    package static let name = "identifier"
    package let text: String

    package init?(_ text: String) {
        guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return nil }
        self.text = uuid.uuidString.lowercased()
    }
}

/// Where something that customers are to see stands with the store's staff.
package enum RetentionState: String, Hashable, CaseIterable, TextColumnValue {
    case pending = "PENDING"
    case approved = "APPROVED"
    case rejected = "REJECTED"

    /// Nobody looks at what only testers see.
    package static func first(in environment: StoreEnvironment) -> RetentionState {
        environment == .sandbox ? .approved : .pending
    }
}

/// A picture for messages that keep subscribers.
package struct RetentionImage: Sendable, Hashable {
    package enum Size: String, Hashable, CaseIterable, TextColumnValue {
        /// Above the text.
        case full = "FULL_SIZE"
        /// In place of a bullet.
        case bullet = "BULLET_POINT"

        /// Why a picture is not one of these; nil where it is.
        package func problem(with header: ImageHeader) -> String? {
            switch self {
            case .full:
                header.width == 3840 && (160...2160).contains(header.height)
                    ? nil : "A full-size image is 3840 pixels wide and 160 to 2160 high."
            case .bullet:
                header.width == header.height && (64...1024).contains(header.width)
                    ? nil : "A bullet point image is a square of 64 to 1024 pixels."
            }
        }
    }

    package let id: RetentionID
    package let size: Size
    package let state: RetentionState
    package let digest: ContentDigest
    package let date: Date
}

extension RetentionImage: Record {
    package static let table: StaticString = "retention_image"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id)
        size = try column("size", \.size)
        state = try column("state", \.state)
        digest = try column("digest", \.digest)
        date = try column("date", \.date)
    }
}

/// Whether a PNG shows what lies behind it.
package enum PNGTransparency {
    /// Whether its pixels have an alpha channel, or a chunk makes some of them transparent (PNG
    /// specification, 11.2.2 and 11.3.2).
    package static func isPossible(in bytes: Data) -> Bool {
        let bytes = [UInt8](bytes)
        guard bytes.count >= 33 else { return false }
        // Grey or colour with alpha.
        if bytes[25] == 4 || bytes[25] == 6 { return true }
        var index = 8
        while index + 8 <= bytes.count {
            let length = bytes[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
            let type = bytes[index + 4..<index + 8]
            if type.elementsEqual("tRNS".utf8) { return true }
            // It stands before the pixels, or nowhere.
            if type.elementsEqual("IDAT".utf8) { return false }
            index += 12 + length
        }
        return false
    }
}
