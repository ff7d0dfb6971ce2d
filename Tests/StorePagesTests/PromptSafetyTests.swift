import Foundation
@testable import StoreCore
import StoreHTTP
import StoreModel
import StorePages
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

/// What nobody but the customer and the asking device may do with a prompt.
struct PromptSafetyTests {
    private func shop(clock: any StoreClock = SystemClock()) async throws -> TestStore {
        try await TestStore(hasContent: false, isApproved: true, clock: clock)
    }

    /// The refusal of what is tried; nil where it is let through.
    private func refusal(_ body: () async throws -> some Sendable) async throws -> WireErrorCode? {
        do {
            _ = try await body()
            return nil
        } catch let error as WireError {
            return error.code
        }
    }

    // MARK: The device

    @Test func `only the secret's holder in the same app and environment hears the answer`()
        async throws
    {
        let shop = try await shop()
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        var prompt = try await client.ask(PromptClient.chapter())
        let other = try await client.ask(PromptClient.chapter())
        #expect(prompt.secret != other.secret)
        let elsewhere = try await PromptClient(shop, environment: .production)
        #expect(try await refusal { try await elsewhere.state(prompt) } == .promptNotFound)
        let secret = prompt.secret
        for wrong in ["", "x", other.secret, String(repeating: "s", count: 10_000)] {
            prompt.secret = wrong
            #expect(try await refusal { try await client.state(prompt) } == .promptNotFound)
            let response = try await client.send(
                "DELETE", DeviceRoute.prompt(prompt.id), secret: wrong)
            #expect(response.status == 404)
        }
        prompt.secret = secret
        for wrong in ["0", "-1", "999999", "abc", other.id] {
            var moved = prompt
            moved.id = wrong
            #expect(try await refusal { try await client.state(moved) } == .promptNotFound)
        }
        #expect(try await client.state(prompt).state == .pending)
    }

    @Test(
        arguments: [
            (PromptClient.chapter(quantity: 0), WireErrorCode.quantityOutOfRange),
            (PromptClient.chapter(quantity: 11), .quantityOutOfRange),
            (
                .confirm(
                    productId: SampleShop.chapter, quantity: 1,
                    price: Money(thousandths: 1, currency: "USD")), .priceChanged
            ),
            (
                .confirm(
                    productId: SampleShop.chapter, quantity: 1,
                    price: Money(thousandths: 1990, currency: "EUR")), .priceChanged
            ),
            (
                .confirm(productId: "nothing", quantity: 1, price: PromptClient.price),
                .productInvalid
            ),
            (
                .consent(
                    productId: SampleShop.chapter, currentPrice: PromptClient.price,
                    newPrice: PromptClient.price), .malformedRequest
            ),
            (
                .consent(
                    productId: SampleShop.chapter, currentPrice: PromptClient.price,
                    newPrice: Money(thousandths: 9990, currency: "EUR")), .malformedRequest
            ),
            (.signIn(email: String(repeating: "a", count: 255)), .malformedRequest),
        ] as [(PromptRequest, WireErrorCode)])
    func `what the store would not sell so is not asked`(
        request: PromptRequest, code: WireErrorCode
    ) async throws {
        let client = try await PromptClient(shop(), signedIn: TestStore.american)
        #expect(try await refusal { try await client.ask(request) } == code)
    }

    @Test(arguments: [PromptClient.chapter(), .redeem] as [PromptRequest])
    func `questions of an account need its session`(request: PromptRequest) async throws {
        let client = try await PromptClient(shop())
        #expect(try await refusal { try await client.ask(request) } == .notSignedIn)
    }

