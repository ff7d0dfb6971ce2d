import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StorePages
import StoreTestSupport
import Testing

/// Addresses of pages for customers: what is where, who may call it, what leads on.
@Suite struct StorefrontRouteTests {
    @Test(arguments: StoreEnvironment.allCases)
    func `the table decides who may call a route`(environment: StoreEnvironment) async throws {
        let shop = try await StorefrontShop(environment)
        let artist = try await shop.addArtist("Ada Byron")
        let id = try await shop.add("Engines") { $0.artist = artist }
        let words = [
            "{kind}": "book", "{slug}": "engines", "{id}": "id\(id)",
            "{order}": OrderID(TransactionID(number: 1)).description, "{step}": "cancel",
            "{member}": "1",
        ]
        for row in StorefrontPageTable.rows {
            var path = "/us" + row.pattern
            if row.pattern.hasPrefix("/artist") {
                path = path.replacing("{slug}", with: "ada-byron")
                    .replacing("{id}", with: "id\(artist)")
            } else if row.pattern.hasPrefix("/genre") {
                path = path.replacing("{slug}", with: "fiction-literature")
                    .replacing("{id}", with: "id9031")
            } else if row.access != .anyone {
                path = path.replacing("{id}", with: "\(id)")
            }
            for (name, word) in words { path = path.replacing(name, with: word) }
            var request = HTTPRequest(
                method: row.method.rawValue, path: environment.pathPrefix + path)
            if row.method == .post {
                request.headers["Content-Type"] = "application/x-www-form-urlencoded"
                request.headers["Origin"] = "http://127.0.0.1"
            }
            let response = try await LoopbackClient(port: shop.shop.server.port).send(request)
            let isShort = "\(row.operation)".hasPrefix("short")
            let expected: [Int] =
                switch row.access {
                case .anyone: [isShort ? 301 : 200]
                // Whoever is not signed in is asked to, here or on the page for it.
                case .visitor: [200, 303]
                case .owner, .customer: [303]
                case .form: [403]
                }
            #expect(expected.contains(response.status), "\(row.method) \(path): \(response.status)")
            let policy = try #require(response.headers["Content-Security-Policy"], "\(path)")
            #expect(policy.contains("default-src 'none'"))
            #expect(policy.contains("script-src 'none'"))
            #expect(policy.contains("frame-ancestors 'none'") && policy.contains("base-uri 'none'"))
            #expect(!policy.contains("unsafe"))
            #expect(response.headers["X-Frame-Options"] == "DENY")
            #expect(response.headers["X-Content-Type-Options"] == "nosniff")
            if row.access != .anyone { #expect(response.headers["Cache-Control"] == "no-store") }
            if response.status == 200 { _ = try StrictMarkup(response.text) }
        }
        let used = Set(StorefrontPageTable.rows.map(\.operation))
        #expect(used == Set(StorefrontPageTable.Operation.allCases))
        #expect(
            try await shop.shop.store.services.itemSales.sales(
                PageRequest(limit: 5), by: .machine
            ).items.isEmpty)
    }

    @Test func `short and wrong addresses lead to the right one, with what links carry`()
        async throws
    {
        let shop = try await StorefrontShop()
        let id = try await shop.add("Über Größe & Co.")
        let right = "/us/book/\(StorefrontLinks.slug("Über Größe & Co."))/id\(id)"
        #expect(try await shop.get(right).status == 200)
        for wrong in [
            "/us/book/id\(id)", "/us/book/other/id\(id)", "/us/app/other/id\(id)", "/us/book/\(id)",
        ] {
            let response = try await shop.get(wrong)
            #expect(response.status == 301, "\(wrong)")
            #expect(response.headers["Location"] == right)
        }
        let response = try await shop.get("/us/book/id\(id)?mt=11&at=abcd1&x=%3Cb%3E")
        #expect(response.headers["Location"] == "\(right)?mt=11&at=abcd1")
        #expect(response.headers["Set-Cookie"]?.contains("SameSite=Lax") == true)
        let review = try await shop.get("\(right)?action=write-review")
        #expect(review.status == 303)
        #expect(review.headers["Location"] == "/us/review/\(id)")
        #expect(try await shop.get("/us/").headers["Location"] == "/us")
    }

