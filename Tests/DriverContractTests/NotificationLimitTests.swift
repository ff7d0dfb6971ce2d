import Foundation
@testable import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// How many notifications there may be, and for how long they are kept.
@Suite(.usesDrivers) struct NotificationLimitTests {
    @Test(arguments: StoreDriver.all)
    func `an app has so many tests in a minute, in each environment`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await SubscriberShop(driver)
        let service = fixture.service
        for _ in 0..<NotificationService.testLimit {
            _ = try #require(try await service.sendTest(to: fixture.lane()))
            fixture.clock.advance(by: 1)
        }
        let before = try await fixture.notifications().count
        let end = fixture.clock.now().addingTimeInterval(
            NotificationService.testSpan - TimeInterval(NotificationService.testLimit))
        await #expect(throws: TooManyRequests(end: end)) {
            try await service.sendTest(to: fixture.lane())
        }
        let refused = await #expect(throws: ConnectRefusal.self) {
            try await service.sendTest(to: fixture.lane(), by: .machine)
        }
        #expect(refused?.kind == .tooMany)
        #expect(try await fixture.notifications().count == before)
        #expect(try await service.sendTest(to: fixture.lane(.production)) != nil)
        fixture.clock.advance(
            by: NotificationService.testSpan - TimeInterval(NotificationService.testLimit))
        #expect(try await service.sendTest(to: fixture.lane()) != nil)
        await #expect(throws: TooManyRequests.self) {
            try await service.sendTest(to: fixture.lane())
        }
    }

    @Test(arguments: StoreDriver.all)
    func `what is over is forgotten once the history does not reach so far back`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await SubscriberShop(driver)
        let service = fixture.service
        try await fixture.database.write { repositories in
            for number in 0..<1100 {
                let made = try repositories.notifications.append(
                    NotificationDraft(
                        app: fixture.shop.app.id, environment: .sandbox, type: .test),
                    at: fixture.clock.now())
                // Two are still to be sent: one as ever, and one because somebody asked for it.
                guard number > 1 else {
                    if number == 1 {
                        try repositories.notifications.set(
                            DeliveryRules.replayed(made.status, at: fixture.clock.now()),
                            of: made.id)
                    }
                    continue
                }
                try repositories.notifications.append(
                    SendAttempt(
                        date: fixture.clock.now(), url: "https://example.com",
                        outcome: SendOutcome(.success, status: 200), duration: .zero,
                        isReplay: false), of: made.id)
                var status = made.status
                status.state = .delivered
                status.attempts = 1
                status.due = nil
                try repositories.notifications.set(status, of: made.id)
            }
        }
        func count() async throws -> Int {
            try await fixture.database.read {
                try $0.notifications.notifications(
                    of: fixture.shop.app.id, in: .sandbox, NotificationQuery(), after: nil,
                    newestFirst: true, limit: 2000
                ).count
            }
        }
        fixture.clock.advance(by: 181 * 86_400)
        #expect(try await service.forget() == 0)
        #expect(try await count() == 1100)
        fixture.clock.advance(by: 1)
        #expect(try await service.forget() == 1098)
        #expect(try await count() == 2)
        #expect(try await service.forget() == 0)
    }

    @Test(arguments: StoreDriver.all)
    func `what waits for a date of a clock that was ahead is sent after all`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await SubscriberShop(driver)
        let service = fixture.service
        let now = fixture.clock.now()
        let dates = [now.addingTimeInterval(72 * 3600), now.addingTimeInterval(400 * 86_400)]
        let ids = try await fixture.database.write { repositories in
            try dates.map { date in
                var made = try repositories.notifications.append(
                    NotificationDraft(
                        app: fixture.shop.app.id, environment: .sandbox, type: .test), at: now)
                var status = made.status
                status.due = date
                try repositories.notifications.set(status, of: made.id)
                made = try #require(try repositories.notifications.notification(made.id))
                return made.id
            }
        }
        #expect(try await service.forget() == 0)
        let due = try await fixture.database.read { repositories in
            try ids.map { try repositories.notifications.notification($0)?.status.due }
        }
        #expect(due == [dates[0], now])
    }
}
