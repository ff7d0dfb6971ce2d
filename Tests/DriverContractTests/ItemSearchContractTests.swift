import Foundation
import StoreCore
import StoreModel
import Testing

@Suite(.usesDrivers) struct ItemSearchContractTests {
    @Test(arguments: StoreDriver.all)
    func `whole titles come before beginnings, those before words, those before descriptions`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ItemScene(driver)
        try await scene.add("Night", popularity: 1) {
            $0.texts["en_US"]?.description = "Not about a river at all."
        }
        try await scene.add("A River Runs", popularity: 50)
        try await scene.add("Mountains", artist: "River Jones", popularity: 900)
        try await scene.add("Riverside", popularity: 5_000)
        try await scene.add("River Deep")
        try await scene.add("River Wide", popularity: 20)
        try await scene.add("River")
        #expect(
            try await scene.search("river") == [
                "River", "River Wide", "River Deep", "A River Runs", "Mountains", "Riverside",
                "Night",
            ])
        #expect(try await scene.search("RIVER wide") == ["River Wide"])
        #expect(try await scene.search("river jones mountains") == ["Mountains"])
        #expect(try await scene.search("rivers") == ["Riverside"])
        #expect(try await scene.search("nothing of this") == [])
    }

    @Test(arguments: StoreDriver.all)
    func `case, accents and width of letters make no difference`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ItemScene(driver)
        try await scene.add("Café del Mar")
        try await scene.add("Straße nach Łódź")
        try await scene.add("ＷＩＤＥ")
        for term in ["cafe", "CAFÉ DEL", "Cafe\u{301}"] {
            #expect(try await scene.search(term) == ["Café del Mar"])
        }
        #expect(try await scene.search("strasse lodz") == ["Straße nach Łódź"])
        #expect(try await scene.search("wide") == ["ＷＩＤＥ"])
    }

    @Test(arguments: StoreDriver.all)
    func `Japanese, Chinese and Korean are found by any part`(driver: StoreDriver) async throws {
        let scene = try await ItemScene(driver)
        try await scene.add("東京都の夜")
        try await scene.add("京都案内")
        try await scene.add("ノルウェイの森") { $0.facts.keywords = ["小説"] }
        try await scene.add("红楼梦")
        try await scene.add("사랑의 노래")
        try await scene.add("Rain Library") {
            $0.texts["ja_JP"] = ItemText(title: "雨の図書館", description: "静かな町の話")
        }
        #expect(try await scene.search("東京") == ["東京都の夜"])
        #expect(Set(try await scene.search("京都")) == ["京都案内", "東京都の夜"])
        #expect(try await scene.search("京都").first == "京都案内")
        #expect(try await scene.search("夜") == ["東京都の夜"])
        #expect(try await scene.search("のるうぇいの森") == ["ノルウェイの森"])
        #expect(try await scene.search("森") == ["ノルウェイの森"])
        #expect(try await scene.search("小説") == ["ノルウェイの森"])
        #expect(try await scene.search("楼梦") == ["红楼梦"])
        #expect(try await scene.search("사랑") == ["사랑의 노래"])
        #expect(try await scene.search("図書館") == ["Rain Library"])
        #expect(try await scene.search("静かな町") == ["Rain Library"])
        #expect(try await scene.search("東夜") == [])
    }

    @Test(arguments: StoreDriver.all)
    func `one wrong letter is forgiven where nothing else matches`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ItemScene(driver)
        try await scene.add("The Harbourmaster", artist: "Mara Lindqvist")
        try await scene.add("Form and Function")
        for term in ["harbourmastre", "harbormaster", "harbourrmaster", "the hatbourmaster"] {
            #expect(try await scene.search(term) == ["The Harbourmaster"])
        }
        #expect(try await scene.search("lindqvits") == ["The Harbourmaster"])
        #expect(try await scene.search("hxrboumaster") == [])
        try await scene.add("From Afar")
        // Something matches: nothing is guessed.
        #expect(try await scene.search("from") == ["From Afar"])
        #expect(try await scene.search("Lindqvits", in: .artist) == ["The Harbourmaster"])
        #expect(try await scene.search("lindqvits", in: .title) == [])
    }

    @Test(arguments: StoreDriver.all)
    func `attributes look in their part of an item`(driver: StoreDriver) async throws {
        let scene = try await ItemScene(driver)
        let album = try await scene.add("Blue", .album, artist: "Ada Blue")
        try await scene.add("Green", .song, artist: "Bert") {
            $0.parent = album
            $0.facts.composer = "Clara"
            $0.genres = [11]
        }
        try await scene.add("Red", .movie) {
            $0.facts.director = "Dora"
            $0.facts.producers = ["Emil", "Franz"]
            $0.facts.actors = ["Gerda Blue"]
            $0.facts.advisoryRating = "PG-13"
            $0.facts.languages = ["JA"]
            $0.facts.keywords = ["harbour"]
            $0.texts["en_US"]?.description = "About blue boats."
            $0.releaseDate = Date(timeIntervalSince1970: 1_340_000_000)
        }
        let cases: [(String, ItemAttribute, [String])] = [
            ("blue", .title, ["Blue"]), ("blue", .artist, ["Blue"]),
            ("blue", .collection, ["Blue", "Green"]), ("blue", .description, ["Red"]),
            ("harbour", .keywords, ["Red"]), ("clara", .composer, ["Green"]),
            ("dora", .director, ["Red"]), ("franz", .producer, ["Red"]),
            ("gerda", .actor, ["Red"]), ("clara", .director, []), ("jazz", .genre, ["Green"]),
            ("11", .genre, ["Green"]), ("2012", .releaseYear, ["Red"]),
            ("2013", .releaseYear, []), ("PG-13", .advisoryRating, ["Red"]),
            ("PG", .advisoryRating, []), ("Japanese", .language, ["Red"]),
            ("ja", .language, ["Red"]), ("日本語", .language, ["Red"]),
            ("German", .language, []), ("5", .rating, []), ("many", .rating, []),
        ]
        for (term, attribute, expected) in cases {
            let found = try await scene.search(term, in: attribute)
            #expect(found == expected, "\(attribute) \(term)")
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a search keeps to kinds, storefront, explicitness, genre and tablets`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ItemScene(driver)
        try await scene.add("Sun book")
        try await scene.add("Sun song", .song) { $0.explicitness = .explicit }
        try await scene.add("Sun film", .movie) { $0.prices = ItemPrices(own: ["JPN": 100_000]) }
        try await scene.add("Moon film", .movie) { $0.prices = ItemPrices(own: ["USA": 1000]) }
        try await scene.add("Sun app", .software) {
            $0.facts.supportedDevices = ["iPadAir"]
            $0.genres = [7012]
        }
        let draft = try await scene.add("Sun draft")
        _ = try await scene.items.setState(.draft, of: draft, by: scene.connect.admin)
        #expect(Set(try await scene.search("sun")) == ["Sun book", "Sun song", "Sun app"])
        #expect(try await scene.search("sun", [.song, .movie]) == ["Sun song"])
        #expect(try await scene.search("sun film") == [])
        #expect(
            try await scene.search("sun", [.movie]) { $0.storefront = .named("JPN")! } == [
                "Sun film"
            ])
        #expect(try await scene.search("sun", [.song]) { $0.includesExplicit = false } == [])
        #expect(try await scene.search("sun") { $0.isForTablets = true } == ["Sun app"])
        // Puzzle games are games.
        #expect(try await scene.search("sun") { $0.genre = 6014 } == ["Sun app"])
        let all = try await scene.search("sun")
        #expect(all.count == 3)
        let paged = try await scene.search("sun") { ($0.offset, $0.limit) = (1, 1) }
        #expect(paged == Array(all.dropFirst().prefix(1)))
    }

    @Test(arguments: StoreDriver.all)
    func `the index follows every change`(driver: StoreDriver) async throws {
        let scene = try await ItemScene(driver)
        let admin = scene.connect.admin
        let album = try await scene.add("First", .album, artist: "Someone")
        let song = try await scene.add("Tune", .song, artist: "Someone") { $0.parent = album }
        var details = try await scene.items.item(album, by: admin).details
        details.texts["en_US"]?.title = "Second"
        _ = try await scene.items.change(album, to: details, by: admin)
        #expect(try await scene.search("first") == [])
        #expect(Set(try await scene.search("second")) == ["Second", "Tune"])
        let artist = try #require(details.artist)
        var named = try await scene.items.artist(artist, by: admin)
        named.name = "Nobody"
        _ = try await scene.items.changeArtist(named, by: admin)
        #expect(try await scene.search("someone") == [])
        #expect(Set(try await scene.search("nobody")) == ["Second", "Tune"])
        try await scene.add("Tune Up")
        try await scene.database.write { try $0.items.raisePopularity(of: song, by: 1_000_000) }
        #expect(try await scene.search("tune") == ["Tune", "Tune Up"])
        #expect(try await scene.search("nobody") == ["Tune", "Second"])
        _ = try await scene.items.setState(.removed, of: song, by: admin)
        #expect(try await scene.search("tune") == ["Tune Up"])
    }

    @Test(arguments: StoreDriver.all)
    func `artists are found who have works that are seen`(driver: StoreDriver) async throws {
        let scene = try await ItemScene(driver)
        try await scene.add("One", .song, artist: "The Lanterns")
        try await scene.add("Two", .ebook, artist: "Lantern Smith")
        let hidden = try await scene.add("Three", .song, artist: "Lantern Zero")
        _ = try await scene.items.setState(.draft, of: hidden, by: scene.connect.admin)
        func names(_ term: String, _ kinds: Set<ItemKind> = []) async throws -> [String] {
            try await scene.storefront.searchArtists(
                ItemQuery(term: term, kinds: kinds, storefront: .unitedStates)
            ).map(\.name)
        }
        #expect(try await names("the lanterns") == ["The Lanterns"])
        #expect(try await names("lantern") == ["Lantern Smith", "The Lanterns"])
        #expect(try await names("lantern", [.song]) == ["The Lanterns"])
        #expect(try await names("lanterms") == ["The Lanterns"])
        #expect(try await names("zero") == [])
    }
}
