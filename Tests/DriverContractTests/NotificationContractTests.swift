import Foundation
@testable import StoreCore
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

@Suite(.usesDrivers) struct NotificationContractTests {
    private static let date = SeededShop.date

    private func append(
        _ count: Int, to lane: AppScope, at date: Date = date,
        _ type: NotificationType = .test, in database: OpenedDatabase
    ) async throws -> [StoreNotification] {
        try await database.write { repositories in
            try (0..<count).map { number in
                try repositories.notifications.append(
                    NotificationDraft(app: lane.app, environment: lane.environment, type: type),
                    at: date.addingTimeInterval(TimeInterval(number)))
            }
        }
    }

    private func lane(
        _ app: App, _ environment: StoreEnvironment = .sandbox
    ) -> AppScope {
        AppScope(app: app.id, environment: environment)
    }

    @Test(arguments: StoreDriver.all)
    func `a notification has a UUID of its own, and waits`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let made = try await append(200, to: lane(shop.app), in: database)
        #expect(Set(made.map(\.uuid)).count == 200)
        for notification in made {
            let uuid = try #require(UUID(uuidString: notification.uuid))
            try #require(uuid.uuidString.lowercased() == notification.uuid)
            // Version 4, of the usual variant.
            #expect(Array(notification.uuid)[14] == "4")
            #expect("89ab".contains(Array(notification.uuid)[19]))
            #expect(notification.status == NotificationStatus(due: notification.date))
        }
        let found = try await database.read {
            try $0.notifications.notification(uuid: made[7].uuid)
        }
        #expect(found == made[7])
    }

    @Test(arguments: StoreDriver.all)
    func `everything that was so is kept with it`(driver: StoreDriver) async throws {
        let fixture = try await SubscriberShop(driver)
        let record = try await fixture.buy()
        let told = try await fixture.notifications()
        #expect(told.count == 1)
        let details = try #require(told.first?.details)
        #expect(details.transaction == record.id && details.account == fixture.shop.ada.id)
        #expect(details.facts.transaction == record.facts)
        #expect(details.facts.renewal?.renewalDate == record.facts.expiration)
    }

    @Test(arguments: StoreDriver.all)
    func `what is due is found by lane, the longest waiting first`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let lanes = [
            lane(shop.app, .production), lane(shop.app), lane(shop.otherApp, .production),
        ]
        for lane in lanes.reversed() { _ = try await append(5, to: lane, in: database) }
        let late = Self.date.addingTimeInterval(2)
        let (found, due, none, next) = try await database.read { repositories in
            let notifications = repositories.notifications
            return (
                try notifications.dueLanes(at: late),
                try notifications.due(in: lanes[1], at: late, limit: 2),
                try notifications.dueLanes(at: Self.date.addingTimeInterval(-1)),
                try notifications.nextDue()
            )
        }
        #expect(Set(found) == Set(lanes) && found.count == 3)
        #expect(due.map(\.date) == [Self.date, Self.date.addingTimeInterval(1)])
        #expect(due.allSatisfy { $0.lane == lanes[1] })
        #expect(none.isEmpty)
        #expect(next == Self.date)
    }

    @Test(arguments: StoreDriver.all)
    func `of several who take one gets it`(driver: StoreDriver) async throws {
        let installation = try driver.install()
        let databases = [try installation.open(), try installation.open()]
        let shop = try await SeededShop(in: databases[0])
        let made = try await append(1, to: lane(shop.app), in: databases[0])[0]
        let until = Self.date.addingTimeInterval(60)
        let taken = try await driver.atOnce(50) { number in
            try await databases[number % 2].write {
                try $0.notifications.take(made.id, due: made.status.due, until: until)
            }
        }
        #expect(taken.count { $0 } == 1)
        let next = try await databases[1].read { try $0.notifications.nextDue() }
        #expect(next == until)
    }

    @Test(arguments: StoreDriver.all)
    func `two senders of one attempt count once`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let clock = SettableClock(Self.date)
        let dispatch = NotificationDispatch(database: database, clock: clock)
        let made = try await append(1, to: lane(shop.app, .production), in: database)
        func take() async throws -> NotificationDispatch.Assignment {
            let taken = try await dispatch.take(limit: 1) { _ in 1 }
            return try #require(taken.first)
        }
        func status() async throws -> NotificationStatus? {
            try await database.read { try $0.notifications.notification(made[0].id)?.status }
        }
        let asleep = try await take()
        clock.advance(by: DeliveryRules.lease + 1)
        let other = try await take()
        let failure = SendOutcome(.timedOut, status: nil, detail: "")
        for assignment in [asleep, other, asleep] {
            try await dispatch.record(
                failure, of: assignment, start: clock.now(), duration: .seconds(1))
        }
        #expect(try await status()?.attempts == 1)
        #expect(try await status()?.due == clock.now().addingTimeInterval(3600))
        // What has arrived has arrived, whoever says it.
        try await dispatch.record(
            SendOutcome(.success, status: 200, detail: ""), of: asleep, start: clock.now(),
            duration: .seconds(1))
        #expect(try await status()?.state == .delivered)
    }

    @Test(arguments: StoreDriver.all)
    func `attempts are kept in their order`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let made = try await append(2, to: lane(shop.app), in: database)
        let attempts = SendResult.allCases.enumerated().map { number, result in
            SendAttempt(
                date: Self.date.addingTimeInterval(TimeInterval(number)),
                url: "https://example.com/\(number)",
                outcome: SendOutcome(
                    result, status: number.isMultiple(of: 2) ? 200 + number : nil,
                    detail: number.isMultiple(of: 3) ? "A sentence." : ""),
                duration: .milliseconds(number * 17), isReplay: number > 6)
        }
        try await database.write { repositories in
            for attempt in attempts {
                try repositories.notifications.append(attempt, of: made[0].id)
            }
        }
        let (kept, others) = try await database.read {
            (
                try $0.notifications.attempts(of: made[0].id),
                try $0.notifications.attempts(of: made[1].id)
            )
        }
        #expect(kept == attempts)
        #expect(others.isEmpty)
    }

    @Test(arguments: StoreDriver.all)
    func `a status comes back as it was set`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let made = try await append(1, to: lane(shop.app), in: database)[0]
        for status in [
            NotificationStatus(state: .delivered, attempts: 3, due: nil),
            NotificationStatus(
                attempts: 4, due: Self.date, isReplay: true,
                dueWithoutReplay: Self.date.addingTimeInterval(9)),
            NotificationStatus(state: .delivered, attempts: 4, due: Self.date, isReplay: true),
            NotificationStatus(state: .failed, attempts: 6, due: nil),
        ] {
            try await database.write { try $0.notifications.set(status, of: made.id) }
            let found = try await database.read { try $0.notifications.notification(made.id) }
            #expect(found?.status == status)
        }
        // What has arrived is not sent again by itself.
        await #expect(throws: (any Error).self) {
            try await database.write {
                try $0.notifications.set(
                    NotificationStatus(state: .delivered, attempts: 1, due: Self.date), of: made.id)
            }
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a list is read in pages from both ends, by what is asked for`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let lane = lane(shop.app)
        var made: [StoreNotification] = []
        for type in [NotificationType.test, .refund, .didRenew] {
            // Several have one date.
            made += try await append(7, to: lane, type, in: database)
        }
        _ = try await append(3, to: self.lane(shop.app, .production), in: database)
        _ = try await append(3, to: self.lane(shop.otherApp), in: database)
        let sorted = made.sorted { ($0.date, $0.id) < ($1.date, $1.id) }
        for newestFirst in [true, false] {
            let wanted = newestFirst ? sorted.reversed() : sorted
            for size in [1, 4, 20, 21, 22] {
                let all = try await pages(
                    of: lane, NotificationQuery(), newestFirst, size, database)
                #expect(all == wanted)
            }
            var query = NotificationQuery()
            query.type = .refund
            query.start = Self.date.addingTimeInterval(2)
            query.end = Self.date.addingTimeInterval(5)
            let some = try await pages(of: lane, query, newestFirst, 2, database)
            #expect(
                some
                    == wanted.filter { notification in
                        notification.details.type == .refund && notification.date >= query.start!
                            && notification.date < query.end!
                    })
            #expect(some.count == 3)
        }
    }

    private func pages(
        of lane: AppScope, _ query: NotificationQuery, _ newestFirst: Bool, _ size: Int,
        _ database: OpenedDatabase
    ) async throws -> [StoreNotification] {
        var all: [StoreNotification] = []
        while true {
            let last = all.last?.position
            let page = try await database.read {
                try $0.notifications.notifications(
                    of: lane.app, in: lane.environment, query, after: last,
                    newestFirst: newestFirst, limit: size)
            }
            all += page
            if page.count < size { return all }
        }
    }

    @Test(arguments: StoreDriver.all)
    func `failures are what was sent and has not arrived`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let made = try await append(5, to: lane(shop.app), in: database)
        let statuses = [
            NotificationStatus(due: Self.date),
            NotificationStatus(attempts: 1, due: Self.date),
            NotificationStatus(state: .failed, attempts: 6, due: nil),
            NotificationStatus(state: .delivered, attempts: 1, due: nil),
            NotificationStatus(state: .delivered, attempts: 2, due: nil),
        ]
        try await database.write { repositories in
            for (notification, status) in zip(made, statuses) {
                try repositories.notifications.set(status, of: notification.id)
            }
        }
        var query = NotificationQuery()
        query.onlyFailures = true
        let found = try await pages(of: lane(shop.app), query, false, 10, database)
        #expect(found.map(\.id) == [made[1].id, made[2].id])
    }

    @Test(arguments: StoreDriver.all)
    func `a signal is sent once what is to be sent is on disk`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let rings = Mutex(0)
        database.whenNotified { rings.withLock { $0 += 1 } }
        let made = try await append(3, to: lane(shop.app), in: database)
        #expect(rings.withLock { $0 } == 1)
        try await database.write {
            try $0.notifications.set(
                NotificationStatus(state: .delivered, attempts: 1, due: nil), of: made[0].id)
        }
        _ = try? await database.write { repositories in
            _ = try repositories.notifications.append(
                NotificationDraft(app: shop.app.id, environment: .sandbox, type: .test),
                at: Self.date)
            throw Deliberate()
        }
        #expect(rings.withLock { $0 } == 1)
        try await database.write {
            try $0.notifications.set(
                DeliveryRules.replayed(
                    NotificationStatus(state: .delivered, attempts: 1, due: nil), at: Self.date),
                of: made[0].id)
        }
        #expect(rings.withLock { $0 } == 2)
    }

    @Test(.enabled(if: SQLiteShell.isInstalled, "needs sqlite3"))
    func `the schema keeps notifications and attempts as they were`() async throws {
        let database = try StoreDriver.sqlite.install().open()
        let shop = try await SeededShop(in: database)
        let made = try await append(1, to: lane(shop.app), in: database)[0]
        try await database.write {
            try $0.notifications.append(
                SendAttempt(
                    date: Self.date, url: "https://example.com/", outcome: SendOutcome(.success),
                    duration: .zero, isReplay: false), of: made.id)
        }
        let folder = try #require(database.place as? TemporaryFolder)
        for sql in [
            "DELETE FROM notification", "UPDATE notification SET type = 'REFUND'",
            "UPDATE notification SET uuid = 'x'", "UPDATE notification SET facts = '{}'",
            "DELETE FROM notification_attempt", "UPDATE notification_attempt SET status = 200",
        ] {
            let (status, output) = try await SQLiteShell.run(
                sql, on: folder.file("store/store.sqlite"))
            #expect(status != 0 && output.contains("never"), "\(sql): \(output)")
        }
    }
}
