import Foundation
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

    package init(id: RetentionID, content: Content, state: RetentionState, date: Date) {
        self.id = id
        self.content = content
        self.state = state
        self.date = date
    }
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

    package let scope: ServerScope
    package let bundleID: BundleID
    package let subject: Subject

    package init(scope: ServerScope, bundleID: BundleID, subject: Subject) {
        self.scope = scope
        self.bundleID = bundleID
        self.subject = subject
    }
}
