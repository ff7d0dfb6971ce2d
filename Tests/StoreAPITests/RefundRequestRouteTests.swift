import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// Requests for refunds, by program.
struct RefundRequestRouteTests {
    private let clock = SettableClock()
    private let shop: TestStore
    private let publisher: ConnectClient
    private let staff: ConnectClient

    private static let path = "/openstore/v1/refundRequests"
    private static let reversals = "/openstore/v1/refundReversals"

    init() async throws {
        shop = try await TestStore(hasContent: false, isApproved: true, clock: clock)
        publisher = try await ConnectClient(
            shop, clock: clock, role: .customerSupport, team: "Publisher")
        staff = try await ConnectClient(shop, clock: clock, role: .operator)
    }

    private func request(_ number: Int = 1) async throws -> RefundRequest {
        let device = try await APIClient.signedIn(shop, environment: .production)
        let sold = try await device.buy(APIClient.credits(number, quantity: 1))
        let id = try #require(TransactionID(sold.transactionId.description))
        return try await shop.store.services.refunds.ask(
            id, of: nil, reason: .unintended, comment: "By mistake."
        ).get()
    }

    private func decision(_ id: String, _ attributes: [String: JSONValue]) -> JSONValue {
        .resource("refundRequests", id: id, attributes)
    }

    @Test func `publishers read what was bought and why, staff who asks as well`() async throws {
        let request = try await request()
        let list = try await publisher.call("GET", Self.path, expecting: 200)
        #expect(list.ids == [request.id.description])
        let attributes = try #require(list.value("data.0.attributes")?.members)
        #expect(attributes["productId"] == .string(SampleShop.credits))
        #expect(attributes["reason"] == "UNINTENDED_PURCHASE")
        #expect(attributes["state"] == "WAITING")
        #expect(attributes["price"] == "0.99")
        #expect(attributes["transactionId"] == .string(request.transaction.description))
        for name in ["customer", "comment", "decision", "grounds", "consumption"] {
            #expect(attributes[name] == nil, "\(name)")
        }
        let one = try await staff.call("GET", "\(Self.path)/\(request.id)", expecting: 200)
        #expect(one.at("data.attributes.customer") == TestStore.american)
        #expect(one.at("data.attributes.comment") == "By mistake.")
        for (query, count) in [
            ("filter[state]=WAITING", 1), ("filter[state]=DECIDED", 0),
            ("filter[state]=WAITING,DECIDED", 1), ("filter[environment]=SANDBOX", 0),
            ("filter[environment]=PRODUCTION", 1),
        ] {
            let found = try await publisher.call("GET", "\(Self.path)?\(query)", expecting: 200)
            #expect(found.ids.count == count, "\(query)")
        }
        try await publisher.refused("notFound", 404, "GET", "\(Self.path)?filter[app]=999")
        try await publisher.call("GET", "\(Self.path)?filter[state]=SOME", expecting: 400)
        let stranger = try await ConnectClient(
            shop, clock: clock, role: .admin, team: "Stranger")
        #expect(try await stranger.call("GET", Self.path, expecting: 200).ids.isEmpty)
        try await stranger.refused("notFound", 404, "GET", "\(Self.path)/\(request.id)")
        try await publisher.refused("notFound", 404, "GET", "\(Self.path)/none")
    }

    @Test func `the operator decides once and takes a refund back once`() async throws {
        let request = try await request()
        let (id, path) = (request.id.description, "\(Self.path)/\(request.id)")
        try await publisher.call(
            "PATCH", path, decision(id, ["decision": "REFUND", "grounds": "So."]),
            expecting: 403)
        try await staff.refused(
            "textMissing", 409, "PATCH", path, decision(id, ["decision": "REFUND"]))
        let unchanged = try await staff.call("PATCH", path, decision(id, [:]), expecting: 200)
        #expect(unchanged.at("data.attributes.state") == "WAITING")
        let decided = try await staff.call(
            "PATCH", path, decision(id, ["decision": "REFUND", "grounds": "It was a mistake."]),
            expecting: 200)
        #expect(decided.at("data.attributes.state") == "REFUNDED")
        #expect(decided.at("data.attributes.refundedAmount") == "0.99")
        #expect(decided.value("data.attributes.refundPercentage") == 100_000)
        #expect(decided.at("data.attributes.grounds") == "It was a mistake.")
        try await staff.refused(
            "refundDecided", 409, "PATCH", path,
            decision(id, ["decision": "DECLINE", "grounds": "No."]))
        let reversal = JSONValue.resource(
            "refundReversals", ["transactionId": .string(request.transaction.description)])
        try await publisher.call("POST", Self.reversals, reversal, expecting: 403)
        let reversed = try await staff.call("POST", Self.reversals, reversal, expecting: 201)
        #expect(reversed.at("data.attributes.productId") == SampleShop.credits)
        try await staff.refused("purchaseNotRefunded", 409, "POST", Self.reversals, reversal)
        let last = try await staff.call("GET", path, expecting: 200)
        #expect(last.at("data.attributes.state") == "REVERSED")
        try await staff.refused(
            "notFound", 404, "POST", Self.reversals,
            .resource("refundReversals", ["transactionId": "1"]))
    }
}
