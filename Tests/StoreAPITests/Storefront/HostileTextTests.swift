import Foundation
import StoreHTTP
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreAPI
@testable import StoreCore

/// Whatever publishers and customers write arrives as it was written, and does nothing else.
@Suite struct HostileTextTests {
    private typealias Shop = SearchShop

    /// Fields whose value is a text of the publisher, as it was written.
    private static let texts: Set<String> = [
        "trackName", "trackCensoredName", "collectionName", "collectionCensoredName",
        "artistName", "collectionArtistName", "sellerName", "description", "releaseNotes",
        "shortDescription", "longDescription", "copyright", "version", "minimumOsVersion",
        "contentAdvisoryRating", "trackContentRating", "feedUrl",
    ]

    @Test(arguments: ItemKind.allCases)
    func `results hold texts as they are, in bytes that can't break out`(kind: ItemKind) throws {
        var seen: Set<String> = []
        for text in HostileTexts.all {
            let item = SampleItem.make(kind, text: text)
            let bytes = ItemResult(item: item, links: SampleItem.links, prices: PriceTexts()).bytes
            #expect(HostileTexts.isSafe(bytes), "\(kind) \(text.debugDescription.prefix(40))")
            #expect(!bytes.contains(0x0A))
            let result = try Shop.object(Data(bytes))
            for name in Self.texts.intersection(result.keys) {
                seen.insert(name)
                #expect(Self.isSame(result[name] as? String, text), "\(kind) \(name)")
            }
            for name in ["features", "supportedDevices", "advisories", "languageCodesISO2A"] {
                guard let list = result[name] as? [String] else { continue }
                #expect(list.allSatisfy { Self.isSame($0, text) }, "\(kind) \(name)")
            }
        }
        #expect(seen.contains("artistName"))
    }

    @Test func `artists are written with the same care`() throws {
        for text in HostileTexts.all {
            let result = ArtistResult(
                artist: SampleItem.artist(7, text), storefront: .unitedStates,
                links: SampleItem.links)
            let bytes = result.json.bytes
            #expect(HostileTexts.isSafe(bytes))
            #expect(Self.isSame(try Shop.object(Data(bytes))["artistName"] as? String, text))
        }
    }

    @Test(arguments: [ItemKind.software, .album, .podcast])
    func `lists in both forms hold texts as they are`(kind: ItemKind) throws {
        let parts = FeedParts(["limit=10"])
        let asked = try ChartFeed("topsongs", parts, in: .unitedStates)
        let writing = ChartFeedWriter(
            asked: asked, links: SampleItem.links, prices: PriceTexts(), format: .json)
        for text in HostileTexts.all {
            let feed = writing.feed(
                [SampleItem.make(kind, text: text)], now: Date(timeIntervalSince1970: 0))
            #expect(HostileTexts.isSafe(feed.jsonDocument))
            let entry = try Self.entry(feed)
            for name in ["im:name", "summary", "rights", "im:artist"] {
                #expect(Self.isSame((entry[name] as? [String: Any])?["label"] as? String, text))
            }
            let reader = AtomReader(try feed.markup())
            #expect(reader.isWellFormed, "\(text.debugDescription.prefix(40))")
            #expect(reader.elements.filter { $0 == "entry" }.count == 1)
            for name in ["im:name", "summary", "rights", "im:artist"] {
                #expect(Self.isSame(reader.texts[name]?.first, Self.inMarkup(text)), "\(name)")
            }
        }
    }

