@testable import StoreAPI
import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

@Suite struct TransactionChangeTests {
    static let token = "7E3FB204-2B1A-4C3B-8A4B-5B7A2B1D9C00"

    // MARK: App account tokens

    @Test(arguments: Altitude.allCases)
    func `a token is set for the last period and those that follow`(
        altitude: Altitude
    ) async throws {
        let shop = try await ServerShop(altitude: altitude)
        let bought = try await shop.customer().buy(ServerShop.monthly(1))
        #expect(bought.appAccountToken == nil)
        let response = try await shop.server.send(
            "PUT", "/v1/transactions/\(bought.transactionId)/appAccountToken",
            ServerClient.data(["appAccountToken": .string(Self.token)]))
        #expect(response.status == 200)
        #expect(response.data.isEmpty)
        try await shop.pass(300)
        let page: HistoryResponse = try await shop.server.get(
            "/v2/history/\(bought.transactionId)")
        #expect(
            try page.signedTransactions.map {
                try shop.server.transaction($0).appAccountToken
            } == [Self.token.lowercased(), Self.token.lowercased()])
        let other = UUID().uuidString.lowercased()
        #expect(
            try await shop.server.refusal(
                "PUT", "/v1/transactions/\(bought.transactionId)/appAccountToken",
                ["appAccountToken": .string(other)]) == 200)
        let status: StatusResponse = try await shop.server.get(
            "/v1/subscriptions/\(bought.transactionId)")
        let item = try #require(status.data.first?.lastTransactions.first)
        #expect(
            try shop.server.renewal(try #require(item.signedRenewalInfo)).appAccountToken == other)
        let changed: HistoryResponse = try await shop.server.get(
            "/v2/history/\(bought.transactionId)", query: [("revision", page.revision)])
        #expect(
            try changed.signedTransactions.map {
                try shop.server.transaction($0).appAccountToken
            } == [other])
        let all: HistoryResponse = try await shop.server.get("/v2/history/\(bought.transactionId)")
        #expect(
            try all.signedTransactions.map { try shop.server.transaction($0).appAccountToken }
                == [Self.token.lowercased(), other])
    }

    @Test func `a token is refused with what is wrong with it, or with its transaction`()
        async throws
    {
        let shop = try await ServerShop()
        try await shop.setShareable(SampleShop.monthly)
        try await shop.shop.store.services.families.add(
            TestStore.japanese, toFamilyOf: TestStore.american, in: .sandbox)
        let client = try await shop.customer()
        let bought = try await client.buy(ServerShop.monthly(1))
        let share = try #require(try await shop.shop.ledger(of: TestStore.japanese).first)
        try await shop.pass(300)
        let renewed = try #require(try await shop.shop.ledger().last)
        let foreign = try await shop.otherTeamsSale()
        var server = shop.server
        func refusal(
            _ id: String, _ body: JSONValue? = ["appAccountToken": .string(Self.token)]
        ) async throws -> Int {
            try await server.refusal("PUT", "/v1/transactions/\(id)/appAccountToken", body)
        }
        let first = bought.transactionId.description
        for body: JSONValue in [
            ["appAccountToken": "abc"], ["appAccountToken": ""], ["appAccountToken": nil],
            ["appAccountToken": 5], .object([:]),
        ] {
            #expect(try await refusal(first, body) == 4_000_183)
        }
        #expect(try await refusal(first, nil) == 4_000_000)
        #expect(try await refusal(first, "abc") == 4_000_000)
        #expect(try await refusal(renewed.id.description) == 4_000_187)
        #expect(try await refusal(share.id.description) == 4_000_185)
        #expect(try await refusal(foreign.description) == 4_040_005)
        #expect(try await refusal("5") == 4_040_005)
        #expect(try await refusal("abc") == 4_000_008)
        #expect(try await refusal(try #require(bought.appTransactionId)) == 4_000_048)
        server.environment = .production
        #expect(try await refusal(first) == 4_040_005)
        let info: TransactionInfoResponse = try await shop.server.get("/v1/transactions/\(first)")
        #expect(try shop.server.transaction(info.signedTransactionInfo).appAccountToken == nil)
    }

    // MARK: Finishing

    @Test(arguments: Altitude.allCases)
    func `what the server finishes is finished on the device`(altitude: Altitude) async throws {
        let shop = try await ServerShop(altitude: altitude)
        let client = try await shop.customer()
        let bought = try await client.buy(APIClient.credits(1))
        let other = try await client.buy(APIClient.credits(2))
        for _ in 1...2 {
            let response = try await shop.server.send(
                "POST", "/v1/transactions/\(bought.transactionId)/finish")
            #expect(response.status == 200)
            #expect(response.data.isEmpty)
        }
        #expect(try await client.unfinished().map(\.transactionId) == [other.transactionId])
    }

    @Test func `what is another's can't be finished`() async throws {
        let shop = try await ServerShop()
        let client = try await shop.customer()
        let bought = try await client.buy(APIClient.credits(1))
        let foreign = try await shop.otherTeamsSale()
        var server = shop.server
        func refusal(_ id: String) async throws -> Int {
            try await server.refusal("POST", "/v1/transactions/\(id)/finish")
        }
        #expect(try await refusal(foreign.description) == 4_040_010)
        #expect(try await refusal("5") == 4_040_010)
        #expect(try await refusal("abc") == 4_000_006)
        #expect(try await refusal(try #require(bought.appTransactionId)) == 4_000_048)
        server.environment = .production
        #expect(try await refusal(bought.transactionId.description) == 4_040_010)
        #expect(try await client.unfinished().count == 1)
        let isFinished = try await shop.shop.store.database.read {
            try $0.ledger.isFinished(foreign)
        }
        #expect(!isFinished)
    }
}
