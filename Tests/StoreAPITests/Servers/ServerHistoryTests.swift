@testable import StoreAPI
import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

@Suite struct ServerHistoryTests {
    typealias Query = [(name: String, value: String)]

    private func numbers(
        _ response: HistoryResponse, _ server: ServerClient
    ) throws -> [TransactionID] {
        try response.signedTransactions.map { try server.transaction($0).transactionId }
    }

    @Test(arguments: Altitude.allCases, ["v1", "v2"])
    func `a history comes in pages, and goes on with what has changed since`(
        altitude: Altitude, version: String
    ) async throws {
        let shop = try await ServerShop(altitude: altitude)
        let ids = try await shop.sell(45)
        let path = "/\(version)/history/\(ids[7])"
        var query: Query = []
        var found: [[TransactionID]] = []
        var last: HistoryResponse?
        // Ends also where the store says for ever that there is more.
        repeat {
            let page: HistoryResponse = try await shop.server.get(path, query: query)
            #expect(page.bundleId == SampleShop.bundleID.text)
            #expect(page.environment == "Sandbox" && page.appAppleId == nil)
            found.append(try numbers(page, shop.server))
            query = [("revision", page.revision)]
            last = page
        } while last?.hasMore == true && found.count < 10
        #expect(found.map(\.count) == [20, 20, 5])
        #expect(found.flatMap { $0 } == ids)
        let nothing: HistoryResponse = try await shop.server.get(path, query: query)
        #expect(nothing.signedTransactions.isEmpty && !nothing.hasMore)
        query = [("revision", nothing.revision)]
        let more = try await shop.sell(1, from: 46)
        _ = try await shop.shop.store.services.purchases.revoke(ids[3], reason: .other)
        let news: HistoryResponse = try await shop.server.get(path, query: query)
        try #require(try numbers(news, shop.server) == more + [ids[3]])
        #expect(try shop.server.transaction(news.signedTransactions[1]).revocationReason == 0)
    }

    @Test func `the newest change comes first where one asks for that`() async throws {
        let shop = try await ServerShop()
        let ids = try await shop.sell(25)
        let path = "/v2/history/\(ids[0])"
        let first: HistoryResponse = try await shop.server.get(
            path, query: [("sort", "DESCENDING")])
        #expect(try numbers(first, shop.server) == Array(ids.reversed().prefix(20)))
        #expect(first.hasMore)
        let second: HistoryResponse = try await shop.server.get(
            path, query: [("sort", "DESCENDING"), ("revision", first.revision)])
        #expect(try numbers(second, shop.server) == Array(ids.prefix(5).reversed()))
        #expect(!second.hasMore)
    }

    @Test func `in production the app's number is told`() async throws {
        let shop = try await ServerShop()
        let bought = try await shop.customer(in: .production).buy(APIClient.badge(1))
        var server = shop.server
        server.environment = .production
        let page: HistoryResponse = try await server.get("/v2/history/\(bought.transactionId)")
        #expect(page.environment == "Production")
        let app = try await shop.app()
        #expect(page.appAppleId == app.id.number)
    }

    /// What each filter leaves of: credits, a badge, a season, a subscription, credits revoked.
    static let filters: [(query: Query, left: [Int])] = [
        ([], [0, 1, 2, 3, 4]),
        ([("productId", SampleShop.badge)], [1]),
        ([("productId", SampleShop.badge), ("productId", SampleShop.credits)], [0, 1, 4]),
        ([("productId", "com.example.other")], []),
        ([("productType", "CONSUMABLE")], [0, 4]),
        ([("productType", "NON_CONSUMABLE"), ("productType", "NON_RENEWABLE")], [1, 2]),
        ([("productType", "AUTO_RENEWABLE")], [3]),
        ([("subscriptionGroupIdentifier", "22222222")], [3]),
        ([("subscriptionGroupIdentifier", "1"), ("subscriptionGroupIdentifier", "2")], []),
        ([("inAppOwnershipType", "PURCHASED")], [0, 1, 2, 3, 4]),
        ([("inAppOwnershipType", "FAMILY_SHARED")], []),
        ([("revoked", "True")], [4]),
        ([("revoked", "False")], [0, 1, 2, 3]),
        ([("revoked", "true"), ("sort", "DESCENDING")], [4]),
        ([("excludeRevoked", "True")], [0, 1, 2, 3]),
        ([("excludeRevoked", "False")], [0, 1, 2, 3, 4]),
        ([("startDate", "1800000001000")], [1, 2, 3, 4]),
        ([("endDate", "1800000001000")], [0]),
        ([("startDate", "1800000001000"), ("endDate", "1800000003000")], [1, 2]),
        ([("productType", "CONSUMABLE"), ("revoked", "false")], [0]),
        ([("sort", "ASCENDING"), ("revision", "")], [0, 1, 2, 3, 4]),
        ([("unknown", "anything")], [0, 1, 2, 3, 4]),
    ]

