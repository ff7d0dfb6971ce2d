import Foundation
@testable import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import Testing

/// A store with a few items of every kind, and a client that searches it over a socket.
final class SearchShop: Sendable {
    let shop: TestStore
    private let client: LoopbackClient

    static let writer = ArtistID(number: 9_000_001)
    static let band = ArtistID(number: 9_000_002)
    static let developer = ArtistID(number: 9_000_003)
    static let show = ArtistID(number: 9_000_004)

    static let chess = ItemID(number: 8_000_001)
    static let macChess = ItemID(number: 8_000_002)
    static let book = ItemID(number: 8_000_003)
    static let album = ItemID(number: 8_000_004)
    static let song = ItemID(number: 8_000_005)
    static let explicitSong = ItemID(number: 8_000_006)
    static let video = ItemID(number: 8_000_007)
    static let movie = ItemID(number: 8_000_008)
    static let shortFilm = ItemID(number: 8_000_009)
    static let season = ItemID(number: 8_000_010)
    static let episode = ItemID(number: 8_000_011)
    static let podcast = ItemID(number: 8_000_012)
    static let audiobook = ItemID(number: 8_000_013)
    static let japaneseGame = ItemID(number: 8_000_014)
    static let tabletChess = ItemID(number: 8_000_015)

    init() async throws {
        shop = try await TestStore(hasContent: false)
        client = LoopbackClient(port: shop.server.port)
        try await shop.store.database.write { repositories in
            let team = try #require(try repositories.catalog.onlyTeam()).id
            try Self.artists(of: team).forEach {
                _ = try repositories.items.insert($0, isNumbered: true)
            }
            for (id, details) in Self.items {
                _ = try repositories.items.insert(
                    details, id: id, of: team, state: .onSale, at: Self.date(id))
                for media in Self.media(of: id, details.kind) {
                    try repositories.itemMedia.save(media)
                }
            }
        }
    }

    // MARK: Asking

    /// Sends a request, its parameters encoded.
    func get(
        _ path: String, _ query: [(String, String)] = [], headers: HTTPHeaders = [:],
        method: String = "GET"
    ) async throws -> HTTPResponse {
        try await client.send(
            HTTPRequest(
                method: method, path: path,
                query: query.map { (name: Self.encoded($0.0), value: Self.encoded($0.1)) },
                headers: headers))
    }

    /// The results of an answer that is well-formed to the last byte.
    func results(
        _ path: String, _ query: [(String, String)] = []
    ) async throws -> [[String: Any]] {
        let response = try await get(path, query)
        #expect(response.status == 200, "\(path) \(query)")
        #expect(response.headers["Content-Type"] == "text/javascript; charset=utf-8")
        #expect(response.headers["Access-Control-Allow-Origin"] == "*")
        let answer = try Self.object(response.data)
        #expect(Set(answer.keys) == ["resultCount", "results"])
        let results = try #require(answer["results"] as? [[String: Any]])
        #expect(answer["resultCount"] as? Int == results.count)
        return results
    }

    /// The numbers of the results, of items or artists.
    func ids(_ path: String, _ query: [(String, String)] = []) async throws -> [Int64] {
        try await results(path, query).compactMap { Self.number(of: $0) }
    }

