import Foundation
@testable import StoreCore
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// An item that an app shows, from the app's device to the customer's page and back.
struct ItemPromptFlowTests {
    private static let book: Int64 = 700_001

    private func shop() async throws -> TestStore {
        let shop = try await TestStore(hasContent: false, isApproved: true)
        try await shop.addItem(
            "The Clock", id: Self.book, tier: nil, own: ["USA": 1990, "JPN": 250_000])
        return shop
    }

    private static func item(_ number: Int64 = book, at: String? = nil) -> PromptRequest {
        .item(itemId: number, at: at, ct: at == nil ? nil : "spring", pt: nil)
    }

    @Test(arguments: StoreEnvironment.allCases)
    func `who is not signed in looks, signs in, buys, and is done`(
        environment: StoreEnvironment
    ) async throws {
        let shop = try await shop()
        let client = try await PromptClient(shop, environment: environment)
        let prompt = try await client.ask(Self.item(at: "ada12"))
        let page = try await client.page(prompt)
        #expect(page.status == 200)
        #expect(page.words.contains("The Clock"))
        #expect(page.words.contains("Sample shop"))
        #expect(page.words.contains("$1.99"))
        #expect(page.words.contains("[Environment: Sandbox]") == (environment == .sandbox))
        #expect(Set(page.answers) == ["buy", "signIn", "done"])

        let bought = try await client.browser.submit(
            page, "buy", ["email": TestStore.american, "password": TestStore.password])
        #expect(bought.status == 200)
        #expect(!bought.buttons.contains("buy"))
        #expect(bought.words.contains("Download"))
        let sales = try await shop.itemSales(in: environment)
        #expect(sales.map(\.item.number) == [Self.book])
        #expect(sales.first?.price == Money(thousandths: 1990, currency: "USD"))
        #expect(sales.first?.referral == Referral(affiliateToken: "ada12", campaign: "spring"))

        // Buying does not end it: the customer may go on looking.
        #expect(try await client.state(prompt).state == .pending)
        let done = try await client.browser.submit(bought, "done")
        #expect(done.words.contains("return to the app"))
        #expect(try await client.state(prompt) == PromptStateAnswer(state: .done))
    }

    @Test func `an account's own browser buys without the password, once`() async throws {
        let shop = try await shop()
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        let signIn = try await client.page(try await client.ask(PromptClient.chapter()))
        _ = try await client.browser.submit(signIn, "yes", ["password": TestStore.password])
        let page = try await client.page(try await client.ask(Self.item()))
        #expect(page.fields["password"] == nil)
        #expect(page.words.contains("Account: \(TestStore.american)"))
        _ = try await client.browser.submit(page, "buy")
        // The form once more, as by going back in the browser.
        let again = try await client.browser.submit(page, "buy")
        #expect(again.words.contains("Download"))
        #expect(try await shop.itemSales().count == 1)
    }

    @Test func `the account of the app is the only one that buys`() async throws {
        let shop = try await shop()
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        let other = try await client.page(try await client.ask(.signIn(email: nil)))
        _ = try await client.browser.submit(
            other, "signIn", ["email": TestStore.japanese, "password": TestStore.password])
        let page = try await client.page(try await client.ask(Self.item()))
        #expect(page.fields["email"] == TestStore.american)
        #expect(page.words.contains("$1.99"))
        let bought = try await client.browser.submit(
            page, "buy", ["password": TestStore.password])
        #expect(bought.words.contains("Download"))
        #expect(try await shop.itemSales().count == 1)
        #expect(try await shop.itemSales(of: TestStore.japanese).isEmpty)
    }

