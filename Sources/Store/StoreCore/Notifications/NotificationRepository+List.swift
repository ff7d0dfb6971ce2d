import Foundation
import StoreModel

extension NotificationRepository {
    /// A page of an app's notifications, by date; without those that can't be read.
    ///
    /// - Parameters:
    ///   - after: gives those behind it, in the order that is asked for.
    ///   - newestFirst: the order; oldest first otherwise.
    package func notifications(
        of app: AppID, in environment: StoreEnvironment, _ query: NotificationQuery,
        after: NotificationPosition?, newestFirst: Bool, limit: Int
    ) throws -> [StoreNotification] {
        var (found, after): ([StoreNotification], NotificationPosition?) = ([], after)
        // Those that can't be read leave their places to others.
        while found.count < limit {
            let wanted = limit - found.count
            let rows = try rows(
                of: app, in: environment, query, after: after, newestFirst: newestFirst,
                limit: wanted)
            found += rows.compactMap(\.notification)
            guard rows.count == wanted, let last = rows.last else { break }
            after = last.position
        }
        return found
    }

    /// A page, with those that can't be read.
    private func rows(
        of app: AppID, in environment: StoreEnvironment, _ query: NotificationQuery,
        after: NotificationPosition?, newestFirst: Bool, limit: Int
    ) throws -> [(position: NotificationPosition, notification: StoreNotification?)] {
        // A place in the list is also where its search begins.
        var (start, end) = (query.start, query.end)
        if let after {
            if newestFirst {
                end = min(end ?? .distantFuture, after.date.addingTimeInterval(0.001))
            } else {
                start = max(start ?? .distantPast, after.date)
            }
        }
        let edge = SQLValue.integer(newestFirst ? Int64.max : -1)
        return try connection.rows(
            Self.list(
                isOfAccount: query.account != nil, onlyFailures: query.onlyFailures,
                newestFirst: newestFirst),
            [
                .integer(app.number), .text(environment.rawValue),
                start.map { .date($0) } ?? .integer(0),
                end.map { .date($0) } ?? .integer(Int64.max),
                .text(query.type?.rawValue), .text(query.subtype?.rawValue),
                query.account.map { .integer($0.number) } ?? .noInteger,
                .integer(query.onlyFailures),
                after.map { .date($0.date) } ?? edge, .integer(after?.id.number ?? 0),
                .integer(limit),
            ]
        ) { row in (NotificationRow.position(row), try? NotificationRow.read(row)) }
    }

    /// Failures of all accounts have an index of their own, which only a literal condition chooses.
    static func list(
        isOfAccount: Bool, onlyFailures: Bool, newestFirst: Bool
    ) -> StaticString {
        switch (isOfAccount, onlyFailures, newestFirst) {
        case (false, false, true):
            """
            SELECT * FROM notification
            WHERE app = ?1 AND environment = ?2 AND date >= ?3 AND date < ?4
                AND (?5 IS NULL OR type = ?5) AND (?6 IS NULL OR subtype = ?6)
                AND ?8 = 0 AND ?7 IS NULL AND (date, id) < (?9, ?10)
            ORDER BY date DESC, id DESC LIMIT ?11
            """
        case (false, false, false):
            """
            SELECT * FROM notification
            WHERE app = ?1 AND environment = ?2 AND date >= ?3 AND date < ?4
                AND (?5 IS NULL OR type = ?5) AND (?6 IS NULL OR subtype = ?6)
                AND ?8 = 0 AND ?7 IS NULL AND (date, id) > (?9, ?10)
            ORDER BY date, id LIMIT ?11
            """
        case (false, true, true):
            """
            SELECT * FROM notification
            WHERE app = ?1 AND environment = ?2 AND date >= ?3 AND date < ?4
                AND (?5 IS NULL OR type = ?5) AND (?6 IS NULL OR subtype = ?6)
                AND state <> 'delivered' AND attempts > 0
                AND ?8 = 1 AND ?7 IS NULL AND (date, id) < (?9, ?10)
            ORDER BY date DESC, id DESC LIMIT ?11
            """
        case (false, true, false):
            """
            SELECT * FROM notification
            WHERE app = ?1 AND environment = ?2 AND date >= ?3 AND date < ?4
                AND (?5 IS NULL OR type = ?5) AND (?6 IS NULL OR subtype = ?6)
                AND state <> 'delivered' AND attempts > 0
                AND ?8 = 1 AND ?7 IS NULL AND (date, id) > (?9, ?10)
            ORDER BY date, id LIMIT ?11
            """
        case (true, _, true):
            """
            SELECT * FROM notification
            WHERE account = ?7 AND app = ?1 AND environment = ?2 AND date >= ?3 AND date < ?4
                AND (?5 IS NULL OR type = ?5) AND (?6 IS NULL OR subtype = ?6)
                AND (?8 = 0 OR state <> 'delivered' AND attempts > 0)
                AND (date, id) < (?9, ?10)
            ORDER BY date DESC, id DESC LIMIT ?11
            """
        case (true, _, false):
            """
            SELECT * FROM notification
            WHERE account = ?7 AND app = ?1 AND environment = ?2 AND date >= ?3 AND date < ?4
                AND (?5 IS NULL OR type = ?5) AND (?6 IS NULL OR subtype = ?6)
                AND (?8 = 0 OR state <> 'delivered' AND attempts > 0)
                AND (date, id) > (?9, ?10)
            ORDER BY date, id LIMIT ?11
            """
        }
    }
}

/// How a row of `notification` is read.
enum NotificationRow {
    static func position(_ row: any SQLRow) -> NotificationPosition {
        NotificationPosition(date: row.date(9), id: NotificationID(number: row.integer(0)))
    }

    static func read(_ row: any SQLRow) throws -> StoreNotification {
        StoreNotification(
            id: NotificationID(number: row.integer(0)), uuid: row.text(1),
            details: NotificationDraft(
                app: AppID(number: row.integer(2)),
                environment: try row.value(3, StoreEnvironment.init(rawValue:)),
                type: try row.value(4, NotificationType.init(rawValue:)),
                subtype: row.isNull(5)
                    ? nil : try row.value(5, NotificationSubtype.init(rawValue:)),
                account: row.optionalInteger(6).map(AccountID.init(number:)),
                transaction: row.optionalInteger(7).map(TransactionID.init(number:)),
                facts: try JSONDecoder().decode(NotificationFacts.self, from: row.data(8))),
            date: row.date(9),
            standing: DeliveryStanding(
                state: try row.value(10, DeliveryStanding.State.init(rawValue:)),
                attempts: Int(row.integer(11)), due: date(row, 12),
                isReplay: row.integer(13) != 0, dueWithoutReplay: date(row, 14)))
    }

    private static func date(_ row: any SQLRow, _ column: Int) -> Date? {
        row.isNull(column) ? nil : row.date(column)
    }
}
