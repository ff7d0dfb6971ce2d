import Foundation
import StoreDatabase
import StoreModel

/// The outbox: what publishers' servers are told.
package struct NotificationRepository {
    let connection: any SQLConnection
    /// Remembers that something is to be sent.
    let announcement: NotificationAnnouncement

    /// Where an app's server wants to hear of an environment; nil where it does not.
    package func target(of app: AppID, in environment: StoreEnvironment) throws -> StatusURL? {
        let columns: SQL =
            environment == .sandbox
            ? "sandbox_status_url AS status_url, sandbox_status_url_version AS status_url_version"
            : "status_url, status_url_version"
        return try connection.records(
            AppStatusURL.self, "SELECT \(columns) FROM app WHERE id = \(app)"
        ).first?.url
    }

    /// Writes a notification down, to be sent at once.
    package func append(_ draft: NotificationDraft, at date: Date) throws -> StoreNotification {
        let facts = String(decoding: try JSONEncoder().encode(draft.facts), as: UTF8.self)
        // A sandbox clock may be ahead of the time by which notifications are sent.
        let hasClock =
            try draft.environment == .sandbox
            && connection.exists(
                "FROM sandbox_time WHERE account = \(draft.account) AND app = \(draft.app)")
        let due = hasClock ? Date(timeIntervalSince1970: 0) : announcement.due(date)
        let made = try connection.records(
            StoreNotification.self,
            """
            INSERT INTO notification (app, environment, type, subtype, account, transaction_id,
                facts, date, due)
            VALUES (\(draft.app), \(draft.environment), \(draft.type), \(draft.subtype),
                \(draft.account), \(draft.transaction), \(facts), \(announcement.date(date)), \(due))
            RETURNING \(StoreNotification.columns)
            """
        ).first
        guard let made else {
            throw SQLError(code: .corrupt, "the database lost a notification")
        }
        announcement.announce()
        return made
    }

    package func notification(_ id: NotificationID) throws -> StoreNotification? {
        try connection.find(StoreNotification.self, id)
    }

    package func notification(uuid: String) throws -> StoreNotification? {
        try connection.first(StoreNotification.self, "WHERE uuid = \(uuid)")
    }

    // MARK: Sending

    /// When something is to be sent next; nil for never. Cheap enough to ask every second.
    package func nextDue() throws -> Date? {
        try connection.value(
            Date.self, "SELECT due FROM notification WHERE due IS NOT NULL ORDER BY due LIMIT 1")
    }

    /// How many are still to be sent.
    ///
    /// - Parameter limit: counts no further.
    package func waitingCount(limit: Int) throws -> Int {
        try connection.value(
            Int.self,
            """
            SELECT count(*) FROM (
                SELECT 1 FROM notification WHERE due IS NOT NULL LIMIT \(limit)) AS waiting
            """) ?? 0
    }

    /// Whose notifications are to be sent now.
    package func dueLanes(at date: Date) throws -> [AppScope] {
        // One look into the index for each app that has something to be sent, and two for what
        // is due: what waits for a slow server costs others nothing, however much it is.
        try connection.records(
            AppScope.self,
            """
            WITH RECURSIVE waiting (app) AS (
                SELECT min(app) FROM notification WHERE due IS NOT NULL
                UNION ALL
                SELECT (SELECT min(n.app) FROM notification n
                    WHERE n.due IS NOT NULL AND n.app > waiting.app)
                FROM waiting WHERE waiting.app IS NOT NULL)
            SELECT waiting.app, e.column1 AS environment
            FROM waiting, (VALUES ('Production'), ('Sandbox')) e
            WHERE EXISTS (SELECT 1 FROM notification n
                WHERE n.app = waiting.app AND n.environment = e.column1 AND n.due <= \(date))
            """)
    }

    /// Those of one lane to be sent now, the longest waiting first, each as far as it can be read.
    package func dueRows(in lane: AppScope, at date: Date, limit: Int) throws -> [DueNotification] {
        try connection.results(
            StoreNotification.self, by: DueNotificationKey.self,
            """
            SELECT \(StoreNotification.columns) FROM notification
            WHERE app = \(lane.app) AND environment = \(lane.environment)
                AND due IS NOT NULL AND due <= \(date)
            ORDER BY due, id LIMIT \(limit)
            """
        ).map { row, result in
            do {
                return .readable(try result.get())
            } catch {
                return .unreadable(
                    row.id, due: row.due, reason: SettingAside.reason(for: error) ?? "\(error)")
            }
        }
    }

    /// Keeps a notification that can't be sent from keeping others waiting: it is sent no more by
    /// itself, and has the reason with it, until its status is set.
    ///
    /// - Parameter due: when it was due when it was looked up.
    /// - Returns: false where somebody else was faster.
    package func setAside(_ id: NotificationID, due: Date?, because reason: String) throws -> Bool {
        try connection.value(
            NotificationID.self,
            """
            UPDATE notification SET state = iif(state = 'waiting', 'failed', state), due = NULL,
                is_replay = 0, due_without = NULL, set_aside = \(reason)
            WHERE id = \(id) AND due IS \(due) RETURNING id
            """) != nil
    }

    /// Keeps a notification from being taken by somebody else for a while.
    ///
    /// - Parameter due: when it was due when it was looked up.
    /// - Returns: false where somebody else was faster.
    package func take(_ id: NotificationID, due: Date?, until: Date) throws -> Bool {
        try connection.value(
            NotificationID.self,
            "UPDATE notification SET due = \(until) WHERE id = \(id) AND due IS \(due) RETURNING id"
        ) != nil
    }

    /// Changes how the delivery of a notification stands.
    package func set(_ status: NotificationStatus, of id: NotificationID) throws {
        try connection.run(
            """
            UPDATE notification SET state = \(status.state), attempts = \(status.attempts),
                due = \(status.due), is_replay = \(status.isReplay),
                due_without = \(status.dueWithoutReplay), set_aside = NULL
            WHERE id = \(id)
            """)
        if status.isReplay { announcement.announce() }
    }

    // MARK: Limits

    /// When tests of one lane were written down after a date, the newest first.
    package func tests(of lane: AppScope, since date: Date, limit: Int) throws -> [Date] {
        try connection.values(
            Date.self,
            """
            SELECT date FROM notification
            WHERE app = \(lane.app) AND environment = \(lane.environment) AND type = 'TEST'
                AND date > \(date)
            ORDER BY date DESC LIMIT \(limit)
            """)
    }

    /// Makes due what waits for longer than the retry schedule lets anything wait.
    package func bringForward(at date: Date) throws {
        let longest = date.addingTimeInterval(DeliveryRules.longestWait)
        try connection.run("UPDATE notification SET due = \(date) WHERE due > \(longest)")
        try connection.run(
            """
            UPDATE notification SET due_without = \(date)
            WHERE due IS NOT NULL AND due_without > \(longest)
            """)
    }

    /// Deletes the oldest notifications from before a date that are not to be sent, with what was
    /// tried to deliver them.
    ///
    /// - Returns: how many; `limit` where there may be more.
    package func forget(before date: Date, limit: Int) throws -> Int {
        let oldest: SQL = """
            SELECT id FROM notification WHERE due IS NULL AND date < \(date)
            ORDER BY date, id LIMIT \(limit)
            """
        try connection.run("DELETE FROM notification_attempt WHERE notification IN (\(oldest))")
        return try connection.values(
            NotificationID.self, "DELETE FROM notification WHERE id IN (\(oldest)) RETURNING id"
        ).count
    }

    // MARK: Attempts

    package func append(_ attempt: SendAttempt, of id: NotificationID) throws {
        let last = try connection.value(
            Int?.self,
            "SELECT max(number) FROM notification_attempt WHERE notification = \(id)")
        try connection.insert(
            attempt, with: OtherColumn("notification", id),
            OtherColumn("number", 1 + ((last ?? nil) ?? 0)))
    }

    /// In the order in which they were made.
    package func attempts(of id: NotificationID) throws -> [SendAttempt] {
        try connection.all(SendAttempt.self, "WHERE notification = \(id) ORDER BY number")
    }
}

