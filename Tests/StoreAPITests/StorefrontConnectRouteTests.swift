import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// Media, reviews, sales, affiliates and partners, as programs of publishers and operators use
/// them.
struct StorefrontConnectRouteTests {
    private let clock = SettableClock()
    private let shop: TestStore
    private let manager: ConnectClient
    private let stranger: ConnectClient
    private let staff: ConnectClient
    private let item: Item
    private let sale: ItemSale
    private let review: CustomerReview

    private static let base = "/openstore/v1"

    init() async throws {
        shop = try await TestStore(hasContent: false, clock: clock)
        manager = try await ConnectClient(shop, clock: clock, role: .admin, team: "Publisher")
        stranger = try await ConnectClient(shop, clock: clock, role: .admin, team: "Stranger")
        staff = try await ConnectClient(shop, clock: clock, role: .operator)
        let services = shop.store.services
        let team = try await shop.store.database.read {
            try $0.sampleApp().teamID
        }
        let draft = try await services.items.create(
            ItemDetails(
                kind: .ebook, title: "The Lighthouse", genres: [9031],
                prices: ItemPrices(tier: "1")), state: .draft, of: team, by: .machine)
        try await shop.store.database.write { try $0.addFile(to: draft.id) }
        item = try await services.items.setState(.onSale, of: draft.id, by: .machine)
        _ = try await services.affiliates.create(
            name: "Blog", email: "blog@example.com", basisPoints: 1000, token: "blog1",
            by: .machine)
        let customer = try await services.accounts.create(
            email: "reader@example.com", password: TestStore.password,
            storefront: .unitedStates, environment: .production)
        let price = try #require(item.details.prices.price(in: .unitedStates))
        sale = try await services.itemSales.buy(
            item.id, expecting: price, by: customer,
            referral: Referral(affiliateToken: "blog1", campaign: "winter"))
        review = try await services.customerReviews.write(
            ReviewDraft(rating: 4, title: "Good", body: "A light.", nickname: "Reader"),
            on: item.id, by: customer)
    }

    // MARK: Media

    private func upload(
        _ bytes: Data, by client: ConnectClient, _ query: [(name: String, value: String)]
    ) async throws -> (status: Int, json: JSONValue) {
        let response = try await client.send(
            "POST", "/connect\(Self.base)/items/\(item.id)/media", bytes,
            headers: ["Host": "store.example", "Content-Type": "application/octet-stream"],
            query: query)
        return (response.status, try JSONValue(reading: response.data))
    }

    private func media() async throws -> [String] {
        try await manager.call("GET", "\(Self.base)/items/\(item.id)/media", expecting: 200).ids
    }

    @Test func `a picture is sent as it is, ordered and taken away`() async throws {
        let before = try await media()
        let query = [(name: "kind", value: "screenshot"), (name: "fileName", value: "a.png")]
        let first = try await upload(SamplePicture.square(400), by: manager, query)
        #expect(first.status == 201, "\(first.json)")
        #expect(first.json.value("data.attributes.width") == 400)
        let second = try await upload(SamplePicture.square(401), by: manager, query)
        let id = try #require(second.json.at("data.id"))
        #expect(second.json.value("data.attributes.position") == 2)
        let moved = try await manager.call(
            "PATCH", "\(Self.base)/itemMedia/\(id)",
            .resource("itemMedia", id: id, ["position": 1]), expecting: 200)
        #expect(moved.value("data.attributes.position") == 1)
        let list = try await media().filter { !before.contains($0) }
        #expect(list.first == id)
        #expect(list.count == 2)
        try await manager.refused(
            "position", 409, "PATCH", "\(Self.base)/itemMedia/\(id)",
            .resource("itemMedia", id: id, ["position": 3]))
        try await stranger.refused("notFound", 404, "DELETE", "\(Self.base)/itemMedia/\(id)")
        let other = try await upload(SamplePicture.square(402), by: stranger, query)
        #expect(other.status == 404)
        try await manager.call("DELETE", "\(Self.base)/itemMedia/\(id)", expecting: 204)
        try await manager.refused("notFound", 404, "GET", "\(Self.base)/itemMedia/\(id)")
    }

