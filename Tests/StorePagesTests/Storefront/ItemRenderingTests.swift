import Foundation
import StoreModel
import StorePages
import StoreTestSupport
import Testing

@testable import StoreCore

/// Pages of items as values give them.
@Suite struct ItemRenderingTests {
    private let folder: TemporaryFolder
    private let assets: PageAssets

    init() async throws {
        folder = try TemporaryFolder()
        let store = try await StorePagesTests.openStore(in: folder)
        assets = PageAssets(naming: store.services.pageSessions)
    }

    private func frame(
        _ environment: StoreEnvironment = .production, _ storefront: Storefront = .unitedStates
    ) -> StorefrontFrame {
        StorefrontFrame(
            environment: environment, storefront: storefront, origin: "https://store.example",
            assets: assets)
    }

    private func document(
        _ item: StorefrontItem, _ environment: StoreEnvironment = .production,
        _ change: (inout ItemPage) -> Void = { _ in }
    ) -> String {
        let frame = frame(environment)
        var page = ItemPage(frame: frame, item: item)
        change(&page)
        return StorefrontLayout(frame).document(page.page).document()
    }

    @Test func `each kind has its page, and says what it is to programs`() throws {
        for kind in ItemKind.allCases { try check(kind) }
    }

    private func check(_ kind: ItemKind) throws {
        let text = document(SampleItems.item(kind)) {
            $0.reviews = [SampleItems.review()]
            $0.reviewCount = 1
            if kind.isCollection {
                let part: ItemKind = kind == .album ? .song : .tvEpisode
                $0.content.parts = [
                    SampleItems.item(part, id: 2001), SampleItems.item(part, id: 2002),
                ]
            }
        }
        let markup = try StrictMarkup(text)
        #expect(markup.elements.count { $0.name == "h1" } == 1)
        #expect(markup.elements.count { $0.name == "main" } == 1)
        let data = try #require(markup.scripts.first)
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any])
        let types: [ItemKind: String] = [
            .software: "SoftwareApplication", .macSoftware: "SoftwareApplication",
            .ebook: "Book", .album: "MusicAlbum", .song: "MusicRecording",
            .musicVideo: "MusicVideoObject", .movie: "Movie", .shortFilm: "Movie",
            .tvEpisode: "TVEpisode", .tvSeason: "TVSeason", .podcast: "PodcastSeries",
            .audiobook: "Audiobook",
        ]
        #expect(object["@type"] as? String == types[kind])
        #expect(object["name"] as? String == "The \(kind.title)")
        let offer = try #require(object["offers"] as? [String: Any])
        #expect(offer["price"] as? String == "4.99")
        #expect(offer["priceCurrency"] as? String == "USD")
        let rating = try #require(object["aggregateRating"] as? [String: Any])
        #expect(rating["ratingCount"] as? Int == 16)
        #expect(rating["ratingValue"] as? String == "4.3")
        let path = "/us/\(kind.pathSegment)/the-\(StorefrontLinks.slug(kind.title))/id1001"
        for expected in [
            "<link rel=\"canonical\" href=\"https://store.example\(path)\">",
            "hreflang=\"en-US\"", "hreflang=\"ja-JP\"", "hreflang=\"x-default\"",
            "<meta property=\"og:title\" content=\"The \(kind.title) by The Maker\">",
            "<meta name=\"twitter:card\" content=\"summary_large_image\">",
            "<audio controls preload=\"none\" src=\"/media/", "<video controls preload=\"none\"",
            "First line\nSecond line", "Publisher’s response", "3 of 4 found this helpful",
            "href=\"/us/buy/1001\"", "Buy for $4.99", "Version <bdi>2.1</bdi>", "12.3 MB",
            "rel=\"nofollow noopener\"", "English", "Mild peril",
        ] {
            #expect(text.contains(expected), "\(expected)")
        }
        // As many languages as countries sell it, and the one for all others.
        #expect(text.matches(of: /hreflang=/).count == 3)
    }

    @Test func `no text of a publisher or a customer becomes markup`() throws {
        for text in HostileStrings.all { try check(text) }
    }

    private func check(_ text: String) throws {
        for kind in [ItemKind.software, .ebook, .album, .tvEpisode, .podcast, .movie] {
            var item = SampleItems.item(kind, text: text)
            item.parent = .init(
                item: item.item, text: item.text, price: item.price, artist: item.artist,
                artwork: nil)
            let page = document(item) {
                $0.content = SampleItems.content(of: item, text: text)
                $0.reviews = [SampleItems.review(text)]
                $0.reviewCount = 11
            }
            let markup = try StrictMarkup(page)
            for element in markup.elements {
                #expect(Self.elements.contains(element.name), "\(element.name)")
                for (name, value) in element.attributes {
                    #expect(Self.attributes.contains(name), "\(name)")
                    guard ["href", "src", "action", "poster"].contains(name) else { continue }
                    let isLed =
                        value.hasPrefix("/") && !value.hasPrefix("//") || value.hasPrefix("#")
                        || value.hasPrefix("https://store.example/")
                    #expect(isLed, "\(name)=\(value)")
                }
            }
            #expect(markup.scripts.count == 1)
            for script in markup.scripts {
                #expect(!script.contains { "<>&\u{2028}\u{2029}".contains($0) })
                let object = try #require(
                    JSONSerialization.jsonObject(with: Data(script.utf8)) as? [String: Any])
                #expect(object["name"] as? String == text)
            }
        }
    }

    /// Everything that the store writes into its pages.
    private static let elements: Set<String> = [
        "html", "head", "meta", "title", "link", "script", "body", "a", "header", "div", "img", "p",
        "form", "input", "button", "nav", "ul", "li", "main", "article", "h1", "h2", "h3", "span",
        "bdi", "strong", "section", "video", "audio", "ol", "abbr", "table", "caption", "tbody",
        "tr", "th", "td", "svg", "rect", "dl", "dt", "dd", "time", "footer", "details", "summary",
    ]

    private static let attributes: Set<String> = [
        "lang", "charset", "name", "content", "rel", "href", "hreflang", "property", "type",
        "class",
        "src", "srcset", "alt", "width", "height", "role", "action", "method", "value",
        "aria-label",
        "placeholder", "maxlength", "autocomplete", "spellcheck", "id", "tabindex", "decoding",
        "fetchpriority", "loading", "controls", "preload", "playsinline", "poster", "dir", "scope",
        "rx", "aria-hidden", "aria-current", "form", "title", "datetime",
    ]

    @Test func `only links that lead to the web are links`() {
        for address in [
            "javascript:alert(1)", "JAVASCRIPT:alert(1)", "data:text/html,x", "//evil.example",
            "file:///etc/passwd", "https://", "http:// evil.example", "https://a@evil.example/",
            " https://evil.example", "ftp://evil.example/",
        ] {
            var item = SampleItems.item(.podcast)
            item.item.details.facts.sellerURL = address
            item.item.details.facts.supportURL = address
            item.item.details.facts.feedURL = address
            let text = document(item)
            #expect(!text.contains("class=\"outside\""), "\(address)")
        }
    }

    @Test func `the address that stands for all is in the country's language`() {
        var item = SampleItems.item(.ebook)
        item.text.title = "時計"
        let text = document(item)
        #expect(
            text.contains(
                "rel=\"canonical\" href=\"https://store.example/us/book/the-book/id1001\""))
    }

    @Test func `a list of names keeps each one's direction to itself`() {
        var item = SampleItems.item(.movie)
        item.item.details.facts.actors = ["كتاب", "Ada"]
        item.item.details.facts.minimumOS = "كتاب"
        let text = document(item)
        #expect(text.contains("<bdi>كتاب</bdi>, <bdi>Ada</bdi>"))
        #expect(text.contains("Requires <bdi>كتاب</bdi> or later. <bdi>Desktop</bdi>"))
    }

    @Test func `the sandbox is marked and not to be found`() {
        let text = document(SampleItems.item(.ebook), .sandbox)
        #expect(text.contains("<meta name=\"robots\" content=\"noindex\">"))
        #expect(!text.contains("rel=\"canonical\"") && !text.contains("og:title"))
        #expect(text.contains("[Environment: Sandbox]"))
        #expect(text.contains("href=\"/sandbox/us/buy/1001\""))
        #expect(!text.contains("href=\"/us/"))
    }

    @Test func `what costs nothing is got, what has no price is only looked at`() {
        #expect(document(SampleItems.item(.software, price: 0)).contains(">Get<span"))
        var part = SampleItems.item(.song)
        part.price = nil
        let text = document(part)
        #expect(!text.contains("/buy/") && !text.contains("\"offers\""))
    }

    @Test func `a page without pictures, ratings and texts is whole`() throws {
        var item = SampleItems.item(.movie)
        item.media = []
        item.rating = RatingSummary()
        item.text = ItemText(title: "Bare")
        item.artist = nil
        item.rentalPrice = nil
        item.item.details.facts = ItemFacts()
        let text = document(item)
        _ = try StrictMarkup(text)
        #expect(text.contains("class=\"art blank\""))
        #expect(text.contains("Nobody has rated it yet."))
        #expect(!text.contains("aggregateRating") && !text.contains("og:image"))
    }

    @Test(arguments: StoreEnvironment.allCases)
    func `what an app shows is the same, and leaves the app by buttons that say so`(
        environment: StoreEnvironment
    ) throws {
        let item = SampleItems.item(.software)
        let path = "\(environment.pathPrefix)/prompts/secret"
        let frame = StorefrontFrame(
            environment: environment, storefront: .unitedStates, origin: "", assets: assets,
            app: AppFrame(name: "The App", path: path, formToken: "token"))
        var page = ItemPage(frame: frame, item: item)
        page.content = SampleItems.content(of: item)
        page.reviews = [SampleItems.review()]
        page.reviewCount = 11
        let text = StorefrontLayout(frame).document(page.page).document()
        let markup = try StrictMarkup(text)
        for expected in [
            "Screenshots", "<video", "First line", "All is new", "Version History", "Old news",
            "In-App Purchases", "Hundred Coins", "$0.99", "I like it.", "Publisher’s response",
            "\(path)?sort=mostrecent#reviews", "\(path)?page=2#reviews", "\(path)/review",
            "You Might Also Like", "More by", "Support", "Shown by ", "(opens the store)",
        ] {
            #expect(text.contains(expected), "\(expected)")
        }
        #expect(text.contains("[Environment: Sandbox]") == (environment == .sandbox))
        let song = StorefrontLayout(frame)
            .document(ItemPage(frame: frame, item: SampleItems.item(.song)).page).document()
        #expect(
            song.contains(
                "<audio controls preload=\"none\" src=\"\(environment.pathPrefix)/media/"))
        // Links stay, but for those of offers, which are filled in for each customer.
        for element in markup.elements where element.name == "a" {
            let target = element.attributes["href"] ?? ""
            #expect(
                target.hasPrefix(path) || target.hasPrefix("#") || target.contains("/buy/"),
                "\(target)")
        }
        let leaving = markup.elements.filter { $0.attributes["form"] == "leave" }
        #expect(leaving.count > 6)
        for button in leaving {
            let target = try #require(button.attributes["value"])
            #expect(target.hasPrefix("\(environment.pathPrefix)/us/"), "\(target)")
        }
        #expect(
            leaving.contains { $0.attributes["value"]?.hasSuffix("/id1001#support") == true })
    }
}
