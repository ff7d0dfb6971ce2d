import Foundation
@testable import StoreCore
import StoreHTTP
import StoreModel
import StorePages
import StoreTestSupport
import Testing

/// What customers do on the pages: sign in, buy, download.
@Suite struct StorefrontFlowTests {
    @Test(arguments: StoreEnvironment.allCases)
    func `an item is bought once, downloaded and listed`(
        environment: StoreEnvironment
    ) async throws {
        let shop = try await StorefrontShop(environment)
        let id = try await shop.add("Engines")
        let bytes = Data("PK\u{3}\u{4}".utf8) + SampleShop.noise(5000, seed: 3)
        try await shop.addDownload(bytes, named: "engines.zip", to: id)
        let path = "/us/book/engines/id\(id)"
        #expect(try await shop.open(path).text.contains("Buy for $4.99"))

        var page = try await shop.open("/us/buy/\(id)")
        #expect(
            page.fields["password"] != nil
                && page.buttons == ["buy", "signIn"])
        page = try await shop.browser.submit(
            page, "signIn", ["email": TestStore.american, "password": "wrong"])
        #expect(page.status == 422 && page.words.contains("wrong"))
        page = try await shop.browser.submit(
            page, "signIn",
            ["email": TestStore.american, "password": TestStore.password])
        #expect(page.words.contains("Buy it?") && page.words.contains("$4.99"))
        #expect(page.words.contains(TestStore.american))
        let done = try await shop.browser.submit(page, "buy")
        #expect(done.status == 200 && done.words.contains("It is yours"))
        // The same form once more buys nothing.
        _ = try await shop.browser.submit(page, "buy")
        let account = try await shop.account()
        let sales = try await shop.shop.store.services.itemSales.purchases(
            of: account.id, PageRequest(limit: 5)
        ).items
        #expect(sales.count == 1)
        #expect(sales.first?.price == Money(thousandths: 4990, currency: "USD"))