    @Test func `a customer of another storefront sees its price before paying it`() async throws {
        let shop = try await shop()
        let client = try await PromptClient(shop)
        let page = try await client.page(try await client.ask(Self.item()))
        let typed = ["email": TestStore.japanese, "password": TestStore.password]
        let asked = try await client.browser.submit(page, "buy", typed)
        #expect(asked.status == 422)
        #expect(asked.words.contains("250"))
        #expect(try await shop.itemSales(of: TestStore.japanese).isEmpty)
        let bought = try await client.browser.submit(asked, "buy")
        #expect(bought.words.contains("Download"))
        #expect(
            try await shop.itemSales(of: TestStore.japanese).first?.price
                == Money(thousandths: 250_000, currency: "JPY"))
    }

    @Test func `signing in alone buys nothing, and shows what the account has`() async throws {
        let shop = try await shop()
        let client = try await PromptClient(shop)
        let first = try await client.page(try await client.ask(Self.item()))
        let typed = ["email": TestStore.american, "password": TestStore.password]
        let known = try await client.browser.submit(first, "signIn", typed)
        #expect(Set(known.answers) == ["buy", "done", "forget"])
        #expect(try await shop.itemSales().isEmpty)
        _ = try await client.browser.submit(known, "buy")
        let out = try await client.browser.submit(
            try await client.page(try await client.ask(Self.item())), "forget")
        #expect(out.buttons.contains("signIn"))
        let back = try await client.browser.submit(out, "signIn", typed)
        #expect(back.words.contains("Download"))
    }

    @Test func `what is taken from sale meanwhile is not sold`() async throws {
        let shop = try await shop()
        let client = try await PromptClient(shop)
        let prompt = try await client.ask(Self.item())
        let page = try await client.page(prompt)
        try await shop.store.database.write { repositories in
            var item = try #require(
                try repositories.items.item(ItemID(number: Self.book)))
            item.state = .removed
            try repositories.items.update(item, at: Date())
        }
        let late = try await client.browser.submit(
            page, "buy", ["email": TestStore.american, "password": TestStore.password])
        #expect(late.status == 422)
        #expect(late.buttons.contains("done"))
        #expect(!late.buttons.contains("buy"))
        #expect(try await shop.itemSales().isEmpty)
        _ = try await client.browser.submit(late, "done")
        #expect(try await client.state(prompt).state == .done)
    }

    @Test(arguments: [true, false])
    func `who has to ask somebody is told so, and offered nothing`(
        isSignedIn: Bool
    ) async throws {
        let shop = try await shop()
        let services = shop.store.services
        let client = try await PromptClient(shop, signedIn: isSignedIn ? TestStore.american : nil)
        let account = try await services.accounts.account(
            email: TestStore.american, environment: .sandbox)
        _ = try await services.accounts.change(account.id) { $0.asksToBuy = true }
        var page = try await client.page(try await client.ask(Self.item()))
        if !isSignedIn {
            #expect(page.buttons.contains("buy"))
            page = try await client.browser.submit(
                page, "buy", ["email": TestStore.american, "password": TestStore.password])
            #expect(page.status == 422)
        }
        #expect(page.words.contains("Ask to Buy"))
        #expect(page.words.contains(TestStore.american))
        #expect(!page.buttons.contains("buy"))
        #expect(page.buttons.contains("done"))
        #expect(page.fields["password"] == nil)
        #expect(try await shop.itemSales().isEmpty)
        // An item that came before the restriction is still theirs.
        _ = try await services.accounts.change(account.id) { $0.asksToBuy = false }
        let own = try await client.page(try await client.ask(Self.item()))
        let typed: [String: String?] =
            isSignedIn ? ["password": TestStore.password] : [:]
        _ = try await client.browser.submit(own, "buy", typed)
        _ = try await services.accounts.change(account.id) { $0.asksToBuy = true }
        let mine = try await client.page(try await client.ask(Self.item()))
        #expect(mine.words.contains("Download"))
        #expect(!mine.words.contains("Ask to Buy"))
    }

    @Test func `what was bought is downloaded on the page, part by part where it has parts`()
        async throws
    {
        let shop = try await shop()
        let album = try await shop.addItem("Low Water Songs", .album)
        let song = try await shop.addItem("Ebb Tide Waltz", .song) { $0.parent = album }
        let silent = try await shop.addItem("Slack", .song, hasFile: false) { $0.parent = album }
        let single = try await shop.addItem("Low Tide", .song)
        for id in [ItemID(number: Self.book), song, single] {
            let name = "\(id).zip"
            _ = try shop.folder.write(name, Self.archive)
            _ = try await shop.store.services.itemMedia.add(
                shop.folder.file(name), kind: .download, fileName: name, to: id, by: .machine)
        }
        let client = try await PromptClient(shop)
        let typed = ["email": TestStore.american, "password": TestStore.password]
        let book = try await client.browser.submit(
            try await client.page(try await client.ask(Self.item())), "buy", typed)
        #expect(book.text.contains("class=\"offer large owned\""))
        #expect(book.text.contains("href=\"/sandbox/us/downloads/\(Self.book)\""))
        let offered = try await client.page(try await client.ask(Self.item(single.number)))
        let one = try await client.browser.submit(offered, "buy")
        #expect(one.text.contains("href=\"/sandbox/us/downloads/\(single)\""))
        let bought = try await client.browser.submit(
            try await client.page(try await client.ask(Self.item(album.number))), "buy")
        #expect(bought.words.contains("It is yours. Download its parts one by one below."))
        #expect(bought.text.contains("href=\"/sandbox/us/downloads/\(song)\""))
        // Nothing on it leads into the store, or to a file that there is not.
        #expect(!bought.text.contains("/us/downloads/\(album)"))
        #expect(!bought.text.contains("/us/downloads/\(silent)"))
        #expect(!bought.text.contains("/us/buy/"))
    }

    @Test func `what can't be sold is shown to an app's customer with a sentence, and no button`()
        async throws
    {
        let shop = try await shop()
        let id = try await shop.addItem("The Lamp", hasFile: false)
        let client = try await PromptClient(shop)
        let page = try await client.page(try await client.ask(Self.item(id.number)))
        #expect(page.words.contains("there is no file for its buyers yet"))
        #expect(page.answers == ["done"])
    }

    @Test func `what stands on an app's page stands on the page inside of another app`()
        async throws
    {
        let shop = try await shop()
        let app = try await shop.store.database.read { try $0.sampleApp() }
        let id = try await shop.addItem("Harbour", .software, tier: "0") { details in
            details.app = app.id
            details.facts.supportURL = "https://seller.example/support"
        }
        let other = try await shop.addItem("Breakwater", .software, tier: "0")
        try await shop.store.database.write { repositories in
            for (number, notes, time) in [("1.0", "The first one.", 1e9), ("1.1", "Faster.", 2e9)]
                as [(String, String, TimeInterval)]
            {
                let (date, own) = (Date(timeIntervalSince1970: time), ContentVersion(number))
                var version = AppVersion(
                    id: AppVersionID(UUID()), app: app.id, platform: .linux,
                    version: try #require(own), whatsNew: notes, created: date)
                try repositories.appVersions.insert(version)
                let build = AppBuildID(UUID())
                try repositories.appVersions.insert(
                    AppBuild(
                        id: build, version: version.id, number: version.version,
                        digest: SampleItems.digest, size: 1, uploaded: date))
                (version.build, version.submitted, version.released) = (build, date, date)
                version.state = number == "1.1" ? .readyForSale : .replacedWithNewVersion
                try repositories.appVersions.update(version)
            }
        }
        let client = try await PromptClient(shop)
        let inApp = try await client.page(try await client.ask(Self.item(id.number)))
        let `public` = try await client.browser.open(
            "\(shop.server.address)/sandbox/us/app/harbour/id\(id)")
        for page in [inApp, `public`] {
            #expect(page.status == 200)
            for words in [
                "Version History", "The first one.", "Faster.", "In-App Purchases", "$1.99",
                "You Might Also Like", "Breakwater", "Support",
            ] {
                #expect(page.words.contains(words), "\(words) on \(page.url)")
            }
        }
        #expect(inApp.buttons.contains("/sandbox/us/app/breakwater/id\(other)"))
        #expect(inApp.buttons.contains("/sandbox/us/app/harbour/id\(id)#support"))
        #expect(`public`.text.contains("<a id=\"support\" href=\"https://seller.example/support\""))
        #expect(!inApp.text.contains("https://seller.example"))
    }

    @Test func `reviews are read to the end, sorted, voted on, written, changed and removed`()
        async throws
    {
        let shop = try await shop()
        let book = ItemID(number: Self.book)
        let (accounts, reviews) = (
            shop.store.services.accounts, shop.store.services.customerReviews
        )
        for number in 1...12 {
            let account = try await accounts.create(
                email: "reader\(number)@example.com", password: TestStore.password,
                storefront: .unitedStates, environment: .sandbox)
            _ = try await shop.store.services.itemSales.buy(
                book, expecting: Money(thousandths: 1990, currency: "USD"), by: account)
            _ = try await reviews.write(
                ReviewDraft(
                    rating: number % 5 + 1, title: "Title-\(number)-", body: "Body",
                    nickname: "Reader \(number)"), on: book, by: account)
        }
        let client = try await PromptClient(shop)
        let browser = client.browser
        let prompt = try await client.ask(Self.item())
        let typed = ["email": TestStore.american, "password": TestStore.password]
        func titles(_ query: String) async throws -> [String] {
            try await browser.open(prompt.url + query).text.matches(of: /Title-([0-9]+)-/)
                .map { String($0.1) }
        }
        #expect(try await titles("").count == 10)
        #expect(try await titles("?page=2").count == 2)
        #expect(["4", "9"].contains(try await titles("?sort=mostfavorable").first))

        // Who is not signed in is asked to, and comes back to the reviews.
        let page = try await client.page(prompt)
        #expect(page.text.contains("action=\"/sandbox/prompts/"))
        let signInPage = try await browser.open(prompt.url + "/review")
        #expect(signInPage.url.contains("/account?next="))
        let refused = try await browser.submit(signInPage, "signIn", typed)
        #expect(refused.url == prompt.url + "/review")
        #expect(refused.words.contains("Only those who got it"))

        let known = try await client.page(prompt)
        let vote = try #require(known.text.firstMatch(of: /value="([0-9]+-yes)"/)).1
        let voting = PageBrowser.Page(
            status: 200, headers: [:], text: known.text, url: prompt.url + "/vote")
        for _ in 1...2 {
            let voted = try await browser.submit(voting, "", ["vote": String(vote)])
            #expect(voted.url == prompt.url)
            #expect(voted.words.contains("1 of 1 found this helpful"))
        }
        _ = try await browser.submit(known, "buy")

        let form = try await browser.open(prompt.url + "/review")
        let wrong = try await browser.submit(form, "save", ["rating": "9", "title": "Mine"])
        #expect(wrong.status == 422 && wrong.text.contains("value=\"Mine\""))
        let draft = ["rating": "4", "title": "Mine", "body": "Good.", "nickname": "Ada"]
        let written = try await browser.submit(wrong, "save", draft)
        #expect(written.url == prompt.url && written.words.contains("Edit Your Review"))
        let worse = draft.merging(["title": "Less", "rating": "2"]) { $1 }
        let changed = try await browser.submit(
            try await browser.open(prompt.url + "/review"), "save", worse)
        #expect(changed.words.contains("Edit Your Review"))
        let account = try await accounts.account(email: TestStore.american, environment: .sandbox)
        #expect(try await reviews.own(on: book, by: account)?.title == "Less")
        let removed = try await browser.submit(
            try await browser.open(prompt.url + "/review"), "remove")
        #expect(removed.words.contains("Write a Review"))
        #expect(try await reviews.own(on: book, by: account) == nil)
        #expect(try await client.state(prompt).state == .pending)
    }

    @Test
    func `what leaves the app opens the storefront, and the app hears that its customer is done`()
        async throws
    {
        let shop = try await shop()
        let other = try await shop.addItem("The Lamp", tier: "0")
        let client = try await PromptClient(shop)
        let prompt = try await client.ask(Self.item())
        let page = try await client.page(prompt)
        let target = "/sandbox/us/book/the-lamp/id\(other)"
        #expect(page.buttons.contains(target))
        for wrong in [
            "", "https://evil.example/", "//evil.example/us", "/us/book/x/id1", "/sandbox/connect/",
            "/sandbox/us/../../connect/", "/sandbox/prompts/x", "javascript:alert(1)",
        ] {
            let refused = try await client.browser.submit(page, "leave", ["to": wrong])
            #expect(refused.status == 422, "\(wrong)")
        }
        #expect(try await client.state(prompt).state == .pending)
        let store = try await client.browser.submit(page, "leave", ["to": target])
        #expect(store.url == shop.server.address + target)
        #expect(store.words.contains("The Lamp"))
        #expect(try await client.state(prompt).state == .done)
        // Nothing of the page works any longer; it says how it ended.
        for rest in ["", "/review", "/account"] {
            let ended = try await client.browser.open(prompt.url + rest)
            #expect(ended.url == prompt.url && ended.words.contains("return to the app"))
        }
        let late = try await client.browser.submit(page, "leave", ["to": target])
        #expect(late.url == prompt.url)
    }

    @Test func `a part is bought on the page of the whole, and nothing else is`() async throws {
        let shop = try await shop()
        let album = try await shop.addItem("Low Water Songs", .album)
        let song = try await shop.addItem("Ebb Tide", .song, tier: nil, own: ["USA": 990]) {
            $0.parent = album
        }
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        let page = try await client.page(try await client.ask(Self.item(album.number)))
        let button = "\(song) 990 USD"
        #expect(page.buttons.contains(button))
        let typed = ["password": TestStore.password]
        let other = try await client.browser.submit(
            page, "buy", typed.merging(["part": "\(Self.book) 1990 USD"]) { $1 })
        #expect(other.status == 400)
        let bought = try await client.browser.submit(
            page, "", typed.merging(["part": button]) { $1 })
        #expect(bought.status == 200)
        #expect(try await shop.itemSales().map(\.item) == [song])
        #expect(bought.answers.contains("buy") && !bought.buttons.contains(button))
    }

    /// The beginning of an archive.
    private static let archive = Data([0x50, 0x4B, 3, 4] + [UInt8](repeating: 0, count: 26))

    @Test func `the page of what is free says so`() async throws {
        let shop = try await shop()
        let free = try await shop.addItem("Leaflet", tier: "0")
        let client = try await PromptClient(shop)
        let page = try await client.page(try await client.ask(Self.item(free.number)))
        #expect(page.words.contains("Get"))
        #expect(!page.words.contains("Buy for"))
    }
}
