import Foundation

/// A row of the outbox that is to be sent.
package enum DueNotification: Sendable, Hashable {
    case readable(StoreNotification)
    /// What is wrong with it, and when it was due.
    case unreadable(NotificationID, due: Date, reason: String)
}
