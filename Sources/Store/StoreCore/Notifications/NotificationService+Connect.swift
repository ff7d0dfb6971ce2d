import Foundation
import StoreModel

/// What publishers do with notifications in Connect.
extension NotificationService {
    /// A page of an app's notifications, the newest first.
    ///
    /// - Throws: `ConnectRefusal`, as all of these.
    package func notifications(
        of lane: AppScope, _ query: NotificationQuery, _ page: PageRequest,
        by actor: ConnectActor
    ) async throws -> ListPage<StoreNotification> {
        try actor.require(.viewNotifications)
        let after = try page.cursor.map(Self.position)
        return try await shop.read(as: actor) { work in
            _ = try work.appRecord(lane.app)
            let found = try work.notifications.notifications(
                of: lane.app, in: lane.environment, query, after: after, newestFirst: true,
                limit: page.limit + 1)
            let items = Array(found.prefix(page.limit))
            let next = found.count > page.limit ? items.last.map(\.position) : nil
            return ListPage(items: items, total: nil, next: next.map(Self.cursor))
        }
    }

    /// A notification with what was tried to deliver it.
    package func notification(
        _ id: NotificationID, by actor: ConnectActor
    ) async throws -> SentNotification {
        try await shop.read(as: actor, requiring: .viewNotifications) { work in
            try work.sentNotification(Self.notification(id, work))
        }
    }

    /// Has a notification sent once more, whatever became of it.
    ///
    /// - Returns: how its delivery stands then.
    @discardableResult
    package func resend(
        _ id: NotificationID, by actor: ConnectActor
    ) async throws -> StoreNotification {
        try await shop.write(as: actor, requiring: .sendNotifications) { work in
            let found = try Self.notification(id, work)
            guard try work.wantsNotifications(found.lane) else {
                throw Self.noURL(found.lane.environment)
            }
            guard !found.status.isReplay else { return found }
            let status = DeliveryRules.replayed(found.status, at: work.now)
            try work.notifications.set(status, of: id)
            try Self.note("notification.resend", found, work)
            return StoreNotification(
                id: id, uuid: found.uuid, details: found.details, date: found.date,
                status: status)
        }
    }

    /// Has a test notification sent.
    package func sendTest(
        to lane: AppScope, by actor: ConnectActor
    ) async throws -> StoreNotification {
        try await shop.write(as: actor, requiring: .sendNotifications) { work in
            _ = try work.appRecord(lane.app)
            guard let made = try Self.testOrRefusal(lane, work) else {
                throw Self.noURL(lane.environment)
            }
            try Self.note("notification.test", made, work)
            return made
        }
    }

    // MARK: Rules

    private static func testOrRefusal(
        _ lane: AppScope, _ work: UnitOfWork
    ) throws -> StoreNotification? {
        do {
            return try test(lane, work)
        } catch is TooManyRequests {
            throw ConnectRefusal(
                .tooMany, rule: "tooManyTests",
                "The app has had \(testLimit) test notifications within a minute.",
                help: "Wait a minute.")
        }
    }

    private static func notification(
        _ id: NotificationID, _ work: UnitOfWork
    ) throws -> StoreNotification {
        guard let found = try work.notifications.notification(id),
            let app = try work.catalog.app(found.details.app), work.actor.sees(team: app.teamID)
        else { throw ConnectRefusal.notFound("notification", String(id.number)) }
        return found
    }

    private static func noURL(_ environment: StoreEnvironment) -> ConnectRefusal {
        ConnectRefusal(
            .state, rule: "notificationURLMissing",
            "The app has no URL for notifications of version 2 for \(environment.nameInSentence).",
            help: "Give it one in the app's settings.")
    }

    private static func note(
        _ action: String, _ notification: StoreNotification, _ work: UnitOfWork
    ) throws {
        guard let app = try work.catalog.app(notification.details.app) else { return }
        try work.note(
            action, on: app.bundleID.text, of: app.teamID,
            after: "\(notification.details.type.rawValue) \(notification.uuid)")
    }

    // MARK: Cursors

    private static func cursor(_ position: NotificationPosition) -> String {
        "\(position.date.wholeMilliseconds)-\(position.id.number)"
    }

    private static func position(_ cursor: String) throws -> NotificationPosition {
        let numbers = cursor.split(scalar: "-", omittingEmptySubsequences: false)
            .map { Int64($0) }
        guard numbers.count == 2, let date = numbers[0], let id = numbers[1],
            (0...253_402_300_799_999).contains(date), id >= 0
        else { throw PageRequest.badCursor }
        return NotificationPosition(
            date: Date(timeIntervalSince1970: TimeInterval(date) / 1000),
            id: NotificationID(number: id))
    }
}
