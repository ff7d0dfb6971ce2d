@testable import StoreAPI
import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

@Suite struct ExtensionRouteTests {
    static func body(
        days: JSONValue? = 10, reason: JSONValue? = 1, request: JSONValue? = "request-1",
        _ more: [String: JSONValue] = [:]
    ) -> JSONValue {
        var members = more
        members["extendByDays"] = days
        members["extendReasonCode"] = reason
        members["requestIdentifier"] = request
        return .object(members)
    }

    @Test(arguments: Altitude.allCases)
    func `a subscription is made longer, once for each request`(altitude: Altitude) async throws {
        let shop = try await ServerShop(altitude: altitude)
        let bought = try await shop.customer().buy(ServerShop.monthly(1))
        let path = "/v1/subscriptions/extend/\(bought.transactionId)"
        let end = try #require(bought.expiresDate) + 10 * 86_400_000
        for _ in 1...2 {
            let answer: ExtendRenewalDateResponse = try await shop.server.call(
                "PUT", path, Self.body())
            #expect(answer.success)
            #expect(answer.originalTransactionId == bought.transactionId.description)
            #expect(answer.webOrderLineItemId == bought.webOrderLineItemId)
            #expect(answer.effectiveDate == end)
        }
        let info: TransactionInfoResponse = try await shop.server.get(
            "/v1/transactions/\(bought.transactionId)")
        #expect(try shop.server.transaction(info.signedTransactionInfo).expiresDate == end)
        // The identifier of one request is no other's.
        for body in [Self.body(days: 11), Self.body(reason: 2)] {
            #expect(try await shop.server.refusal("PUT", path, body) == 4_000_011)
        }
        #expect(
            try await shop.server.refusal("PUT", path, Self.body(request: "request-2")) == 200)
        #expect(
            try await shop.server.refusal("PUT", path, Self.body(request: "request-3"))
                == 4_030_005)
    }

    static let wrong: [(body: JSONValue, code: Int)] = [
        (body(days: 0), 4_000_009), (body(days: 91), 4_000_009), (body(days: nil), 4_000_009),
        (body(days: "10"), 4_000_009), (body(days: .number(1.5)), 4_000_009),
        (body(reason: 4), 4_000_010), (body(reason: -1), 4_000_010),
        (body(reason: nil), 4_000_010), (body(reason: "1"), 4_000_010),
        (body(request: ""), 4_000_011), (body(request: nil), 4_000_011),
        (body(request: .string(String(repeating: "a", count: 129))), 4_000_011),
        (body(request: "a/b"), 4_000_011), (body(request: "a\nb"), 4_000_011),
        (body(request: 5), 4_000_011), ([], 4_000_000), ("text", 4_000_000),
    ]

    @Test func `each wrong value has an error of its own, and changes nothing`() async throws {
        let shop = try await ServerShop()
        let bought = try await shop.customer().buy(ServerShop.monthly(1))
        let path = "/v1/subscriptions/extend/\(bought.transactionId)"
        for (body, code) in Self.wrong {
            #expect(try await shop.server.refusal("PUT", path, body) == code, "\(body)")
        }
        #expect(try await shop.server.refusal("PUT", path) == 4_000_000)
        let info: TransactionInfoResponse = try await shop.server.get(
            "/v1/transactions/\(bought.transactionId)")
        #expect(
            try shop.server.transaction(info.signedTransactionInfo).expiresDate
                == bought.expiresDate)
    }

    @Test func `a server may ask again once the clock is believed`() async throws {
        let shop = try await ServerShop()
        let bought = try await shop.customer().buy(ServerShop.monthly(1))
        let one = "/v1/subscriptions/extend/\(bought.transactionId)"
        let product: [String: JSONValue] = ["productId": .string(SampleShop.monthly)]
        let days: TimeInterval = 2 * 86_400
        shop.clock.advance(by: days)
        #expect(try await shop.server.refusal("PUT", one, Self.body()) == 5_000_001)
        #expect(
            try await shop.server.refusal(
                "POST", "/v1/subscriptions/extend/mass", Self.body(product)) == 5_000_001)
        shop.clock.advance(by: -days)
        #expect(try await shop.server.refusal("PUT", one, Self.body()) == 200)
    }

    @Test func `what can't be made longer says why`() async throws {
        let shop = try await ServerShop()
        try await shop.setShareable(SampleShop.monthly)
        try await shop.shop.store.services.families.add(
            TestStore.japanese, toFamilyOf: TestStore.american, in: .sandbox)
        let client = try await shop.customer()
        let bought = try await client.buy(ServerShop.monthly(1))
        let badge = try await client.buy(APIClient.badge(2))
        let share = try #require(try await shop.shop.ledger(of: TestStore.japanese).first)
        try await shop.pass(300)
        let renewed = try #require(try await shop.shop.ledger().last)
        let foreign = try await shop.otherTeamsSale()
        var server = shop.server
        func refusal(_ id: String) async throws -> Int {
            try await server.refusal("PUT", "/v1/subscriptions/extend/\(id)", Self.body())
        }
        #expect(try await refusal(renewed.id.description) == 4_000_187)
        #expect(try await refusal(badge.transactionId.description) == 4_000_047)
        #expect(try await refusal(share.id.description) == 4_030_007)
        #expect(try await refusal(foreign.description) == 4_040_005)
        #expect(try await refusal("5") == 4_040_005)
        #expect(try await refusal("abc") == 4_000_008)
        #expect(try await refusal(try #require(bought.appTransactionId)) == 4_000_048)
        server.environment = .production
        #expect(try await refusal(bought.transactionId.description) == 4_040_005)
        server.environment = .sandbox
        _ = try await shop.shop.store.services.purchases.revoke(renewed.id, reason: .other)
        #expect(try await refusal(bought.transactionId.description) == 4_030_004)
        try await shop.enroll()
        try await shop.shop.store.services.testers.clearHistory(
            of: [try await shop.account().id], by: .machine)
        #expect(try await refusal(bought.transactionId.description) == 4_040_005)
    }

    // MARK: Many

    @Test(arguments: Altitude.allCases)
    func `all subscribers to a product are extended, and the server hears how far that is`(
        altitude: Altitude
    ) async throws {
        let shop = try await ServerShop(altitude: altitude)
        let bought = try await shop.customer().buy(ServerShop.monthly(1))
        // As long a name as there can be.
        let name = String(repeating: "n", count: 128)
        let taken: MassExtendRenewalDateResponse = try await shop.server.call(
            "POST", "/v1/subscriptions/extend/mass",
            Self.body(request: .string(name), ["productId": .string(SampleShop.monthly)]))
        #expect(taken.requestIdentifier == name)
        let path = "/v1/subscriptions/extend/mass/\(SampleShop.monthly)/\(name)"
        let waiting: MassExtendRenewalDateStatusResponse = try await shop.server.get(path)
        #expect(
            waiting
                == MassExtendRenewalDateStatusResponse(
                    requestIdentifier: name, complete: false, completeDate: nil,
                    succeededCount: nil, failedCount: nil))
        shop.clock.advance(by: 5)
        try await shop.shop.store.services.extensions.advance()
        let done: MassExtendRenewalDateStatusResponse = try await shop.server.get(path)
        #expect(
            done
                == MassExtendRenewalDateStatusResponse(
                    requestIdentifier: name, complete: true,
                    completeDate: shop.clock.now().milliseconds, succeededCount: 1,
                    failedCount: 0))
        let info: TransactionInfoResponse = try await shop.server.get(
            "/v1/transactions/\(bought.transactionId)")
        #expect(
            try shop.server.transaction(info.signedTransactionInfo).expiresDate
                == bought.expiresDate.map { $0 + 10 * 86_400_000 })
    }

    @Test func `only subscribers in the storefronts that are named are extended`() async throws {
        let shop = try await ServerShop()
        _ = try await shop.customer().buy(ServerShop.monthly(1))
        let product = JSONValue.string(SampleShop.monthly)
        for (name, storefronts, count) in [
            ("one", ["JPN", "DEU"], 0), ("two", ["JPN", "USA"], 1),
        ] as [(String, [String], Int)] {
            #expect(
                try await shop.server.refusal(
                    "POST", "/v1/subscriptions/extend/mass",
                    Self.body(
                        request: .string(name),
                        [
                            "productId": product, "storefrontCountryCodes": .texts(storefronts),
                        ])) == 200)
            try await shop.shop.store.services.extensions.advance()
            let done: MassExtendRenewalDateStatusResponse = try await shop.server.get(
                "/v1/subscriptions/extend/mass/\(SampleShop.monthly)/\(name)")
            #expect(done.succeededCount == count)
        }
    }

    @Test func `the identifier of a request for many is no other's`() async throws {
        let shop = try await ServerShop()
        let path = "/v1/subscriptions/extend/mass"
        func refusal(
            days: JSONValue = 10, reason: JSONValue = 1, _ storefronts: [String]
        ) async throws -> Int {
            try await shop.server.refusal(
                "POST", path,
                Self.body(
                    days: days, reason: reason,
                    [
                        "productId": .string(SampleShop.monthly),
                        "storefrontCountryCodes": .texts(storefronts),
                    ]))
        }
        for storefronts in [["JPN", "USA"], ["USA", "JPN"]] {
            #expect(try await refusal(storefronts) == 200)
        }
        #expect(try await refusal(["USA"]) == 4_000_011)
        #expect(try await refusal(days: 11, ["JPN", "USA"]) == 4_000_011)
        #expect(try await refusal(reason: 2, ["JPN", "USA"]) == 4_000_011)
    }

    static let wrongMany: [(more: [String: JSONValue], code: Int)] = [
        ([:], 4_000_023), (["productId": ""], 4_000_023), (["productId": 5], 4_000_023),
        (["productId": "com.example.nothing"], 4_000_023),
        (["productId": .string(SampleShop.badge)], 4_000_023),
        (["productId": .string(SampleShop.monthly), "storefrontCountryCodes": []], 4_000_027),
        (
            ["productId": .string(SampleShop.monthly), "storefrontCountryCodes": ["US"]],
            4_000_028
        ),
        (
            ["productId": .string(SampleShop.monthly), "storefrontCountryCodes": ["USA", "XXX"]],
            4_000_028
        ),
        (
            ["productId": .string(SampleShop.monthly), "storefrontCountryCodes": [5]],
            4_000_028
        ),
        (
            ["productId": .string(SampleShop.monthly), "storefrontCountryCodes": "USA"],
            4_000_028
        ),
    ]

    @Test func `each wrong value of a request for many has an error of its own`() async throws {
        let shop = try await ServerShop()
        let path = "/v1/subscriptions/extend/mass"
        for (more, code) in Self.wrongMany {
            #expect(
                try await shop.server.refusal("POST", path, Self.body(more)) == code, "\(more)")
        }
        let product: [String: JSONValue] = ["productId": .string(SampleShop.monthly)]
        for (body, code) in [
            (Self.body(days: 91, product), 4_000_009), (Self.body(reason: 9, product), 4_000_010),
            (Self.body(request: "", product), 4_000_011), ([], 4_000_000),
        ] as [(JSONValue, Int)] {
            #expect(try await shop.server.refusal("POST", path, body) == code)
        }
    }

    @Test func `an unknown request has another error than an invalid one`() async throws {
        let shop = try await ServerShop()
        let product = JSONValue.string(SampleShop.monthly)
        _ = try await shop.server.send(
            "POST", "/v1/subscriptions/extend/mass",
            ServerClient.data(Self.body(["productId": product])))
        var server = shop.server
        func status(_ product: String, _ request: String) async throws -> Int {
            try await server.refusal("GET", "/v1/subscriptions/extend/mass/\(product)/\(request)")
        }
        #expect(try await status(SampleShop.monthly, "request-1") == 200)
        #expect(try await status(SampleShop.monthly, "request-2") == 4_040_009)
        #expect(try await status(SampleShop.badge, "request-1") == 4_040_009)
        #expect(try await status("b c", "request-1") == 4_000_023)
        #expect(
            try await status(SampleShop.monthly, String(repeating: "a", count: 129))
                == 4_000_011)
        server.environment = .production
        #expect(try await status(SampleShop.monthly, "request-1") == 4_040_009)
    }

    @Test func `who may only look changes nothing`() async throws {
        let shop = try await ServerShop(role: .finance)
        let bought = try await shop.customer().buy(ServerShop.monthly(1))
        let refused = try await shop.server.send(
            "PUT", "/v1/subscriptions/extend/\(bought.transactionId)",
            ServerClient.data(Self.body()))
        #expect(refused.status == 401)
        #expect(
            refused.headers["X-OpenStore-Debug"] == "A key with the role Finance can't do this.")
        #expect(
            try await shop.server.refusal("GET", "/v1/subscriptions/\(bought.transactionId)")
                == 200)
    }
}
