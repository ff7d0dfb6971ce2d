import Foundation

/// Why something about messages to subscribers is not done.
package enum RetentionRefusal: Error, Sendable, Hashable {
    /// With what is wrong with it.
    case imageInvalid(String)
    case imageSizeInvalid
    case imageExists
    case tooManyImages
    case imageNotFound
    case imageInUse
    case imageNotApproved
    case controlCharacters
    case headerTooLong
    case bodyTooLong
    case altTextTooLong
    case tooManyBulletPoints
    case bulletPointTooLong
    case headerNeedsImage
    case messageExists
    case tooManyMessages
    case messageNotFound
    case messageNotApproved
    case productUnknown
    case localeUnknown
    case defaultNotFound
    /// With what is wrong with it.
    case urlInvalid(String)
    case urlNotFound
    case noPassedTest
    case testNotPossible(String)
    case testRunning
    case testNotFound
}

/// How much of everything there may be.
package struct RetentionLimits: Sendable, Hashable {
    /// Of one app, in each environment.
    package var images: Int = 2000
    package var messages: Int = 2000
}

/// The rules for messages to subscribers: Apple's.
package enum RetentionRules {
    /// Bytes of an image.
    package static let imageSize = 10 << 20
    package static let header = 66
    package static let body = 144
    package static let altText = 150
    package static let bulletPoints = 5
    package static let bulletPoint = 66

    /// Looks at what a message says. Characters are Unicode's scalars: of what people see as one
    /// there may be any number.
    ///
    /// - Throws: `RetentionRefusal`.
    package static func check(_ content: RetentionMessage.Content) throws {
        guard isShort(content.header, header) else { throw RetentionRefusal.headerTooLong }
        guard isShort(content.body, body) else { throw RetentionRefusal.bodyTooLong }
        guard content.bulletPoints.count <= bulletPoints else {
            throw RetentionRefusal.tooManyBulletPoints
        }
        for point in content.bulletPoints where !isShort(point.text, bulletPoint) {
            throw RetentionRefusal.bulletPointTooLong
        }
        let pictures = [content.picture].compactMap { $0 } + content.bulletPoints.map(\.picture)
        for picture in pictures where !isShort(picture.altText, altText) {
            throw RetentionRefusal.altTextTooLong
        }
        let texts =
            [content.header, content.body] + content.bulletPoints.map(\.text)
            + pictures.map(\.altText)
        guard texts.allSatisfy(ConnectText.isClean) else {
            throw RetentionRefusal.controlCharacters
        }
        guard content.headerPosition == .aboveBody || content.picture != nil else {
            throw RetentionRefusal.headerNeedsImage
        }
    }

    private static func isShort(_ text: String, _ limit: Int) -> Bool {
        text.unicodeScalars.count <= limit
    }
}
