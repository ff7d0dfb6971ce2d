@testable import StoreAPI
import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

@Suite struct ConsumptionRouteTests {
    static let first: [String: JSONValue] = [
        "customerConsented": true, "consumptionStatus": 3, "platform": 1,
        "sampleContentProvided": false, "deliveryStatus": 0, "appAccountToken": "",
        "accountTenure": 4, "playTime": 7, "lifetimeDollarsRefunded": 0,
        "lifetimeDollarsPurchased": 7, "userStatus": 1, "refundPreference": 2,
    ]
    static let second: [String: JSONValue] = [
        "customerConsented": true, "sampleContentProvided": true, "deliveryStatus": "DELIVERED",
        "consumptionPercentage": 25_000, "refundPreference": "GRANT_PRORATED",
    ]

    private func information(
        _ shop: ServerShop, _ id: TransactionID
    ) async throws -> ConsumptionInformation? {
        try await shop.shop.store.database.read {
            try $0.refunds.information(on: id, since: .distantPast)
        }
    }

    @Test(arguments: Altitude.allCases)
    func `what a server says is kept, and decides about the refund that waits for it`(
        altitude: Altitude
    ) async throws {
        let shop = try await ServerShop(altitude: altitude)
        let bought = try await shop.customer().buy(APIClient.credits(1))
        _ = try await shop.shop.store.services.refunds.ask(
            bought.transactionId, of: nil, reason: .unsatisfied, comment: "")
        let response = try await shop.server.send(
            "PUT", "/v2/transactions/consumption/\(bought.transactionId)",
            ServerClient.data(.object(Self.second)))
        #expect(response.status == 202)
        #expect(response.data.isEmpty)
        #expect(
            try await information(shop, bought.transactionId)
                == ConsumptionInformation(
                    customerConsented: true, consumed: 25_000, wasDelivered: true,
                    sampleProvided: true, preference: .prorated))
        let info: TransactionInfoResponse = try await shop.server.get(
            "/v1/transactions/\(bought.transactionId)")
        let payload = try shop.server.transaction(info.signedTransactionInfo)
        #expect(payload.revocationType == "REFUND_PRORATED")
        #expect(payload.revocationPercentage == 75_000)
        let refunds: RefundHistoryResponse = try await shop.server.get(
            "/v2/refund/lookup/\(bought.transactionId)")
        #expect(refunds.signedTransactions.count == 1)
    }

    @Test func `the numbers of the first version mean the same as the words of the second`()
        async throws
    {
        let shop = try await ServerShop()
        let bought = try await shop.customer().buy(APIClient.credits(1))
        let path = "/v1/transactions/consumption/\(bought.transactionId)"
        for (changes, consumed, delivered, preference):
            (
                [String: JSONValue], Int?, Bool, ConsumptionInformation.Preference?
            ) in [
                ([:], 100_000, true, .decline),
                (["consumptionStatus": 0, "refundPreference": nil], nil, true, nil),
                (["consumptionStatus": 1, "refundPreference": 1], 0, true, .full),
                (["consumptionStatus": 2, "refundPreference": 3], 50_000, true, nil),
                (["deliveryStatus": 5], 100_000, false, .decline),
                (
                    ["appAccountToken": "7E3FB204-2B1A-4C3B-8A4B-5B7A2B1D9C00"], 100_000, true,
                    .decline
                ),
            ]
        {
            let body = Self.first.merging(changes) { $1 }
            #expect(try await shop.server.refusal("PUT", path, .object(body)) == 202)
            #expect(
                try await information(shop, bought.transactionId)
                    == ConsumptionInformation(
                        customerConsented: true, consumed: consumed, wasDelivered: delivered,
                        sampleProvided: false, preference: preference), "\(changes)")
        }
    }

    static let wrongFirst: [(name: String, values: [JSONValue?], code: Int)] = [
        ("customerConsented", [false, nil, "true", 1], 4_000_035),
        ("consumptionStatus", [4, -1, nil, "1"], 4_000_034),
        ("platform", [3, nil], 4_000_039),
        ("sampleContentProvided", [nil, 1], 4_000_041),
        ("deliveryStatus", [6, nil, "DELIVERED"], 4_000_036),
        ("appAccountToken", ["abc", nil, 5], 4_000_033),
        ("accountTenure", [8, nil], 4_000_032), ("playTime", [8, nil], 4_000_040),
        ("lifetimeDollarsRefunded", [8, nil], 4_000_038),
        ("lifetimeDollarsPurchased", [8, nil], 4_000_037), ("userStatus", [5, nil], 4_000_042),
        ("refundPreference", [4, "DECLINE"], 4_000_000),
    ]
    static let wrongSecond: [(name: String, values: [JSONValue?], code: Int)] = [
        ("customerConsented", [false, nil], 4_000_035),
        ("sampleContentProvided", [nil, "false"], 4_000_041),
        ("deliveryStatus", [nil, "delivered", 0], 4_000_036),
        ("consumptionPercentage", [-1, 100_001, .number(0.5), "5"], 4_000_000),
        ("refundPreference", ["NO_PREFERENCE", 1], 4_000_000),
    ]

    @Test func `each wrong value has an error of its own, and nothing is kept`() async throws {
        let shop = try await ServerShop()
        let bought = try await shop.customer().buy(APIClient.credits(1))
        for (version, right, wrong) in [
            ("v1", Self.first, Self.wrongFirst), ("v2", Self.second, Self.wrongSecond),
        ] {
            let path = "/\(version)/transactions/consumption/\(bought.transactionId)"
            for (name, values, code) in wrong {
                for value in values {
                    var body = right
                    body[name] = value
                    #expect(
                        try await shop.server.refusal("PUT", path, .object(body)) == code,
                        "\(version) \(name) \(String(describing: value))")
                }
            }
            #expect(try await shop.server.refusal("PUT", path, []) == 4_000_000)
        }
        #expect(try await information(shop, bought.transactionId) == nil)
    }

    @Test func `what is not sold for use, or not to this customer, is told apart`() async throws {
        let shop = try await ServerShop()
        try await shop.setShareable(SampleShop.monthly)
        try await shop.shop.store.services.families.add(
            TestStore.japanese, toFamilyOf: TestStore.american, in: .sandbox)
        let client = try await shop.customer()
        let badge = try await client.buy(APIClient.badge(1))
        let monthly = try await client.buy(ServerShop.monthly(2))
        let share = try #require(try await shop.shop.ledger(of: TestStore.japanese).first)
        let foreign = try await shop.otherTeamsSale()
        var server = shop.server
        func codes(_ id: String) async throws -> [Int] {
            [
                try await server.refusal(
                    "PUT", "/v1/transactions/consumption/\(id)", .object(Self.first)),
                try await server.refusal(
                    "PUT", "/v2/transactions/consumption/\(id)", .object(Self.second)),
            ]
        }
        #expect(try await codes(badge.transactionId.description) == [4_000_047, 202])
        #expect(try await codes(monthly.transactionId.description) == [202, 202])
        #expect(try await codes(share.id.description) == [4_000_185, 4_000_185])
        #expect(try await codes(foreign.description) == [4_040_010, 4_040_010])
        #expect(try await codes("5") == [4_040_010, 4_040_010])
        #expect(try await codes("abc") == [4_000_006, 4_000_006])
        let app = try #require(badge.appTransactionId)
        #expect(try await codes(app) == [4_000_048, 4_000_048])
        server.environment = .production
        #expect(
            try await codes(monthly.transactionId.description) == [4_040_010, 4_040_010])
        #expect(try await information(shop, foreign) == nil)
    }
}