    @Test(arguments: [#"{"kind":"transfer"}"#, "{}", #"{"kind":"confirm","quantity":"x"}"#, "["])
    func `a malformed prompt is refused`(body: String) async throws {
        let client = try await PromptClient(shop())
        let response = try await client.send("POST", DeviceRoute.prompts, Data(body.utf8))
        #expect(response.status == 400)
    }

    @Test func `an abandoned prompt can't be answered`() async throws {
        let client = try await PromptClient(shop(), signedIn: TestStore.american)
        let prompt = try await client.ask(PromptClient.chapter())
        let page = try await client.page(prompt)
        let response = try await client.send(
            "DELETE", DeviceRoute.prompt(prompt.id), secret: prompt.secret)
        #expect(response.status == 204)
        let late = try await client.browser.submit(
            page, "yes", ["password": TestStore.password])
        #expect(late.status == 410)
        #expect(late.words.contains("No Longer Needed"))
        #expect(try await client.state(prompt).state == .abandoned)
    }

    @Test func `a prompt expires after fifteen minutes`() async throws {
        let clock = SettableClock()
        let shop = try await shop(clock: clock)
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        let prompt = try await client.ask(PromptClient.chapter())
        #expect(prompt.expiresDate == clock.now().addingTimeInterval(900).milliseconds)
        let page = try await client.page(prompt)
        clock.advance(by: 899)
        #expect(try await client.state(prompt).state == .pending)
        clock.advance(by: 1)
        #expect(try await client.state(prompt).state == .expired)
        let late = try await client.browser.submit(
            page, "yes", ["password": TestStore.password])
        #expect(late.status == 410)
        #expect(late.words.contains("Too Late"))
        #expect(try await client.state(prompt, wait: 45).state == .expired)
    }

    // MARK: The page

    @Test func `the first answer counts`() async throws {
        let client = try await PromptClient(shop(), signedIn: TestStore.american)
        let prompt = try await client.ask(PromptClient.chapter())
        let page = try await client.page(prompt)
        _ = try await client.browser.submit(page, "no")
        let again = try await client.browser.submit(
            page, "yes", ["password": TestStore.password])
        #expect(again.words.contains("Cancelled"))
        #expect(try await client.state(prompt).state == .no)
    }

    @Test(arguments: Forgery.allCases)
    func `a form that the page did not give to this browser is not taken`(
        forgery: Forgery
    ) async throws {
        let client = try await PromptClient(shop(), signedIn: TestStore.american)
        let browser = client.browser
        let prompt = try await client.ask(PromptClient.chapter())
        let other = try await client.page(try await client.ask(PromptClient.chapter()))
        let page = try await client.page(prompt)
        let cookies = browser.cookies
        let refused = try await browser.submit(
            page, forgery, other: other, password: TestStore.password)
        #expect(refused.status == 403)
        #expect(try await client.state(prompt).state == .pending)
        // The same without the forgery is taken.
        browser.cookies = cookies
        let taken = try await browser.submit(page, "yes", ["password": TestStore.password])
        #expect(taken.words.contains("Confirmed"))
    }

    @Test func `a browser that names the site instead of the origin is believed`() async throws {
        let client = try await PromptClient(shop(), signedIn: TestStore.american)
        let page = try await client.page(try await client.ask(PromptClient.chapter()))
        let taken = try await client.browser.submit(
            page, "no", headers: ["Origin": nil as String?, "Sec-Fetch-Site": "same-origin"])
        #expect(taken.words.contains("Cancelled"))
    }

    private static let form = "application/x-www-form-urlencoded"
    private static let long: String = "a=" + String(repeating: "x", count: 16_384)
    private static let many: String = (0..<33).map { "f\($0)=" }.joined(separator: "&")

    private static let malformed: [(type: String, body: String, status: Int)] = [
        ("text/plain", "answer=no", 415), ("", "answer=no", 415), (form, "a=%zz", 400),
        (form, "a=%ff", 400), (form, "a=1&a=2", 400), (form, long, 413), (form, many, 413),
    ]

    @Test(arguments: malformed)
    func `a body that is no form is refused`(
        type: String, body: String, status: Int
    ) async throws {
        let shop = try await shop()
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        let prompt = try await client.ask(PromptClient.chapter())
        let path = String(prompt.url.dropFirst(shop.server.address.count))
        let response = try await LoopbackClient(port: shop.server.port).send(
            HTTPRequest(
                method: "POST", path: path, headers: ["Content-Type": type],
                body: Data(body.utf8)))
        #expect(response.status == status)
        #expect(response.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(try await client.state(prompt).state == .pending)
    }

    @Test(arguments: [true, false])
    func `five wrong passwords end the prompt`(isSignIn: Bool) async throws {
        let client = try await PromptClient(shop(), signedIn: TestStore.american)
        let prompt = try await client.ask(isSignIn ? .signIn(email: nil) : PromptClient.chapter())
        let page = try await client.page(prompt)
        let answer = isSignIn ? "signIn" : "yes"
        var fields = ["password": "wrong"]
        if isSignIn { fields["email"] = TestStore.american }
        for _ in 1...4 {
            let wrong = try await client.browser.submit(page, answer, fields)
            #expect(wrong.status == 422)
            #expect(
                wrong.words.contains(
                    isSignIn
                        ? "The email address or the password is wrong." : "The password is wrong."))
            #expect(!wrong.text.contains("value=\"wrong\""))
        }
        let last = try await client.browser.submit(page, answer, fields)
        #expect(last.status == 410)
        #expect(last.words.contains("Too Many Attempts"))
        fields["password"] = TestStore.password
        #expect(try await client.browser.submit(page, answer, fields).status == 410)
        #expect(try await client.state(prompt).state == .exhausted)
    }

    @Test func `many wrong passwords at once are not more than five`() async throws {
        let shop = try await shop()
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        let prompt = try await client.ask(PromptClient.chapter())
        let page = try await client.page(prompt)
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    _ = try? await client.browser.submit(page, "yes", ["password": "wrong"])
                }
            }
        }
        #expect(try await client.state(prompt).state == .exhausted)
        let id = try #require(PromptID(prompt.id))
        let attempts = try await shop.store.database.read {
            try $0.prompts.prompt(id)?.attempts
        }
        #expect(attempts == PromptRules.attemptLimit)
    }

    @Test func `a sign-in for one account takes no other, and no account is told`() async throws {
        let client = try await PromptClient(shop())
        let prompt = try await client.ask(.signIn(email: TestStore.american.uppercased()))
        let page = try await client.page(prompt)
        #expect(!page.text.lowercased().contains(TestStore.american))
        let other = try await client.browser.submit(
            page, "signIn", ["email": TestStore.japanese, "password": TestStore.password])
        #expect(other.words.contains("another account"))
        #expect(try await client.state(prompt).state == .pending)
        _ = try await client.browser.submit(
            page, "signIn", ["email": TestStore.american, "password": TestStore.password])
        #expect(try await client.state(prompt).session?.email == TestStore.american)
    }

    @Test func `a token that somebody planted does not become a signed-in one`() async throws {
        let client = try await PromptClient(shop(), signedIn: TestStore.american)
        let page = try await client.page(try await client.ask(PromptClient.chapter()))
        let before = client.browser.cookies
        _ = try await client.browser.submit(page, "yes", ["password": TestStore.password])
        let after = client.browser.cookies
        #expect(after != before)
        client.browser.cookies = before
        let next = try await client.ask(PromptClient.chapter())
        #expect(try await client.page(next).fields["password"] == "")
        client.browser.cookies = after
        #expect(try await client.page(next).fields["password"] == nil)
    }

    @Test func `a browser is asked for the password again after twelve hours`() async throws {
        let clock = SettableClock()
        let client = try await PromptClient(shop(clock: clock), signedIn: TestStore.american)
        let page = try await client.page(try await client.ask(PromptClient.chapter()))
        _ = try await client.browser.submit(page, "yes", ["password": TestStore.password])
        clock.advance(by: 12 * 3600 - 1)
        let prompt = try await client.ask(PromptClient.chapter())
        #expect(try await client.page(prompt).fields["password"] == nil)
        clock.advance(by: 1)
        #expect(try await client.page(prompt).fields["password"] == "")
    }

    @Test func `a page of one environment is unknown in the other`() async throws {
        let shop = try await shop()
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        let prompt = try await client.ask(PromptClient.chapter())
        let moved = prompt.url.replacingOccurrences(of: "/sandbox/", with: "/")
        let page = try await client.browser.open(moved)
        #expect(page.status == 404)
        #expect(page.words.contains("Nothing Here"))
    }

    @Test func `hostile texts of the catalog stay text`() async throws {
        let shop = try await shop()
        let hostile = "</bdi><script>alert('x')</script>\"&amp;\u{202E}"
        try await shop.store.database.write { repositories in
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
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        for request in [PromptClient.chapter(), .redeem, .signIn(email: nil)] as [PromptRequest] {
            let page = try await client.page(try await client.ask(request))
            #expect(page.status == 200)
            #expect(!page.text.contains("<script"))
            #expect(page.text.contains("&lt;/bdi&gt;&lt;script&gt;alert(&#39;x&#39;)"))
            let typed = try await client.browser.submit(
                page, try #require(page.buttons.first),
                ["email": "\"><script>", "code": "<b>", "password": "<i>"])
            #expect(!typed.text.contains("<script"))
            #expect(!typed.text.contains("<i>"))
        }
    }
}
