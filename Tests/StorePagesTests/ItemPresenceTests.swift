import Foundation
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

/// Whether somebody looks at an item that an app shows, as the page's script says it.
struct ItemPresenceTests {
    private static let book: Int64 = 700_001

    /// A device with the page of an item, and the time.
    private struct Fixture {
        let clock = SettableClock()
        let client: PromptClient
        let prompt: PromptAnswer
        let page: PageBrowser.Page

        init() async throws {
            let shop = try await TestStore(hasContent: false, isApproved: true, clock: clock)
            try await shop.addItem("The Clock", id: book, tier: nil, own: ["USA": 1990])
            client = try await PromptClient(shop)
            prompt = try await client.ask(.item(itemId: book, at: nil, ct: nil, pt: nil))
            page = try await client.page(prompt)
        }

        /// What the script's request gives.
        @discardableResult
        func say(_ presence: String) async throws -> Int {
            try await client.browser.submit(page.saying(presence), "").status
        }

        func state() async throws -> PromptStateCode { try await client.state(prompt).state }
    }

    @Test func `a page that was left is over after fifteen seconds`() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.say("here") == 204)
        #expect(try await fixture.say("left") == 204)
        fixture.clock.advance(by: 14)
        #expect(try await fixture.state() == .pending)
        fixture.clock.advance(by: 1)
        #expect(try await fixture.state() == .left)
        // Nobody brings it back.
        #expect(try await fixture.say("here") == 410)
        #expect(try await fixture.state() == .left)
        let late = try await fixture.client.page(fixture.prompt)
        #expect(late.status == 410)
        #expect(late.words.contains("This page was closed"))
        let typed = ["email": TestStore.american, "password": TestStore.password]
        _ = try await fixture.client.browser.submit(fixture.page, "buy", typed)
        #expect(try await fixture.client.shop.itemSales().isEmpty)
    }

    @Test func `a page that says nothing any longer is over after thirty-five seconds`()
        async throws
    {
        let fixture = try await Fixture()
        for _ in 0..<20 {
            #expect(try await fixture.say("here") == 204)
            fixture.clock.advance(by: 34)
            #expect(try await fixture.state() == .pending)
        }
        fixture.clock.advance(by: 1)
        #expect(try await fixture.state() == .left)
    }

    @Test(arguments: ["hidden", nil] as [String?])
    func `a page that is out of sight, or runs no scripts, has its half hour`(
        word: String?
    ) async throws {
        let fixture = try await Fixture()
        if let word {
            try await fixture.say("here")
            try await fixture.say(word)
        }
        fixture.clock.advance(by: 1799)
        #expect(try await fixture.state() == .pending)
        #expect(try await fixture.client.page(fixture.prompt).status == 200)
        fixture.clock.advance(by: 1)
        #expect(try await fixture.state() == .expired)
    }

    @Test(arguments: [true, false])
    func `a page that comes back was not closed`(isByForm: Bool) async throws {
        let fixture = try await Fixture()
        try await fixture.say("left")
        fixture.clock.advance(by: 14)
        if isByForm {
            let typed = ["email": TestStore.american, "password": TestStore.password]
            let bought = try await fixture.client.browser.submit(fixture.page, "buy", typed)
            #expect(bought.words.contains("Download"))
        } else {
            #expect(try await fixture.client.page(fixture.prompt).status == 200)
        }
        fixture.clock.advance(by: 60)
        #expect(try await fixture.state() == .pending)
    }

    @Test func `another tab with the page keeps it`() async throws {
        let fixture = try await Fixture()
        try await fixture.say("left")
        fixture.clock.advance(by: PromptRules.presenceInterval)
        #expect(try await fixture.say("here") == 204)
        fixture.clock.advance(by: 30)
        #expect(try await fixture.state() == .pending)
    }

    @Test func `Done says done, whatever comes behind it`() async throws {
        let fixture = try await Fixture()
        _ = try await fixture.client.browser.submit(fixture.page, "done")
        #expect(try await fixture.say("left") == 410)
        fixture.clock.advance(by: 60)
        #expect(try await fixture.state() == .done)
    }

    /// What can be forged of a request that answers nothing.
    private static let forgeries: [Forgery] = Forgery.allCases.filter {
        $0 != .noAnswer && $0 != .otherAnswer
    }

    @Test(arguments: forgeries)
    func `nobody else says that a page was left`(forgery: Forgery) async throws {
        let fixture = try await Fixture()
        let other = try await fixture.client.page(
            try await fixture.client.ask(.item(itemId: Self.book, at: nil, ct: nil, pt: nil)))
        let refused = try await fixture.client.browser.submit(
            fixture.page.saying("left"), forgery, other: other, password: "")
        #expect(refused.status == 403)
        fixture.clock.advance(by: 60)
        #expect(try await fixture.state() == .pending)
    }

    @Test func `words that are none, and pages of other questions, are refused`() async throws {
        let fixture = try await Fixture()
        for word in ["", "gone", "HERE"] { #expect(try await fixture.say(word) == 403) }
        let signIn = try await fixture.client.ask(.signIn(email: nil))
        let page = try await fixture.client.page(signIn)
        let refused = try await fixture.client.browser.submit(page.saying("left"), "")
        #expect(refused.status == 403)
        fixture.clock.advance(by: 60)
        #expect(try await fixture.client.state(signIn).state == .pending)
    }

    @Test func `only the store's own script runs, on this page alone`() async throws {
        let fixture = try await Fixture()
        let scripts = fixture.page.text.matches(of: /<script[^>]*>[^<]*/).map { String($0.0) }
        #expect(scripts.count == 1)
        let name = try #require(
            scripts.first?.firstMatch(of: /^<script type="module" src="([^"]+\.js)">$/)?.1)
        let policy = try #require(fixture.page.headers["Content-Security-Policy"])
        #expect(policy.contains("default-src 'none'; script-src 'self'; connect-src 'self'"))
        #expect(!policy.contains("unsafe"))
        let file = try await fixture.client.browser.open(
            fixture.client.shop.server.address + name)
        #expect(file.status == 200)
        #expect(file.headers["Content-Type"] == "text/javascript; charset=utf-8")
        #expect(file.text.contains("interval = \(Int(PromptRules.presenceInterval))_000;"))
        let product = try await fixture.client.browser.open(
            "\(fixture.client.shop.server.address)/sandbox/us/book/the-clock/id\(Self.book)")
        #expect(product.headers["Content-Security-Policy"]?.contains("script-src 'none'") == true)
    }
}

extension PageBrowser.Page {
    /// The request that the script of this page sends.
    fileprivate func saying(_ presence: String) -> PageBrowser.Page {
        PageBrowser.Page(
            status: status, headers: headers,
            text: text + "<input name=\"presence\" value=\"\(presence)\">", url: url + "/presence")
    }
}