        let product = try await shop.open(path)
        #expect(product.text.contains("\(environment.pathPrefix)/us/downloads/\(id)"))
        #expect(!product.text.contains("Buy for $4.99"))
        #expect(product.headers["Cache-Control"] == "no-store")
        let file = try await shop.open("/us/downloads/\(id)")
        #expect(
            file.headers["Content-Disposition"]?.hasPrefix("attachment; filename=\"engines.zip\"")
                == true)
        #expect(file.headers["Content-Length"] == String(bytes.count))
        let purchases = try await shop.open("/us/account")
        #expect(purchases.words.contains("Engines") && purchases.words.contains("$4.99"))

        try await shop.shop.store.services.itemSales.refund(
            try #require(sales.first).id, by: .machine)
        #expect(try await shop.open("/us/account").words.contains("Refunded"))
        #expect(try await shop.open("/us/downloads/\(id)").status == 403)
        #expect(try await shop.open(path).text.contains("Buy for $4.99"))

        let out = try await shop.browser.submit(try await shop.open("/us/account"), "forget")
        #expect(out.words.contains("Sign in"))
        #expect(!(try await shop.open(path)).text.contains(TestStore.american))
    }

    @Test func `a price that changed is shown and asked about again`() async throws {
        let shop = try await StorefrontShop()
        let id = try await shop.add("Engines")
        try await shop.signIn()
        let old = try await shop.open("/us/buy/\(id)")
        try await shop.change(id) { $0.details.prices.own["USA"] = 7990 }
        let page = try await shop.browser.submit(old, "buy")
        #expect(page.status == 422)
        #expect(page.words.contains("The price has changed: it is $7.99 now. Nothing was charged."))
        let account = try await shop.account()
        let services = shop.shop.store.services
        #expect(try await services.itemSales.owned(id, by: account.id) == nil)
        _ = try await shop.browser.submit(page, "buy")
        #expect(try await services.itemSales.owned(id, by: account.id)?.price.thousandths == 7990)
    }

    @Test func `an account buys in its own country`() async throws {
        let shop = try await StorefrontShop()
        let id = try await shop.add("Engines")
        try await shop.signIn(TestStore.japanese)
        let page = try await shop.open("/us/buy/\(id)")
        #expect(page.url.hasSuffix("/jp/buy/\(id)"))
        #expect(page.words.contains("¥500") || page.words.contains("￥500"))
        _ = try await shop.browser.submit(page, "buy")
        let account = try await shop.account(TestStore.japanese)
        let sale = try await shop.shop.store.services.itemSales.owned(id, by: account.id)
        #expect(sale?.price == Money(thousandths: 500_000, currency: "JPY"))
        let only = try await shop.add("Here") { $0.prices = ItemPrices(own: ["USA": 1000]) }
        #expect(try await shop.open("/us/buy/\(only)").status == 404)
    }

    @Test func `an album's buyer has its songs`() async throws {
        let shop = try await StorefrontShop()
        let (album, song) = try await shop.addAlbum()
        try await shop.signIn()
        let done = try await shop.buy(album)
        #expect(done.words.contains("Download Waltz"))
        #expect(
            try await shop.open("/us/downloads/\(song)").headers["Content-Type"] == "audio/mpeg")
        let page = try await shop.open("/us/album/songs/id\(album)")
        #expect(page.text.matches(of: /class="offer[a-z ]*owned"/).count == 2)
        // The album has no file of its own.
        #expect(page.text.contains("/us/buy/\(album)\" rel=\"nofollow\">Yours</a>"))
        #expect(page.text.contains("/us/downloads/\(song)\" rel=\"nofollow\">Download</a>"))
        let account = try await shop.open("/us/account")
        #expect(account.text.contains("/us/buy/\(album)\" rel=\"nofollow\">Yours</a>"))
    }

    @Test func `a publisher without an agreement sells nothing, and its pages say so`() async throws
    {
        let shop = try await StorefrontShop()
        let id = try await shop.add("Engines")
        let free = try await shop.add("Leaflet", price: 0)
        let path = "/us/book/engines/id\(id)"
        #expect(try await shop.get(path).text.contains("Buy for $4.99"))
        try await shop.signIn()
        let old = try await shop.open("/us/buy/\(id)")
        let team = try await shop.shop.store.database.read { try $0.sampleApp().teamID }
        _ = try await shop.shop.store.services.people.agreements.terminate(
            .paidApps, of: team, by: .machine)
        // A page that was kept is made anew.
        let page = try await shop.get(path).text
        #expect(!page.contains("/us/buy/\(id)"))
        #expect(!page.contains("schema.org/InStock"))
        #expect(page.contains("sell for money at present"))
        let refused = try await shop.open("/us/buy/\(id)")
        #expect(refused.status == 409 && refused.words.contains("Not Sold at Present"))
        #expect(refused.buttons.isEmpty)
        #expect(try await shop.browser.submit(old, "buy").status == 409)
        let account = try await shop.account()
        let sales = shop.shop.store.services.itemSales
        #expect(try await sales.owned(id, by: account.id) == nil)
        #expect(try await shop.buy(free).words.contains("It is yours"))
    }

    @Test func `nothing is charged for an item without a file`() async throws {
        let shop = try await StorefrontShop()
        let book = try await shop.add("Engines", hasFile: false)
        let album = try await shop.add("Songs", .album)
        let song = try await shop.add("Waltz", .song, hasFile: false) { $0.parent = album }
        try await shop.signIn()
        for (id, path) in [(book, "book/engines"), (album, "album/songs"), (song, "song/waltz")] {
            let page = try await shop.get("/us/\(path)/id\(id)").text
            #expect(page.contains("there is no file for its buyers yet"), "\(path)")
            #expect(try await shop.open("/us/buy/\(id)").status == 409, "\(path)")
        }
        // With a song that has one, the album is sold.
        try await shop.addDownload(
            Data("ID3".utf8) + SampleShop.noise(500, seed: 1), named: "waltz.mp3", to: song)
        #expect(try await shop.buy(album).words.contains("It is yours"))
    }

    @Test func `forms of others buy nothing`() async throws {
        let shop = try await StorefrontShop()
        let id = try await shop.add("Engines")
        try await shop.signIn()
        let page = try await shop.open("/us/buy/\(id)")
        let own = "http://127.0.0.1:\(shop.shop.server.port)"
        for (fields, headers) in [
            (["form": nil], [:]), (["form": "x"], [:]), ([:], ["Origin": "https://evil.example"]),
            ([:], ["Origin": "null"]), ([:], ["Origin": nil]),
            ([:], ["Origin": own, "Sec-Fetch-Site": "cross-site"]),
            ([:], ["Origin": own, "Sec-Fetch-Site": "same-site"]),
        ] as [([String: String?], [String: String?])] {
            let refused = try await shop.browser.submit(page, "buy", fields, headers: headers)
            #expect(refused.status == 403, "\(fields) \(headers)")
        }
        for price in ["", "-1 USD", "x", "1 USD"] {
            let refused = try await shop.browser.submit(page, "buy", ["price": price])
            #expect(refused.status == 422, "\(price)")
        }
        let account = try await shop.account()
        #expect(try await shop.shop.store.services.itemSales.owned(id, by: account.id) == nil)
        // Another browser's token is of no use.
        let other = PageBrowser(port: shop.shop.server.port)
        let foreign = try await other.submit(page, "buy")
        #expect(foreign.status == 403)
    }

    @Test func `a page that was kept changes with what it shows`() async throws {
        let shop = try await StorefrontShop()
        let id = try await shop.add("Engines")
        let path = "/us/book/engines/id\(id)"
        let first = try await shop.get(path)
        let tag = try #require(first.headers["ETag"])
        #expect(first.headers["Cache-Control"] == "public, max-age=0, must-revalidate")
        #expect(try await shop.get(path).data == first.data)
        let same = try await shop.get(path, headers: [("If-None-Match", tag)])
        #expect(same.status == 304 && same.data.isEmpty)
        try await shop.change(id) { $0.details.texts["en_US"]?.description = "Quite another" }
        let second = try await shop.get(path, headers: [("If-None-Match", tag)])
        #expect(second.status == 200 && second.text.contains("Quite another"))
        #expect(second.headers["ETag"] != tag)
        try await shop.signIn()
        _ = try await shop.buy(id)
        _ = try await shop.review(id, 5, "Great", "Really")
        #expect(try await shop.get(path).text.contains("Great"))
        // Nothing of the one who is signed in is in what others get.
        #expect(!(try await shop.get(path)).text.contains(TestStore.american))
    }

    @Test func `who sent a customer is remembered for a while`() async throws {
        let clock = SettableClock()
        let shop = try await StorefrontShop(clock: clock)
        let services = shop.shop.store.services
        let affiliate = try await services.affiliates.create(
            name: "Blog", email: "blog@example.com", basisPoints: 500, token: nil, by: .machine)
        let first = try await shop.add("Engines")
        let second = try await shop.add("Looms")
        _ = try await shop.open(
            "/us/book/engines/id\(first)?at=\(affiliate.token)&ct=spring%20%26%20%C3%A9t%C3%A9!&pt=123"
        )
        let cookie = try #require(shop.browser.cookies["openstore-from-production"])
        clock.advance(by: 20 * 86_400)
        try await shop.signIn()
        _ = try await shop.buy(first)
        let account = try await shop.account()
        let sale = try #require(try await services.itemSales.owned(first, by: account.id))
        #expect(
            sale.referral
                == Referral(
                    affiliateToken: affiliate.token, campaign: "spring & été!", provider: "123"))
        #expect(sale.affiliate == affiliate.id)
        clock.advance(by: 11 * 86_400)
        try await shop.signIn()
        _ = try await shop.buy(second)
        #expect(try await services.itemSales.owned(second, by: account.id)?.affiliate == nil)
        // A cookie from the future, or with anything else in it, counts for nothing.
        let third = try await shop.add("Wheels")
        for forged in [
            cookie.replacing(/^[0-9]+/, with: "99999999999"), "x", "1!a<script>", "1800000000!a",
            String(repeating: "a", count: 4000),
        ] {
            shop.browser.cookies["openstore-from-production"] = forged
            #expect(try await shop.open("/us/buy/\(third)").status == 200)
        }
        _ = try await shop.buy(third)
        #expect(try await services.itemSales.owned(third, by: account.id)?.referral.isEmpty == true)
    }

    @Test func `the environments are apart`() async throws {
        let sandbox = try await StorefrontShop(.sandbox)
        let id = try await sandbox.add("Engines")
        try await sandbox.signIn()
        _ = try await sandbox.buy(id)
        _ = try await sandbox.review(id, 1, "Tested", "By a tester")
        let path = "/us/book/engines/id\(id)"
        #expect(try await sandbox.get(path).text.contains("Tested"))
        let address = sandbox.shop.server.address
        let production = try await sandbox.browser.open(address + path)
        #expect(!production.text.contains("Tested") && production.text.contains("Buy for $4.99"))
        #expect(!production.text.contains(TestStore.american))
        // The stars of testers are counted for testers only, wherever they are shown.
        let services = sandbox.shop.store.services
        let customer = try await services.accounts.create(
            email: "reader@example.com", password: TestStore.password,
            storefront: .unitedStates, environment: .production)
        _ = try await services.itemSales.buy(
            id, expecting: Money(thousandths: 4990, currency: "USD"), by: customer)
        for rating in [5, 4] {
            _ = try await services.customerReviews.write(
                ReviewDraft(rating: rating), on: id, by: customer)
        }
        for path in [path, "/us/find?term=engines", "/us/charts/book"] {
            let tested = try await sandbox.browser.open("\(address)/sandbox\(path)").text
            let real = try await sandbox.browser.open(address + path).text
            #expect(tested.contains("1 out of 5") || tested.contains("1.0 out of 5"), "\(path)")
            #expect(!tested.contains("4.0 out of 5") && !tested.contains("4 out of 5"), "\(path)")
            #expect(real.contains("4 out of 5") || real.contains("4.0 out of 5"), "\(path)")
        }
        for (prefix, stars) in [("/sandbox", "1"), ("", "4")] {
            for query in ["/lookup?id=\(id)", "/search?term=engines"] {
                let found = try await sandbox.browser.open(address + prefix + query).text
                #expect(found.contains("\"averageUserRating\":\(stars)"), "\(prefix)\(query)")
            }
        }
    }

    @Test func `testers don't get what other publishers sell`() async throws {
        let shop = try await StorefrontShop(.sandbox)
        let id = try await shop.add("Engines")
        let bytes = Data("PK\u{3}\u{4}".utf8) + SampleShop.noise(500, seed: 3)
        try await shop.addDownload(bytes, named: "engines.zip", to: id)
        let tester = try await shop.account()
        try await shop.shop.store.database.write { repositories in
            let other = try repositories.catalog.save(
                TeamDraft(name: "Other", hasPaidAgreement: true))
            try repositories.testers.insert(
                TesterProfile(team: other.id, firstName: "", lastName: "", secret: nil),
                of: tester.id, at: SampleItems.date)
        }
        try await shop.signIn()
        let bought = try await shop.buy(id)
        #expect(bought.words.contains("It is yours"))
        #expect(bought.words.contains("another publisher’s"))
        #expect(!bought.text.contains("/downloads/"))
        let refused = try await shop.open("/us/downloads/\(id)")
        #expect(refused.status == 403 && refused.words.contains("another publisher’s"))
        #expect(refused.headers["Content-Disposition"] == nil)
    }

    @Test func `signing in leads back, and nowhere else`() async throws {
        let shop = try await StorefrontShop()
        let id = try await shop.add("Engines")
        for (next, isFollowed) in [
            ("/us/book/engines/id\(id)", true), ("//evil.example", false),
            ("https://evil.example/", false), ("/us//evil.example", false), ("/connect/", false),
            ("/us/../connect/", false), ("/us\\evil", false), ("/sandbox/us", false),
            ("/us/%2e%2e/connect/", false), ("/us/.%2E/connect/", false),
            ("/us/find?term=a%2eb", true),
        ] as [(String, Bool)] {
            shop.browser.cookies = [:]
            let encoded = next.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let page = try await shop.open("/us/account?next=\(encoded)")
            let landed = try await shop.browser.submit(
                page, "signIn",
                ["email": TestStore.american, "password": TestStore.password, "next": next])
            #expect(landed.url == shop.url(isFollowed ? next : "/us/account"), "\(next)")
        }
    }

    @Test func `who comes from another site keeps the session`() async throws {
        let shop = try await StorefrontShop()
        let id = try await shop.add("Engines")
        try await shop.signIn()
        let session = try #require(shop.browser.cookies["openstore-production"])
        // Browsers leave the strict cookie out with a link from elsewhere.
        let arrival = try await shop.get("/us/buy/\(id)")
        #expect(arrival.text.contains("value=\"signIn\""))
        let given = arrival.headers.fields.filter { $0.name.lowercased() == "set-cookie" }
        #expect(given.count == 1)
        #expect(given.first?.value.hasPrefix("openstore-visit-production=") == true)
        #expect(!(try await shop.open("/us/buy/\(id)")).buttons.contains("signIn"))
        #expect(shop.browser.cookies["openstore-production"] == session)
    }
}
