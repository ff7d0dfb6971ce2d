import Foundation
import StoreModel

/// What publishers' servers are told: tests, history, and what is sent once more.
package struct NotificationService: Sendable {
    /// So many notifications are on a page of the history.
    package static let pageSize = 20
    /// So long a server may go on with a page's token.
    package static let tokenLife: TimeInterval = 24 * 3600

    /// So many test notifications of an app in an environment are sent in `testSpan`.
    package static let testLimit = 10
    /// Seconds.
    package static let testSpan: TimeInterval = 60
    /// So many notifications are forgotten in one transaction.
    private static let batch = 500

    let database: any StoreDatabase
    let clock: any StoreClock
    private let seal: any HistoryPlaceSeal

    package init(
        database: any StoreDatabase, clock: any StoreClock, seal: any HistoryPlaceSeal
    ) {
        self.database = database
        self.clock = clock
        self.seal = seal
    }

    // MARK: Tests

    /// Writes down a test notification, to be sent at once.
    ///
    /// - Returns: nil where the app has no URL for notifications in this environment.
    /// - Throws: `TooManyRequests`.
    package func sendTest(to lane: NotificationLane) async throws -> TestNotificationToken? {
        let now = clock.now()
        return try await database.write { repositories in
            try Self.test(lane, repositories, at: now).map(TestNotificationToken.init)
        }
    }

    /// Writes a test down, where there were not too many of late: nobody deletes them for months.
    ///
    /// - Throws: `TooManyRequests`.
    static func test(
        _ lane: NotificationLane, _ repositories: any StoreRepositories, at now: Date
    ) throws -> StoreNotification? {
        let last = try repositories.notifications.tests(
            of: lane, since: now.addingTimeInterval(-testSpan), limit: testLimit)
        if last.count == testLimit, let first = last.last {
            throw TooManyRequests(end: first.addingTimeInterval(testSpan))
        }
        return try Outbox(repositories, at: now).test(lane)
    }

    /// What became of a test notification.
    package func test(
        _ token: String, of lane: NotificationLane
    ) async throws -> Result<SentNotification, TestNotificationRefusal> {
        guard let token = TestNotificationToken(token) else { return .failure(.malformed) }
        let earliest = clock.now().addingTimeInterval(-NotificationHistoryRequest.reach)
        return try await database.read { repositories in
            guard let found = try repositories.notifications.notification(uuid: token.uuid),
                found.lane == lane, found.details.type == .test,
                TestNotificationToken(found) == token, found.date >= earliest
            else { return .failure(.notAvailable) }
            let sent = try NotificationReading(repositories).sent(found)
            return sent.attempts.isEmpty ? .failure(.notAvailable) : .success(sent)
        }
    }

    // MARK: Forgetting

    /// Deletes what nobody can ask about any more, because the history does not reach so far back,
    /// and nobody sends. A part of it in each transaction, so that others are let in between.
    ///
    /// - Returns: how many notifications are gone.
    @discardableResult
    package func forget() async throws -> Int {
        let end = clock.now().addingTimeInterval(
            -NotificationHistoryRequest.reach - Self.tokenLife)
        var count = 0
        while !Task.isCancelled {
            let gone = try await database.write {
                try $0.notifications.forget(before: end, limit: Self.batch)
            }
            count += gone
            guard gone == Self.batch else { break }
        }
        return count
    }

    // MARK: History

    /// A page of what an app's server was told, the oldest first.
    ///
    /// - Parameter token: of the page before; nil for the first.
    package func history(
        _ request: NotificationHistoryRequest, after token: String?, of lane: NotificationLane
    ) async throws -> Result<NotificationHistoryPage, NotificationHistoryRefusal> {
        do {
            return .success(try await page(request, after: token, of: lane))
        } catch let refusal as NotificationHistoryRefusal {
            return .failure(refusal)
        }
    }

    private func page(
        _ request: NotificationHistoryRequest, after token: String?, of lane: NotificationLane
    ) async throws -> NotificationHistoryPage {
        let now = clock.now()
        let query = try request.query(at: now)
        let place = try token.map { try self.place(of: $0, request, lane, at: now) }
        let found = try await database.read { repositories in
            var query = query
            query.account = try Self.account(of: request.transaction, lane, repositories)
            let list = try repositories.notifications.notifications(
                of: lane.app, in: lane.environment, query, after: place?.position,
                newestFirst: false, limit: Self.pageSize + 1)
            let reading = NotificationReading(repositories)
            return (
                hasMore: list.count > Self.pageSize,
                notifications: try list.prefix(Self.pageSize).map(reading.sent)
            )
        }
        guard found.hasMore, let last = found.notifications.last else {
            return NotificationHistoryPage(notifications: found.notifications, token: nil)
        }
        let next = NotificationHistoryPlace(
            lane: lane, question: request.question,
            position: last.content.notification.position,
            expiration: now.addingTimeInterval(Self.tokenLife))
        return NotificationHistoryPage(
            notifications: found.notifications, token: try seal.token(for: next))
    }

    private func place(
        of token: String, _ request: NotificationHistoryRequest, _ lane: NotificationLane,
        at now: Date
    ) throws -> NotificationHistoryPlace {
        guard token.utf8.count <= 2048, let place = seal.place(of: token),
            place.app == lane.app.number, place.environment == lane.environment,
            place.question == request.question
        else { throw NotificationHistoryRefusal.invalidToken }
        guard place.expiration > now.wholeMilliseconds else {
            throw NotificationHistoryRefusal.tokenExpired
        }
        return place
    }

    private static func account(
        of transaction: String?, _ lane: NotificationLane, _ repositories: any StoreRepositories
    ) throws -> AccountID? {
        guard let transaction else { return nil }
        guard let id = TransactionID(transaction) else {
            throw NotificationHistoryRefusal.invalidTransaction
        }
        guard let entry = try repositories.ledger.entry(id), entry.details.app == lane.app,
            entry.details.environment == lane.environment
        else { throw NotificationHistoryRefusal.transactionNotFound }
        return entry.details.account
    }
}

extension Date {
    /// Since 1970, as rows and the wire have them.
    var wholeMilliseconds: Int64 {
        Int64((timeIntervalSince1970 * 1000 + 0.001).rounded(.down))
    }
}
