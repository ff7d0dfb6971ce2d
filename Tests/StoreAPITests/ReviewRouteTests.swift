import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

/// Submitting, reviewing and taking from sale over the API.
@Suite struct ReviewRouteTests {
    private let shop: TestStore
    private let manager: ConnectClient
    private let reviewer: ConnectClient
    private let `operator`: ConnectClient
    private let stranger: ConnectClient
    private let app: String
    private let badge: String
    private let chapter: String

    init() async throws {
        let clock = SettableClock()
        shop = try await TestStore(hasContent: false, clock: clock)
        manager = try await ConnectClient(shop, clock: clock, role: .appManager, team: "Publisher")
        reviewer = try await ConnectClient(shop, clock: clock, role: .reviewer)
        `operator` = try await ConnectClient(shop, clock: clock, role: .operator)
        stranger = try await ConnectClient(shop, clock: clock, role: .admin, team: "Stranger")
        let (number, products) = try await shop.store.database.read { repositories in
            let app = try repositories.sampleApp()
            let products = try [SampleShop.badge, SampleShop.chapter].map { id in
                try #require(try repositories.products.number(of: ProductID(id)!, in: app.id))
            }
            return (String(app.id.number), products)
        }
        for product in products { try await shop.store.addScreenshot(to: product) }
        (app, badge, chapter) = (number, products[0].description, products[1].description)
    }

    /// Several products in a relationship.
    private func submission(_ products: [String]) -> JSONValue {
        [
            "type": "reviewSubmissions",
            "relationships": [
                "inAppPurchases": [
                    "data": .array(
                        products.map { ["type": "inAppPurchases", "id": .string($0)] })
                ]
            ],
        ]
    }

    private func submitted(_ products: String...) async throws -> String {
        let made = try await manager.call(
            "POST", "/openstore/v1/reviewSubmissions", submission(products), expecting: 201)
        return try #require(made.at("data.id"))
    }

    private func claim(_ id: String) -> JSONValue {
        .resource("reviewClaims", to: ["submission": ("reviewSubmissions", id)])
    }

    private func decision(_ name: String, _ item: String, _ message: String? = nil) -> JSONValue {
        var attributes: [String: JSONValue] = ["decision": .string(name)]
        if let message { attributes["message"] = .string(message) }
        return .resource(
            "reviewDecisions", attributes, to: ["item": ("reviewSubmissionItems", item)])
    }

    private func sale(_ type: String, _ action: String, reason: String? = nil) -> JSONValue {
        var attributes: [String: JSONValue] = ["action": .string(action)]
        if let reason { attributes["reason"] = .string(reason) }
        return .resource(type, attributes, to: ["inAppPurchase": ("inAppPurchases", badge)])
    }

    private func state(_ number: String) async throws -> ProductState? {
        let number = try #require(ProductNumber(number))
        return try await shop.store.database.read { try $0.products.record(number)?.state }
    }

    /// The items of a submission.
    private func items(_ id: String) async throws -> [String] {
        try await manager.call(
            "GET", "/openstore/v1/reviewSubmissions/\(id)/items", expecting: 200
        ).ids
    }

    @Test func `products are submitted, claimed and decided`() async throws {
        let id = try await submitted(badge, chapter)
        #expect(try await state(badge) == .waitingForReview)
        let queue = try await reviewer.call("GET", "/openstore/v1/reviewQueue", expecting: 200)
        #expect(queue.ids == [id])
        #expect(queue.at("data.0.attributes.state") == "WAITING_FOR_REVIEW")
        let claimed = try await reviewer.call(
            "POST", "/openstore/v1/reviewClaims", claim(id), expecting: 201)
        #expect(claimed.at("data.attributes.state") == "IN_REVIEW")
        let items = try await items(id)
        try #require(items.count == 2)
        let shown = try await reviewer.call(
            "GET", "/openstore/v1/reviewSubmissionItems/\(items[0])", expecting: 200)
        let changes = shown.value("data.attributes.changes")?.elements ?? []
        #expect(changes.contains { $0["name"]?.text == "Title (en_US)" })
        let approved = try await reviewer.call(
            "POST", "/openstore/v1/reviewDecisions", decision("APPROVE", items[0]), expecting: 201)
        #expect(approved.at("data.attributes.itemState") == "APPROVED")
        #expect(approved.at("data.attributes.submissionState") == "IN_REVIEW")
        let rejected = try await reviewer.call(
            "POST", "/openstore/v1/reviewDecisions", decision("REJECT", items[1], "Too dark."),
            expecting: 201)
        #expect(rejected.at("data.attributes.submissionState") == "COMPLETE")
        #expect(try await state(badge) == .approved)
        #expect(try await state(chapter) == .rejected)
        // The publisher reads what the reviewer said.
        let told = try await manager.call(
            "GET", "/openstore/v1/reviewSubmissionItems/\(items[1])?include=submission",
            expecting: 200)
        #expect(told.at("data.attributes.message") == "Too dark.")
        #expect(told.at("included.0.id") == id)
        let list = try await manager.call(
            "GET",
            "/openstore/v1/reviewSubmissions?filter%5Bstate%5D=COMPLETE&filter%5Bapp%5D=\(app)",
            expecting: 200)
        #expect(list.ids == [id])
    }

