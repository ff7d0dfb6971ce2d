import Foundation
import StoreCore
import StoreModel
import Testing

@Suite(.usesDrivers) struct ItemSearchContractTests {
    @Test(arguments: StoreDriver.all)
    func `whole titles come before beginnings, those before words, those before descriptions`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemFixture(driver)
        try await fixture.add("Night", popularity: 1) {
            $0.texts["en_US"]?.description = "Not about a river at all."
        }
        try await fixture.add("A River Runs", popularity: 50)
        try await fixture.add("Mountains", artist: "River Jones", popularity: 900)
        try await fixture.add("Riverside", popularity: 5_000)
        try await fixture.add("River Deep")
        try await fixture.add("River Wide", popularity: 20)
        try await fixture.add("River")
        #expect(
            try await fixture.search("river") == [
                "River", "River Wide", "River Deep", "A River Runs", "Mountains", "Riverside",
                "Night",
            ])
        #expect(try await fixture.search("RIVER wide") == ["River Wide"])
        #expect(try await fixture.search("river jones mountains") == ["Mountains"])
        #expect(try await fixture.search("rivers") == ["Riverside"])
        #expect(try await fixture.search("nothing of this") == [])
    }

    @Test(arguments: StoreDriver.all)
    func `case, accents and width of letters make no difference`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemFixture(driver)
        try await fixture.add("Café del Mar")
        try await fixture.add("Straße nach Łódź")
        try await fixture.add("ＷＩＤＥ")
        for term in ["cafe", "CAFÉ DEL", "Cafe\u{301}"] {
            #expect(try await fixture.search(term) == ["Café del Mar"])
        }
        #expect(try await fixture.search("strasse lodz") == ["Straße nach Łódź"])
        #expect(try await fixture.search("wide") == ["ＷＩＤＥ"])
    }

    @Test(arguments: StoreDriver.all)
    func `Japanese, Chinese and Korean are found by any part`(driver: StoreDriver) async throws {
        let fixture = try await ItemFixture(driver)
        try await fixture.add("東京都の夜")
        try await fixture.add("京都案内")
        try await fixture.add("ノルウェイの森") { $0.facts.keywords = ["小説"] }
        try await fixture.add("红楼梦")
        try await fixture.add("사랑의 노래")
        try await fixture.add("Rain Library") {
            $0.texts["ja_JP"] = ItemText(title: "雨の図書館", description: "静かな町の話")
        }
        #expect(try await fixture.search("東京") == ["東京都の夜"])
        #expect(Set(try await fixture.search("京都")) == ["京都案内", "東京都の夜"])
        #expect(try await fixture.search("京都").first == "京都案内")
        #expect(try await fixture.search("夜") == ["東京都の夜"])
        #expect(try await fixture.search("のるうぇいの森") == ["ノルウェイの森"])
        #expect(try await fixture.search("森") == ["ノルウェイの森"])
        #expect(try await fixture.search("小説") == ["ノルウェイの森"])
        #expect(try await fixture.search("楼梦") == ["红楼梦"])
        #expect(try await fixture.search("사랑") == ["사랑의 노래"])
        #expect(try await fixture.search("図書館") == ["Rain Library"])
        #expect(try await fixture.search("静かな町") == ["Rain Library"])
        #expect(try await fixture.search("東夜") == [])
    }

    @Test(arguments: StoreDriver.all)
    func `one wrong letter is forgiven where nothing else matches`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemFixture(driver)
        try await fixture.add("The Harbourmaster", artist: "Mara Lindqvist")
        try await fixture.add("Form and Function")
        for term in ["harbourmastre", "harbormaster", "harbourrmaster", "the hatbourmaster"] {
            #expect(try await fixture.search(term) == ["The Harbourmaster"])
        }
        #expect(try await fixture.search("lindqvits") == ["The Harbourmaster"])
        #expect(try await fixture.search("hxrboumaster") == [])
        try await fixture.add("From Afar")
        // Something matches: nothing is guessed.
        #expect(try await fixture.search("from") == ["From Afar"])
        #expect(try await fixture.search("Lindqvits", in: .artist) == ["The Harbourmaster"])
        #expect(try await fixture.search("lindqvits", in: .title) == [])
    }

    @Test(arguments: StoreDriver.all)
    func `attributes look in their part of an item`(driver: StoreDriver) async throws {
        let fixture = try await ItemFixture(driver)
        let album = try await fixture.add("Blue", .album, artist: "Ada Blue")
        try await fixture.add("Green", .song, artist: "Bert") {
            $0.parent = album
            $0.facts.composer = "Clara"
            $0.genres = [11]
        }
        try await fixture.add("Red", .movie) {
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
            let found = try await fixture.search(term, in: attribute)
            #expect(found == expected, "\(attribute) \(term)")
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a search keeps to kinds, storefront, explicitness, genre and tablets`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemFixture(driver)
        try await fixture.add("Sun book")
        try await fixture.add("Sun song", .song) { $0.explicitness = .explicit }
        try await fixture.add("Sun film", .movie) { $0.prices = ItemPrices(own: ["JPN": 100_000]) }
        try await fixture.add("Moon film", .movie) { $0.prices = ItemPrices(own: ["USA": 1000]) }
        try await fixture.add("Sun app", .software) {
            $0.facts.supportedDevices = ["iPadAir"]
            $0.genres = [7012]
        }
        let draft = try await fixture.add("Sun draft")
        _ = try await fixture.items.setState(.draft, of: draft, by: fixture.connect.admin)
        #expect(Set(try await fixture.search("sun")) == ["Sun book", "Sun song", "Sun app"])
        #expect(try await fixture.search("sun", [.song, .movie]) == ["Sun song"])
        #expect(try await fixture.search("sun film") == [])
        #expect(
            try await fixture.search("sun", [.movie]) { $0.storefront = .named("JPN")! } == [
                "Sun film"
            ])
        #expect(try await fixture.search("sun", [.song]) { $0.includesExplicit = false } == [])
        #expect(try await fixture.search("sun") { $0.isForTablets = true } == ["Sun app"])
        // Puzzle games are games.
        #expect(try await fixture.search("sun") { $0.genre = 6014 } == ["Sun app"])
        let all = try await fixture.search("sun")
        #expect(all.count == 3)
        let paged = try await fixture.search("sun") { ($0.offset, $0.limit) = (1, 1) }
        #expect(paged == Array(all.dropFirst().prefix(1)))
    }

    @Test(arguments: StoreDriver.all)
    func `the index follows every change`(driver: StoreDriver) async throws {
        let fixture = try await ItemFixture(driver)
        let admin = fixture.connect.admin
        let album = try await fixture.add("First", .album, artist: "Someone")
        let song = try await fixture.add("Tune", .song, artist: "Someone") { $0.parent = album }
        var details = try await fixture.items.item(album, by: admin).details
        details.texts["en_US"]?.title = "Second"
        _ = try await fixture.items.change(album, to: details, by: admin)
        #expect(try await fixture.search("first") == [])
        #expect(Set(try await fixture.search("second")) == ["Second", "Tune"])
        let artist = try #require(details.artist)
        _ = try await fixture.items.changeArtist(artist, by: admin) { $0.name = "Nobody" }
        #expect(try await fixture.search("someone") == [])
        #expect(Set(try await fixture.search("nobody")) == ["Second", "Tune"])
        try await fixture.add("Tune Up")
        try await fixture.database.write { try $0.items.raisePopularity(of: song, by: 1_000_000) }
        #expect(try await fixture.search("tune") == ["Tune", "Tune Up"])
        #expect(try await fixture.search("nobody") == ["Tune", "Second"])
        _ = try await fixture.items.setState(.removed, of: song, by: admin)
        #expect(try await fixture.search("tune") == ["Tune Up"])
    }

    @Test(arguments: StoreDriver.all)
    func `artists are found who have works that are seen`(driver: StoreDriver) async throws {
        let fixture = try await ItemFixture(driver)
        try await fixture.add("One", .song, artist: "The Lanterns")
        try await fixture.add("Two", .ebook, artist: "Lantern Smith")
        let hidden = try await fixture.add("Three", .song, artist: "Lantern Zero")
        _ = try await fixture.items.setState(.draft, of: hidden, by: fixture.connect.admin)
        func names(_ term: String, _ kinds: Set<ItemKind> = []) async throws -> [String] {
            try await fixture.storefront.searchArtists(
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
