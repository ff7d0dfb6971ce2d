import Foundation
import StoreHTTP
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreAPI

/// What each parameter of a lookup means, and what a wrong value of it is answered with.
@Suite struct LookupParameterTests {
    private typealias Shop = SearchShop

    @Test func `each key finds what it names`() async throws {
        let shop = try await SearchShop()
        for (key, value, wanted) in [
            ("id", "\(Shop.chess)", [Shop.chess.number]),
            ("id", "\(Shop.writer)", [Shop.writer.number]),
            ("bundleId", "com.example.chess-evening", [Shop.chess.number]),
            ("amgArtistId", "888", [Shop.band.number]),
            ("amgAlbumId", "4321", [Shop.album.number]),
            ("amgVideoId", "5678", [Shop.video.number]),
            ("upc", "012345678905", [Shop.album.number]),
            ("isbn", "9780306406157", [Shop.book.number]),
            ("isbn", "978-0-306-40615-7", [Shop.book.number]),
        ] as [(String, String, [Int64])] {
            #expect(try await shop.ids("/lookup", [(key, value)]) == wanted, "\(key) \(value)")
            #expect(
                try await shop.ids(
                    "/WebObjects/MZStoreServices.woa/wa/wsLookup", [(key, value)]) == wanted)
        }
    }

    @Test func `unknown identifiers give no results`() async throws {
        let shop = try await SearchShop()
        for (key, value) in [
            ("id", "123456789"), ("bundleId", "com.example.nothing"), ("amgArtistId", "1"),
            ("amgAlbumId", "1"), ("amgVideoId", "1"), ("upc", "00000000000"),
            ("isbn", "0306406152"), ("toc", "1+2+3"),
        ] {
            #expect(try await shop.ids("/lookup", [(key, value)]).isEmpty, "\(key)")
        }
        #expect(try await shop.ids("/lookup").isEmpty)
    }

    @Test(
        arguments: [
            ("id", "abc"), ("id", "-1"), ("id", "0"), ("id", "01"), ("id", "1,,2"), ("id", "1,x"),
            ("id", "99999999999999999999"), ("id", " "), ("bundleId", "a b"),
            ("bundleId", "a\u{7}b"),
            ("amgArtistId", "x"), ("amgAlbumId", "4321.0"), ("amgVideoId", "-5678"),
            ("upc", "12345"), ("upc", "01234567890x"), ("isbn", "123"), ("isbn", "97803064061X7"),
        ] as [(String, String)])
    func `a wrong value is refused by the name of its key`(
        key: String, value: String
    ) async throws {
        let shop = try await SearchShop()
        #expect(try await shop.refusal("/lookup", [(key, value)]) == "400 [\(key)]")
    }

    @Test func `lists are answered in their order, each value once`() async throws {
        let shop = try await SearchShop()
        let list = "\(Shop.song),\(Shop.chess),1234,\(Shop.song), \(Shop.band)"
        let wanted = [Shop.song.number, Shop.chess.number, Shop.band.number]
        #expect(try await shop.ids("/lookup", [("id", list)]) == wanted)
        #expect(
            try await shop.ids(
                "/lookup",
                [("id", list), ("bundleId", "com.example.chess-evening,com.example.chess-board")])
                == wanted + [Shop.tabletChess.number])
        let many = (1...200).map(String.init).joined(separator: ",")
        #expect(try await shop.ids("/lookup", [("id", many)]).isEmpty)
        #expect(try await shop.refusal("/lookup", [("id", many + ",201")]) == "400 [id]")
    }

    @Test func `the country decides what is found`() async throws {
        let shop = try await SearchShop()
        let id = ("id", "\(Shop.japaneseGame)")
        #expect(try await shop.ids("/lookup", [id]).isEmpty)
        #expect(try await shop.ids("/lookup", [id, ("country", "us")]).isEmpty)
        #expect(
            try await shop.ids("/lookup", [id, ("country", "jp")]) == [Shop.japaneseGame.number])
        #expect(try await shop.ids("/jp/lookup", [id]) == [Shop.japaneseGame.number])
        #expect(try await shop.refusal("/lookup", [id, ("country", "JPN")]) == "400 [country]")
    }

    @Test func `what belongs to a result follows it`() async throws {
        let shop = try await SearchShop()
        for (id, entity, wanted) in [
            (
                Shop.album.number, "song",
                [Shop.album.number, Shop.song.number, Shop.explicitSong.number]
            ),
            (Shop.album.number, "musicVideo", [Shop.album.number, Shop.video.number]),
            (Shop.album.number, "musicArtist", [Shop.album.number, Shop.band.number]),
            (Shop.season.number, "tvEpisode", [Shop.season.number, Shop.episode.number]),
            (Shop.band.number, "album", [Shop.band.number, Shop.album.number]),
            (Shop.developer.number, "macSoftware", [Shop.developer.number, Shop.macChess.number]),
            (Shop.podcast.number, "podcastEpisode", [Shop.podcast.number]),
            (Shop.chess.number, "software", [Shop.chess.number]),
        ] as [(Int64, String, [Int64])] {
            #expect(
                try await shop.ids("/lookup", [("id", "\(id)"), ("entity", entity)]) == wanted,
                "\(id) \(entity)")
        }
        #expect(
            try await shop.ids("/lookup", [("amgArtistId", "888"), ("entity", "album")])
                == [Shop.band.number, Shop.album.number])
        #expect(
            try await shop.refusal("/lookup", [("id", "\(Shop.album)"), ("entity", "songs")])
                == "400 [resultEntity]")
    }

    @Test func `the limit counts what follows each result`() async throws {
        let shop = try await SearchShop()
        let ids = ("id", "\(Shop.album),\(Shop.season)")
        #expect(
            try await shop.ids(
                "/lookup", [ids, ("entity", "song,tvEpisode"), ("limit", "1")])
                == [
                    Shop.album.number, Shop.song.number, Shop.season.number, Shop.episode.number,
                ])
        #expect(try await shop.refusal("/lookup", [ids, ("limit", "0")]) == "400 [limit]")
    }

    @Test func `an artist's works come by popularity, or the newest first`() async throws {
        let shop = try await SearchShop()
        let query = [("id", "\(Shop.writer)"), ("entity", "movie,ebook,podcast")]
        let popular = try await shop.ids("/lookup", query)
        let recent = try await shop.ids("/lookup", query + [("sort", "recent")])
        #expect(popular.count == 4 && Set(popular) == Set(recent))
        #expect(recent.last == Shop.movie.number)
        #expect(try await shop.refusal("/lookup", query + [("sort", "name")]) == "400 [sort]")
    }

    @Test func `the other parameters are those of a search`() async throws {
        let shop = try await SearchShop()
        let id = ("id", "\(Shop.chess)")
        for right in [
            ("media", "software"), ("lang", "en_us"), ("version", "2"), ("output", "json"),
            ("limit", "201"), ("timestamp", "1"),
        ] {
            #expect(try await shop.ids("/lookup", [id, right]) == [Shop.chess.number])
        }
        let japanese = try await shop.results("/lookup", [id, ("lang", "ja_jp")]).first
        #expect(japanese?["trackName"] as? String == "チェスの夕べ")
        for (key, value, refusal) in [
            ("media", "apps", "400 [mediaType]"), ("lang", "xx_xx", "400 [language]"),
            ("version", "0", "404 [version]"), ("output", "xml", "400 [output]"),
            ("callback", "a b", "400 [callback]"),
        ] {
            #expect(try await shop.refusal("/lookup", [id, (key, value)]) == refusal)
        }
    }
}
