@testable import StoreAPI
import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

@Suite struct TransactionInfoTests {
    @Test(arguments: Altitude.allCases)
    func `a transaction is told as it is, signed anew`(altitude: Altitude) async throws {
        let shop = try await ServerShop(altitude: altitude)
        let bought = try await shop.customer().buy(APIClient.credits(1, quantity: 3))
        shop.clock.advance(by: 10)
        // The second time the token is known.
        for _ in 1...2 {
            let answer: TransactionInfoResponse = try await shop.server.get(
                "/v1/transactions/\(bought.transactionId)")
            let payload = try shop.server.transaction(answer.signedTransactionInfo)
            var expected = bought
            expected.signedDate = shop.clock.now().milliseconds
            expected.purchaseKey = nil
            #expect(payload == expected)
            #expect(payload.quantity == 3 && payload.price == 2970)
        }
    }

    @Test func `an answer is signed again when it is old, or the transaction has changed`()
        async throws
    {
        let shop = try await ServerShop()
        let bought = try await shop.customer().buy(APIClient.credits(1))
        var server = shop.server
        server.token = .some(try server.makeToken())
        func answer() async throws -> String {
            let answer: TransactionInfoResponse = try await server.get(
                "/v1/transactions/\(bought.transactionId)")
            return answer.signedTransactionInfo
        }
        _ = try await answer()
        let first = try await answer()
        #expect(try await answer() == first)
        // Something else has changed.
        _ = try await shop.customer().buy(APIClient.credits(2))
        #expect(try await answer() == first)
        shop.clock.advance(by: 4)
        #expect(try await answer() == first)
        shop.clock.advance(by: 1)
        let second = try await answer()
        #expect(second != first)
        #expect(try server.transaction(second).signedDate == shop.clock.now().milliseconds)
        #expect(try await answer() == second)
        _ = try await shop.shop.store.services.purchases.revoke(
            bought.transactionId, reason: .other)
        let revoked = try server.transaction(try await answer())
        #expect(revoked.revocationReason == 0 && revoked.revocationPercentage == 100_000)
    }

    @Test func `what repeats a purchase, and what restores it, is told too`() async throws {
        let shop = try await ServerShop()
        let client = try await shop.customer()
        let bought = try await client.buy(APIClient.badge(1))
        try await client.finish(bought)
        var fresh = client
        fresh.device = "device-2"
        let others = [try await client.buy(APIClient.badge(2))] + (try await fresh.restore(1))
        for other in others {
            #expect(other.transactionId != bought.transactionId)
            let answer: TransactionInfoResponse = try await shop.server.get(
                "/v1/transactions/\(other.transactionId)")
            let payload = try shop.server.transaction(answer.signedTransactionInfo)
            #expect(payload.transactionId == other.transactionId)
            #expect(payload.originalTransactionId == bought.transactionId)
        }
    }

    @Test func `transactions of other apps, environments and cleared histories are not there`()
        async throws
    {
        let shop = try await ServerShop()
        let sandbox = try await shop.customer().buy(APIClient.badge(1)).transactionId
        let production = try await shop.customer(in: .production).buy(APIClient.badge(1))
            .transactionId
        let foreign = try await shop.otherTeamsSale()
        var server = shop.server
        func status(_ id: TransactionID) async throws -> Int {
            try await server.refusal("GET", "/v1/transactions/\(id)")
        }
        #expect(try await status(sandbox) == 200)
        #expect(try await status(production) == 4_040_010)
        #expect(try await status(foreign) == 4_040_010)
        #expect(try await status(TransactionID(number: foreign.number + 1)) == 4_040_010)
        server.environment = .production
        #expect(try await status(sandbox) == 4_040_010)
        #expect(try await status(production) == 200)
        server.environment = .sandbox
        try await shop.enroll()
        try await shop.shop.store.services.testers.clearHistory(
            of: [try await shop.account().id], by: .machine)
        #expect(try await status(sandbox) == 4_040_010)
    }

    @Test(arguments: ["abc", "0", "-1", "1.0", "99999999999999999999", "１", "%27", " 1", "0x10"])
    func `what is no number of a transaction is invalid`(id: String) async throws {
        let shop = try await ServerShop()
        for path in ["/v1/transactions/", "/v1/history/", "/v2/history/", "/v2/refund/lookup/"] {
            #expect(try await shop.server.refusal("GET", path + id) == 4_000_006)
        }
    }

    @Test func `the number of an app transaction is told from that of a transaction`() async throws
    {
        let shop = try await ServerShop()
        let bought = try await shop.customer().buy(APIClient.badge(1))
        let app = try #require(bought.appTransactionId)
        #expect(try await shop.server.refusal("GET", "/v1/transactions/\(app)") == 4_000_048)
        for path in ["/v1/history/", "/v2/refund/lookup/", "/v1/transactions/appTransactions/"] {
            #expect(try await shop.server.refusal("GET", path + app) == 200)
        }
    }

    @Test func `the error of a transaction that there is not has Apple's bytes`() async throws {
        let shop = try await ServerShop()
        let response = try await shop.server.send("GET", "/v1/transactions/5")
        #expect(response.status == 404)
        #expect(
            String(decoding: response.data, as: UTF8.self)
                == #"{"errorCode":4040010,"errorMessage":"Transaction id not found."}"#)
    }

    @Test func `an order leads to its transaction, and to nothing else`() async throws {
        let shop = try await ServerShop()
        let client = try await shop.customer()
        let bought = try await client.buy(APIClient.badge(1))
        try await client.finish(bought)
        var fresh = client
        fresh.device = "device-2"
        let restored = try #require(try await fresh.restore(1).first)
        let foreign = try await shop.otherTeamsSale()
        func orders(_ text: String) async throws -> OrderLookupResponse {
            try await shop.server.get("/v1/lookup/\(text)")
        }
        let known = try await orders(OrderID(bought.transactionId).description)
        #expect(known.status == 0)
        #expect(
            try known.signedTransactions.map { try shop.server.transaction($0).transactionId }
                == [bought.transactionId])
        #expect(
            try await orders(OrderID(bought.transactionId).description.lowercased()).status == 0)
        let nothing: [String] = [
            OrderID(foreign).description, OrderID(restored.transactionId).description,
            OrderID(TransactionID(number: 5)).description, "M", "nothing", "M000000000",
            String(repeating: "M", count: 300),
        ]
        for text in nothing {
            let answer = try await orders(text)
            #expect(answer == OrderLookupResponse(status: 1, signedTransactions: []), "\(text)")
        }
    }
}