    @Test func `each filter leaves what it is for`() async throws {
        let shop = try await ServerShop()
        let client = try await shop.customer()
        var ids: [TransactionID] = []
        for order in [
            APIClient.credits(1), APIClient.badge(2), ServerShop.season(3), ServerShop.monthly(4),
            APIClient.credits(5),
        ] {
            ids.append(try await client.buy(order).transactionId)
            shop.clock.advance(by: 1)
        }
        _ = try await shop.shop.store.services.purchases.revoke(ids[4], reason: .developerIssue)
        for (query, left) in Self.filters {
            let page: HistoryResponse = try await shop.server.get(
                "/v2/history/\(ids[0])", query: query)
            #expect(try numbers(page, shop.server) == left.map { ids[$0] }, "\(query)")
        }
    }

    @Test func `a filter with blanks in it comes through a socket`() async throws {
        let shop = try await ServerShop(altitude: .socket)
        let ids = try await shop.sell(1)
        #expect(
            try await shop.server.refusal(
                "GET", "/v2/history/\(ids[0])",
                query: [("productId", "a"), ("productId", "b c")]) == 4_000_023)
        let page: HistoryResponse = try await shop.server.get(
            "/v2/history/\(ids[0])",
            query: [("subscriptionGroupIdentifier", "b c"), ("revoked", "False")])
        #expect(page.signedTransactions.isEmpty)
    }

    static let wrong: [(query: Query, code: Int)] = [
        ([("startDate", "yesterday")], 4_000_015), ([("startDate", "-1")], 4_000_015),
        ([("startDate", "1800000000000.5")], 4_000_015),
        ([("startDate", "1"), ("startDate", "2")], 4_000_015),
        ([("endDate", "")], 4_000_016), ([("endDate", "99999999999999999999")], 4_000_016),
        ([("endDate", "9223372036854775807")], 4_000_016),
        ([("startDate", "2"), ("endDate", "1")], 4_000_013),
        ([("startDate", "2"), ("endDate", "2")], 4_000_013),
        ([("productId", "")], 4_000_023), ([("productId", "' OR 1=1")], 4_000_023),
        ([("productId", String(repeating: "a", count: 256))], 4_000_023),
        ([("productType", "Consumable")], 4_000_022),
        ([("productType", "CONSUMABLE"), ("productType", "")], 4_000_022),
        ([("subscriptionGroupIdentifier", "")], 4_000_024),
        ([("inAppOwnershipType", "MINE")], 4_000_026),
        ([("revoked", "maybe")], 4_000_030), ([("revoked", "")], 4_000_030),
        ([("excludeRevoked", "1")], 4_000_025),
        ([("excludeRevoked", "true"), ("revoked", "true")], 4_000_025),
        ([("sort", "ascending")], 4_000_021), ([("sort", "")], 4_000_021),
        ([("revision", "0")], 4_000_005), ([("revision", "a.b")], 4_000_005),
        ([("revision", String(repeating: "a", count: 1000))], 4_000_005),
    ]

    @Test func `each wrong value has an error of its own`() async throws {
        let shop = try await ServerShop()
        let ids = try await shop.sell(1)
        for (query, code) in Self.wrong {
            for version in ["v1", "v2"] {
                #expect(
                    try await shop.server.refusal(
                        "GET", "/\(version)/history/\(ids[0])", query: query) == code, "\(query)")
            }
        }
        let many = (0...200).map { (name: "productId", value: "com.example.p\($0)") }
        #expect(
            try await shop.server.refusal("GET", "/v2/history/\(ids[0])", query: many)
                == 4_000_023)
    }

    @Test func `a revision is good for its own customer, app, filter and order only`() async throws
    {
        let shop = try await ServerShop()
        let ids = try await shop.sell(25)
        let other = try await shop.sell(25, to: TestStore.japanese)
        let path = "/v2/history/\(ids[0])"
        let page: HistoryResponse = try await shop.server.get(path)
        let revision = ("revision", page.revision)
        func status(_ path: String, _ query: Query) async throws -> Int {
            try await shop.server.refusal("GET", path, query: query)
        }
        #expect(try await status(path, [revision]) == 200)
        #expect(try await status("/v1/history/\(ids[9])", [revision]) == 200)
        #expect(try await status("/v2/history/\(other[0])", [revision]) == 4_000_005)
        #expect(try await status(path, [revision, ("sort", "DESCENDING")]) == 4_000_005)
        #expect(try await status(path, [revision, ("revoked", "true")]) == 4_000_005)
        #expect(
            try await status(path, [revision, ("productId", SampleShop.badge)]) == 4_000_005)
        #expect(try await status("/v2/refund/lookup/\(ids[0])", [revision]) == 4_000_005)
        // Changed by hand.
        var parts = page.revision.split(separator: ".").map(String.init)
        try #require(!parts.isEmpty)
        parts[0] = (parts[0].hasPrefix("a") ? "b" : "a") + parts[0].dropFirst()
        #expect(
            try await status(path, [("revision", parts.joined(separator: "."))]) == 4_000_005)
        // The order of a filter's values is of no meaning.
        let two: Query = [("productId", SampleShop.credits), ("productId", SampleShop.badge)]
        let filtered: HistoryResponse = try await shop.server.get(path, query: two)
        #expect(
            try await status(path, two.reversed() + [("revision", filtered.revision)]) == 200)
    }

    @Test func `a cleared history is empty, and begins again`() async throws {
        let shop = try await ServerShop()
        let bought = try await shop.customer().buy(APIClient.credits(1))
        let app = try #require(bought.appTransactionId)
        try await shop.enroll()
        try await shop.shop.store.services.testers.clearHistory(
            of: [try await shop.account().id], by: .machine)
        #expect(
            try await shop.server.refusal("GET", "/v2/history/\(bought.transactionId)")
                == 4_040_010)
        let empty: HistoryResponse = try await shop.server.get("/v2/history/\(app)")
        #expect(empty.signedTransactions.isEmpty)
        let again = try await shop.customer().buy(APIClient.credits(2))
        let page: HistoryResponse = try await shop.server.get("/v2/history/\(app)")
        #expect(try numbers(page, shop.server) == [again.transactionId])
    }

    @Test func `refunds come in pages of their own`() async throws {
        let shop = try await ServerShop()
        let ids = try await shop.sell(30)
        let purchases = shop.shop.store.services.purchases
        for id in ids.prefix(21).reversed() { _ = try await purchases.revoke(id, reason: .other) }
        let path = "/v2/refund/lookup/\(ids[29])"
        let first: RefundHistoryResponse = try await shop.server.get(path)
        let second: RefundHistoryResponse = try await shop.server.get(
            path, query: [("revision", first.revision)])
        #expect(first.hasMore && !second.hasMore)
        let found = try (first.signedTransactions + second.signedTransactions)
            .map { try shop.server.transaction($0).transactionId }
        #expect(found == ids.prefix(21).reversed())
        #expect(
            try await shop.server.refusal("GET", path, query: [("revision", "x")]) == 4_000_005)
        let none: RefundHistoryResponse = try await shop.server.get(
            path, query: [("revision", second.revision)])
        #expect(none.signedTransactions.isEmpty && !none.hasMore)
    }
}
