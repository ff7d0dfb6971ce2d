import Foundation
import StoreModel

/// Which notifications are wanted.
package struct NotificationQuery: Sendable, Hashable {
    package var start: Date?
    /// The first instant that is not wanted.
    package var end: Date?
    package var type: NotificationType?
    package var subtype: NotificationSubtype?
    package var account: AccountID?
    /// Only what was sent and has not arrived, be it given up or not.
    package var onlyFailures = false

    package init() {}
}

/// A row of the outbox that is to be sent.
package enum DueNotification: Sendable, Hashable {
    case readable(StoreNotification)
    /// What is wrong with it, and when it was due.
    case unreadable(NotificationID, due: Date, reason: String)
}

/// The outbox: what publishers' servers are told.
package protocol NotificationRepository {
    /// Where an app's server wants to hear of an environment; nil where it does not.
    func target(of app: AppID, in environment: StoreEnvironment) throws -> StatusURL?
    /// Writes a notification down, to be sent at once.
    func append(_ draft: NotificationDraft, at date: Date) throws -> StoreNotification
    func notification(_ id: NotificationID) throws -> StoreNotification?
    func notification(uuid: String) throws -> StoreNotification?
    /// When something is to be sent next; nil for never. Cheap enough to ask every second.
    func nextDue() throws -> Date?
    /// How many are still to be sent.
    ///
    /// - Parameter limit: counts no further.
    func waitingCount(limit: Int) throws -> Int
    /// Whose notifications are to be sent now.
    func dueLanes(at date: Date) throws -> [NotificationLane]
    /// Those of one lane to be sent now, the longest waiting first, each as far as it can be read.
    func dueRows(
        in lane: NotificationLane, at date: Date, limit: Int
    ) throws -> [DueNotification]
    /// Keeps a notification that can't be sent from keeping others waiting: it is sent no more by
    /// itself, and has the reason with it, until its standing is set.
    ///
    /// - Parameter due: when it was due when it was looked up.
    /// - Returns: false where somebody else was faster.
    func setAside(_ id: NotificationID, due: Date?, because reason: String) throws -> Bool
    /// Keeps a notification from being taken by somebody else for a while.
    ///
    /// - Parameter due: when it was due when it was looked up.
    /// - Returns: false where somebody else was faster.
    func take(_ id: NotificationID, due: Date?, until: Date) throws -> Bool
    /// Changes how the delivery of a notification stands.
    func set(_ standing: DeliveryStanding, of id: NotificationID) throws
    func append(_ attempt: SendAttempt, of id: NotificationID) throws
    /// When tests of one lane were written down after a date, the newest first.
    func tests(of lane: NotificationLane, since date: Date, limit: Int) throws -> [Date]
    /// Deletes the oldest notifications from before a date that are not to be sent, with what was
    /// tried to deliver them.
    ///
    /// - Returns: how many; `limit` where there may be more.
    func forget(before date: Date, limit: Int) throws -> Int
    /// In the order in which they were made.
    func attempts(of id: NotificationID) throws -> [SendAttempt]
    /// A page of an app's notifications, by date; without those that can't be read.
    ///
    /// - Parameters:
    ///   - after: gives those behind it, in the order that is asked for.
    ///   - newestFirst: the order; oldest first otherwise.
    func notifications(
        of app: AppID, in environment: StoreEnvironment, _ query: NotificationQuery,
        after: NotificationPosition?, newestFirst: Bool, limit: Int
    ) throws -> [StoreNotification]
}

extension NotificationRepository {
    /// Those of `dueRows` that can be read.
    package func due(
        in lane: NotificationLane, at date: Date, limit: Int
    ) throws -> [StoreNotification] {
        try dueRows(in: lane, at: date, limit: limit).compactMap { row -> StoreNotification? in
            if case .readable(let notification) = row { notification } else { nil }
        }
    }
}