extension StoreRepositories {
    package var notifications: NotificationRepository {
        NotificationRepository(connection: connection, announcement: announcement)
    }
}

/// The URL of an app to which its notifications go.
private struct AppStatusURL: RecordPart {
    let url: StatusURL?

    init(_ column: borrowing RecordColumns<Self>) throws {
        url = try column.part(\.url, prefix: "status_url")
    }
}

/// Names a notification that is due, also where the rest of its row is damaged.
private struct DueNotificationKey: RecordPart {
    let id: NotificationID
    let due: Date

    init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id)
        due = try column("due", \.due)
    }
}

/// Announces what a transaction has left to be sent, and knows how long it waited before it wrote.
/// Belongs to one transaction.
struct NotificationAnnouncement {
    /// Servers that ask what they have missed are answered so long after the end of what they ask
    /// for (`NotificationHistoryRequest.settling`): what is dated before that has to be there.
    private static let patience: Duration = .seconds(1)

    private let transaction: WriteTransaction

    init(_ transaction: WriteTransaction) { self.transaction = transaction }

    /// After the commit, the senders of notifications look for new ones.
    func announce() { transaction.isAnnounced = true }

    /// The date that a notification gets: later than its transaction's where that had to wait for
    /// others, ran again, or goes by a clock that is behind the database's.
    func date(_ date: Date) -> Date { due(date).addingTimeInterval(max(0, transaction.lead)) }

    /// When it is sent, by the clock of the process.
    func due(_ date: Date) -> Date {
        let wait = transaction.asked.duration(to: transaction.uptime())
        return wait > Self.patience ? date.addingTimeInterval(wait / .seconds(1)) : date
    }
}

extension NotificationRepository {
    /// Those of `dueRows` that can be read.
    package func due(in lane: AppScope, at date: Date, limit: Int) throws -> [StoreNotification] {
        try dueRows(in: lane, at: date, limit: limit).compactMap { row -> StoreNotification? in
            if case .readable(let notification) = row { notification } else { nil }
        }
    }
}
