@testable import StoreAPI
import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreServer
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

@Suite struct NotificationRouteTests {
    typealias Query = [(name: String, value: String)]

    /// A publisher's server that ends each request as it is told.
    final class Publisher: PublisherConnection {
        private let outcome = Mutex(SendOutcome(.success, status: 200))

        func answer(_ outcome: SendOutcome) {
            self.outcome.withLock { $0 = outcome }
        }

        func post(_ body: Data, to url: String) async -> SendOutcome? {
            outcome.withLock { $0 }
        }

        func ask(
            _ body: Data, of url: String, within timeout: Duration
        ) async -> SendAnswer? {
            SendAnswer(outcome.withLock { $0 })
        }
    }

    /// A shop whose publisher has a server.
    struct Fixture {
        let shop: ServerShop
        let publisher = Publisher()
        let delivery: NotificationDelivery

        init(
            altitude: Altitude = .router, role: ConnectRole = .appManager, hasURL: Bool = true
        ) async throws {
            shop = try await ServerShop(altitude: altitude, role: role)
            delivery = NotificationDelivery(store: shop.shop.store, connection: publisher)
            guard hasURL else { return }
            var change = AppChange()
            change.sandboxStatusURL = .some("https://example.com/sandbox")
            _ = try await shop.shop.store.services.apps.update(
                try await shop.app().id, change, by: .machine)
        }

        func payload(_ jws: String) throws -> NotificationPayload {
            let data = try shop.shop.store.services.verifier.verify(jws) {
                Date(
                    milliseconds: try WireCoding.decode(NotificationPayload.self, from: $0)
                        .signedDate)
            }
            return try WireCoding.decode(NotificationPayload.self, from: data)
        }

        /// All of yesterday and today, as far as nothing older comes any more.
        func span(_ more: [String: JSONValue?] = [:]) -> JSONValue {
            let now = shop.clock.now().milliseconds
            var members: [String: JSONValue] = [
                "startDate": .integer(now - 86_400_000), "endDate": .integer(now - 5000),
            ]
            for (name, value) in more { members[name] = value }
            return .object(members)
        }
    }

