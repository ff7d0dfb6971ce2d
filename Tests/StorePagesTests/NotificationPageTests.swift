import Foundation
@testable import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// The pages about what an app's server is told, as somebody in the portal uses them.
struct NotificationPageTests {
    private let clock = SettableClock()
    private let shop: TestStore
    private let app: App
    private let portal: PortalClient
    private let root: String

    init() async throws {
        shop = try await TestStore(hasContent: false, clock: clock)
        app = try await shop.store.database.read { try $0.sampleApp() }
        portal = Self.portal(shop, app.teamID, .appManager)
        root = "/connect/apps/\(app.id.number)/notifications"
    }

    private static func portal(
        _ shop: TestStore, _ team: Int64, _ role: ConnectRole
    ) -> PortalClient {
        PortalClient(shop.store, roles: [role], team: .init(id: team, name: "Publisher"))
    }

    private func portal(_ role: ConnectRole) -> PortalClient {
        Self.portal(shop, app.teamID, role)
    }

    private func setAddress(_ url: String) async throws {
        let page = try await portal.open(root)
        let saved = try await portal.send(
            page, to: "\(root)/addresses",
            ["subscriptionStatusUrl": "", "subscriptionStatusUrlForSandbox": url])
        #expect(saved.status == 303)
    }

    /// Has a customer buy a subscription, and gives what the app's server is told of it.
    private func buy() async throws -> StoreNotification {
        let services = shop.store.services
        let buyer = try await services.accounts.account(
            email: TestStore.american, environment: .sandbox)
        let catalog = try #require(
            try await services.catalog.catalog(of: SampleShop.bundleID))
        _ = try await services.purchases.buy(
            PurchaseOrder(
                key: PurchaseKey("purchase-key-1001")!, productID: SampleShop.monthly,
                quantity: 1, confirmedPrice: Money(thousandths: 4990, currency: "USD"),
                applicationUsername: nil, device: "device"), by: buyer,
            profile: ProfileClaim(
                bundleID: SampleShop.bundleID,
                applicationIdentifier: ApplicationIdentifier(SampleShop.bundleID),
                environment: .sandbox, allowsInAppPurchase: true,
                generation: catalog.app.generation), catalog: catalog)
        return try #require(try await told().first)
    }

    private func told() async throws -> [StoreNotification] {
        let id = app.id
        return try await shop.store.database.read {
            try $0.notifications.notifications(
                of: id, in: .sandbox, NotificationQuery(), after: nil, newestFirst: true,
                limit: 1000)
        }
    }

    @Test func `an address is set, a test is sent and seen`() async throws {
        var page = try await portal.open(root)
        #expect(page.status == 200 && page.words.contains("No notifications"))
        // Without an address there is nowhere to send it.
        let refused = try await portal.send(
            page, to: "\(root)/test", ["environment": "sandbox"])
        #expect(refused.status == 422)
        #expect(refused.words.contains("The app has no URL for notifications"))
        try await setAddress("https://publisher.example/n")
        page = try await portal.open("\(root)?environment=sandbox")
        #expect(page.text.contains("value=\"https://publisher.example/n\""))

        let sent = try await portal.send(page, to: "\(root)/test", ["environment": "sandbox"])
        let test = try #require(try await told().first)
        #expect(sent.status == 303 && sent.location == "\(root)/\(test.id)")
        let shown = try await portal.open("\(root)/\(test.id)")
        #expect(shown.words.contains("TEST") && shown.words.contains(test.uuid))
        #expect(shown.words.contains("Not sent yet") && shown.words.contains("Being Sent"))
        let list = try await portal.open("\(root)?environment=sandbox")
        #expect(list.text.contains("href=\"\(root)/\(test.id)\""))
        // It is of the sandbox, and production is another list.
        #expect(try await portal.open(root).words.contains("No notifications"))
    }

    @Test(
        arguments: [
            ("http://publisher.example/n", "is not an HTTPS address"),
            ("https://127.0.0.1:8080/", "leads to the store&#39;s own machine"),
            ("https://publisher.example:25/", "has port 25"),
            ("https://10.0.0.8/<b>", "leads to a private network"),
        ] as [(String, String)])
    func `an address that leads elsewhere than to the internet is refused`(
        url: String, sentence: String
    ) async throws {
        let page = try await portal.open(root)
        let answer = try await portal.send(
            page, to: "\(root)/addresses",
            ["subscriptionStatusUrl": url, "subscriptionStatusUrlForSandbox": ""])
        #expect(answer.status == 422)
        #expect(answer.words.contains(sentence))
        #expect(!answer.text.contains("<b>"))
        let attributes = try await shop.store.services.apps.app(app.id, by: .machine).attributes
        #expect(attributes.statusURL == nil)
    }

    @Test func `what it says and every attempt are shown, and it is sent again`() async throws {
        try await setAddress("https://publisher.example/n")
        let told = try await buy()
        let path = "\(root)/\(told.id)"
        try await shop.store.database.write { repositories in
            try repositories.notifications.append(
                SendAttempt(
                    date: clock.now(), url: "https://publisher.example/<b>n",
                    outcome: SendOutcome(
                        .unsuccessfulStatus, status: 503, detail: "<i>Out</i> of order."),
                    duration: .milliseconds(1234), isReplay: false), of: told.id)
            try repositories.notifications.set(
                NotificationStatus(state: .failed, attempts: 1, due: nil), of: told.id)
        }
        let page = try await portal.open(path)
        #expect(page.status == 200)
        for text in [
            "SUBSCRIBED / INITIAL_BUY", "Failed", "UNSUCCESSFUL_HTTP_RESPONSE_CODE", "503",
            "1234 ms", "\"notificationType\" : \"SUBSCRIBED\"", "\"status\" : 1",
            "\"productId\" : \"\(SampleShop.monthly)\"", "\"autoRenewStatus\" : 1",
            "https://publisher.example/<b>n", "<i>Out</i> of order.",
        ] {
            let escaped = text.replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
                .replacing(">", with: "&gt;")
            #expect(page.words.contains(escaped), "\(text)")
        }
        #expect(!page.text.contains("<b>n") && !page.text.contains("<i>Out"))
        let answer = try await portal.send(page, to: "\(path)/resend")
        #expect(answer.status == 303 && answer.location == path)
        #expect(try await self.told().first?.status.isReplay == true)
        #expect(try await portal.open(path).words.contains("Being Sent Again"))
    }

    @Test func `the list is filtered, and goes on in pages`() async throws {
        try await setAddress("https://publisher.example/n")
        let failed = try await buy()
        try await shop.store.database.write { repositories in
            try repositories.notifications.set(
                NotificationStatus(state: .failed, attempts: 1, due: nil), of: failed.id)
            for _ in 0..<60 {
                _ = try repositories.notifications.append(
                    NotificationDraft(app: app.id, environment: .sandbox, type: .test),
                    at: clock.now())
            }
        }
        let first = try await portal.open("\(root)?environment=sandbox")
        #expect(first.words.contains("50 shown") && !first.words.contains("INITIAL_BUY"))
        let next = try #require(
            first.text.firstMatch(of: /href="([^"]*page=[^"]*)"/).map { String($0.1) })
        let second = try await portal.open(next.replacing("&amp;", with: "&"))
        #expect(second.words.contains("11 shown") && second.words.contains("INITIAL_BUY"))
        let failures = try await portal.open("\(root)?environment=sandbox&show=failures")
        #expect(failures.words.contains("1 shown") && failures.words.contains("Failed"))
        let typed = try await portal.open("\(root)?environment=sandbox&type=SUBSCRIBED")
        #expect(typed.words.contains("1 shown"))
        #expect(try await portal.open("\(root)?environment=x&type=y&show=z").status == 200)
        #expect(try await portal.open("\(root)?page=x").status == 422)
    }

    @Test func `who only helps customers sees it and sends nothing`() async throws {
        try await setAddress("https://publisher.example/n")
        let told = try await buy()
        let helper = portal(.customerSupport)
        let page = try await helper.open("\(root)/\(told.id)")
        #expect(page.status == 200 && !page.words.contains("Send Again"))
        let list = try await helper.open(root)
        #expect(!list.words.contains("Send Test Notification") && !list.words.contains("Save"))
        let token = try await portal.open(root).formToken
        for path in ["\(root)/\(told.id)/resend", "\(root)/test", "\(root)/addresses"] {
            #expect(await helper.post(path, token: token).status == 403)
        }
        for role in [ConnectRole.marketing, .finance, .sales] {
            #expect(try await portal(role).open(root).status == 403)
        }
        // A notification of another app is not this one's.
        #expect(try await portal.open("\(root)/999999").status == 404)
        #expect(try await portal.open("\(root)/x").status == 404)
        #expect(try await portal.open("/connect/apps/999/notifications/\(told.id)").status == 404)
    }
}