    @Test func `an item that another country sells says where`() async throws {
        let shop = try await StorefrontShop()
        let id = try await shop.add("Here Only") { $0.prices = ItemPrices(own: ["JPN": 1000]) }
        let page = try await shop.open("/us/book/here-only/id\(id)")
        #expect(page.status == 404)
        #expect(page.words.contains("“Here Only” is not sold in the United States."))
        #expect(page.text.contains("href=\"/jp/book/here-only/id\(id)\""))
        for path in [
            "/us/book/x/id999999", "/us/book/x/nothing", "/us/artist/x/id1", "/us/genre/x/id1",
        ] {
            let missing = try await shop.get(path)
            #expect(missing.status == 404, "\(path)")
            #expect(missing.text.contains("name=\"term\""), "\(path)")
        }
        try await shop.change(id) { $0.state = .removed }
        #expect(try await shop.get("/jp/book/here-only/id\(id)").status == 404)
    }

    @Test func `the address without a country shows the best one at once`() async throws {
        let shop = try await StorefrontShop()
        for (languages, country) in [
            (nil, "us"), ("ja,en;q=0.8", "jp"), ("de-CH, de;q=0.9", "ch"), ("de", "de"),
            ("en-GB", "gb"), ("en", "us"), ("xx, fr;q=0.5", "fr"), ("q=;;,,", "us"),
            ("da;q=0, sv", "se"),
        ] as [(String?, String)] {
            let response = try await shop.get(
                "/", headers: languages.map { [("Accept-Language", $0)] } ?? [])
            #expect(response.status == 200)
            #expect(
                response.text.contains("rel=\"canonical\" href=\"http://127.0.0.1/\(country)\""),
                "\(languages ?? "none")")
            #expect(response.headers["Vary"]?.contains("Accept-Language") == true)
        }
    }

    @Test func `people get a page where there is nothing, programs get their answer`() async throws
    {
        let shop = try await StorefrontShop()
        let page = [(name: "Accept", value: "text/html,*/*")]
        for (path, isPage) in [
            ("/us/no/such/page/at/all", true), ("/nowhere", true), ("/connect/v1/nothing", false),
            ("/device/v1/nothing", false),
        ] as [(String, Bool)] {
            let response = try await shop.get(path, headers: page)
            #expect(response.status == 404)
            let isHTML = response.headers["Content-Type"]?.hasPrefix("text/html") == true
            #expect(isHTML == isPage, "\(path)")
        }
        let program = try await shop.get("/nowhere")
        #expect(program.headers["Content-Type"]?.hasPrefix("application/json") == true)
        let large = try await shop.get("/US/book/x/id1?mt=8")
        #expect(large.headers["Location"] == "/us/book/x/id1?mt=8")
    }

    @Test func `robots are let into pages, and not to what customers do`() async throws {
        let shop = try await StorefrontShop()
        let robots = try await shop.get("/robots.txt")
        #expect(robots.status == 200)
        #expect(robots.text.contains("User-agent: *\n"))
        #expect(robots.text.contains("Disallow: /sandbox/\n") && robots.text.contains("Allow: /\n"))
        for (path, isLetIn) in [
            ("/us", true), ("/us/book/engines/id5", true), ("/us/charts/book?rank=free", true),
            ("/us/book/account-of-a-voyage/id5", true), ("/us/movie/find-me/id5", true),
            ("/us/book/review/id5", true), ("/us/app/buy/id5", true),
            ("/us/song/downloads/id5", true), ("/us/account", false),
            ("/us/account?next=/us", false), ("/us/account/orders", false),
            ("/us/account/family", false), ("/us/app/account/id5", true),
            ("/us/find?term=a", false), ("/us/buy/5", false),
            ("/us/review/5", false), ("/us/downloads/5", false), ("/sandbox/us", false),
            ("/connect/", false), ("/prompts/abc", false),
        ] as [(String, Bool)] {
            #expect(try Self.allows(path, robots.text) == isLetIn, "\(path)")
        }
    }

    /// What RFC 9309 makes of the rules: the longest one that fits decides.
    private static func allows(_ path: String, _ robots: String) throws -> Bool {
        var best = (length: 0, allows: true)
        for line in robots.split(separator: "\n") {
            let sides = line.split(separator: ": ", maxSplits: 1)
            guard sides.count == 2, ["Allow", "Disallow"].contains(sides[0]) else { continue }
            let pattern = NSRegularExpression.escapedPattern(for: String(sides[1]))
                .replacing("\\*", with: ".*").replacing("\\$", with: "$")
            let fits = path.range(of: "^" + pattern, options: .regularExpression) != nil
            if fits, sides[1].utf8.count > best.length {
                best = (sides[1].utf8.count, sides[0] == "Allow")
            }
        }
        return best.allows
    }

    @Test func `lists show what is sold there`() async throws {
        let shop = try await StorefrontShop()
        let artist = try await shop.addArtist("Low Water", .artist)
        let album = try await shop.add("Low Water Songs", .album) { $0.artist = artist }
        try await shop.add("Ebb Tide Waltz", .song, price: 990) {
            $0.parent = album
            $0.artist = artist
            $0.facts.trackNumber = 1
        }
        try await shop.add("Tidewatch", .software) { $0.prices = .free }
        try await shop.add("Dear Map", .ebook)
        let home = try await shop.get("/us").text
        for title in ["Low Water Songs", "Tidewatch", "Dear Map", "Ebb Tide Waltz"] {
            #expect(home.contains(title), "\(title)")
        }
        let paid = try await shop.get("/us/charts/app?rank=paid").text
        #expect(!paid.contains("Tidewatch"))
        let free = try await shop.get("/us/charts/app?rank=free").text
        #expect(free.contains("Tidewatch") && free.contains("aria-current"))
        let chart = try await shop.get("/us/charts/album?rank=nonsense&genre=nonsense&page=x")
        #expect(chart.status == 200 && chart.text.contains("Low Water Songs"))
        let found = try await shop.get("/us/find?term=tidewatch").text
        #expect(found.contains("Tidewatch") && !found.contains("Dear Map"))
        #expect(found.contains("value=\"tidewatch\""))
        let books = try await shop.get("/us/find?term=tidewatch&kind=book").text
        #expect(books.contains("Nothing was found"))
        #expect(try await shop.get("/us/find").text.contains("What are you looking for?"))
        let maker = try await shop.get("/us/artist/low-water/id\(artist)").text
        #expect(maker.contains("Low Water Songs") && maker.contains("Ebb Tide Waltz"))
        #expect(maker.contains("\"@type\":\"MusicGroup\""))
        let genre = try #require(Genre.root(of: .ebook).children.first)
        let slug = StorefrontLinks.slug(genre.name)
        #expect(try await shop.get("/us/genre/\(slug)/id\(genre.id)").text.contains("Dear Map"))
        let page = try await shop.get("/us/album/low-water-songs/id\(album)").text
        #expect(page.contains("Ebb Tide Waltz") && page.contains("$0.99"))
        #expect(try await shop.get("/us/countries").text.contains("href=\"/jp\""))
        #expect(try await shop.get("/us/charts/nonsense").status == 404)
    }

    @Test func `what is typed into addresses does not become markup`() async throws {
        let shop = try await StorefrontShop()
        for text in HostileStrings.all {
            let encoded = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            for path in [
                "/us/find?term=\(encoded)", "/us/book/\(encoded)/id1",
                "/us/account?next=\(encoded)",
                "/us/charts/book?genre=\(encoded)&rank=\(encoded)", "/us/\(encoded)",
            ] {
                let response = try await shop.get(path, headers: [("Accept", "text/html")])
                #expect([200, 404].contains(response.status), "\(path)")
                for element in try StrictMarkup(response.text).elements {
                    let attributes = element.attributes
                    #expect(!attributes.keys.contains { $0.hasPrefix("on") || $0 == "style" })
                    for name in ["href", "src", "action"] {
                        guard let value = attributes[name] else { continue }
                        let isOwn = ["/", "#", "http://127.0.0.1/"].contains {
                            value.hasPrefix(scalars: $0)
                        }
                        #expect(isOwn && !value.hasPrefix("//"), "\(value)")
                    }
                }
            }
        }
    }
}
