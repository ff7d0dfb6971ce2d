import Foundation
@testable import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// What nobody but the guardian may do.
struct ApprovalSafetyTests {
    private static let proof = ["password": ApprovalClient.password]

    @Test(arguments: [TestStore.password, "", "Guardian-horse"])
    func `a wrong password decides nothing`(password: String) async throws {
        let client = try await ApprovalClient()
        let page = try await client.page()
        for answer in ["yes", "no"] {
            let wrong = try await client.browser.submit(page, answer, ["password": password])
            #expect(wrong.status == 422)
            #expect(
                wrong.words.contains(
                    password.isEmpty
                        ? "Type the password of the account." : "The password is wrong."))
            #expect(password.isEmpty || !wrong.text.contains("value=\"\(password)\""))
        }
        #expect(try await client.waiting().count == 1)
        let right = try await client.browser.submit(page, "yes", Self.proof)
        #expect(right.words.contains("Approved"))
    }

    @Test func `after five wrong passwords none is looked at`() async throws {
        let clock = SettableClock()
        let client = try await ApprovalClient(clock: clock)
        let page = try await client.page()
        for _ in 1...4 {
            let wrong = try await client.browser.submit(page, "yes", ["password": "wrong"])
            #expect(wrong.status == 422)
        }
        for password in ["wrong", ApprovalClient.password] {
            let ended = try await client.browser.submit(page, "yes", ["password": password])
            #expect(ended.status == 410)
            #expect(ended.words.contains("Too Many Attempts"))
            #expect(ended.buttons.isEmpty)
        }
        #expect(try await client.ledger().isEmpty)
        // Another purchase has a page of its own, on which the account waits as anywhere.
        let delayed = try await client.browser.submit(
            try await client.page(2), "no", Self.proof)
        #expect(delayed.words.contains("try again in 1 minute."))
        clock.advance(by: 60)
        let other = try await client.browser.submit(try await client.page(2), "no", Self.proof)
        #expect(other.words.contains("Declined"))
        try await client.signInGuardian()
        let known = try await client.browser.open(page.url)
        #expect(known.status == 200)
        #expect(try await client.browser.submit(known, "yes").words.contains("Approved"))
    }

    @Test func `many passwords at once are not more than five`() async throws {
        let client = try await ApprovalClient()
        let page = try await client.page()
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    _ = try? await client.browser.submit(page, "yes", ["password": "wrong"])
                }
            }
        }
        let id = try #require(try await client.waiting().first).id
        let kept = try await client.shop.store.database.read { try $0.pending.page(of: id) }
        #expect(kept?.attempts == ApprovalService.attemptLimit)
    }

    @Test func `the session of somebody else is no proof`() async throws {
        let client = try await ApprovalClient()
        let page = try await client.page()
        // The browser of the account that asks, signed in there.
        let confirmation = try await client.device.page(
            try await client.device.ask(PromptClient.chapter()))
        _ = try await client.browser.submit(
            confirmation, "yes", ["password": TestStore.password])
        let again = try await client.browser.open(page.url)
        #expect(again.fields["password"] == "")
        #expect(try await client.browser.submit(again, "yes").status == 422)
        let own = try await client.browser.submit(
            again, "yes", ["password": TestStore.password, "email": TestStore.american])
        #expect(own.status == 422)
        #expect(try await client.ledger().isEmpty)
    }

    @Test func `whatever a page says, only the guardian decides`() async throws {
        let client = try await ApprovalClient()
        let page = try await client.page()
        let token = String(try #require(page.url.split(separator: "/").last))
        let approvals = client.shop.store.services.approvals
        let approval = try #require(
            try await approvals.approval(page: token, environment: .sandbox))
        for stranger in [nil, approval.requester.id] {
            for outcome in [PendingPurchase.Decision.Outcome.approved, .declined] {
                await #expect(throws: ApprovalRefusal.notProven) {
                    try await approvals.decide(outcome, on: approval, proven: stranger)
                }
            }
        }
        #expect(try await client.waiting().count == 1)
    }

    @Test func `the same address in the other environment is another account`() async throws {
        let client = try await ApprovalClient()
        let accounts = client.shop.store.services.accounts
        let elsewhere = try await accounts.create(
            email: ApprovalClient.guardian, password: "production-horse",
            storefront: .unitedStates, environment: .production)
        let page = try await client.page()
        let wrong = try await client.browser.submit(
            page, "yes", ["password": "production-horse"])
        #expect(wrong.status == 422)
        // Its session, under the name of the cookie of this environment.
        let session = try await client.shop.store.services.pageSessions.start(elsewhere)
        client.browser.cookies = ["openstore-sandbox": try #require(session)]
        let known = try await client.browser.open(page.url)
        #expect(known.fields["password"] == "")
        #expect(try await client.browser.submit(known, "yes").status == 422)
        #expect(try await client.ledger().isEmpty)
        let ward = try await accounts.account(
            email: TestStore.american, environment: .sandbox)
        await #expect(throws: AccountRefusal.guardianElsewhere(.sandbox)) {
            _ = try await accounts.change(ward.id) { $0.guardian = elsewhere.id }
        }
        await #expect(throws: AccountRefusal.guardianOfItself(TestStore.american)) {
            _ = try await accounts.change(ward.id) { $0.guardian = ward.id }
        }
    }

    @Test(arguments: Forgery.allCases)
    func `a form that the page did not give to this browser is not taken`(
        forgery: Forgery
    ) async throws {
        let client = try await ApprovalClient()
        let browser = client.browser
        let other = try await client.page(2)
        let page = try await client.page(1)
        let cookies = browser.cookies
        let refused = try await browser.submit(
            page, forgery, other: other, password: ApprovalClient.password)
        #expect(refused.status == 403)
        #expect(try await client.waiting().count == 2)
        // The same without the forgery is taken.
        browser.cookies = cookies
        let taken = try await browser.submit(page, "yes", Self.proof)
        #expect(taken.words.contains("Approved"))
    }

    @Test func `only names that the store has sealed for approvals lead to a page`() async throws {
        let client = try await ApprovalClient()
        let seals = client.shop.store.services.seals
        let page = try await client.page()
        let token = String(try #require(page.url.split(separator: "/").last))
        let parts = token.split(separator: ".").map(String.init)
        try #require(parts.count == 2)
        func sealed(_ text: String) -> String { seals.seal(Data(text.utf8)) }
        let stranger = try await TestStore(hasContent: false, hasOwnKeys: true)
        let statement = Data(#"{"approval":1}"#.utf8)
        #expect(seals.seal(statement) == token)
        let grant = GrantPayload(
            transactionId: TransactionID("1")!, digests: [], expirationDate: .max)
        let foreign: String = stranger.store.services.seals.seal(statement)
        let granted: String = seals.seal(try WireCoding.encode(grant))
        let backwards = String(parts[1].reversed())
        let wrongs: [String] = [
            "x", ".", "..", "\(parts[0]).", ".\(parts[1])", "\(token)A", "\(token).x",
            "\(parts[0]).\(backwards)", "%ff%fe", "1",
            String(repeating: "a", count: 4000), foreign, granted, sealed(""), sealed("[]"),
            sealed("{}"),
            sealed(#"{"approval":"1"}"#), sealed(#"{"approval":999}"#),
            sealed(#"{"approval":-1,"address":"http://127.0.0.1"}"#),
        ]
        for wrong in wrongs {
            let url = "\(client.shop.server.address)/sandbox/approvals/\(wrong)"
            let shown = try await client.browser.open(url)
            #expect(shown.status == 404, "\(wrong)")
            #expect(!shown.words.contains(TestStore.american))
        }
        let moved = page.url.replacingOccurrences(of: "/sandbox/", with: "/")
        #expect(try await client.browser.open(moved).status == 404)
        #expect(try await client.waiting().count == 1)
    }

    @Test func `an interrupted purchase has no page`() async throws {
        let client = try await ApprovalClient(hasGuardian: false)
        try await client.shop.change { settings in
            settings.asksToBuy = false
            settings.interruptsPurchases = true
        }
        #expect(try await client.send().status != 202)
        let waiting = try #require(try await client.waiting().first)
        #expect(waiting.kind == .interruption)
        let services = client.shop.store.services
        let base = "\(client.shop.server.address)/sandbox"
        #expect(try await services.approvals.path(of: waiting, address: base) == nil)
        let token = services.seals.seal(
            Data(#"{"approval":\#(waiting.id.number),"address":"\#(base)"}"#.utf8))
        #expect(try await client.browser.open("\(base)/approvals/\(token)").status == 404)
    }

    @Test func `hostile texts of accounts and products stay text`() async throws {
        let client = try await ApprovalClient(hasGuardian: false)
        let hostile = "</bdi><script>alert('x')</script>\"&amp;\u{202E}"
        let email = "\"><script>x()</script>@example.com"
        let accounts = client.shop.store.services.accounts
        let guardian = try await accounts.create(
            email: email, password: ApprovalClient.password, storefront: .unitedStates,
            environment: .sandbox)
        let ward = try await accounts.create(
            email: "<b>\(email)", password: TestStore.password, storefront: .unitedStates,
            environment: .sandbox)
        _ = try await accounts.change(ward.id) { settings in
            settings.asksToBuy = true
            settings.guardian = guardian.id
        }
        try await client.shop.store.database.write { repositories in
            let app = try repositories.sampleApp()
            _ = try repositories.catalog.save(
                AppDraft(
                    teamID: app.teamID, bundleID: app.bundleID, name: hostile,
                    binaryState: app.binaryState, generation: app.generation))
            for product in try repositories.catalog.products(of: app.id) {
                var draft = product.details
                draft.texts = draft.texts.mapValues { _ in
                    ProductText(title: hostile, description: hostile)
                }
                try repositories.catalog.save(draft, in: app.id)
            }
        }
        let device = try await PromptClient(client.shop, signedIn: "<b>\(email)")
        let response = try await device.send(
            "POST", DeviceRoute.purchases,
            WireCoding.encode(
                PurchaseRequest(
                    purchaseKey: PurchaseKey("purchase-key-1001")!,
                    productId: SampleShop.credits, quantity: 1,
                    confirmedPrice: Money(thousandths: 990, currency: "USD"),
                    applicationUsername: nil)))
        let path = try #require(
            try WireCoding.decode(DeferredAnswer.self, from: response.data).approvalPage)
        let page = try await device.browser.open(
            "\(client.shop.server.address)/sandbox\(path)")
        let wrong = try await device.browser.submit(page, "yes", ["password": "<i>"])
        #expect(wrong.status == 422)
        let done = try await device.browser.submit(page, "yes", Self.proof)
        for shown in [page, wrong, done] {
            #expect(!shown.text.contains("<script") && !shown.text.contains("<b>"))
            #expect(!shown.text.contains("<i>"))
            #expect(shown.text.contains("&lt;/bdi&gt;&lt;script&gt;alert(&#39;x&#39;)"))
        }
        #expect(page.words.contains("<b>\(email) wants to buy"))
        #expect(page.fields["email"] == email)
        #expect(done.words.contains("Approved"))
    }
}