    @Test func `what is no such medium is refused`() async throws {
        let picture = SamplePicture.square(400)
        let before = try await media()
        for (query, status) in [
            ([(name: "fileName", value: "a.png")], 400),
            ([(name: "kind", value: "screenshot")], 400),
            ([(name: "kind", value: "poster"), (name: "fileName", value: "a.png")], 400),
            ([(name: "kind", value: "screenshot"), (name: "fileName", value: "../a.png")], 409),
            ([(name: "kind", value: "artwork"), (name: "fileName", value: "a.png")], 409),
            ([(name: "kind", value: "audioPreview"), (name: "fileName", value: "a.png")], 409),
        ] as [([(name: String, value: String)], Int)] {
            let answer = try await upload(picture, by: manager, query)
            #expect(answer.status == status, "\(query): \(answer.json)")
        }
        #expect(try await media() == before)
    }

    @Test func `over a socket a large file goes to disk, and comes back as it was`() async throws {
        let client = try await ConnectClient(
            shop, clock: clock, altitude: .socket, role: .admin, team: "Publisher")
        // More than what other requests may have.
        let picture = SamplePicture.square(1100)
        #expect(picture.count > 4 << 20)
        let sent = try await upload(
            picture, by: client,
            [(name: "kind", value: "artwork"), (name: "fileName", value: "cover.png")])
        #expect(sent.status == 201, "\(sent.json)")
        let id = try #require(sent.json.at("data.id"))
        let file = try await client.send("GET", "/connect\(Self.base)/itemMedia/\(id)/file")
        #expect(file.status == 200)
        #expect(file.data == picture)
        let part = try await client.send(
            "GET", "/connect\(Self.base)/itemMedia/\(id)/file",
            headers: ["Range": "bytes=0-7"])
        #expect(part.status == 206)
        #expect(part.data == picture.prefix(8))
    }

    // MARK: Reviews

    @Test func `publishers answer reviews, and moderators decide about them`() async throws {
        let path = "\(Self.base)/customerReviews/\(review.id)"
        let list = try await manager.call(
            "GET", "\(Self.base)/customerReviews?filter[item]=\(item.id)&filter[rating]=4",
            expecting: 200)
        #expect(list.ids == [review.id.description])
        #expect(list.at("data.0.attributes.nickname") == "Reader")
        #expect(list.at("data.0.attributes.environment") == "PRODUCTION")
        let answered = try await manager.call(
            "PATCH", path,
            .resource("customerReviews", id: review.id.description, ["response": "Thank you."]),
            expecting: 200)
        #expect(answered.at("data.attributes.response") == "Thank you.")
        try await stranger.refused("notFound", 404, "GET", path)
        #expect(
            try await stranger.call("GET", "\(Self.base)/customerReviews", expecting: 200).ids
                .isEmpty)

