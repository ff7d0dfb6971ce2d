import Foundation

/// What stands for a test notification: its UUID, and when it was asked for in milliseconds.
package struct TestNotificationToken: Sendable, Hashable, CustomStringConvertible {
    package let uuid: String
    package let milliseconds: Int64

    package init(_ notification: StoreNotification) {
        uuid = notification.uuid
        milliseconds = notification.date.wholeMilliseconds
    }

    /// Nil for text that is no token.
    package init?(_ text: String) {
        let parts = text.split(scalar: "_", omittingEmptySubsequences: false)
        guard text.utf8.count <= 64, parts.count == 2, parts[0].utf8.count == 36,
            let uuid = UUID(uuidString: String(parts[0])),
            parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let milliseconds = Int64(parts[1])
        else { return nil }
        self.uuid = uuid.uuidString.lowercased()
        self.milliseconds = milliseconds
    }

    package var description: String { "\(uuid)_\(milliseconds)" }
}

/// Why nothing is said about a test notification.
package enum TestNotificationRefusal: Error, Sendable, Hashable {
    /// The text is no token.
    case malformed
    /// There is no such notification, it was not sent yet, or it is too old.
    case notAvailable
}

/// A notification with what was tried to deliver it.
package struct SentNotification: Sendable, Hashable {
    package let content: NotificationContent
    /// In the order in which they were made.
    package let attempts: [SendAttempt]
}
