import Foundation
@testable import StoreAPI
import StoreCore
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// Clocks of the sandbox, over the API, and what apps and servers see of them.
@Suite struct SandboxClockRouteTests {
    private static let path = "/openstore/v1/sandboxClocks"

    private let shop: ServerShop
    private let developer: ConnectClient

    init() async throws {
        shop = try await ServerShop()
        try await shop.enroll()
        developer = try await ConnectClient(
            shop.shop, clock: shop.clock, role: .developer, team: "Publisher")
    }

    private static func request(
        _ attributes: [String: JSONValue], testers: [AccountID]
    ) -> JSONValue {
        [
            "type": "sandboxClocks", "attributes": .object(attributes),
            "relationships": [
                "testers": [
                    "data": .array(
                        testers.map {
                            ["type": "sandboxTesters", "id": .string(String($0.number))]
                        })
                ]
            ],
        ]
    }

    private func make(_ date: Date? = nil) async throws -> String {
        var attributes: [String: JSONValue] = ["name": "Autumn"]
        attributes["date"] = date.map { .string($0.formatted(.iso8601)) }
        let made = try await developer.call(
            "POST", Self.path, Self.request(attributes, testers: [try await shop.account().id]),
            expecting: 201)
        return try #require(made.at("data.id"))
    }

    private func advance(_ id: String, to date: Date) async throws {
        _ = try await developer.call(
            "PATCH", "\(Self.path)/\(id)",
            .resource("sandboxClocks", id: id, ["date": .string(date.formatted(.iso8601))]),
            expecting: 200)
    }

    @Test(arguments: Altitude.allCases)
    func `what a tester with a clock buys is sold, signed and told at the clock's time`(
        altitude: Altitude
    ) async throws {
        let start = shop.clock.now().addingTimeInterval(86_400)
        let id = try await make(start)
        let device = try await APIClient.signedIn(
            shop.shop, altitude: altitude, as: TestStore.american)
        let bought = try await device.buy(ServerShop.monthly(1))
        #expect(bought.purchaseDate == start.milliseconds)
        #expect(bought.signedDate == start.milliseconds)
        #expect(bought.expiresDate == start.addingTimeInterval(300).milliseconds)

        let end = start.addingTimeInterval(300)
        try await advance(id, to: end)
        let page = try await device.history()
        #expect(page.time == end.milliseconds)
        let periods = try page.transactions.map { try shop.server.transaction($0) }
        #expect(periods.map(\.transactionReason) == ["PURCHASE", "RENEWAL"])
        #expect(periods.allSatisfy { $0.signedDate == end.milliseconds })

        // Asked twice: the answer that was kept is not taken for that of another moment.
        for date in [end, end.addingTimeInterval(60)] {
            try await advance(id, to: date)
            for _ in 0..<2 {
                let answer: TransactionInfoResponse = try await shop.server.get(
                    "/v1/transactions/\(bought.transactionId)")
                let told = try shop.server.transaction(answer.signedTransactionInfo)
                #expect(told.signedDate == date.milliseconds)
            }
        }
        let statuses: StatusResponse = try await shop.server.get(
            "/v1/subscriptions/\(bought.transactionId)")
        let last = try #require(statuses.data.first?.lastTransactions.first)
        #expect(last.status == 1)
        let renewal = try shop.server.renewal(try #require(last.signedRenewalInfo))
        #expect(renewal.signedDate == end.addingTimeInterval(60).milliseconds)

        // Nobody else's time is another one.
        let other = try await APIClient.signedIn(
            shop.shop, altitude: altitude, as: TestStore.japanese)
        let theirs = try await other.history()
        #expect(theirs.time == nil)
    }

    @Test func `a clock is shown with its testers, and a deleted one is gone`() async throws {
        let id = try await make()
        let shown = try await developer.call("GET", "\(Self.path)/\(id)", expecting: 200)
        #expect(shown.at("data.attributes.name") == "Autumn")
        #expect(shown.at("data.attributes.date") == shown.at("data.attributes.createdDate"))
        let testers = try await developer.call(
            "GET", "\(Self.path)/\(id)/testers", expecting: 200)
        #expect(testers.at("data.0.attributes.email") == TestStore.american)
        for relationship in ["apps", "undeliveredNotifications"] {
            let none = try await developer.call(
                "GET", "\(Self.path)/\(id)/\(relationship)", expecting: 200)
            #expect(none.ids.isEmpty)
        }
        let stranger = try await ConnectClient(
            shop.shop, clock: shop.clock, role: .admin, team: "Stranger")
        _ = try await stranger.call("GET", "\(Self.path)/\(id)", expecting: 404)
        _ = try await stranger.call("DELETE", "\(Self.path)/\(id)", expecting: 404)
        _ = try await developer.call("DELETE", "\(Self.path)/\(id)", expecting: 204)
        _ = try await developer.call("GET", "\(Self.path)/\(id)", expecting: 404)
    }

    @Test(arguments: ["", "1", "2020-01-01T00:00:00Z", "9999-12-31T00:00:00Z"])
    func `a date that a clock can't show is refused`(text: String) async throws {
        let id = try await make()
        _ = try await developer.call(
            "PATCH", "\(Self.path)/\(id)",
            .resource("sandboxClocks", id: id, ["date": .string(text)]), expecting: 409)
        let shown = try await developer.call("GET", "\(Self.path)/\(id)", expecting: 200)
        #expect(shown.at("data.attributes.date") == shown.at("data.attributes.createdDate"))
    }
}
