import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// Sandbox testers, as App Store Connect has them and as our own API adds to them.
struct TesterRouteTests {
    private let clock = SettableClock()
    private let shop: TestStore
    private let developer: ConnectClient
    private let stranger: ConnectClient
    private let finance: ConnectClient

    private static let own = "/openstore/v1/sandboxTesters"
    private static let clearing = "/v2/sandboxTestersClearPurchaseHistoryRequest"

    init() async throws {
        shop = try await TestStore(hasContent: false, isApproved: true, clock: clock)
        developer = try await ConnectClient(shop, clock: clock, role: .developer, team: "Publisher")
        stranger = try await ConnectClient(shop, clock: clock, role: .admin, team: "Stranger")
        finance = try await ConnectClient(shop, clock: clock, role: .finance, team: "Publisher")
    }

    private static func draft(
        _ email: String = "tess@example.com", _ changes: [String: JSONValue] = [:]
    ) -> JSONValue {
        let attributes: [String: JSONValue] = [
            "firstName": "Tess", "lastName": "Ter", "email": .string(email),
            "password": .string(TestStore.password), "secretQuestion": "First pet?",
            "secretAnswer": "Rex", "territory": "USA",
        ]
        return .resource("sandboxTesters", attributes.merging(changes) { $1 })
    }

    private func make(_ email: String = "tess@example.com") async throws -> String {
        let made = try await developer.call("POST", Self.own, Self.draft(email), expecting: 201)
        return try #require(made.at("data.id"))
    }

    private func change(_ id: String, _ attributes: [String: JSONValue]) -> JSONValue {
        .resource("sandboxTesters", id: id, attributes)
    }

    /// A device with the shop's app on which the tester is signed in.
    private func device(_ email: String = "tess@example.com") async throws -> APIClient {
        try await APIClient.signedIn(shop, as: email)
    }

