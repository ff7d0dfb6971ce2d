import Foundation
@testable import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
@testable import StoreServer
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

@Suite struct PerformanceTestTests {
    /// A publisher's server that answers each question as it is told.
    final class Publisher: PublisherConnection {
        typealias Answering = @Sendable (Int) -> SendAnswer

        private let answering: Answering
        let bodies = Mutex<[Data]>([])

        init(_ answering: @escaping Answering) {
            self.answering = answering
        }

        func post(_ body: Data, to url: String) async -> SendOutcome? {
            await ask(body, of: url, within: .seconds(1))?.outcome
        }

        func ask(
            _ body: Data, of url: String, within timeout: Duration
        ) async -> SendAnswer? {
            let number = bodies.withLock { bodies in
                bodies.append(body)
                return bodies.count
            }
            return answering(number)
        }
    }

    static let url = "https://example.com/realtime"
    static let right = SendAnswer(
        SendOutcome(.success, status: 200),
        body: Data(#"{"message":{"messageIdentifier":"\#(RetentionImageTests.id(1))"}}"#.utf8))
    static let plan = PerformanceTest.Plan(
        concurrentRequests: 3, requests: 20, duration: 20, threshold: 10_000, successRate: 95)

    private func shop(altitude: Altitude = .router) async throws -> ServerShop {
        try await ServerShop(altitude: altitude) { $0.realtime.plan = Self.plan }
    }

    private func test(_ shop: ServerShop, _ publisher: Publisher) async throws {
        try await PerformanceTesting(
            services: shop.shop.store.services, connection: publisher, sleep: { _ in }
        ).runWaiting()
    }

    private func setURL(_ shop: ServerShop) async throws {
        #expect(
            try await shop.server.refusal(
                "PUT", "/v1/messaging/realtime/url", ["realtimeURL": .string(Self.url)]) == 200)
    }

    private func begin(_ shop: ServerShop, _ id: TransactionID) async throws -> String {
        let begun: PerformanceTestResponse = try await shop.server.call(
            "POST", "/v1/messaging/performanceTest",
            ["originalTransactionId": .string(id.description)])
        #expect(begun.config == PerformanceTestConfig(Self.plan))
        return begun.requestId
    }

    private func result(
        _ shop: ServerShop, _ id: String
    ) async throws -> PerformanceTestResultResponse {
        try await shop.server.get("/v1/messaging/performanceTest/result/\(id)")
    }

    @Test func `who was asleep for longer than a test takes records nothing of it`() async throws {
        let shop = try await shop()
        let bought = try await shop.customer().buy(ServerShop.monthly(1))
        try await setURL(shop)
        let id = try await begin(shop, bought.transactionId)
        let realtime = shop.shop.store.services.realtime
        let asleep = try #require(try await realtime.take())
        shop.clock.advance(by: 61)
        let other = try #require(try await realtime.take())
        var test = asleep.test
        test.answered = 5
        #expect(try await !realtime.record(test, of: asleep))
        let samples = (0..<20).map { _ in
            PerformanceTest.Sample(result: .success, milliseconds: 10)
        }
        test.answered = samples.count
        test.result = Self.plan.result(of: samples)
        #expect(try await realtime.record(test, of: other))
        #expect(try await result(shop, id).result == "PASS")
        test.result = nil
        #expect(try await !realtime.record(test, of: other))
        #expect(try await result(shop, id).result == "PASS")
    }

    @Test func `a test asks the publisher's server what customers would ask, and counts`()
        async throws
    {
        let shop = try await shop()
        let bought = try await shop.customer().buy(ServerShop.monthly(1))
        try await setURL(shop)
        let id = try await begin(shop, bought.transactionId)
        let waiting = try await result(shop, id)
        #expect(waiting.result == "PENDING" && waiting.numPending == 20)
        #expect(waiting.successRate == nil && waiting.target == Self.url)
        let publisher = Publisher { _ in Self.right }
        try await test(shop, publisher)
        let passed = try await result(shop, id)
        #expect(passed.result == "PASS" && passed.numPending == 0 && passed.successRate == 100)
        #expect(passed.failures == [:])
        let bodies = publisher.bodies.withLock { $0 }
        #expect(bodies.count == 20)
        let questions = try bodies.map { body in
            let text = try WireCoding.decode(RealtimeRequestBody.self, from: body).signedPayload
            let data = try shop.shop.store.services.verifier.verify(text) {
                Date(
                    milliseconds: try WireCoding.decode(RealtimePayload.self, from: $0).signedDate)
            }
            return try WireCoding.decode(RealtimePayload.self, from: data)
        }
        #expect(Set(questions.map(\.requestIdentifier)).count == 20)
        let question = try #require(questions.first)
        #expect(question.originalTransactionId == bought.transactionId.description)
        #expect(question.productId == SampleShop.monthly && question.environment == "Sandbox")
        #expect(question.userLocale == "en-US")
        let app = try await shop.app()
        #expect(question.appAppleId == app.id.number)
        // Nothing waits any more.
        try await test(shop, publisher)
        #expect(publisher.bodies.withLock { $0 }.count == 20)
    }

    @Test func `what is wrong with answers is counted by its kind`() async throws {
        let shop = try await shop()
        let bought = try await shop.customer().buy(ServerShop.monthly(1))
        try await setURL(shop)
        let id = try await begin(shop, bought.transactionId)
        try await test(
            shop,
            Publisher { number in
                switch number {
                case 1: SendAnswer(SendOutcome(.unsuccessfulStatus, status: 500))
                case 2, 3: SendAnswer(SendOutcome(.timedOut))
                case 4: SendAnswer(SendOutcome(.success, status: 200), body: Data("[]".utf8))
                case 5: SendAnswer(SendOutcome(.success, status: 200), body: Data("{}".utf8))
                default: Self.right
                }
            })
        let failed = try await result(shop, id)
        #expect(failed.result == "FAIL" && failed.successRate == 80)
        #expect(
            failed.failures == [
                "UNSUCCESSFUL_HTTP_RESPONSE_CODE": 1, "TIMED_OUT": 2, "INVALID_RESPONSE": 1,
            ])
        let again = try await begin(shop, bought.transactionId)
        #expect(again != id)
    }

