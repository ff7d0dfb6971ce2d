import Foundation
import StoreDatabase
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

    let shop: Shop
    private let seal: any HistoryCursorSeal
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameter sleep: waits until nothing comes any more that a history would miss.
    package init(
        database: any ShopDatabase, clock: any StoreClock, seal: any HistoryCursorSeal,
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) {
        shop = Shop(database: database, clock: clock)
        self.seal = seal
        self.sleep = sleep
    }

    // MARK: Tests

    /// Writes down a test notification, to be sent at once.
    ///
    /// - Returns: nil where the app has no URL for notifications in this environment.
    /// - Throws: `TooManyRequests`.
    package func sendTest(to lane: AppScope) async throws -> TestNotificationToken? {
        try await shop.write { work in
            try Self.test(lane, work).map(TestNotificationToken.init)
        }
    }

    /// Writes a test down, where there were not too many of late: nobody deletes them for months.
    ///
    /// - Throws: `TooManyRequests`.
    static func test(_ lane: AppScope, _ work: UnitOfWork) throws -> StoreNotification? {
        let last = try work.notifications.tests(
            of: lane, since: work.now.addingTimeInterval(-testSpan), limit: testLimit)
        if last.count == testLimit, let first = last.last {
            throw TooManyRequests(end: first.addingTimeInterval(testSpan))
        }
        return try work.notifyOfTest(lane)
    }

    /// What became of a test notification.
    package func test(
        _ token: String, of lane: AppScope
    ) async throws -> Result<SentNotification, TestNotificationRefusal> {
        guard let token = TestNotificationToken(token) else { return .failure(.malformed) }
        let earliest = shop.clock.now().addingTimeInterval(-NotificationHistoryRequest.reach)
        return try await shop.read { work in
            guard let found = try work.notifications.notification(uuid: token.uuid),
                found.lane == lane, found.details.type == .test,
                TestNotificationToken(found) == token, found.date >= earliest
            else { return .failure(.notAvailable) }
            let sent = try work.sentNotification(found)
            return sent.attempts.isEmpty ? .failure(.notAvailable) : .success(sent)
        }
    }

    // MARK: Forgetting

    /// Deletes what nobody can ask about any more, because the history does not reach so far back,
    /// and nobody sends; has sent what waits for a date that was set while the clock was ahead. A part of it in each transaction, so that others are let in between.
    ///
    /// - Parameter now: what the clock shows, where somebody has looked whether it can be believed.
    /// - Returns: how many notifications are gone.
    @discardableResult
    package func forget(at now: Date? = nil) async throws -> Int {
        let date = now ?? shop.clock.now()
        let end = date.addingTimeInterval(-NotificationHistoryRequest.reach - Self.tokenLife)
        var count = 0
        try await shop.write { try $0.notifications.bringForward(at: date) }
        while !Task.isCancelled {
            let gone = try await shop.write {
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
    /// An end in the future counts as now. A server that next asks from this end on misses nothing:
    /// each page waits, ten seconds at most, for transactions that are writing, and the last page
    /// waits five seconds more, because clocks differ.
    ///
    /// - Parameter token: of the page before; nil for the first.
    /// - Throws: `SQLError` with the code `busy` where a transaction has been running for too long.
    package func history(
        _ request: NotificationHistoryRequest, after token: String?, of lane: AppScope
    ) async throws -> Result<NotificationHistoryPage, NotificationHistoryRefusal> {
        do {
            return .success(try await page(request, after: token, of: lane))
        } catch let refusal as NotificationHistoryRefusal {
            return .failure(refusal)
        }
    }

    private func page(
        _ request: NotificationHistoryRequest, after token: String?, of lane: AppScope
    ) async throws -> NotificationHistoryPage {
        // By the database's clock: processes on other machines write, too.
        let now = shop.clock.now().addingTimeInterval(try await shop.database.clockLead())
        let latest = try await latest(of: lane, now)
        var query = try request.query(at: now, until: latest, isContinued: token != nil)
        let cursor = try token.map { try self.cursor(of: $0, request, lane, at: now) }
        // What is dated now belongs to it.
        let end = min(query.end ?? latest, latest.addingTimeInterval(0.001))
        let settled = now.addingTimeInterval(-NotificationHistoryRequest.settling)
        query.end = min(end, settled)
        if end > now.addingTimeInterval(-Self.longestWriting) { try await waitForWriters() }
        var found = try await look(for: query, request, lane, after: cursor)
        if found.next == nil, end > settled {
            let last = min(end, now.addingTimeInterval(0.001))
            try await sleep(.milliseconds(last.wholeMilliseconds - settled.wholeMilliseconds))
            try await waitForWriters()
            query.end = end
            found = try await look(for: query, request, lane, after: cursor)
        }
        guard let position = found.next else {
            return NotificationHistoryPage(notifications: found.notifications, token: nil)
        }
        let next = NotificationHistoryCursor(
            lane: lane, question: request.question, position: position,
            expiration: now.addingTimeInterval(Self.tokenLife))
        return NotificationHistoryPage(
            notifications: found.notifications, token: try seal.token(for: next))
    }

    /// The longest that a transaction lasts, in seconds.
    private static let longestWriting: TimeInterval = 3600
    /// How many times the service looks whether transactions are over, and the pause before each
    /// look: ten seconds altogether.
    private static let looks = 100
    private static let pause: Duration = .milliseconds(100)

    /// Waits for transactions that have written a notification and have not committed it.
    private func waitForWriters() async throws {
        let writers = try await shop.database.notificationWriters()
        if writers.isEmpty { return }
        for _ in 1...Self.looks {
            try await sleep(Self.pause)
            if try await shop.database.notificationWriters().isDisjoint(with: writers) { return }
        }
        throw SQLError(code: .busy, "others have been writing for too long")
    }

    /// The date of the newest notification that there may be: now, or what a sandbox clock shows that
    /// is ahead.
    private func latest(of lane: AppScope, _ now: Date) async throws -> Date {
        guard lane.environment == .sandbox else { return now }
        let date = try await shop.read { try $0.sandboxClocks.latest(forAppOf: lane.app) }
        return max(now, date ?? now)
    }

    /// - Returns: what there is, without what can't be read, and behind what the next page begins;
    ///   `nil` for the last page.
    private func look(
        for query: NotificationQuery, _ request: NotificationHistoryRequest,
        _ lane: AppScope, after cursor: NotificationHistoryCursor?
    ) async throws -> (notifications: [SentNotification], next: NotificationPosition?) {
        try await shop.read { work in
            var query = query
            query.account = try Self.account(of: request.transaction, lane, work)
            let list = try work.notifications.notifications(
                of: lane.app, in: lane.environment, query, after: cursor?.position,
                newestFirst: false, limit: Self.pageSize + 1)
            let page = list.prefix(Self.pageSize)
            return (
                try page.compactMap { notification -> SentNotification? in
                    do {
                        return try work.sentNotification(notification)
                    } catch {
                        guard SettingAside.reason(for: error) != nil else { throw error }
                        return nil
                    }
                }, list.count > Self.pageSize ? page.last?.position : nil
            )
        }
    }

    private func cursor(
        of token: String, _ request: NotificationHistoryRequest, _ lane: AppScope,
        at now: Date
    ) throws -> NotificationHistoryCursor {
        guard token.utf8.count <= 2048, let cursor = seal.cursor(of: token),
            cursor.app == lane.app.number, cursor.environment == lane.environment,
            cursor.question == request.question
        else { throw NotificationHistoryRefusal.invalidToken }
        guard cursor.expiration > now.wholeMilliseconds else {
            throw NotificationHistoryRefusal.tokenExpired
        }
        return cursor
    }

    private static func account(
        of transaction: String?, _ lane: AppScope, _ repositories: StoreRepositories
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
        Int64(clamping: (timeIntervalSince1970 * 1000 + 0.001).rounded(.down))
    }
}