    @Test func `Apple's way submits one product`() async throws {
        let body = JSONValue.resource(
            "inAppPurchaseSubmissions", to: ["inAppPurchaseV2": ("inAppPurchases", badge)])
        let made = try await manager.call(
            "POST", "/v1/inAppPurchaseSubmissions", body, expecting: 201)
        #expect(made.at("data.type") == "inAppPurchaseSubmissions")
        #expect(try await state(badge) == .waitingForReview)
        try await manager.refused(
            "reviewPending", 409, "POST", "/v1/inAppPurchaseSubmissions", body)
        // Apple's description has no 404 for a request that makes something.
        try await stranger.refused(
            "notFound", 409, "POST", "/v1/inAppPurchaseSubmissions", body)
    }

    @Test func `a submission is taken back`() async throws {
        let id = try await submitted(badge)
        let back = JSONValue.resource("reviewSubmissions", id: id, ["canceled": true])
        try await stranger.refused(
            "notFound", 404, "PATCH", "/openstore/v1/reviewSubmissions/\(id)", back)
        let gone = try await manager.call(
            "PATCH", "/openstore/v1/reviewSubmissions/\(id)", back, expecting: 200)
        #expect(gone.at("data.attributes.state") == "WITHDRAWN")
        #expect(try await state(badge) == .readyToSubmit)
        try await manager.refused(
            "submissionState", 409, "PATCH", "/openstore/v1/reviewSubmissions/\(id)", back)
    }

    @Test func `one product is taken back out of a submission`() async throws {
        let id = try await submitted(badge, chapter)
        let list = try await manager.call(
            "GET", "/openstore/v1/reviewSubmissionItems?filter%5BinAppPurchase%5D=\(badge)",
            expecting: 200)
        let item = try #require(list.ids.first)
        try await stranger.refused(
            "notFound", 404, "DELETE", "/openstore/v1/reviewSubmissionItems/\(item)")
        _ = try await manager.call(
            "DELETE", "/openstore/v1/reviewSubmissionItems/\(item)", expecting: 204)
        #expect(try await state(badge) == .readyToSubmit)
        #expect(try await state(chapter) == .waitingForReview)
        let rest = try await manager.call(
            "GET", "/openstore/v1/reviewSubmissions/\(id)", expecting: 200)
        #expect(rest.at("data.attributes.state") == "WAITING_FOR_REVIEW")
    }

    @Test func `refusals name their rule`() async throws {
        try await manager.refused(
            "submissionEmpty", 409, "POST", "/openstore/v1/reviewSubmissions",
            .resource("reviewSubmissions"))
        try await manager.refused(
            "notFound", 404, "POST", "/openstore/v1/reviewSubmissions", submission(["999999"]))
        try await manager.refused(
            "notFound", 404, "POST", "/openstore/v1/reviewSubmissions", submission(["x"]))
        let id = try await submitted(badge)
        let item = try #require(try await items(id).first)
        try await reviewer.refused(
            "submissionState", 409, "POST", "/openstore/v1/reviewDecisions",
            decision("APPROVE", item))
        _ = try await reviewer.call(
            "POST", "/openstore/v1/reviewClaims", claim(id), expecting: 201)
        try await reviewer.refused(
            "messageMissing", 409, "POST", "/openstore/v1/reviewDecisions",
            decision("REJECT", item))
        try await reviewer.refused(
            "notFound", 404, "POST", "/openstore/v1/reviewDecisions", decision("APPROVE", "999"))
        try await stranger.refused(
            "notFound", 404, "GET", "/openstore/v1/reviewSubmissionItems/\(item)")
    }

