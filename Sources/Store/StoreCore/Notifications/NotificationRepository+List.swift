import Foundation
import StoreDatabase
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
        try connection.results(
            StoreNotification.self, by: NotificationPosition.self,
            Self.list(
                of: app, in: environment, query, after: after, newestFirst: newestFirst,
                limit: limit)
        ).map { ($0.key, try? $0.value.get()) }
    }

    static func list(
        of app: AppID, in environment: StoreEnvironment, _ query: NotificationQuery,
        after: NotificationPosition?, newestFirst: Bool, limit: Int
    ) -> SQL {
        // A place in the list is also where its search begins.
        var (start, end) = (query.start, query.end)
        if let after {
            if newestFirst {
                end = min(end ?? .distantFuture, after.date.addingTimeInterval(0.001))
            } else {
                start = max(start ?? .distantPast, after.date)
            }
        }
        // Failures of all accounts have an index of their own, which only a literal condition chooses.
        let conditions: [SQL?] = [
            query.account.map { "AND account = \($0)" },
            start.map { "AND date >= \($0)" }, end.map { "AND date < \($0)" },
            query.type.map { "AND type = \($0)" }, query.subtype.map { "AND subtype = \($0)" },
            query.onlyFailures ? "AND state <> 'delivered' AND attempts > 0" : nil,
            after.map { after in
                newestFirst
                    ? "AND (date, id) < (\(after.date), \(after.id))"
                    : "AND (date, id) > (\(after.date), \(after.id))"
            },
        ]
        let order: SQL = newestFirst ? "date DESC, id DESC" : "date, id"
        return """
            SELECT \(StoreNotification.columns) FROM notification
            WHERE app = \(app) AND environment = \(environment) \(conditions)
            ORDER BY \(order) LIMIT \(limit)
            """
    }
}
