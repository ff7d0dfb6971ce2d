import Foundation
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

/// What nobody may do with an item that an app shows.
struct ItemPromptSafetyTests {
    private static let book: Int64 = 700_001
    private static let typed = ["email": TestStore.american, "password": TestStore.password]

    private func shop(clock: any StoreClock = SystemClock()) async throws -> TestStore {
        let shop = try await TestStore(hasContent: false, isApproved: true, clock: clock)
        try await shop.addItem("The Clock", id: Self.book, tier: nil, own: ["USA": 1990])
        try await shop.addItem("Draft", id: Self.book + 1, state: .draft)
        try await shop.addItem("Gone", id: Self.book + 2, state: .removed)
        return shop
    }

    private static func item(
        _ number: Int64 = book, at: String? = nil, ct: String? = nil, pt: String? = nil
    ) -> PromptRequest {
        .item(itemId: number, at: at, ct: ct, pt: pt)
    }

    private func refusal(
        _ request: PromptRequest, _ client: PromptClient
    ) async throws -> WireErrorCode? {
        do {
            _ = try await client.ask(request)
            return nil
        } catch let error as WireError { return error.code }
    }

    // MARK: The device

    @Test(
        arguments: [
            (item(-1), WireErrorCode.itemUnknown), (item(0), .itemUnknown),
            (item(.max), .itemUnknown), (item(book + 1), .itemUnknown),
            (item(book + 2), .itemUnknown),
            (item(at: ""), .malformedRequest),
            (item(at: String(repeating: "a", count: 21)), .malformedRequest),
            (item(at: "abc"), .malformedRequest), (item(at: "ada-12"), .malformedRequest),
            (item(ct: String(repeating: "ä", count: 21)), .malformedRequest),
            (item(pt: "a\u{0}b"), .malformedRequest), (item(ct: "a\u{0}b"), .malformedRequest),
            (item(pt: String(repeating: "1", count: 21)), .malformedRequest),
        ] as [(PromptRequest, WireErrorCode)])
    func `what can't be shown is not asked for`(
        request: PromptRequest, code: WireErrorCode
    ) async throws {
        let shop = try await shop()
        #expect(try await refusal(request, try await PromptClient(shop)) == code)
    }

    @Test func `what the account's storefront does not sell is said to be so`() async throws {
        let shop = try await shop()
        let japanese = try await PromptClient(shop, signedIn: TestStore.japanese)
        #expect(try await refusal(Self.item(), japanese) == .itemNotInStorefront)
        #expect(try await refusal(Self.item(), try await PromptClient(shop)) == nil)
    }

    @Test(arguments: [
        "", #","itemId":"7""#, #","itemId":7.5"#, #","itemId":7,"at":7"#,
    ])
    func `a malformed request is refused`(fields: String) async throws {
        let client = try await PromptClient(shop())
        let response = try await client.send(
            "POST", "/device/v1/prompts", Data("{\"kind\":\"item\"\(fields)}".utf8))
        #expect(response.status == 400)
    }

    @Test func `it is open for half an hour`() async throws {
        let clock = SettableClock()
        let client = try await PromptClient(shop(clock: clock))
        let prompt = try await client.ask(Self.item())
        let page = try await client.page(prompt)
        clock.advance(by: 1799)
        #expect(try await client.state(prompt).state == .pending)
        #expect(try await client.page(prompt).status == 200)
        clock.advance(by: 1)
        #expect(try await client.state(prompt).state == .expired)
        let late = try await client.browser.submit(page, "buy", Self.typed)
        #expect(late.status == 410)
        #expect(late.words.contains("half an hour"))
        #expect(try await client.shop.itemSales().isEmpty)
    }

    @Test func `an app that gives up ends it`() async throws {
        let client = try await PromptClient(shop())
        let prompt = try await client.ask(Self.item())
        let page = try await client.page(prompt)
        _ = try await client.send(
            "DELETE", "/device/v1/prompts/\(prompt.id)", secret: prompt.secret)
        let late = try await client.browser.submit(page, "buy", Self.typed)
        #expect(late.status == 410)
        #expect(try await client.shop.itemSales().isEmpty)
    }

    // MARK: The page