    @Test(arguments: Altitude.allCases)
    func `a test is sent, and tells what became of it`(altitude: Altitude) async throws {
        let fixture = try await Fixture(altitude: altitude)
        let made: SendTestNotificationResponse = try await fixture.shop.server.call(
            "POST", "/v1/notifications/test")
        let path = "/v1/notifications/test/\(made.testNotificationToken)"
        // Nothing was tried yet.
        #expect(try await fixture.shop.server.refusal("GET", path) == 4_040_008)
        fixture.publisher.answer(SendOutcome(.timedOut))
        await fixture.delivery.sendDue()
        let sent: SentNotificationResponse = try await fixture.shop.server.get(path)
        #expect(
            sent.sendAttempts == [
                SentNotificationResponse.Attempt(
                    attemptDate: fixture.shop.clock.now().milliseconds,
                    sendAttemptResult: "TIMED_OUT")
            ])
        let payload = try fixture.payload(sent.signedPayload)
        #expect(payload.notificationType == "TEST")
        #expect(payload.data?.bundleId == SampleShop.bundleID.text)
        var server = fixture.shop.server
        server.environment = .production
        #expect(try await server.refusal("GET", path) == 4_040_008)
    }

    @Test func `a test needs an address, and a token of it`() async throws {
        let fixture = try await Fixture(hasURL: false)
        let server = fixture.shop.server
        #expect(try await server.refusal("POST", "/v1/notifications/test") == 4_040_007)
        for token in ["nothing", "a_b", "00000000-0000-4000-8000-000000000000", "_1"] {
            #expect(
                try await server.refusal("GET", "/v1/notifications/test/\(token)") == 4_000_020)
        }
        #expect(
            try await server.refusal(
                "GET",
                "/v1/notifications/test/00000000-0000-4000-8000-000000000000_1800000000000")
                == 4_040_008)
    }

    @Test func `sending is for those who make the app, looking also for those who help customers`()
        async throws
    {
        let fixture = try await Fixture(role: .customerSupport)
        #expect(
            try await fixture.shop.server.send("POST", "/v1/notifications/test").status == 401)
        #expect(
            try await fixture.shop.server.refusal(
                "POST", "/v1/notifications/history", fixture.span()) == 200)
    }

    @Test(arguments: Altitude.allCases)
    func `a history comes in pages, each notification with what was tried`(
        altitude: Altitude
    ) async throws {
        let fixture = try await Fixture(altitude: altitude)
        let ids = try await fixture.shop.buy(45)
        await fixture.delivery.sendDue()
        fixture.shop.clock.advance(by: 10)
        let server = fixture.shop.server
        var query: Query = []
        var pages: [NotificationHistoryResponse] = []
        // Ends also where the store says for ever that there is more.
        repeat {
            pages.append(
                try await server.call(
                    "POST", "/v1/notifications/history", fixture.span(), query: query))
            query = [("paginationToken", pages.last?.paginationToken ?? "")]
        } while pages.last?.hasMore == true && pages.count < 10
        #expect(pages.map(\.notificationHistory.count) == [20, 20, 5])
        #expect(pages.last?.paginationToken == nil)
        let items = pages.flatMap(\.notificationHistory)
        #expect(items.allSatisfy { $0.sendAttempts.map(\.sendAttemptResult) == ["SUCCESS"] })
        #expect(
            try items.map { item in
                let data = try #require(try fixture.payload(item.signedPayload).data)
                return try server.transaction(try #require(data.signedTransactionInfo))
                    .transactionId
            } == ids)
        let stolen = ("paginationToken", pages[0].paginationToken ?? "")
        #expect(
            try await server.refusal(
                "POST", "/v1/notifications/history", fixture.span(["onlyFailures": true]),
                query: [stolen]) == 4_000_014)
        #expect(
            try await server.refusal(
                "POST", "/v1/notifications/history", fixture.span(), query: [stolen]) == 200)
        fixture.shop.clock.advance(by: 25 * 3600)
        // The same request, whose token has lain for too long.
        let now = fixture.shop.clock.now().milliseconds
        let same: [String: JSONValue?] = [
            "startDate": .integer(now - 49 * 3_600_000),
            "endDate": .integer(now - 25 * 3_600_000 - 5000),
        ]
        #expect(
            try await server.refusal(
                "POST", "/v1/notifications/history", fixture.span(same), query: [stolen])
                == 4_000_017)
    }

    @Test func `filters leave what they are for`() async throws {
        let fixture = try await Fixture()
        let client = try await fixture.shop.customer()
        let other = try await fixture.shop.customer(TestStore.japanese)
        _ = try await client.buy(APIClient.credits(1))
        let monthly = try await client.buy(ServerShop.monthly(2))
        _ = try await other.buy(
            APIClient.order(
                SampleShop.badge, 3, price: Money(thousandths: 120_000, currency: "JPY")))
        await fixture.delivery.sendDue()
        fixture.publisher.answer(SendOutcome(.unsuccessfulStatus, status: 500))
        _ = try await client.buy(APIClient.badge(4))
        await fixture.delivery.sendDue()
        fixture.shop.clock.advance(by: 10)
        func types(_ more: [String: JSONValue?]) async throws -> [String] {
            let page: NotificationHistoryResponse = try await fixture.shop.server.call(
                "POST", "/v1/notifications/history", fixture.span(more))
            return try page.notificationHistory.map {
                try fixture.payload($0.signedPayload).notificationType
            }
        }
        let charge = "ONE_TIME_CHARGE"
        #expect(try await types([:]) == [charge, "SUBSCRIBED", charge, charge])
        #expect(
            try await types([
                "notificationType": "SUBSCRIBED", "notificationSubtype": "INITIAL_BUY",
            ]) == ["SUBSCRIBED"])
        #expect(try await types(["notificationType": "REFUND"]) == [])
        #expect(
            try await types(["transactionId": .string(monthly.transactionId.description)])
                == [charge, "SUBSCRIBED", charge])
        #expect(try await types(["onlyFailures": true]) == [charge])
        try await fixture.shop.enroll()
        try await fixture.shop.shop.store.services.testers.clearHistory(
            of: [try await fixture.shop.account().id], by: .machine)
        #expect(
            try await fixture.shop.server.refusal(
                "POST", "/v1/notifications/history",
                fixture.span(["transactionId": .string(monthly.transactionId.description)]))
                == 4_040_010)
    }

    @Test func `each wrong value has an error of its own`() async throws {
        let fixture = try await Fixture()
        let bought = try await fixture.shop.customer().buy(APIClient.credits(1))
        let foreign = try await fixture.shop.otherTeamsSale()
        let now = fixture.shop.clock.now().milliseconds
        let day: Int64 = 86_400_000
        let wrong: [([String: JSONValue?], Int)] = [
            (["startDate": .some(nil)], 4_000_015), (["startDate": "today"], 4_000_015),
            (["startDate": .integer(now + day), "endDate": .integer(now + 2 * day)], 4_000_015),
            (["endDate": .some(nil)], 4_000_016), (["endDate": -1], 4_000_016),
            (["startDate": .integer(now - 181 * day)], 4_000_012),
            (["startDate": .integer(now), "endDate": .integer(now)], 4_000_013),
            (["notificationType": "NOTHING"], 4_000_018), (["notificationType": 5], 4_000_018),
            (["notificationSubtype": "INITIAL_BUY"], 4_000_018),
            (
                ["notificationType": "REFUND", "notificationSubtype": "INITIAL_BUY"], 4_000_018
            ),
            (["transactionId": "5", "notificationType": "REFUND"], 4_000_019),
            (["transactionId": "abc"], 4_000_006), (["transactionId": 5], 4_000_006),
            (["transactionId": .string(foreign.description)], 4_040_010),
            (["transactionId": .text(bought.appTransactionId)], 4_000_048),
            (["onlyFailures": "yes"], 4_000_000),
        ]
        for (more, code) in wrong {
            #expect(
                try await fixture.shop.server.refusal(
                    "POST", "/v1/notifications/history", fixture.span(more)) == code, "\(more)")
        }
        #expect(
            try await fixture.shop.server.refusal("POST", "/v1/notifications/history", [])
                == 4_000_000)
        #expect(
            try await fixture.shop.server.refusal(
                "POST", "/v1/notifications/history", fixture.span(),
                query: [("paginationToken", "nonsense")]) == 4_000_014)
    }
}

extension NotificationRouteTests {
    @Test func `who has too many tests sent waits, and is told until when`() async throws {
        let fixture = try await Fixture()
        let server = fixture.shop.server
        for _ in 0..<NotificationService.testLimit {
            #expect(try await server.refusal("POST", "/v1/notifications/test") == 200)
        }
        let refused = try await server.send("POST", "/v1/notifications/test")
        #expect(try refused.serverError().code == .rateLimitExceeded)
        let end = fixture.shop.clock.now().addingTimeInterval(NotificationService.testSpan)
        #expect(refused.headers["Retry-After"] == String(end.milliseconds))
        fixture.shop.clock.advance(by: NotificationService.testSpan)
        #expect(try await server.refusal("POST", "/v1/notifications/test") == 200)
    }
}

extension ServerShop {
    /// Has the American tester buy credits so often.
    func buy(_ count: Int) async throws -> [TransactionID] {
        let client = try await customer()
        var ids: [TransactionID] = []
        for number in 1...count {
            ids.append(try await client.buy(APIClient.credits(number)).transactionId)
        }
        return ids
    }
}