    @Test func `a tester is made by our API, and listed by both`() async throws {
        let id = try await make()
        let list = try await developer.call("GET", "/v2/sandboxTesters", expecting: 200)
        #expect(list.ids == [id])
        let attributes = try #require(list.value("data.0.attributes")?.members)
        #expect(
            attributes == [
                "firstName": "Tess", "lastName": "Ter", "acAccountName": "tess@example.com",
                "territory": "USA", "applePayCompatible": false, "interruptPurchases": false,
                "subscriptionRenewalRate": "MONTHLY_RENEWAL_EVERY_FIVE_MINUTES",
            ])
        let own = try await developer.call("GET", "\(Self.own)/\(id)", expecting: 200)
        #expect(own.at("data.attributes.email") == "tess@example.com")
        #expect(own.at("data.attributes.state") == "ACTIVE")
        // What it was made with is shown to nobody.
        let shown = try #require(own.value("data.attributes")?.members).keys
        #expect(shown.contains("password") == false)
        #expect(shown.contains("secretQuestion") == false)
        #expect(shown.contains("secretAnswer") == false)
        _ = try await device()
    }

    @Test func `an address, a password and a territory are enough for a tester`() async throws {
        let short: JSONValue = .resource(
            "sandboxTesters",
            [
                "email": "short@example.com", "password": .string(TestStore.password),
                "territory": "JPN",
            ])
        let made = try await developer.call("POST", Self.own, short, expecting: 201)
        #expect(made.at("data.attributes.firstName") == "")
        _ = try await device("short@example.com")
    }

    @Test func `a guardian is another tester of the team, or nobody`() async throws {
        let (ward, guardian) = (try await make(), try await make("guardian@example.com"))
        func choice(_ id: String?) -> JSONValue {
            let link: JSONValue =
                id.map { ["type": "sandboxTesters", "id": .string($0)] } ?? .null
            return [
                "type": "sandboxTesters", "id": .string(ward),
                "relationships": ["guardian": ["data": link]],
            ]
        }
        let path = "\(Self.own)/\(ward)"
        let named = try await developer.call("PATCH", path, choice(guardian), expecting: 200)
        #expect(named.at("data.relationships.guardian.data.id") == guardian)
        let related = try await developer.call("GET", "\(path)/guardian", expecting: 200)
        #expect(related.at("data.attributes.email") == "guardian@example.com")
        try await developer.refused("guardianOfItself", 409, "PATCH", path, choice(ward))
        try await developer.refused("notFound", 404, "PATCH", path, choice("999"))
        let kept = try await developer.call(
            "PATCH", path, change(ward, ["askToBuy": true]), expecting: 200)
        #expect(kept.at("data.relationships.guardian.data.id") == guardian)
        let gone = try await developer.call("PATCH", path, choice(nil), expecting: 200)
        #expect(gone.at("data.relationships.guardian.data.id") == nil)
    }

    @Test func `what can't be a tester is refused, field by field`() async throws {
        try await developer.refused(
            "emailMalformed", 409, "POST", Self.own, Self.draft("tess.example.com"))
        try await developer.refused(
            "secretQuestionMissing", 409, "POST", Self.own,
            Self.draft("a@example.com", ["secretQuestion": " "]))
        try await developer.refused(
            "form", 409, "POST", Self.own, Self.draft("a@example.com", ["territory": "XYZ"]))
        _ = try await make()
        try await developer.refused("testerEmailTaken", 409, "POST", Self.own, Self.draft())
        try await stranger.refused("testerEmailTaken", 409, "POST", Self.own, Self.draft())
        let list = try await developer.call("GET", Self.own, expecting: 200)
        #expect(list.ids.count == 1)
    }

    @Test func `another team, and a role that may not, get nowhere`() async throws {
        let id = try await make()
        let changes = change(id, ["territory": "JPN"])
        let clearing: JSONValue = [
            "type": "sandboxTestersClearPurchaseHistoryRequest",
            "relationships": [
                "sandboxTesters": [
                    "data": [["type": "sandboxTesters", "id": .string(id)]]
                ]
            ],
        ]
        let calls: [(String, String, JSONValue?)] = [
            ("PATCH", "/v2/sandboxTesters/\(id)", changes),
            ("POST", Self.clearing, clearing), ("GET", "\(Self.own)/\(id)", nil),
            ("PATCH", "\(Self.own)/\(id)", changes), ("DELETE", "\(Self.own)/\(id)", nil),
            ("GET", "\(Self.own)/\(id)/purchases", nil),
            ("GET", "\(Self.own)/\(id)/waitingPurchases", nil),
            ("GET", "\(Self.own)/\(id)/declinedPayments", nil),
        ]
        let before = try await developer.call("GET", Self.own, expecting: 200)
        for (method, path, body) in calls {
            // A tester that a new request refers to is a relationship that leads nowhere.
            let status = method == "POST" ? 409 : 404
            try await stranger.refused("notFound", status, method, path, body)
            try await finance.call(method, path, body, expecting: 403)
        }
        #expect(try await stranger.call("GET", Self.own, expecting: 200).ids.isEmpty)
        #expect(try await stranger.call("GET", "/v2/sandboxTesters", expecting: 200).ids.isEmpty)
        #expect(try await developer.call("GET", Self.own, expecting: 200) == before)
    }

    @Test func `App Store Connect's change takes what it names, null leaves it`() async throws {
        let id = try await make()
        let changed = try await developer.call(
            "PATCH", "/v2/sandboxTesters/\(id)",
            change(
                id,
                [
                    "territory": "JPN", "interruptPurchases": true,
                    "subscriptionRenewalRate": "MONTHLY_RENEWAL_EVERY_ONE_HOUR",
                ]), expecting: 200)
        #expect(changed.at("data.attributes.territory") == "JPN")
        #expect(changed.value("data.attributes.interruptPurchases") == true)
        let same = try await developer.call(
            "PATCH", "/v2/sandboxTesters/\(id)",
            change(id, ["territory": nil, "interruptPurchases": nil]), expecting: 200)
        #expect(same.value("data.attributes") == changed.value("data.attributes"))
        // The name is not among what can be changed.
        try await developer.call(
            "PATCH", "/v2/sandboxTesters/\(id)", change(id, ["firstName": "Eve"]), expecting: 409)
        try await developer.refused(
            "notFound", 404, "PATCH", "/v2/sandboxTesters/no", change("no", ["territory": "JPN"]))
    }

    @Test func `a payment that is made to fail is refused on the device`() async throws {
        let id = try await make()
        let changed = try await developer.call(
            "PATCH", "\(Self.own)/\(id)", change(id, ["paymentFailure": "NEXT"]), expecting: 200)
        #expect(changed.at("data.attributes.paymentFailure") == "NEXT")
        let device = try await device()
        let refusal = try await device.refusal(DeviceRoute.purchases, APIClient.badge(1))
        #expect(refusal.name == "402 paymentDeclined")
        #expect(refusal.error.message.contains("declined"))
        // The same order again is the same payment; another one goes through.
        #expect(
            try await device.refusal(DeviceRoute.purchases, APIClient.badge(1)).name
                == "402 paymentDeclined")
        _ = try await device.buy(APIClient.badge(2))
        let declined = try await developer.call(
            "GET", "\(Self.own)/\(id)/declinedPayments", expecting: 200)
        #expect(declined.value("data.0.attributes.productId")?.text == SampleShop.badge)
        #expect(declined.ids.count == 1)
    }

    @Test func `purchases are listed, refunded, and cleared`() async throws {
        let id = try await make()
        let device = try await device()
        let bought = try await device.buy(APIClient.badge(1))
        let list = try await developer.call(
            "GET", "\(Self.own)/\(id)/purchases", expecting: 200)
        #expect(list.ids == ["\(bought.transactionId)"])
        #expect(list.at("data.0.attributes.price") == "0.99")
        #expect(list.at("data.0.attributes.refundedDate") == nil)

        let refund = JSONValue.resource(
            "sandboxRefunds", ["transactionId": .string("\(bought.transactionId)")])
        try await stranger.refused("notFound", 404, "POST", "/openstore/v1/sandboxRefunds", refund)
        let refunded = try await developer.call(
            "POST", "/openstore/v1/sandboxRefunds", refund, expecting: 201)
        #expect(refunded.at("data.attributes.productId") == SampleShop.badge)
        try await developer.refused(
            "purchaseRefunded", 409, "POST", "/openstore/v1/sandboxRefunds", refund)

        _ = try await device.buy(APIClient.badge(2))
        #expect(try await device.unfinished().count == 1)
        let clearing: JSONValue = [
            "type": "sandboxTestersClearPurchaseHistoryRequest",
            "relationships": [
                "sandboxTesters": [
                    "data": [["type": "sandboxTesters", "id": .string(id)]]
                ]
            ],
        ]
        let cleared = try await developer.call(
            "POST", Self.clearing, clearing, expecting: 201)
        #expect(cleared.at("data.type") == "sandboxTestersClearPurchaseHistoryRequest")
        #expect(try await device.unfinished().isEmpty)
        #expect(try await device.restore(1).isEmpty)
        let after = try await developer.call(
            "GET", "\(Self.own)/\(id)/purchases", expecting: 200)
        #expect(after.ids.count == 2)
        #expect(after.value("data.0.attributes.cleared") == true)
    }

    @Test func `a request to clear nobody's history is refused`() async throws {
        try await developer.refused(
            "testersMissing", 409, "POST", Self.clearing,
            [
                "type": "sandboxTestersClearPurchaseHistoryRequest",
                "relationships": ["sandboxTesters": ["data": []]],
            ])
    }

    @Test func `an Ask to Buy is approved once, and the device gets it`() async throws {
        let id = try await make()
        try await developer.call(
            "PATCH", "\(Self.own)/\(id)", change(id, ["askToBuy": true]), expecting: 200)
        let device = try await device()
        let order = try WireCoding.encode(APIClient.credits(1))
        #expect(try await device.send("POST", DeviceRoute.purchases, order).status == 202)
        let waiting = try await developer.call(
            "GET", "\(Self.own)/\(id)/waitingPurchases", expecting: 200)
        let purchase = try #require(waiting.ids.first)
        #expect(waiting.at("data.0.attributes.state") == "WAITING")
        let path = "/openstore/v1/waitingPurchases/\(purchase)"
        let decision = JSONValue.resource(
            "waitingPurchases", id: purchase, ["decision": "APPROVED"])
        try await stranger.refused("notFound", 404, "PATCH", path, decision)
        try await stranger.refused("notFound", 404, "GET", path)
        let decided = try await developer.call("PATCH", path, decision, expecting: 200)
        #expect(decided.at("data.attributes.state") == "APPROVED")
        try await developer.refused("purchaseNotWaiting", 409, "PATCH", path, decision)
        #expect(try await device.unfinished().count == 1)
        let shown = try await developer.call("GET", path, expecting: 200)
        #expect(shown.at("data.attributes.decision") == "APPROVED")
    }

    @Test func `a converted tester tests no longer, and the device is told why`() async throws {
        let id = try await make()
        _ = try await shop.store.services.accounts.authenticate(
            email: "tess@example.com", password: TestStore.password, environment: .production,
            mayConvert: true)
        let device = try await APIClient(shop)
        let refusal = try await device.refusal(
            DeviceRoute.session,
            SignInRequest(email: "tess@example.com", password: TestStore.password))
        #expect(refusal.name == "401 signInRefused")
        #expect(refusal.error.message.contains("no longer good for testing"))
        #expect(try await developer.call("GET", "/v2/sandboxTesters", expecting: 200).ids.isEmpty)
        let own = try await developer.call("GET", Self.own, expecting: 200)
        #expect(own.at("data.0.attributes.state") == "CONVERTED")
        try await developer.refused(
            "testerConverted", 409, "PATCH", "/v2/sandboxTesters/\(id)",
            change(id, ["territory": "JPN"]))
        try await developer.call("DELETE", "\(Self.own)/\(id)", expecting: 204)
        #expect(try await developer.call("GET", Self.own, expecting: 200).ids.isEmpty)
    }

    @Test
    func
        `a device makes no tester a customer, and names the page that asks`() async throws
    {
        let id = try await make()
        let session = try await device()
        var device = try await APIClient(shop, environment: .production)
        let typed = SignInRequest(email: "Tess@Example.com", password: TestStore.password)
        let refusal = try await device.refusal(DeviceRoute.session, typed)
        #expect(refusal.name == "401 signInRefused")
        #expect(
            refusal.error.message.contains("sign in at \(APIClient.address)/us/account first"))
        // Who does not know the password is told nothing of it.
        let wrong = try await device.refusal(
            DeviceRoute.session, SignInRequest(email: "tess@example.com", password: "wrong"))
        #expect(!wrong.error.message.contains("tester"))
        let shown = try await developer.call("GET", "\(Self.own)/\(id)", expecting: 200)
        #expect(shown.at("data.attributes.state") == "ACTIVE")
        #expect(try await session.unfinished().isEmpty)
        // After the yes on that page the device signs in.
        let page = try await PageBrowser(port: shop.server.port)
            .open("\(shop.server.address)/us/account")
        #expect(page.status == 200)
        _ = try await shop.store.services.accounts.authenticate(
            email: "tess@example.com", password: TestStore.password, environment: .production,
            mayConvert: true)
        try await device.signIn("tess@example.com")
        #expect(try await device.unfinished().isEmpty)
    }

    @Test func `a deleted tester is signed out at once on this store`() async throws {
        let id = try await make()
        let device = try await device()
        try await developer.call("DELETE", "\(Self.own)/\(id)", expecting: 204)
        clock.advance(by: 6)
        let response = try await device.send("GET", DeviceRoute.unfinished)
        #expect(response.status == 401)
        try await developer.refused("notFound", 404, "GET", "\(Self.own)/\(id)")
    }

    @Test func `lists come in pages, and are searched`() async throws {
        for number in 1...5 { _ = try await make("t\(number)@example.com") }
        let first = try await developer.call(
            "GET", "/v2/sandboxTesters?limit=2", expecting: 200)
        #expect(first.ids.count == 2)
        #expect(first.value("meta.paging.total") == 5)
        #expect(first.at("links.next")?.hasPrefix("http://store.example/connect/v2/") == true)
        let found = try await developer.call(
            "GET", "\(Self.own)?filter[search]=T4", expecting: 200)
        #expect(found.at("data.0.attributes.email") == "t4@example.com")
        #expect(found.ids.count == 1)
        // What is searched is one text, with its commas.
        let none = try await developer.call(
            "GET", "\(Self.own)?filter[search]=t4,t5", expecting: 200)
        #expect(none.ids.isEmpty)
    }
}
