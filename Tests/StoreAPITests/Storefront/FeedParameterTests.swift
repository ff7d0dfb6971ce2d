import Foundation
import FoundationXML
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreAPI

/// What each part of a feed's address means, and what a wrong one is answered with.
@Suite struct FeedParameterTests {
    private typealias Shop = SearchShop

    private static let legacy = "/WebObjects/MZStoreServices.woa/ws"

    /// The entries of a feed in JSON.
    private func entries(_ shop: Shop, _ path: String) async throws -> [[String: Any]] {
        let response = try await shop.get(path)
        #expect(response.status == 200, "\(path)")
        let feed = try #require(try Shop.object(response.data)["feed"] as? [String: Any])
        return feed["entry"] as? [[String: Any]] ?? []
    }

    private func ids(_ shop: Shop, _ path: String) async throws -> [String] {
        try await entries(shop, path).compactMap { entry in
            let id = entry["id"] as? [String: Any]
            return (id?["attributes"] as? [String: String])?["im:id"]
        }
    }

    @Test func `a list has the items of its kinds`() async throws {
        let shop = try await SearchShop()
        for (name, items) in [
            ("toppodcasts", [Shop.podcast]), ("topfreeapplications", [Shop.chess]),
            ("toppaidapplications", [Shop.tabletChess]),
            ("toppaidipadapplications", [Shop.tabletChess]), ("topfreeipadapplications", []),
            ("newfreeapplications", [Shop.chess]), ("newpaidapplications", [Shop.tabletChess]),
            ("newapplications", [Shop.chess, Shop.tabletChess]),
            ("topmacapps", [Shop.macChess]), ("topfreemacapps", []),
            ("toppaidmacapps", [Shop.macChess]), ("topsongs", [Shop.song, Shop.explicitSong]),
            ("topalbums", [Shop.album]), ("toppaidebooks", [Shop.book]),
            ("topMovies", [Shop.movie, Shop.shortFilm]), ("toptvSeasons", [Shop.season]),
        ] as [(String, [ItemID])] {
            let found = try await ids(shop, "/us/rss/\(name)/limit=10/json")
            #expect(Set(found) == Set(items.map(\.description)), "\(name)")
            #expect(
                try await ids(shop, "\(Self.legacy)/RSS/\(name)/limit=10/json?s=143441") == found)
        }
        for name in ["topnothing", "..", "%3Cscript%3E"] {
            #expect(try await shop.refusal("/us/rss/\(name)/json", []) == "404 [feed]")
        }
        for collection in ChartCollection.all {
            _ = try await ids(shop, "/us/rss/\(collection.name)/json")
        }
    }

    @Test func `limit, genre and explicitness stand in the path in any order`() async throws {
        let shop = try await SearchShop()
        #expect(try await ids(shop, "/us/rss/topsongs/limit=1/json").count == 1)
        #expect(
            try await ids(shop, "/us/rss/topsongs/genre=20/limit=5/json")
                == [Shop.explicitSong.description])
        #expect(
            try await ids(shop, "/us/rss/topsongs/limit=5/genre=20/json")
                == [Shop.explicitSong.description])
        #expect(try await ids(shop, "/us/rss/topsongs/genre=34/json").count == 2)
        #expect(
            try await ids(shop, "/us/rss/topsongs/limit=5/explicit=false/json")
                == [Shop.song.description])
        for part in ["/20/limit=5", "/genre=20/limit=5", "//genre=20/limit=5"] {
            #expect(
                try await ids(shop, "\(Self.legacy)/RSS/topsongs\(part)/json")
                    == [Shop.explicitSong.description], "\(part)")
        }
        // Programs that have no genre leave its place empty.
        #expect(try await ids(shop, "\(Self.legacy)/RSS/topsongs//limit=5/json").count == 2)
        for (part, refusal) in [
            ("limit=0", "400 [limit]"), ("limit=x", "400 [limit]"), ("genre=1", "400 [genre]"),
            ("genre=rock", "400 [genre]"), ("explicit=maybe", "400 [explicit]"),
        ] {
            #expect(try await shop.refusal("/us/rss/topsongs/\(part)/json", []) == refusal)
        }
        #expect(try await shop.refusal("/us/rss/topsongs/limit=5/html", []) == "404 [output]")
    }

    @Test func `the country stands in the path, or its number in the query`() async throws {
        let shop = try await SearchShop()
        let game = Shop.japaneseGame.description
        #expect(try await ids(shop, "/jp/rss/toppaidapplications/limit=10/json").contains(game))
        #expect(!(try await ids(shop, "/us/rss/toppaidapplications/limit=10/json").contains(game)))
        #expect(
            try await ids(shop, "\(Self.legacy)/RSS/toppaidapplications/json?s=143462")
                .contains(game))
        #expect(
            try await ids(shop, "\(Self.legacy)/RSS/toppaidapplications/sf=143462/limit=9/json")
                .contains(game))
        #expect(
            try await shop.refusal("\(Self.legacy)/RSS/topsongs/sf=1/json", [])
                == "400 [country]")
        #expect(try await shop.refusal("/xx/rss/topsongs/json", []) == "400 [country]")
        #expect(
            try await shop.refusal("\(Self.legacy)/RSS/topsongs/json", [("s", "1")])
                == "400 [country]")
    }

    @Test func `an entry has what clients read of it`() async throws {
        let shop = try await SearchShop()
        let path = "/us/rss/toppaidapplications/limit=1/json"
        let entry = try #require(try await entries(shop, path).first)
        func label(_ name: String) -> String? {
            (entry[name] as? [String: Any])?["label"] as? String
        }
        func attributes(_ name: String) -> [String: String]? {
            (entry[name] as? [String: Any])?["attributes"] as? [String: String]
        }
        #expect(label("im:name") == "Chess Board")
        #expect(label("title") == "Chess Board - Rook Works")
        #expect(label("im:artist") == "Rook Works")
        #expect(attributes("im:artist")?["href"]?.contains("/id\(Shop.developer)?mt=") == true)
        #expect(label("im:price") == "$0.99")
        #expect(attributes("im:price") == ["amount": "0.99", "currency": "USD"])
        #expect(attributes("id")?["im:bundleId"] == "com.example.chess-board")
        #expect(attributes("category")?["im:id"] == "6014")
        #expect(attributes("category")?["label"] == "Games")
        #expect(attributes("link")?["href"]?.contains("/us/app/") == true)
        #expect(label("im:releaseDate") == "2005-03-01T08:00:00Z")
        #expect(attributes("im:releaseDate")?["label"] == "March 1, 2005")
        let pictures = entry["im:image"] as? [[String: Any]]
        #expect((pictures?.last?["label"] as? String)?.contains("100x100bb") == true)
    }

    @Test func `in XML a feed is Atom`() async throws {
        let shop = try await SearchShop()
        let response = try await shop.get("/us/rss/topsongs/limit=10/xml")
        #expect(response.headers["Content-Type"] == "text/xml; charset=utf-8")
        let reader = AtomReader(response.data)
        #expect(reader.isWellFormed)
        #expect(reader.texts["im:name"].map(Set.init) == ["River Song", "River Anger"])
        #expect(reader.elements.filter { $0 == "entry" }.count == 2)
        // Its own address leads to itself.
        let own = try #require(reader.texts["id"]?.last)
        #expect(own.hasSuffix("/us/rss/topsongs/limit=10/xml"))
        let path = "/us/rss/topsongs/limit=3/genre=20/explicit=false/json"
        let feed = try Shop.object(try await shop.get(path).data)["feed"] as? [String: Any]
        #expect((feed?["id"] as? [String: String])?["label"]?.hasSuffix(path) == true)
    }

    @Test func `reviews come in pages and orders`() async throws {
        let shop = try await SearchShop()
        try await shop.review(Shop.chess, count: 60)
        func path(_ page: Int, _ order: String = "mostrecent") -> String {
            "/us/rss/customerreviews/page=\(page)/id=\(Shop.chess)/sortby=\(order)/json"
        }
        let first = try await entries(shop, path(1))
        let second = try await entries(shop, path(2))
        #expect(first.count == 50 && second.count == 10)
        #expect(try await entries(shop, path(3)).isEmpty)
        func label(_ entry: [String: Any]?, _ name: String) -> String? {
            (entry?[name] as? [String: Any])?["label"] as? String
        }
        #expect(label(first.first, "title") == "Title 60")
        #expect(label(second.last, "title") == "Title 1")
        let newest = try #require(first.first)
        #expect(label(newest, "content") == "Body 60")
        #expect(label(newest, "im:rating") == "5")
        #expect(label(newest, "im:version") == "1.0")
        #expect(label(newest, "im:voteSum") == "0")
        #expect(label(newest["author"] as? [String: Any], "name") == "Reader 60")
        #expect(label(newest, "updated")?.hasSuffix("Z") == true)
        let critical = try await entries(shop, path(1, "mostcritical"))
        #expect(label(critical.first, "im:rating") == "1")
        let favorable = try await entries(shop, path(1, "mostFavorable"))
        #expect(label(favorable.first, "im:rating") == "5")
        #expect(try await entries(shop, path(1, "mosthelpful")).count == 50)
        #expect(try await entries(shop, "/jp/rss/customerreviews/id=\(Shop.chess)/json").isEmpty)
    }

    @Test func `pages are linked, and an unknown item has no links`() async throws {
        let shop = try await SearchShop()
        try await shop.review(Shop.chess, count: 60)
        func relations(_ path: String) async throws -> [String: String] {
            let data = try await shop.get(path).data
            let feed = try Shop.object(data)["feed"] as? [String: Any]
            let links = feed?["link"] as? [[String: Any]] ?? []
            let pairs = links.compactMap { $0["attributes"] as? [String: String] }
            return Dictionary(pairs.map { ($0["rel"] ?? "", $0["href"] ?? "") }) { $1 }
        }
        let first = try await relations("/us/rss/customerreviews/id=\(Shop.chess)/json")
        #expect(Set(first.keys) == ["alternate", "self", "first", "last", "next"])
        let next = try #require(first["next"])
        #expect(next.hasSuffix("/page=2/id=\(Shop.chess)/sortby=mostrecent/json"))
        let second = try await relations(path(next))
        #expect(Set(second.keys) == ["alternate", "self", "first", "last", "previous"])
        #expect(try await relations("/us/rss/customerreviews/id=1234/json").isEmpty)
    }

    /// The path of an address.
    private func path(_ address: String) -> String { URL(string: address)?.path ?? "" }

    @Test func `wrong parts of the address of reviews are refused`() async throws {
        let shop = try await SearchShop()
        for (parts, refusal) in [
            ("page=1", "400 [id]"), ("id=x", "400 [id]"), ("id=1/page=0", "400 [page]"),
            ("id=1/page=11", "400 [page]"), ("id=1/page=x", "400 [page]"),
            ("id=1/sortby=price", "400 [sortby]"),
        ] {
            #expect(
                try await shop.refusal("/us/rss/customerreviews/\(parts)/json", []) == refusal)
        }
    }

    @Test func `genres form a tree of names with pages`() async throws {
        let shop = try await SearchShop()
        let path = "\(Self.legacy)/genres"
        let all = try Shop.object(try await shop.get(path).data)
        #expect(all.count == 9)
        let podcasts = try Shop.object(try await shop.get(path, [("id", "26"), ("cc", "jp")]).data)
        let root = try #require(podcasts["26"] as? [String: Any])
        #expect(root["name"] as? String == "Podcasts")
        #expect((root["url"] as? String)?.hasSuffix("/jp/charts/podcast") == true)
        let below = root["subgenres"] as? [String: [String: Any]]
        #expect(below?["1318"]?["name"] as? String == "Technology")
        #expect(try Shop.object(try await shop.get(path, [("id", "123456")]).data).isEmpty)
        #expect(try await shop.refusal(path, [("id", "x")]) == "400 [id]")
        #expect(try await shop.refusal(path, [("cc", "xx")]) == "400 [cc]")
    }

    @Test func `bubbles hold the numbers of apps`() async throws {
        let shop = try await SearchShop()
        func ids(_ term: String, _ header: String?) async throws -> [String] {
            var headers = HTTPHeaders()
            headers["X-Apple-Store-Front"] = header
            let response = try await shop.get(
                "/WebObjects/MZStore.woa/wa/search",
                [("clientApplication", "Software"), ("media", "software"), ("term", term)],
                headers: headers)
            let bubbles = try Shop.object(response.data)["bubbles"] as? [[String: Any]]
            let results = bubbles?.first?["results"] as? [[String: Any]]
            return (results ?? []).compactMap { $0["id"] as? String }
        }
        #expect(
            try await Set(ids("chess", nil))
                == [Shop.chess.description, Shop.tabletChess.description])
        #expect(try await ids("shogi", "143441,24 t:native").isEmpty)
        #expect(try await ids("shogi", "143462-9,24 t:native") == [Shop.japaneseGame.description])
        #expect(try await ids("", nil).isEmpty)
        let wrong = try await shop.get(
            "/WebObjects/MZStore.woa/wa/search", [("term", "chess")],
            headers: ["X-Apple-Store-Front": "1,24"])
        #expect(wrong.status == 400)
    }

    @Test func `the table of ratings counts stars from five down`() async throws {
        let shop = try await SearchShop()
        try await shop.review(Shop.chess, count: 6)
        let path = "/us/customer-reviews/id\(Shop.chess)"
        let response = try await shop.get(path, [("displayable-kind", "11")])
        #expect(response.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(response.text.contains("<p class=\"rating-count\">6 Ratings</p>"))
        let lines: [Substring] = response.text.split(separator: "\n")
            .filter { $0.contains("\"total\"") }
        let totals: [Substring] = lines.compactMap { line in
            line.split(separator: ">").dropFirst().first?.prefix { $0.isNumber }
        }
        #expect(totals == ["1", "1", "1", "1", "2"])
        let unknown = try await shop.get("/us/customer-reviews/id1234")
        #expect(unknown.status == 404 && unknown.data.isEmpty)
        #expect(try await shop.refusal("/us/customer-reviews/x12", []) == "404 [id]")
    }
}

/// Reads a feed as any reader of XML would.
final class AtomReader: NSObject, XMLParserDelegate {
    private(set) var elements: [String] = []
    private(set) var texts: [String: [String]] = [:]
    private(set) var isWellFormed = false
    private var text = ""

    init(_ data: Data) {
        super.init()
        let parser = XMLParser(data: data)
        parser.delegate = self
        isWellFormed = parser.parse()
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        elements.append(name)
        text = ""
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        texts[name, default: []].append(text)
    }
}