    @Test func `a product is taken from sale by its publisher and by the store`() async throws {
        let id = try await submitted(badge)
        _ = try await reviewer.call("POST", "/openstore/v1/reviewClaims", claim(id), expecting: 201)
        let item = try #require(try await items(id).first)
        _ = try await reviewer.call(
            "POST", "/openstore/v1/reviewDecisions", decision("APPROVE", item), expecting: 201)
        let removed = try await manager.call(
            "POST", "/openstore/v1/saleChanges", sale("saleChanges", "REMOVE"), expecting: 201)
        #expect(removed.at("data.attributes.state") == "DEVELOPER_REMOVED_FROM_SALE")
        _ = try await manager.call(
            "POST", "/openstore/v1/saleChanges", sale("saleChanges", "RETURN"), expecting: 201)
        try await `operator`.refused(
            "reasonMissing", 409, "POST", "/openstore/v1/storeSaleChanges",
            sale("storeSaleChanges", "TAKE_DOWN"))
        let down = try await `operator`.call(
            "POST", "/openstore/v1/storeSaleChanges",
            sale("storeSaleChanges", "TAKE_DOWN", reason: "A complaint."), expecting: 201)
        #expect(down.at("data.attributes.state") == "REMOVED_FROM_SALE")
        try await manager.refused(
            "productState", 409, "POST", "/openstore/v1/saleChanges",
            sale("saleChanges", "RETURN"))
        _ = try await `operator`.call(
            "POST", "/openstore/v1/storeSaleChanges", sale("storeSaleChanges", "REINSTATE"),
            expecting: 201)
        #expect(try await state(badge) == .approved)
    }

    @Test func `a product's status says its price, what is missing and that its team can't sell`()
        async throws
    {
        let path = "/openstore/v1/productStatuses/\(badge)"
        try await stranger.refused("notFound", 404, "GET", path)
        let sells = try await manager.call("GET", path, expecting: 200)
        #expect(sells.value("data.attributes.missing")?.elements?.isEmpty == true)
        #expect(sells.at("data.attributes.customerPrice") != nil)
        #expect(sells.at("data.attributes.currency") == "USD")
        #expect(sells.at("data.attributes.obstacle") == nil)
        let team = try await shop.store.database.read { try $0.sampleApp().teamID }
        _ = try await shop.store.services.people.agreements.terminate(
            .paidApps, of: team, by: .machine)
        let idle = try await reviewer.call("GET", path, expecting: 200)
        #expect(idle.value("data.attributes.hasPaidAgreement")?.flag == false)
        #expect(idle.at("data.attributes.obstacle")?.contains("Paid Apps agreement") == true)
    }

    @Test func `hosting is switched, and versions are listed`() async throws {
        let on = JSONValue.resource("contentHostings", id: chapter, ["isHosted": true])
        let path = "/openstore/v1/contentHostings/\(chapter)"
        try await stranger.refused("notFound", 404, "PATCH", path, on)
        let hosted = try await manager.call("PATCH", path, on, expecting: 200)
        #expect(hosted.at("data.attributes.productState") == "WAITING_FOR_UPLOAD")
        let shown = try await manager.call("GET", path, expecting: 200)
        #expect(shown.value("data.attributes.isHosted")?.flag == true)
        let folder = try TemporaryFolder()
        _ = try await shop.store.importCatalog(
            configuration: SampleShop.configuration,
            content: SampleShop.writeContent(into: folder, noiseBytes: 1000),
            bundleID: SampleShop.bundleID)
        let versions = try await manager.call(
            "GET", "/openstore/v1/contentVersions?filter%5BinAppPurchase%5D=\(chapter)",
            expecting: 200)
        #expect(versions.ids == ["\(chapter)-1.0"])
        #expect(versions.at("data.0.attributes.state") == "READY_TO_SUBMIT")
        _ = try await manager.call("GET", "/openstore/v1/contentVersions", expecting: 400)
    }
}
