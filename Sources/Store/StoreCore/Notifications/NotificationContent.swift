import Foundation
import StoreModel

/// A notification with everything that its signed form says.
package struct NotificationContent: Sendable, Hashable {
    package let notification: StoreNotification
    package let app: App
    /// The transaction that it tells of, as it was at the notification's date.
    package let transaction: TransactionRecord?
    /// The date to sign it at if the account follows a sandbox clock: the notification's; nil
    /// otherwise.
    package var time: Date?
}

/// A notification refers to something that the store does not have.
package struct NotificationBroken: Error, Sendable, Hashable, CustomStringConvertible {
    package let id: NotificationID

    package var description: String {
        "the store lacks the app or the transaction of notification \(id)"
    }
}

/// What belongs to a notification.
extension StoreRepositories {
    /// - Throws: `NotificationBroken`.
    func notificationContent(of notification: StoreNotification) throws -> NotificationContent {
        let details = notification.details
        guard let app = try catalog.app(details.app) else {
            throw NotificationBroken(id: notification.id)
        }
        let transaction = try details.transaction.map { id in
            guard var record = try transactions.record(id) else {
                throw NotificationBroken(id: notification.id)
            }
            // What has happened since is told by other notifications.
            if let facts = details.facts.transaction { record.facts = facts }
            return record
        }
        var content = NotificationContent(
            notification: notification, app: app, transaction: transaction)
        if details.environment == .sandbox, let account = details.account,
            try sandboxClocks.clock(of: account, in: details.app) != nil
        {
            content.time = notification.date
        }
        return content
    }

    func sentNotification(_ notification: StoreNotification) throws -> SentNotification {
        SentNotification(
            content: try notificationContent(of: notification),
            attempts: try notifications.attempts(of: notification.id))
    }
}