    @Test(arguments: Altitude.allCases)
    func `an address is set, told and deleted, in production after a test that was passed`(
        altitude: Altitude
    ) async throws {
        let shop = try await shop(altitude: altitude)
        var server = shop.server
        let path = "/v1/messaging/realtime/url"
        #expect(try await server.refusal("GET", path) == 4_040_021)
        #expect(try await server.refusal("DELETE", path) == 4_040_021)
        let set = try await server.send(
            "PUT", path, ServerClient.data(["realtimeURL": .string(Self.url)]))
        #expect(set.status == 200 && set.data.isEmpty)
        let told: RealtimeUrlResponse = try await server.get(path)
        #expect(told.realtimeURL == Self.url)
        for wrong: JSONValue in [
            "", "nonsense", "http://example.com/", "https://127.0.0.1/", "https://localhost/",
            "https://example.com:22/", "https://[::1]/", nil, 5,
            .string("https://example.com/" + String(repeating: "a", count: 2000)),
        ] {
            #expect(
                try await server.refusal("PUT", path, ["realtimeURL": wrong]) == 4_000_215,
                "\(wrong)")
        }
        let body: JSONValue = ["realtimeURL": .string(Self.url)]
        server.environment = .production
        #expect(try await server.refusal("PUT", path, body) == 4_030_026)
        #expect(try await server.refusal("GET", path) == 4_040_021)
        guard altitude == .router else { return }
        let bought = try await shop.customer().buy(ServerShop.monthly(1))
        _ = try await begin(shop, bought.transactionId)
        try await test(shop, Publisher { _ in SendAnswer(SendOutcome(.socketIssue)) })
        #expect(try await server.refusal("PUT", path, body) == 4_030_026)
        _ = try await begin(shop, bought.transactionId)
        try await test(shop, Publisher { _ in Self.right })
        #expect(try await server.refusal("PUT", path, body) == 200)
        #expect(try await server.refusal("DELETE", path) == 200)
        #expect(try await server.refusal("GET", path) == 4_040_021)
    }

    @Test func `what can't be tested says why`() async throws {
        let shop = try await shop()
        let client = try await shop.customer()
        let bought = try await client.buy(ServerShop.monthly(1))
        let badge = try await client.buy(APIClient.badge(2))
        let foreign = try await shop.otherTeamsSale()
        var server = shop.server
        func refusal(_ id: JSONValue?) async throws -> Int {
            try await server.refusal(
                "POST", "/v1/messaging/performanceTest",
                id.map { ["originalTransactionId": $0] } ?? .object([:]))
        }
        let right = JSONValue.string(bought.transactionId.description)
        #expect(try await refusal(right) == 4_040_021)
        try await setURL(shop)
        #expect(try await refusal(nil) == 4_000_211)
        #expect(try await refusal(5) == 4_000_211)
        #expect(try await refusal("abc") == 4_000_008)
        #expect(try await refusal(.text(bought.appTransactionId)) == 4_000_048)
        #expect(try await refusal(.string(badge.transactionId.description)) == 4_000_211)
        #expect(try await refusal(.string(foreign.description)) == 4_040_005)
        #expect(try await refusal("5") == 4_040_005)
        try await shop.pass(300)
        let renewed = try #require(try await shop.shop.ledger().last)
        #expect(try await refusal(.string(renewed.id.description)) == 4_000_187)
        let id = try await begin(shop, bought.transactionId)
        #expect(try await refusal(right) == 4_000_213)
        let path = "/v1/messaging/performanceTest/result/"
        #expect(try await server.refusal("GET", path + "nonsense") == 4_000_212)
        #expect(try await server.refusal("GET", path + RetentionImageTests.id(1)) == 4_040_018)
        #expect(try await server.refusal("GET", path + id.uppercased()) == 200)
        server.environment = .production
        #expect(try await server.refusal("GET", path + id) == 4_040_018)
        #expect(try await refusal(right) == 4_000_211)
        server.environment = .sandbox
        try await test(shop, Publisher { _ in Self.right })
        _ = try await shop.shop.store.services.purchases.revoke(renewed.id, reason: .other)
        #expect(try await refusal(right) == 4_000_211)
    }

    @Test func `a test whose store has died is done by the next one, from its beginning`()
        async throws
    {
        let shop = try await shop()
        let bought = try await shop.customer().buy(ServerShop.monthly(1))
        try await setURL(shop)
        let id = try await begin(shop, bought.transactionId)
        let taken = try await shop.shop.store.services.realtime.take()
        #expect(taken?.test.id == id)
        let publisher = Publisher { _ in Self.right }
        // Somebody is at it, as far as anybody knows.
        try await test(shop, publisher)
        #expect(try await result(shop, id).result == "PENDING")
        shop.clock.advance(by: 61)
        try await test(shop, publisher)
        #expect(try await result(shop, id).result == "PASS")
    }

    @Test func `a test that was taken by a clock that was ahead is done now`() async throws {
        let shop = try await shop()
        let bought = try await shop.customer().buy(ServerShop.monthly(1))
        try await setURL(shop)
        let id = try await begin(shop, bought.transactionId)
        shop.clock.advance(by: 2 * 86_400)
        #expect(try await shop.shop.store.services.realtime.take()?.test.id == id)
        shop.clock.advance(by: -2 * 86_400)
        try await test(shop, Publisher { _ in Self.right })
        #expect(try await result(shop, id).result == "PASS")
    }

    @Test(arguments: [
        ("{}", true), (#"{"message":null}"#, true), (#"{"other":5}"#, true),
        (#"{"message":{"messageIdentifier":"00000000-0000-4000-8000-000000000000"}}"#, true),
        (#"{"message":{"messageIdentifier":"abc"}}"#, false), (#"{"message":{}}"#, false),
        (#"{"message":"abc"}"#, false),
        (#"{"advancedCommerceInfo":{}}"#, true),
        (
            #"{"promotionalOffer":{"messageIdentifier":"00000000-0000-4000-8000-000000000000"},"#
                + #""alternateProduct":{"messageIdentifier":"#
                + #""00000000-0000-4000-8000-000000000000"}}"#,
            false
        ),
        ("", false), ("[]", false), ("null", false), ("{", false),
    ])
    func `a publisher's choice is one of four things, or nothing`(body: String, isValid: Bool) {
        #expect(RealtimeAnswer.isValid(Data(body.utf8)) == isValid)
    }
}
