import Foundation
import StoreHTTP
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreAPI

/// What each parameter of a search means, and what a wrong value of it is answered with.
@Suite struct SearchParameterTests {
    private typealias Shop = SearchShop

    @Test func `the term is looked for in what customers see`() async throws {
        let shop = try await SearchShop()
        #expect(try await shop.ids("/search", [("term", "chess evening")]) == [Shop.chess.number])
        // A plus is a space, and an encoded plus is a plus.
        let raw = try await LoopbackClient(port: shop.shop.server.port).send(
            HTTPRequest(method: "GET", path: "/search?term=chess+evening"))
        #expect(raw.text.contains("Chess Evening"))
        #expect(try await shop.ids("/search", [("term", "nothing like it")]).isEmpty)
        for nothing in [[("term", "")], []] as [[(String, String)]] {
            #expect(try await shop.ids("/search", nothing).isEmpty)
        }
        let tooLong = String(repeating: "a", count: 501)
        #expect(try await shop.refusal("/search", [("term", tooLong)]) == "400 [term]")
    }

    @Test func `the country decides what is sold, in which language and currency`() async throws {
        let shop = try await SearchShop()
        let term = ("term", "shogi")
        #expect(try await shop.ids("/search", [term]).isEmpty)
        for country in ["JP", "jp", "Jp"] {
            #expect(
                try await shop.ids("/search", [term, ("country", country)])
                    == [Shop.japaneseGame.number])
        }
        #expect(try await shop.ids("/jp/search", [term]) == [Shop.japaneseGame.number])
        #expect(
            try await shop.ids("/jp/search", [term, ("country", "US")])
                == [Shop.japaneseGame.number])
        let result = try #require(try await shop.results("/jp/search", [term]).first)
        #expect(result["currency"] as? String == "JPY")
        #expect(result["price"] as? Int == 480)
        for wrong in ["USA", "xx", "u", "Deutschland", "  ", "日本"] {
            #expect(
                try await shop.refusal("/search", [term, ("country", wrong)]) == "400 [country]",
                "\(wrong)")
        }
        #expect(try await shop.refusal("/xx/search", [term]) == "400 [country]")
        #expect(try await shop.refusal("/nowhere/search", [term]) == "404 [country]")
    }

    @Test func `the medium decides what is given`() async throws {
        let shop = try await SearchShop()
        let found: [(SearchMedium, Set<ItemID>)] = [
            (.movie, [Shop.movie]), (.podcast, [Shop.podcast]),
            (.music, [Shop.song, Shop.explicitSong, Shop.video]), (.musicVideo, [Shop.video]),
            (.audiobook, [Shop.audiobook]), (.shortFilm, [Shop.shortFilm]),
            (.tvShow, [Shop.episode]), (.software, []), (.ebook, [Shop.book]),
            (
                .all,
                [
                    Shop.movie, Shop.podcast, Shop.song, Shop.explicitSong, Shop.video,
                    Shop.audiobook, Shop.shortFilm, Shop.episode, Shop.book,
                ]
            ),
        ]
        #expect(Set(found.map(\.0)) == Set(SearchMedium.allCases))
        for (medium, items) in found {
            let ids = try await shop.ids(
                "/search",
                [("term", medium == .ebook ? "rivers" : "river"), ("media", medium.rawValue)])
            let wanted = Set(items.map(\.number))
            #expect(
                medium == .all ? wanted.isSubset(of: ids) : wanted == Set(ids), "\(medium)")
        }
        for wrong in ["123", "  ", "Music", "film"] {
            #expect(
                try await shop.refusal("/search", [("term", "river"), ("media", wrong)])
                    == "400 [mediaType]", "\(wrong)")
        }
    }

    @Test func `the limit is kept, and 200 is the most`() async throws {
        let shop = try await SearchShop()
        let all = try await shop.ids("/search", [("term", "river")])
        #expect(all.count > 4)
        #expect(try await shop.ids("/search", [("term", "river"), ("limit", "3")]).count == 3)
        for large in ["200", "201", "99999999999999999999999"] {
            #expect(try await shop.ids("/search", [("term", "river"), ("limit", large)]) == all)
            let query = QueryParameters([("limit", large)])
            #expect(try query.limit() == 200)
        }
        #expect(try QueryParameters([]).limit() == 50)
        for wrong in ["0", "-10", "ten", "1.5", " 5", "٣", "0x10"] {
            #expect(
                try await shop.refusal("/search", [("term", "river"), ("limit", wrong)])
                    == "400 [limit]", "\(wrong)")
        }
    }

    @Test func `the offset passes over results`() async throws {
        let shop = try await SearchShop()
        let all = try await shop.ids("/search", [("term", "river")])
        var paged: [Int64] = []
        for page in 0..<all.count {
            paged += try await shop.ids(
                "/search", [("term", "river"), ("limit", "1"), ("offset", "\(page)")])
        }
        #expect(paged == all)
        for behind in ["\(all.count)", "5001", "99999999999999999999999"] {
            #expect(
                try await shop.ids("/search", [("term", "river"), ("offset", behind)]).isEmpty)
        }
        for wrong in ["-1", "two", " "] {
            #expect(
                try await shop.refusal("/search", [("term", "river"), ("offset", wrong)])
                    == "400 [offset]")
        }
    }

    @Test func `the language is the storefront's, or the one that is asked for`() async throws {
        let shop = try await SearchShop()
        func title(_ query: [(String, String)]) async throws -> String? {
            let all = [("term", "chess evening"), ("entity", "software")] + query
            return try await shop.results("/search", all).first?["trackName"] as? String
        }
        #expect(try await title([]) == "Chess Evening")
        #expect(try await title([("country", "JP")]) == "チェスの夕べ")
        for lang in ["ja_jp", "ja_JP", "ja-JP", "ja"] {
            #expect(try await title([("lang", lang)]) == "チェスの夕べ", "\(lang)")
        }
        #expect(try await title([("country", "JP"), ("lang", "en_us")]) == "Chess Evening")
        for wrong in ["xx_xx", "   ", "123", "$%#$", "en_", "en_xx", "en_us_us_us", "_us"] {
            #expect(
                try await shop.refusal("/search", [("term", "chess"), ("lang", wrong)])
                    == "400 [language]", "\(wrong)")
        }
    }

    @Test func `Chinese has the script of its country`() {
        #expect(RequestedLanguage.locale("zh_tw") == "zh_Hant_TW")
        #expect(RequestedLanguage.locale("zh_cn") == "zh_Hans_CN")
        #expect(RequestedLanguage.locale("zh-hans") == "zh_Hans")
        #expect(RequestedLanguage.locale("zh") == "zh")
    }

    @Test func `versions one and two are answered`() async throws {
        let shop = try await SearchShop()
        let plain = try await shop.ids("/search", [("term", "chess")])
        for version in ["1", "2"] {
            #expect(
                try await shop.ids("/search", [("term", "chess"), ("version", version)]) == plain)
        }
        for (wrong, status) in [("0", 404), ("10", 404), ("Test", 400), ("  ", 400), ("-1", 400)] {
            #expect(
                try await shop.refusal("/search", [("term", "chess"), ("version", wrong)])
                    == "\(status) [version]", "\(wrong)")
        }
    }

    @Test func `what is explicit can be left out`() async throws {
        let shop = try await SearchShop()
        let song = Shop.explicitSong.number
        for yes in ["Yes", "yes", "YES"] {
            let ids = try await shop.ids("/search", [("term", "river"), ("explicit", yes)])
            #expect(ids.contains(song))
        }
        for no in ["No", "no"] {
            let ids = try await shop.ids("/search", [("term", "river"), ("explicit", no)])
            #expect(!ids.contains(song) && ids.contains(Shop.song.number))
        }
        for wrong in ["123", "   ", "true"] {
            #expect(
                try await shop.refusal("/search", [("term", "river"), ("explicit", wrong)])
                    == "400 [explicitType]")
        }
    }

    @Test func `a genre and an order can be asked for`() async throws {
        let shop = try await SearchShop()
        #expect(
            try await shop.ids("/search", [("term", "river"), ("genreId", "20")])
                == [Shop.explicitSong.number])
        // The root of a medium stands for all of it.
        #expect(
            try await Set(shop.ids("/search", [("term", "river"), ("genreId", "34")]))
                == [Shop.song.number, Shop.explicitSong.number])
        #expect(try await shop.ids("/search", [("term", "river"), ("genreId", "99999")]).isEmpty)
        #expect(
            try await shop.refusal("/search", [("term", "river"), ("genreId", "rock")])
                == "400 [genreId]")
        let popular = try await shop.ids("/search", [("term", "river"), ("order", "popular")])
        #expect(try await shop.ids("/search", [("term", "river"), ("order", "rank")]) == popular)
        for key in ["sort", "order"] {
            let recent = try await shop.ids("/search", [("term", "river"), (key, "recent")])
            #expect(Set(recent) == Set(popular))
            // Everything but one film of 1985 came out on the same day.
            #expect(recent.last == Shop.movie.number)
            #expect(
                try await shop.refusal("/search", [("term", "river"), (key, "price")])
                    == "400 [\(key)]")
        }
    }

    @Test func `there is JSON only, and what is unknown is passed over`() async throws {
        let shop = try await SearchShop()
        let plain = try await shop.ids("/search", [("term", "chess")])
        #expect(!plain.isEmpty)
        #expect(
            try await shop.ids(
                "/search", [("term", "chess"), ("output", "json"), ("timestamp", "1"), ("x", "y")])
                == plain)
        #expect(
            try await shop.refusal("/search", [("term", "chess"), ("output", "xml")])
                == "400 [output]")
        for empty in ["country", "media", "entity", "attribute", "limit", "lang", "callback"] {
            #expect(try await shop.ids("/search", [("term", "chess"), (empty, "")]) == plain)
        }
    }

    @Test func `old addresses and the sandbox answer alike`() async throws {
        let shop = try await SearchShop()
        let plain = try await shop.ids("/search", [("term", "chess")])
        for path in ["/WebObjects/MZStoreServices.woa/wa/wsSearch", "/sandbox/search"] {
            #expect(try await shop.ids(path, [("term", "chess")]) == plain)
        }
        let result = try await shop.results("/sandbox/search", [("term", "chess")]).first
        #expect((result?["trackViewUrl"] as? String)?.contains("/sandbox/us/app/") == true)
    }
}
