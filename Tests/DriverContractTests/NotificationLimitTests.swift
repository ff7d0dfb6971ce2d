import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// How many notifications there may be, and for how long they are kept.
@Suite(.usesDrivers) struct NotificationLimitTests {
    @Test(arguments: StoreDriver.all)
    func `an app has so many tests in a minute, in each environment`(
        driver: StoreDriver
    ) async throws {
        let scene = try await SubscriberShop(driver)
        let service = scene.service
        for _ in 0..<NotificationService.testLimit {
            _ = try #require(try await service.sendTest(to: scene.lane()))
            scene.clock.advance(by: 1)
        }
        let before = try await scene.notifications().count
        let end = scene.clock.now().addingTimeInterval(
            NotificationService.testSpan - TimeInterval(NotificationService.testLimit))
        await #expect(throws: TooManyRequests(end: end)) {
            try await service.sendTest(to: scene.lane())
        }
        let refused = await #expect(throws: ConnectRefusal.self) {
            try await service.sendTest(to: scene.lane(), by: .machine)
        }
        #expect(refused?.kind == .tooMany)
        #expect(try await scene.notifications().count == before)
        #expect(try await service.sendTest(to: scene.lane(.production)) != nil)
        scene.clock.advance(
            by: NotificationService.testSpan - TimeInterval(NotificationService.testLimit))
        #expect(try await service.sendTest(to: scene.lane()) != nil)
        await #expect(throws: TooManyRequests.self) {
            try await service.sendTest(to: scene.lane())
        }
    }

    @Test(arguments: StoreDriver.all)
    func `what is over is forgotten once the history does not reach so far back`(
        driver: StoreDriver
    ) async throws {
        let scene = try await SubscriberShop(driver)
        let service = scene.service
        try await scene.database.write { repositories in
            for number in 0..<1100 {
                let made = try repositories.notifications.append(
                    NotificationDraft(
                        app: scene.shop.app.id, environment: .sandbox, type: .test),
                    at: scene.clock.now())
                // Two are still to be sent: one as ever, and one because somebody asked for it.
                guard number > 1 else {
                    if number == 1 {
                        try repositories.notifications.set(
                            DeliveryRules.replayed(made.standing, at: scene.clock.now()),
                            of: made.id)
                    }
                    continue
                }
                try repositories.notifications.append(
                    SendAttempt(
                        date: scene.clock.now(), url: "https://example.com",
                        outcome: SendOutcome(.success, status: 200), duration: .zero,
                        isReplay: false), of: made.id)
                var standing = made.standing
                standing.state = .delivered
                standing.attempts = 1
                standing.due = nil
                try repositories.notifications.set(standing, of: made.id)
            }
        }
        func count() async throws -> Int {
            try await scene.database.read {
                try $0.notifications.notifications(
                    of: scene.shop.app.id, in: .sandbox, NotificationQuery(), after: nil,
                    newestFirst: true, limit: 2000
                ).count
            }
        }
        scene.clock.advance(by: 181 * 86_400)
        #expect(try await service.forget() == 0)
        #expect(try await count() == 1100)
        scene.clock.advance(by: 1)
        #expect(try await service.forget() == 1098)
        #expect(try await count() == 2)
        #expect(try await service.forget() == 0)
    }
}
