import Foundation
import StoreModel

/// The outbox: what publishers' servers are told.
package struct NotificationRepository {
    let connection: any SQLConnection
    /// Remembers that something is to be sent.
    let news: NotificationNews

    /// Where an app's server wants to hear of an environment; nil where it does not.
    package func target(of app: AppID, in environment: StoreEnvironment) throws -> StatusURL? {
        let found: StatusURL?? = try connection.row(
            """
            SELECT iif(?2 = 1, sandbox_status_url, status_url),
                iif(?2 = 1, sandbox_status_url_version, status_url_version)
            FROM app WHERE id = ?1
            """, [.integer(app.number), .integer(environment == .sandbox)]
        ) { row in
            guard let url = row.optionalText(0) else { return nil }
            return StatusURL(url: url, version: try row.value(1, StatusURL.Version.init(rawValue:)))
        }
        return found ?? nil
    }

    /// Writes a notification down, to be sent at once.
    package func append(_ draft: NotificationDraft, at date: Date) throws -> StoreNotification {
        let facts = String(decoding: try JSONEncoder().encode(draft.facts), as: UTF8.self)
        let made = try connection.row(
            """
            INSERT INTO notification (app, environment, type, subtype, account, transaction_id,
                facts, date, due)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,
                -- A sandbox clock may be ahead of the time by which notifications are sent.
                iif(?2 = 'Sandbox' AND EXISTS (
                    SELECT 1 FROM sandbox_time f WHERE f.account = ?5 AND f.app = ?1),
                    0, ?9)) RETURNING *
            """,
            [
                .integer(draft.app.number), .text(draft.environment.rawValue),
                .text(draft.type.rawValue), .text(draft.subtype?.rawValue),
                draft.account.map { .integer($0.number) } ?? .noInteger,
                draft.transaction.map { .integer($0.number) } ?? .noInteger, .text(facts),
                .date(news.date(date)), .date(news.due(date)),
            ], NotificationRow.read)
        guard let made else {
            throw SQLError(code: .corrupt, "the database lost a notification")
        }
        news.isThere = true
        return made
    }

    package func notification(_ id: NotificationID) throws -> StoreNotification? {
        try connection.row(
            "SELECT * FROM notification WHERE id = ?1", [.integer(id.number)],
            NotificationRow.read)
    }

    package func notification(uuid: String) throws -> StoreNotification? {
        try connection.row(
            "SELECT * FROM notification WHERE uuid = ?1", [.text(uuid)], NotificationRow.read)
    }

    // MARK: Sending

    /// When something is to be sent next; nil for never. Cheap enough to ask every second.
    package func nextDue() throws -> Date? {
        try connection.row(
            "SELECT due FROM notification WHERE due IS NOT NULL ORDER BY due LIMIT 1", []
        ) { $0.date(0) }
    }

    /// How many are still to be sent.
    ///
    /// - Parameter limit: counts no further.
    package func waitingCount(limit: Int) throws -> Int {
        try connection.row(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM notification WHERE due IS NOT NULL LIMIT ?1) AS waiting
            """, [.integer(Int64(limit))]
        ) { Int($0.integer(0)) } ?? 0
    }

    /// Whose notifications are to be sent now.
    package func dueLanes(at date: Date) throws -> [AppScope] {
        // One look into the index for each app that has something to be sent, and two for what
        // is due: what waits for a slow server costs others nothing, however much it is.
        try connection.rows(
            """
            WITH RECURSIVE waiting (app) AS (
                SELECT min(app) FROM notification WHERE due IS NOT NULL
                UNION ALL
                SELECT (SELECT min(n.app) FROM notification n
                    WHERE n.due IS NOT NULL AND n.app > waiting.app)
                FROM waiting WHERE waiting.app IS NOT NULL)
            SELECT waiting.app, e.column1 FROM waiting, (VALUES ('Production'), ('Sandbox')) e
            WHERE EXISTS (SELECT 1 FROM notification n
                WHERE n.app = waiting.app AND n.environment = e.column1 AND n.due <= ?1)
            """, [.date(date)]
        ) { row in
            AppScope(
                app: AppID(number: row.integer(0)),
                environment: try row.value(1, StoreEnvironment.init(rawValue:)))
        }
    }

    /// Those of one lane to be sent now, the longest waiting first, each as far as it can be read.
    package func dueRows(
        in lane: AppScope, at date: Date, limit: Int
    ) throws -> [DueNotification] {
        try connection.rows(
            """
            SELECT * FROM notification
            WHERE app = ?1 AND environment = ?2 AND due IS NOT NULL AND due <= ?3
            ORDER BY due, id LIMIT ?4
            """,
            [
                .integer(lane.app.number), .text(lane.environment.rawValue), .date(date),
                .integer(limit),
            ]
        ) { row in
            do {
                return .readable(try NotificationRow.read(row))
            } catch {
                return .unreadable(
                    NotificationID(number: row.integer(0)), due: row.date(12),
                    reason: SettingAside.reason(for: error) ?? "\(error)")
            }
        }
    }

    /// Keeps a notification that can't be sent from keeping others waiting: it is sent no more by
    /// itself, and has the reason with it, until its standing is set.
    ///
    /// - Parameter due: when it was due when it was looked up.
    /// - Returns: false where somebody else was faster.
    package func setAside(_ id: NotificationID, due: Date?, because reason: String) throws -> Bool {
        try connection.row(
            """
            UPDATE notification SET state = iif(state = 'waiting', 'failed', state), due = NULL,
                is_replay = 0, due_without = NULL, set_aside = ?3
            WHERE id = ?1 AND due IS ?2 RETURNING id
            """, [.integer(id.number), .date(due), .text(reason)]
        ) { _ in true } ?? false
    }

    /// Keeps a notification from being taken by somebody else for a while.
    ///
    /// - Parameter due: when it was due when it was looked up.
    /// - Returns: false where somebody else was faster.
    package func take(_ id: NotificationID, due: Date?, until: Date) throws -> Bool {
        try connection.row(
            "UPDATE notification SET due = ?3 WHERE id = ?1 AND due IS ?2 RETURNING id",
            [.integer(id.number), .date(due), .date(until)]
        ) { _ in true } ?? false
    }

    /// Changes how the delivery of a notification stands.
    package func set(_ standing: DeliveryStanding, of id: NotificationID) throws {
        try connection.run(
            """
            UPDATE notification SET state = ?2, attempts = ?3, due = ?4, is_replay = ?5,
                due_without = ?6, set_aside = NULL
            WHERE id = ?1
            """,
            [
                .integer(id.number), .text(standing.state.rawValue), .integer(standing.attempts),
                .date(standing.due), .integer(standing.isReplay), .date(standing.dueWithoutReplay),
            ])
        if standing.isReplay { news.isThere = true }
    }

    // MARK: Limits

    /// When tests of one lane were written down after a date, the newest first.
    package func tests(of lane: AppScope, since date: Date, limit: Int) throws -> [Date] {
        try connection.rows(
            """
            SELECT date FROM notification
            WHERE app = ?1 AND environment = ?2 AND type = 'TEST' AND date > ?3
            ORDER BY date DESC LIMIT ?4
            """,
            [
                .integer(lane.app.number), .text(lane.environment.rawValue), .date(date),
                .integer(limit),
            ]
        ) { $0.date(0) }
    }

    /// Deletes the oldest notifications from before a date that are not to be sent, with what was
    /// tried to deliver them.
    ///
    /// - Returns: how many; `limit` where there may be more.
    package func forget(before date: Date, limit: Int) throws -> Int {
        try connection.run(
            """
            DELETE FROM notification_attempt WHERE notification IN (
                SELECT id FROM notification WHERE due IS NULL AND date < ?1
                ORDER BY date, id LIMIT ?2)
            """, [.date(date), .integer(limit)])
        return try connection.rows(
            """
            DELETE FROM notification WHERE id IN (
                SELECT id FROM notification WHERE due IS NULL AND date < ?1
                ORDER BY date, id LIMIT ?2)
            RETURNING id
            """, [.date(date), .integer(limit)]
        ) { $0.integer(0) }.count
    }

    // MARK: Attempts

    package func append(_ attempt: SendAttempt, of id: NotificationID) throws {
        let duration = attempt.duration.components
        let milliseconds = duration.seconds * 1000 + duration.attoseconds / 1_000_000_000_000_000
        try connection.run(
            """
            INSERT INTO notification_attempt (notification, number, date, url, result, status,
                detail, milliseconds, is_replay)
            SELECT ?1, 1 + ifnull(max(number), 0), ?2, ?3, ?4, ?5, ?6, ?7, ?8
            FROM notification_attempt WHERE notification = ?1
            """,
            [
                .integer(id.number), .date(attempt.date), .text(attempt.url),
                .text(attempt.outcome.result.rawValue),
                attempt.outcome.status.map { .integer($0) } ?? .noInteger,
                .text(attempt.outcome.detail), .integer(max(milliseconds, 0)),
                .integer(attempt.isReplay),
            ])
    }

    /// In the order in which they were made.
    package func attempts(of id: NotificationID) throws -> [SendAttempt] {
        try connection.rows(
            """
            SELECT date, url, result, status, detail, milliseconds, is_replay
            FROM notification_attempt WHERE notification = ?1 ORDER BY number
            """, [.integer(id.number)]
        ) { row in
            SendAttempt(
                date: row.date(0), url: row.text(1),
                outcome: SendOutcome(
                    try row.value(2, SendResult.init(rawValue:)),
                    status: row.optionalInteger(3).map { Int($0) }, detail: row.text(4)),
                duration: .milliseconds(row.integer(5)), isReplay: row.integer(6) != 0)
        }
    }
}

/// Whether a transaction has left something to be sent, and how long it has waited before it wrote.
/// Belongs to one transaction.
final class NotificationNews {
    /// Servers that ask what they have missed are answered so long after the end of what they ask
    /// for (`NotificationHistoryRequest.settling`): what is dated before that has to be there.
    private static let patience: Duration = .seconds(1)

    var isThere = false
    private let asked: ContinuousClock.Instant
    private let lead: TimeInterval
    private let time: () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - asked: when somebody wanted the transaction, and looked at the clock.
    ///   - lead: seconds that the clock of the database's server is ahead of that one.
    init(
        asked: ContinuousClock.Instant = .now, lead: TimeInterval = 0,
        time: @escaping () -> ContinuousClock.Instant = { .now }
    ) {
        (self.asked, self.lead, self.time) = (asked, lead, time)
    }

    /// The date that a notification gets: later than its transaction's where that had to wait for
    /// others, ran again, or goes by a clock that is behind the database's.
    func date(_ date: Date) -> Date { due(date).addingTimeInterval(max(0, lead)) }

    /// When it is sent, by the clock of the process.
    func due(_ date: Date) -> Date {
        let wait = asked.duration(to: time())
        return wait > Self.patience ? date.addingTimeInterval(wait / .seconds(1)) : date
    }
}

extension NotificationRepository {
    /// Those of `dueRows` that can be read.
    package func due(
        in lane: AppScope, at date: Date, limit: Int
    ) throws -> [StoreNotification] {
        try dueRows(in: lane, at: date, limit: limit).compactMap { row -> StoreNotification? in
            if case .readable(let notification) = row { notification } else { nil }
        }
    }
}