    @Test func `reviews in both forms hold texts as they are`() throws {
        let asked = try ReviewFeed(FeedParts(["id=42"]), in: .unitedStates)
        for text in HostileTexts.all {
            let review = CustomerReview(
                id: ReviewID(number: 1), item: ItemID(number: 42), account: AccountID(number: 1),
                nickname: text, storefront: .unitedStates, rating: 3, title: text, body: text,
                version: text, state: .published, created: .distantPast, changed: .distantPast,
                environment: .production)
            let writing = ReviewFeedWriter(
                asked: asked, links: SampleItem.links, prices: PriceTexts(), format: .json)
            let feed = writing.feed(
                [review], total: 1, of: SampleItem.make(.software, text: text), now: .distantPast)
            #expect(HostileTexts.isSafe(feed.jsonDocument))
            let entry = try Self.entry(feed)
            for name in ["title", "content", "im:version"] {
                #expect(Self.isSame((entry[name] as? [String: Any])?["label"] as? String, text))
            }
            let reader = AtomReader(try feed.markup())
            #expect(reader.isWellFormed, "\(text.debugDescription.prefix(40))")
            #expect(reader.elements.filter { $0 == "entry" }.count == 1)
            for (name, index) in [("title", 0), ("content", 0), ("im:version", 0), ("name", 1)] {
                let found = reader.texts[name] ?? []
                #expect(
                    Self.isSame(found.count > index ? found[index] : nil, Self.inMarkup(text)),
                    "\(name)")
            }
        }
    }

    @Test func `the table of ratings names no tag but its own`() throws {
        for text in HostileTexts.all {
            let markup = try RatingTable(item: SampleItem.make(.software, text: text)).markup()
            let page = String(decoding: markup, as: UTF8.self)
            let tags = page.split(separator: "<").dropFirst().map {
                $0.prefix { $0.isLetter || $0.isNumber }
            }
            #expect(
                Set(tags).isSubset(of: [
                    "html", "head", "title", "body", "h1", "p", "div", "span", "",
                ]))
        }
    }

    @Test func `as parameters they are answered in well-formed JSON`() async throws {
        let shop = try await SearchShop()
        let names = [
            "term", "country", "media", "entity", "attribute", "callback", "limit", "lang",
            "version", "explicit", "offset", "order", "sort", "genreId", "output", "id",
            "bundleId", "amgArtistId", "amgAlbumId", "amgVideoId", "upc", "isbn",
        ]
        for text in HostileTexts.all where text.utf8.count < 4000 {
            for name in names {
                let others: [(String, String)] = name == "term" ? [] : [("term", "chess")]
                let path = names.firstIndex(of: name)! < 15 ? "/search" : "/lookup"
                let response = try await shop.get(path, others + [(name, text)])
                let label = "\(name) \(text.debugDescription)"
                if text.contains("\0") {
                    #expect(response.status == 400, "\(label)")
                    continue
                }
                #expect([200, 400, 404].contains(response.status), "\(label)")
                let isScript = response.text.hasPrefix("/**/")
                #expect(!isScript || name == "callback", "\(label)")
                if !isScript {
                    let object = try? JSONSerialization.jsonObject(with: response.data)
                    #expect(object != nil, "\(label): \(response.text.prefix(200))")
                }
                #expect(HostileTexts.isSafe(response.data), "\(label)")
                #expect(response.headers["X-Content-Type-Options"] == "nosniff")
            }
        }
    }

    @Test func `a host that is none stands in no link`() async throws {
        let shop = try await SearchShop()
        for host in ["evil\"><script>", "a b", "x/..", "ä"] {
            let bytes = try await LoopbackClient(port: shop.shop.server.port).exchange(
                Data(
                    ("GET /search?term=chess HTTP/1.1\r\nHost: \(host)\r\n"
                        + "Connection: close\r\n\r\n").utf8))
            let response = try LoopbackClient.parse(bytes)
            guard response.status == 200 else { continue }
            #expect(response.text.contains("http://localhost/us/app/"), "\(host)")
            #expect(HostileTexts.isSafe(response.data))
        }
    }

    private static func entry(_ feed: FeedNode) throws -> [String: Any] {
        let document = try Shop.object(Data(feed.jsonDocument))
        let entries = (document["feed"] as? [String: Any])?["entry"] as? [[String: Any]]
        return try #require(entries?.first)
    }

    /// Letter for letter, where `==` takes letters for the same that are written differently.
    private static func isSame(_ text: String?, _ other: String) -> Bool {
        text.map { $0.unicodeScalars.elementsEqual(other.unicodeScalars) } ?? false
    }

    /// XML has no characters for some; a sign stands for each.
    private static func inMarkup(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF:
                scalars.append(scalar)
            default: scalars.append("\u{FFFD}")
            }
        }
        return String(scalars)
    }
}