        let decision = "\(Self.base)/customerReviewDecisions"
        func body(_ word: String, _ reason: String?) -> JSONValue {
            var attributes: [String: JSONValue] = ["decision": .string(word)]
            if let reason { attributes["reason"] = .string(reason) }
            return .resource(
                "customerReviewDecisions", attributes,
                to: ["review": ("customerReviews", review.id.description)])
        }
        try await manager.call("POST", decision, body("REJECT", "No."), expecting: 403)
        try await staff.call("POST", decision, body("REJECT", nil), expecting: 409)
        let rejected = try await staff.call(
            "POST", decision, body("REJECT", "Not about the book."), expecting: 201)
        #expect(rejected.at("data.attributes.state") == "REJECTED")
        try await manager.refused("notFound", 404, "GET", path)
        let waiting = try await staff.call(
            "GET", "\(Self.base)/customerReviews?filter[state]=REJECTED", expecting: 200)
        #expect(waiting.ids == [review.id.description])
        try await staff.call("POST", decision, body("PUBLISH", nil), expecting: 201)
        try await manager.call("GET", path, expecting: 200)
    }

    @Test func `what testers write is told apart`() async throws {
        let services = shop.store.services
        let tester = try await services.accounts.create(
            email: "tester@example.com", password: TestStore.password,
            storefront: .unitedStates, environment: .sandbox)
        _ = try await services.itemSales.buy(item.id, expecting: sale.price, by: tester)
        let tested = try await services.customerReviews.write(
            ReviewDraft(rating: 1, title: "Test", body: "A test.", nickname: "Tester"),
            on: item.id, by: tester)
        let path = "\(Self.base)/customerReviews"
        for (filter, ids) in [
            ("", [tested.id, review.id]), ("?filter[environment]=SANDBOX", [tested.id]),
            ("?filter[environment]=PRODUCTION", [review.id]),
            ("?filter[environment]=SANDBOX,PRODUCTION", [tested.id, review.id]),
        ] as [(String, [ReviewID])] {
            let list = try await manager.call("GET", path + filter, expecting: 200)
            #expect(list.ids == ids.map(\.description), "\(filter)")
        }
        let one = try await manager.call("GET", "\(path)/\(tested.id)", expecting: 200)
        #expect(one.at("data.attributes.environment") == "SANDBOX")
        try await manager.call("GET", "\(path)?filter[environment]=MOON", expecting: 400)
    }

    // MARK: Sales

    @Test func `sales tell no buyer, and operators take them back once`() async throws {
        let list = try await manager.call("GET", "\(Self.base)/itemSales", expecting: 200)
        #expect(list.ids == [sale.id.description])
        #expect(list.at("data.0.attributes.campaign") == "winter")
        #expect(list.value("data.0.attributes.cleared") == false)
        let shown = try #require(list.value("data.0.attributes")?.members).keys
        #expect(!shown.contains { $0.lowercased().contains("account") })
        #expect(
            try await stranger.call("GET", "\(Self.base)/itemSales", expecting: 200).ids.isEmpty)
        let refund = JSONValue.resource(
            "itemRefunds", to: ["sale": ("itemSales", sale.id.description)])
        try await manager.call("POST", "\(Self.base)/itemRefunds", refund, expecting: 403)
        try await staff.call("POST", "\(Self.base)/itemRefunds", refund, expecting: 201)
        try await staff.refused(
            "saleRefunded", 409, "POST", "\(Self.base)/itemRefunds", refund)
        let after = try await manager.call("GET", "\(Self.base)/itemSales", expecting: 200)
        #expect(after.at("data.0.attributes.refundDate") != nil)
    }

    // MARK: Affiliates and partners

    @Test func `affiliates are the operator's, with a report as JSON and CSV`() async throws {
        let path = "\(Self.base)/affiliates"
        try await manager.call("GET", path, expecting: 403)
        let made = try await staff.call(
            "POST", path,
            .resource(
                "affiliates",
                ["name": "Radio", "email": "radio@example.com", "basisPoints": 250]),
            expecting: 201)
        let id = try #require(made.at("data.id"))
        #expect(made.at("data.attributes.token")?.isEmpty == false)
        let changed = try await staff.call(
            "PATCH", "\(path)/\(id)", .resource("affiliates", id: id, ["active": false]),
            expecting: 200)
        #expect(changed.value("data.attributes.active") == false)
        try await staff.call(
            "PATCH", "\(path)/\(id)", .resource("affiliates", id: id, ["basisPoints": 10_001]),
            expecting: 409)
        let report = try await staff.call("GET", "\(Self.base)/affiliateReports", expecting: 200)
        #expect(report.at("data.0.attributes.token") == "blog1")
        #expect(report.at("data.0.attributes.campaign") == "winter")
        #expect(report.value("data.0.attributes.sales") == 1)
        let csv = try await staff.send("GET", "/connect\(Self.base)/affiliateReports/csv")
        #expect(csv.headers["Content-Type"] == "text/csv; charset=utf-8")
        #expect(String(decoding: csv.data, as: UTF8.self).contains("blog1"))
        try await staff.call(
            "GET", "\(Self.base)/affiliateReports?filter[from]=yesterday", expecting: 400)
        try await staff.call(
            "GET",
            "\(Self.base)/affiliateReports?filter[from]=2026-02-02&filter[to]=2026-02-01",
            expecting: 400)
    }

    @Test func `a partner's password is in one answer only`() async throws {
        let path = "\(Self.base)/feedPartners"
        try await manager.call("GET", path, expecting: 403)
        let made = try await staff.call(
            "POST", path, .resource("feedPartners", ["name": "Prices", "userName": "prices"]),
            expecting: 201)
        let id = try #require(made.at("data.id"))
        let password = try #require(made.at("data.attributes.password"))
        let shown = try await staff.call("GET", "\(path)/\(id)", expecting: 200)
        #expect(shown.at("data.attributes.password") == nil)
        let renewed = try await staff.call(
            "POST", "\(Self.base)/feedPartnerPasswords",
            .resource("feedPartnerPasswords", to: ["partner": ("feedPartners", id)]),
            expecting: 201)
        #expect(renewed.at("data.attributes.password") != password)
        let changed = try await staff.call(
            "PATCH", "\(path)/\(id)", .resource("feedPartners", id: id, ["active": false]),
            expecting: 200)
        #expect(changed.value("data.attributes.active") == false)
        try await staff.refused(
            "userNameTaken", 409, "POST", path,
            .resource("feedPartners", ["name": "Other", "userName": "prices"]))
    }
}
