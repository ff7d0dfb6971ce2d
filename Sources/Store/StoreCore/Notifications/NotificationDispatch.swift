import Foundation

/// Gives out what is to be sent, and writes down what came of it. Several processes may: each
/// notification is given to one of them.
package struct NotificationDispatch: Sendable {
    /// Something that was given out to be sent.
    package struct Assignment: Sendable, Hashable {
        package let content: NotificationContent
        /// Nil where the app's server does not want notifications any longer.
        package let url: String?
        /// Until when nobody else gets it.
        package let end: Date

        package var notification: StoreNotification { content.notification }
    }

    private let shop: Shop
    private let setAside: @Sendable (NotificationID, _ reason: String) -> Void

    /// - Parameter setAside: hears of a notification that can't be sent, and is not tried again.
    package init(
        database: any ShopDatabase, clock: any StoreClock,
        setAside: @escaping @Sendable (NotificationID, _ reason: String) -> Void = { _, _ in }
    ) {
        shop = Shop(database: database, clock: clock)
        self.setAside = setAside
    }

    /// Whether anything is to be sent now.
    package func isAnythingDue() async throws -> Bool {
        try await shop.read { work in
            try work.notifications.nextDue().map { $0 <= work.now } ?? false
        }
    }

    /// Gives out what is due.
    ///
    /// - Parameters:
    ///   - limit: as many as that at most.
    ///   - room: how many a lane takes at most. Lanes that take more come first.
    package func take(
        limit: Int, room: @escaping @Sendable (AppScope) -> Int
    ) async throws -> [Assignment] {
        guard limit > 0 else { return [] }
        let now = shop.clock.now()
        let found = try await shop.read { work in
            let lanes = try work.notifications.dueLanes(at: now)
                .map { (lane: $0, room: room($0)) }
                .filter { $0.room > 0 }.sorted { $0.room > $1.room }
            var found: [DueNotification] = []
            for (lane, room) in lanes where found.count < limit {
                found += try work.notifications.dueRows(
                    in: lane, at: now, limit: min(room, limit - found.count))
            }
            return found
        }
        guard !found.isEmpty else { return [] }
        let end = DeliveryRules.leaseEnd(from: now)
        let taken = try await shop.write { work in
            try found.map { try Self.take($0, until: end, work) }
        }
        return taken.compactMap { taken in
            switch taken {
            case .assigned(let assignment): return assignment
            case .setAside(let id, let reason):
                setAside(id, reason)
                return nil
            case .gone: return nil
            }
        }
    }

    /// What became of something that was due.
    private enum Taken {
        case assigned(Assignment)
        /// It must not keep others waiting.
        case setAside(NotificationID, String)
        /// Somebody else has it.
        case gone
    }

    private static func take(
        _ row: DueNotification, until end: Date, _ repositories: StoreRepositories
    ) throws -> Taken {
        func setAside(_ id: NotificationID, _ due: Date?, _ reason: String) throws -> Taken {
            try repositories.notifications.setAside(id, due: due, because: reason)
                ? .setAside(id, reason) : .gone
        }
        let notification: StoreNotification
        switch row {
        case .readable(let found): notification = found
        case .unreadable(let id, let due, let reason): return try setAside(id, due, reason)
        }
        let details = notification.details
        guard
            try repositories.notifications.take(
                notification.id, due: notification.status.due, until: end)
        else { return .gone }
        do {
            let target = try repositories.notifications.target(
                of: details.app, in: details.environment)
            return .assigned(
                Assignment(
                    content: try repositories.notificationContent(of: notification),
                    url: target?.version == .v2 ? target?.url : nil, end: end))
        } catch {
            guard let reason = SettingAside.reason(for: error) else { throw error }
            return try setAside(notification.id, end, reason)
        }
    }

    /// Writes down what came of an assignment.
    ///
    /// - Parameters:
    ///   - start: when it was sent.
    ///   - duration: until the answer was there.
    package func record(
        _ outcome: SendOutcome, of assignment: Assignment, start: Date, duration: Duration
    ) async throws {
        let notification = assignment.notification
        let attempt = SendAttempt(
            date: start, url: assignment.url ?? "", outcome: outcome, duration: duration,
            isReplay: notification.status.isReplay)
        try await shop.write { work in
            // It may have changed since: somebody asked for it once more.
            guard let current = try work.notifications.notification(notification.id)
            else { return }
            try work.notifications.append(attempt, of: notification.id)
            // Whose lease has run out, and who was taken over, counts only where it has arrived.
            let lease = DeliveryRules.lease(of: current.status, for: attempt)
            guard outcome.result == .success || lease == assignment.end else { return }
            try work.notifications.set(
                DeliveryRules.status(
                    of: current.status, after: attempt,
                    in: notification.details.environment, at: work.now), of: notification.id)
        }
    }

    /// Gives an assignment back that was not carried out, to be sent at once by whoever is there.
    package func giveBack(_ assignment: Assignment) async throws {
        _ = try await shop.write { work in
            try work.notifications.take(
                assignment.notification.id, due: assignment.end, until: work.now)
        }
    }
}
