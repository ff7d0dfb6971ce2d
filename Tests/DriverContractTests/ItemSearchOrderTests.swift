import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// Orders, genres and short terms of searches.
@Suite(.usesDrivers) struct ItemSearchOrderTests {
    @Test(arguments: StoreDriver.all)
    func `the newest of all that match come first, whatever is popular`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemFixture(driver)
        for year in 1...6 {
            try await fixture.add("Moon \(year)", popularity: Int64(100 / year)) {
                $0.genres = [9031]
                $0.releaseDate = Date(timeIntervalSince1970: Double(year) * 31_536_000)
            }
        }
        try await fixture.add("Sun") { $0.texts["en_US"]?.description = "The moon is far." }
        func recent(
            _ term: String, _ attribute: ItemAttribute? = nil, offset: Int, limit: Int
        ) async throws -> [String] {
            try await fixture.search(term, in: attribute) {
                ($0.order, $0.offset, $0.limit) = (.recent, offset, limit)
            }
        }
        #expect(try await recent("moon", offset: 0, limit: 2) == ["Moon 6", "Moon 5"])
        #expect(try await recent("moon", offset: 2, limit: 2) == ["Moon 4", "Moon 3"])
        #expect(try await recent("moon", offset: 5, limit: 9) == ["Moon 1", "Sun"])
        #expect(try await recent("moon", .title, offset: 0, limit: 1) == ["Moon 6"])
        #expect(try await recent("9031", .genre, offset: 0, limit: 1) == ["Moon 6"])
    }

    @Test(arguments: StoreDriver.all)
    func `a genre, and the root of a medium, keeps items and artists apart`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemFixture(driver)
        try await fixture.add("Tide song", .song, artist: "Tide Band") { $0.genres = [21] }
        try await fixture.add("Tide app", .software, artist: "Tide Works") { $0.genres = [7012] }
        try await fixture.add("Tide pad", .software, artist: "Tide Pads") {
            $0.genres = [6017]
            $0.facts.supportedDevices = ["iPadAir"]
        }
        func artists(_ genre: Int) async throws -> [String] {
            try await fixture.storefront.searchArtists(
                ItemQuery(term: "tide", kinds: [], storefront: .unitedStates, genre: genre)
            ).map(\.name)
        }
        for (genre, titles, makers) in [
            (34, ["Tide song"], ["Tide Band"]), (21, ["Tide song"], ["Tide Band"]),
            (36, ["Tide app", "Tide pad"], ["Tide Pads", "Tide Works"]),
            (6014, ["Tide app"], ["Tide Works"]), (20, [], []), (38, [], []), (1, [], []),
        ] as [(Int, [String], [String])] {
            let found = try await fixture.search("tide") { $0.genre = genre }
            #expect(found.sorted() == titles, "\(genre)")
            #expect(try await artists(genre).sorted() == makers, "\(genre)")
        }
        #expect(try await fixture.search("tide", [.song]) { $0.genre = 36 } == [])
        for (term, titles) in [
            ("App Store", ["Tide app", "Tide pad"]), ("36", ["Tide app", "Tide pad"]),
            ("games", ["Tide app"]), ("6017", ["Tide pad"]), ("nothing", []),
        ] {
            let found = try await fixture.search(term, in: .genre)
            #expect(found.sorted() == titles, "\(term)")
            let forTablets = try await fixture.search(term, in: .genre) { $0.isForTablets = true }
            #expect(forTablets == titles.filter { $0 == "Tide pad" }, "\(term)")
        }
        #expect(
            try await fixture.search("App Store", in: .genre) { $0.genre = 6014 } == ["Tide app"])
    }

    @Test(arguments: StoreDriver.all)
    func `one letter finds what it is, then what it begins`(driver: StoreDriver) async throws {
        let fixture = try await ItemFixture(driver)
        try await fixture.add("Mountain", popularity: 100)
        try await fixture.add("The Moor", popularity: 10)
        try await fixture.add("M")
        try await fixture.add("Plan M")
        try await fixture.add("Élan", popularity: 5)
        try await fixture.add("東京の夜")
        try await fixture.add("夜")
        try await fixture.add("Ночь")
        try await fixture.add("사랑")
        try await fixture.add("ガラス")
        try await fixture.add("Tales") { $0.texts["en_US"]?.description = "海の話" }
        for (term, titles) in [
            ("m", ["M", "Plan M", "Mountain", "The Moor"]), ("mo", ["Mountain", "The Moor"]),
            ("plan m", ["Plan M"]), ("the m", ["The Moor"]), ("e", ["Élan"]), ("н", ["Ночь"]),
            ("夜", ["夜", "東京の夜"]), ("京", ["東京の夜"]), ("京の", ["東京の夜"]), ("사", ["사랑"]),
            ("か", []), ("が", ["ガラス"]), ("ラ", ["ガラス"]), ("海", ["Tales"]), ("の話", ["Tales"]),
            ("話", ["Tales"]), ("q", []), ("+", []),
        ] {
            #expect(try await fixture.search(term) == titles, "\(term)")
        }
    }

    @Test(arguments: StoreDriver.all)
    func `stars are those of the environment`(driver: StoreDriver) async throws {
        let fixture = try await ItemSaleFixture(driver)
        try await fixture.buy(fixture.book, by: fixture.ada)
        try await fixture.buy(fixture.book, by: fixture.tester)
        for (account, stars) in [(fixture.ada, 5), (fixture.tester, 2)] {
            _ = try await fixture.reviews.write(
                ReviewDraft(rating: stars, title: "Read", nickname: "Reader"), on: fixture.book,
                by: account)
        }
        let storefront = StorefrontService(database: fixture.database)
        for (environment, stars) in [(StoreEnvironment.production, 5), (.sandbox, 2)] {
            let seen = storefront.seen(in: environment)
            let item = try #require(try await seen.item(fixture.book, in: .unitedStates))
            #expect(item.rating.average == Double(stars))
            for term in ["5", "2"] {
                let query = ItemQuery(
                    term: term, kinds: [], attribute: .rating, storefront: .unitedStates,
                    environment: environment)
                let found = try await seen.search(query)
                #expect(found.map(\.id) == (term == "\(stars)" ? [fixture.book] : []))
            }
        }
        // Sold elsewhere only, whatever else is sold here only.
        try await fixture.database.write { repositories in
            for (id, storefront) in [(fixture.book, "JPN"), (fixture.otherBook, "USA")] {
                var item = try #require(try repositories.items.item(id))
                item.details.prices.storefronts = [storefront]
                try repositories.items.update(item, at: SeededShop.date)
            }
        }
        let query = ItemQuery(
            term: "5", kinds: [], attribute: .rating, storefront: .unitedStates,
            environment: .production)
        #expect(try await storefront.seen(in: .production).search(query).isEmpty)
    }
}