    /// Status and offending key of an answer that refuses.
    func refusal(_ path: String, _ query: [(String, String)]) async throws -> String {
        let response = try await get(path, query)
        let answer = try Self.object(response.data)
        #expect(Set(answer.keys) == ["errorMessage", "queryParameters"])
        let explained = try #require(answer["queryParameters"] as? [String: String])
        #expect(
            Set(explained.keys) == ["output", "callback", "country", "limit", "term", "lang"])
        let message = try #require(answer["errorMessage"] as? String)
        let prefix = "Invalid value(s) for key(s): "
        #expect(message.hasPrefix(prefix))
        return "\(response.status) \(message.dropFirst(prefix.count))"
    }

    static func object(_ data: Data) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    static func number(of result: [String: Any]) -> Int64? {
        let key =
            switch result["wrapperType"] as? String {
            case "artist": "artistId"
            case "collection", "audiobook": "collectionId"
            default: "trackId"
            }
        return (result[key] as? NSNumber)?.int64Value
    }

    static func encoded(_ text: String) -> String {
        let plain = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_*")
        return text.split(separator: " ", omittingEmptySubsequences: false)
            .map { $0.addingPercentEncoding(withAllowedCharacters: plain) ?? "" }
            .joined(separator: "+")
    }

    // MARK: What is in the shop

    static func date(_ id: ItemID) -> Date {
        Date(timeIntervalSince1970: 1_600_000_000 + Double(id.number % 1000) * 86_400)
    }

    private static func artists(of team: Int64) -> [Artist] {
        [
            Artist(
                id: writer, team: team, name: "Ada Penn", type: .author, genre: 38,
                amgArtistID: 777),
            Artist(
                id: band, team: team, name: "The Pebbles", type: .artist, genre: 21,
                amgArtistID: 888),
            Artist(id: developer, team: team, name: "Rook Works", type: .softwareArtist, genre: 36),
            Artist(id: show, team: team, name: "Castle Street", type: .televisionShow, genre: 32),
        ]
    }

    private static let items: [(ItemID, ItemDetails)] = {
        var list: [(ItemID, ItemDetails)] = []
        func add(_ id: ItemID, _ details: ItemDetails) { list.append((id, details)) }
        add(
            chess,
            item(.software, "Chess Evening", by: developer, genres: [6014, 7004]) {
                $0.bundleID = "com.example.chess-evening"
                $0.texts["ja_JP"] = ItemText(title: "チェスの夕べ")
                $0.facts.languages = ["EN", "JA"]
                $0.facts.keywords = ["gambit"]
                $0.facts.advisoryRating = "4+"
            }
        )
        add(macChess, item(.macSoftware, "Chess Desk", by: developer, genres: [12006], tier: "5"))
        add(
            tabletChess,
            item(.software, "Chess Board", by: developer, genres: [6014], tier: "1") {
                $0.bundleID = "com.example.chess-board"
                $0.facts.supportedDevices = ["iPad2Wifi-iPad2Wifi"]
            }
        )
        add(
            book,
            item(.ebook, "Chess for Rivers", by: writer, genres: [9031], tier: "3") {
                $0.isbn = "9780306406157"
                $0.texts["en_US"]?.description = "A zeppelin crosses the board."
            }
        )
        add(
            album,
            item(.album, "Stones of the River", by: band, genres: [21], tier: "10") {
                $0.upc = "012345678905"
                $0.amgAlbumID = 4321
                $0.facts.trackCount = 3
            }
        )
        add(
            song,
            item(.song, "River Song", by: band, genres: [21], tier: "1") {
                $0.parent = album
                $0.facts.composer = "Clara Quill"
                $0.facts.trackNumber = 1
            }
        )
        add(
            explicitSong,
            item(.song, "River Anger", by: band, genres: [20], tier: "1") {
                $0.parent = album
                $0.explicitness = .explicit
                $0.facts.trackNumber = 2
            }
        )
        add(
            video,
            item(.musicVideo, "River Clip", by: band, genres: [1621], tier: "2") {
                $0.parent = album
                $0.amgVideoID = 5678
                $0.facts.trackNumber = 3
            }
        )
        add(
            movie,
            item(.movie, "The River King", by: writer, genres: [4406], tier: "10") {
                $0.rentalPrices = ItemPrices(tier: "3")
                $0.facts.director = "Dora Lens"
                $0.facts.producers = ["Paul Purse"]
                $0.facts.actors = ["Max Mime"]
                $0.facts.advisoryRating = "PG-13"
                $0.releaseDate = Date(timeIntervalSince1970: 489_024_000)
            }
        )
        add(shortFilm, item(.shortFilm, "A Short River", by: writer, genres: [4414], tier: "1"))
        add(
            season, item(.tvSeason, "Castle Street, Season 1", by: show, genres: [4001], tier: "15")
        )
        add(
            episode,
            item(.tvEpisode, "The River Gate", by: show, genres: [4001], tier: "2") {
                $0.parent = season
            }
        )
        add(
            podcast,
            item(.podcast, "River Talk", by: writer, genres: [1318]) {
                $0.facts.feedURL = "https://feeds.example.com/river.xml"
                $0.facts.languages = ["FR"]
            }
        )
        add(audiobook, item(.audiobook, "The River Read Aloud", by: writer, genres: [50_000_040]))
        add(
            japaneseGame,
            item(.software, "River Shogi", by: developer, genres: [6014]) {
                $0.prices = ItemPrices(own: ["JPN": 480_000], storefronts: ["JPN"])
            }
        )
        return list
    }()

    private static func item(
        _ kind: ItemKind, _ title: String, by artist: ArtistID, genres: [Int],
        tier: String = "0", _ change: (inout ItemDetails) -> Void = { _ in }
    ) -> ItemDetails {
        var details = ItemDetails(
            kind: kind, title: title, genres: genres, prices: ItemPrices(tier: tier))
        details.artist = artist
        details.releaseDate = Date(timeIntervalSince1970: 1_109_664_000)
        change(&details)
        return details
    }

    private static func media(of id: ItemID, _ kind: ItemKind) -> [ItemMedia] {
        var kinds: [(ItemMedia.Kind, String)] = [(.artwork, "image/png")]
        if id == tabletChess { kinds.append((.tabletScreenshot, "image/png")) }
        if kind == .song { kinds.append((.audioPreview, "audio/mpeg")) }
        return kinds.enumerated().map { index, pair in
            let uuid = String(
                format: "00000000-0000-4000-8000-%012d", id.number * 10 + Int64(index))
            return ItemMedia(
                id: AssetID(uuid)!, item: id, kind: pair.0, position: 1,
                digest: ContentDigest(String(repeating: "a", count: 64))!, mediaType: pair.1,
                fileName: "file-\(index).bin", size: 1000,
                width: pair.1.hasPrefix("image") ? 1024 : nil,
                height: pair.1.hasPrefix("image") ? 1024 : nil)
        }
    }
}