    @Test(arguments: Forgery.allCases)
    func `a form that the page did not give to this browser buys nothing`(
        forgery: Forgery
    ) async throws {
        let shop = try await shop()
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        let browser = client.browser
        let prompt = try await client.ask(Self.item())
        let other = try await client.page(try await client.ask(Self.item()))
        let page = try await client.page(prompt)
        let refused = try await browser.submit(
            page, forgery, other: other, password: TestStore.password)
        #expect(refused.status == 403)
        #expect(try await client.state(prompt).state == .pending)
        #expect(try await shop.itemSales().isEmpty)
    }

    @Test(arguments: ["yes", "no", "later", "redeem", "signedIn", ""])
    func `buttons of other pages do nothing here`(answer: String) async throws {
        let shop = try await shop()
        let client = try await PromptClient(shop)
        let prompt = try await client.ask(Self.item())
        let refused = try await client.browser.submit(
            try await client.page(prompt), answer, Self.typed)
        #expect(refused.status == 422 || refused.status == 403)
        #expect(try await client.state(prompt).state == .pending)
        #expect(try await shop.itemSales().isEmpty)
    }

    @Test(arguments: ["", "0 USD", "1989 USD", "1990 EUR", "1990", "-1 USD", "x y", "1990 USD x"])
    func `nobody buys at another price`(price: String) async throws {
        let shop = try await shop()
        let client = try await PromptClient(shop)
        var fields = Self.typed
        fields["price"] = price
        let refused = try await client.browser.submit(
            try await client.page(try await client.ask(Self.item())), "buy", fields)
        #expect(refused.status == 422)
        #expect(try await shop.itemSales().isEmpty)
        // The customer is known by now, and buys at the price of the page.
        #expect(refused.fields["password"] == nil)
        _ = try await client.browser.submit(refused, "buy")
        #expect(try await shop.itemSales().map(\.price.thousandths) == [1990])
    }

    @Test func `five wrong passwords end it, and the app hears so`() async throws {
        let client = try await PromptClient(shop())
        let prompt = try await client.ask(Self.item())
        let page = try await client.page(prompt)
        var fields = Self.typed
        fields["password"] = "wrong"
        for _ in 1...4 {
            let wrong = try await client.browser.submit(page, "buy", fields)
            #expect(wrong.status == 422)
            #expect(wrong.words.contains("The email address or the password is wrong."))
            #expect(!wrong.text.contains("value=\"wrong\""))
        }
        let last = try await client.browser.submit(page, "signIn", fields)
        #expect(last.status == 410)
        #expect(try await client.browser.submit(page, "buy", Self.typed).status == 410)
        #expect(try await client.state(prompt).state == .exhausted)
        #expect(try await client.shop.itemSales().isEmpty)
    }

    @Test func `a token that somebody planted does not become a signed-in one`() async throws {
        let client = try await PromptClient(shop())
        let page = try await client.page(try await client.ask(Self.item()))
        let before = client.browser.cookies
        _ = try await client.browser.submit(page, "signIn", Self.typed)
        #expect(client.browser.cookies != before)
        client.browser.cookies = before
        let next = try await client.page(try await client.ask(Self.item()))
        #expect(next.fields["password"] == "")
    }

    @Test func `hostile texts stay text`() async throws {
        let shop = try await shop()
        let hostile = "</bdi><script>alert('x')</script>\"&amp;\u{202E}"
        let id = try await shop.addItem(hostile) { details in
            details.texts["en_US"] = ItemText(
                title: hostile, subtitle: hostile, description: hostile,
                shortDescription: hostile, releaseNotes: hostile)
            details.facts.sellerName = hostile
            details.facts.copyright = hostile
        }
        let client = try await PromptClient(shop)
        let page = try await client.page(try await client.ask(Self.item(id.number)))
        #expect(page.status == 200)
        #expect(!page.text.contains("<script>"))
        #expect(page.text.contains("&lt;script&gt;alert(&#39;x&#39;)"))
        let typed = try await client.browser.submit(
            page, "buy", ["email": "\"><script>", "password": "<i>"])
        #expect(!typed.text.contains("<script>"))
        #expect(!typed.text.contains("<i>"))
    }
}
