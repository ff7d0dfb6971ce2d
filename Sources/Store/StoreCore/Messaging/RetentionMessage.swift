import Foundation
import StoreDatabase
import StoreModel

/// What a customer reads who is about to cancel a subscription.
package struct RetentionMessage: Sendable, Hashable {
    package enum HeaderPosition: String, Sendable, Hashable, Codable {
        case aboveBody = "ABOVE_BODY"
        case aboveImage = "ABOVE_IMAGE"
    }

    package struct Picture: Sendable, Hashable, Codable {
        package var id: String
        package var altText: String

        package init(id: RetentionID, altText: String) {
            self.id = id.text
            self.altText = altText
        }
    }

    package struct BulletPoint: Sendable, Hashable, Codable {
        package var text: String
        package var picture: Picture

        package init(text: String, picture: Picture) {
            self.text = text
            self.picture = picture
        }
    }

    /// What is shown.
    package struct Content: Sendable, Hashable, Codable {
        package var header: String
        package var body: String
        package var headerPosition: HeaderPosition
        package var picture: Picture?
        package var bulletPoints: [BulletPoint]

        package init(
            header: String, body: String, headerPosition: HeaderPosition = .aboveBody,
            picture: Picture? = nil, bulletPoints: [BulletPoint] = []
        ) {
            self.header = header
            self.body = body
            self.headerPosition = headerPosition
            self.picture = picture
            self.bulletPoints = bulletPoints
        }

        /// The pictures in it, with the size that each has to have.
        package var pictures: [(id: String, size: RetentionImage.Size)] {
            (picture.map { [($0.id, .full)] } ?? []) + bulletPoints.map { ($0.picture.id, .bullet) }
        }
    }

    package let id: RetentionID
    package let content: Content
    package let state: RetentionState
    package let date: Date
}

extension RetentionMessage: Record {
    package static let table: StaticString = "retention_message"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id)
        content = try column.json(
            "content", \.content, sample: Content(header: "header", body: "body"))
        state = try column("state", \.state)
        date = try column("date", \.date)
    }
}

/// The store's own number of a message or an image, by which its staff decides about it.
///
/// Publishers choose identifiers, and may give the same one to something else after they have
/// deleted what had it; a number is never given again.
package struct RetentionNumber: Sendable, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case message = "M"
        case image = "I"
    }

    package let kind: Kind
    package let number: Int64

    package init(_ kind: Kind, _ number: Int64) {
        self.kind = kind
        self.number = number
    }

    /// Takes what people write: M12, i7. Nil for anything else.
    package init?(_ written: String) {
        guard let kind = Kind(rawValue: written.prefix(1).uppercased()),
            written.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int64(written.dropFirst()), number > 0
        else { return nil }
        self.init(kind, number)
    }

    package var description: String { "\(kind.rawValue)\(number)" }
}

/// A message or an image that the store's staff looks at.
package struct RetentionSubmission: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
        case message(RetentionMessage)
        case image(RetentionImage)

        package var id: RetentionID {
            switch self {
            case .message(let message): message.id
            case .image(let image): image.id
            }
        }

        package var state: RetentionState {
            switch self {
            case .message(let message): message.state
            case .image(let image): image.state
            }
        }
    }

    package let number: RetentionNumber
    package let scope: AppScope
    package let bundleID: BundleID
    package let subject: Subject
}
