import Foundation
@testable import StoreCore
import StoreModel
import StoreTestSupport
import Testing

@Suite(.usesDrivers) struct ItemChartContractTests {
    private func titles(
        _ fixture: ItemFixture, _ chart: ItemChart, offset: Int = 0, limit: Int = 50
    )
        async throws -> [String]
    {
        try await fixture.storefront.chart(chart, offset: offset, limit: limit)
            .map(\.item.details.title)
    }

    @Test(arguments: StoreDriver.all)
    func `charts list the best of kinds and genres`(driver: StoreDriver) async throws {
        let fixture = try await ItemFixture(driver)
        let usa = Storefront.unitedStates
        try await fixture.add("Paid 5", .software, popularity: 5) { $0.genres = [6017] }
        try await fixture.add("Paid 50", .software, popularity: 50) { $0.genres = [7012] }
        try await fixture.add("Free 20", .software, popularity: 20) {
            $0.prices = .free
            $0.genres = [6014]
            $0.explicitness = .explicit
        }
        try await fixture.add("Book 30", popularity: 30) {
            $0.releaseDate = Date(timeIntervalSince1970: 2_000_000)
        }
        try await fixture.add("Book new") {
            $0.releaseDate = Date(timeIntervalSince1970: 3_000_000)
        }
        try await fixture.add("Only Japan", .software, popularity: 99) {
            $0.prices = ItemPrices(tier: "1", storefronts: ["JPN"])
        }
        let hidden = try await fixture.add("Hidden", .software, popularity: 1_000)
        _ = try await fixture.items.setState(.draft, of: hidden, by: fixture.connect.admin)
        let cases: [(ItemChart, [String])] = [
            (ItemChart(kinds: [.software], rank: .paid, storefront: usa), ["Paid 50", "Paid 5"]),
            (ItemChart(kinds: [.software], rank: .free, storefront: usa), ["Free 20"]),
            (
                ItemChart(kinds: [.software, .ebook], rank: .all, storefront: usa),
                ["Paid 50", "Book 30", "Free 20", "Paid 5", "Book new"]
            ),
            (
                ItemChart(kinds: [.software], rank: .all, genre: 6014, storefront: usa),
                ["Paid 50", "Free 20"]
            ),
            (
                ItemChart(
                    kinds: [.software], rank: .all, genre: 6014, storefront: usa,
                    includesExplicit: false), ["Paid 50"]
            ),
            (
                ItemChart(kinds: [], rank: .all, genre: 36, storefront: usa),
                ["Paid 50", "Free 20", "Paid 5"]
            ),
            (ItemChart(kinds: [.ebook], rank: .new, storefront: usa), ["Book new", "Book 30"]),
            (ItemChart(kinds: [.ebook], rank: .grossing, storefront: usa), []),
            (
                ItemChart(kinds: [.software], rank: .paid, storefront: .named("JPN")!),
                ["Only Japan", "Paid 50", "Paid 5"]
            ),
        ]
        for (chart, expected) in cases {
            let found = try await titles(fixture, chart)
            #expect(found == expected, "\(chart)")
            let rest = try await titles(fixture, chart, offset: 1, limit: 2)
            #expect(rest == Array(expected.dropFirst().prefix(2)), "\(chart)")
        }
    }

    @Test(arguments: StoreDriver.all)
    func `what is free is free in the storefront, and what is for show has no price`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemFixture(driver)
        let now = Date(timeIntervalSince1970: 1_000_000)
        func add(_ title: String, popularity: Int64, _ prices: ItemPrices) async throws {
            try await fixture.add(title, .software, popularity: popularity) {
                $0.prices = prices
                $0.genres = [6014]
                $0.releaseDate = now
                if title.contains("pad") { $0.facts.supportedDevices = ["iPadAir"] }
            }
        }
        try await add("Free", popularity: 4, .free)
        try await add("Paid pad", popularity: 3, ItemPrices(tier: "3"))
        try await add("Free in Japan", popularity: 5, ItemPrices(tier: "3", own: ["JPN": 0]))
        try await add(
            "Paid in Japan pad", popularity: 6, ItemPrices(tier: "0", own: ["JPN": 120_000]))
        try await add("To look at", popularity: 9, ItemPrices())
        try await add("Once free", popularity: 1, ItemPrices(own: ["USA": 0, "JPN": 120_000]))
        let lists: [(ItemChart.Rank, Bool?, String, Set<String>)] = [
            (.free, nil, "USA", ["Free", "Paid in Japan pad", "Once free"]),
            (.free, nil, "JPN", ["Free", "Free in Japan"]),
            (.free, nil, "DEU", ["Free", "Paid in Japan pad"]),
            (.paid, nil, "USA", ["Paid pad", "Free in Japan"]),
            (.paid, nil, "JPN", ["Paid pad", "Paid in Japan pad", "Once free"]),
            (.new, true, "USA", ["Free", "Paid in Japan pad", "Once free"]),
            (.new, false, "JPN", ["Paid pad", "Paid in Japan pad", "Once free"]),
        ]
        for (rank, isFree, code, wanted) in lists {
            for (genre, isForTablets) in [(nil, false), (6014, false), (36, true)] {
                let chart = ItemChart(
                    kinds: [.software], rank: rank, genre: genre,
                    storefront: try #require(Storefront.named(code)), isFree: isFree,
                    isForTablets: isForTablets)
                let found = try await titles(fixture, chart)
                let expected = wanted.filter { !isForTablets || $0.contains("pad") }
                #expect(Set(found) == expected, "\(chart)")
                #expect(found.count == expected.count)
            }
        }
        let all = ItemChart(kinds: [.software], rank: .all, storefront: .unitedStates)
        #expect(try await titles(fixture, all).count == 6)
        let free = ItemChart(kinds: [.software], rank: .free, storefront: .unitedStates)
        #expect(
            try await titles(fixture, free, offset: 0, limit: 2) == ["Paid in Japan pad", "Free"])
        #expect(try await titles(fixture, free, offset: 2, limit: 2) == ["Once free"])
    }

    @Test(arguments: StoreDriver.all)
    func `an artist's works are those that are sold where the customer is`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemFixture(driver)
        for number in 1...120 {
            try await fixture.add("Japan \(number)", .song, artist: "Ada") {
                $0.prices = ItemPrices(own: ["JPN": 100_000])
            }
        }
        let id = try await fixture.add("Here", .song, artist: "Ada")
        let item = try #require(try await fixture.storefront.item(id, in: .unitedStates))
        let works = try await fixture.storefront.works(
            of: try #require(item.artist?.id), limit: 5, in: .unitedStates)
        #expect(works.map(\.id) == [id])
    }

    @Test(arguments: StoreDriver.all)
    func `related are others of the artist, then the best of the genre`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemFixture(driver)
        let id = try await fixture.add("This", artist: "Ada")
        try await fixture.add("Same artist", artist: "Ada") { $0.genres = [9015] }
        try await fixture.add("Same genre", popularity: 10)
        try await fixture.add("Other kind", .song, popularity: 10)
        let item = try #require(try await fixture.storefront.item(id, in: .unitedStates))
        let related = try await fixture.storefront.related(to: item, limit: 5)
        #expect(related.map(\.item.details.title) == ["Same artist", "Same genre"])
    }

    @Test(arguments: StoreDriver.all)
    func `popularity is computed from sales and ratings`(driver: StoreDriver) async throws {
        let fixture = try await ItemSaleFixture(driver)
        let usa = Storefront.unitedStates
        let now = fixture.clock.now()
        try await fixture.database.write { repositories in
            _ = try repositories.itemSales.insert(
                ItemSaleDraft(
                    item: fixture.book, environment: .production, account: fixture.ada.id,
                    storefront: usa, price: ItemSaleFixture.price, date: now))
            _ = try repositories.itemSales.insert(
                ItemSaleDraft(
                    item: fixture.album, environment: .production, account: fixture.ada.id,
                    storefront: usa, price: ItemSaleFixture.price,
                    date: now.addingTimeInterval(-100 * 86_400)))
            // What somebody raised in between is corrected.
            try repositories.items.raisePopularity(of: fixture.song, by: 77)
        }
        let service = PopularityService(database: fixture.database, clock: fixture.clock)
        let before = try await fixture.database.storefrontGeneration()
        #expect(try await service.recompute() == 3)
        // Lists of the best that were kept are old.
        let after = try await fixture.database.storefrontGeneration()
        #expect(after > before)
        #expect(try await service.recompute() == 0)
        #expect(try await fixture.database.storefrontGeneration() == after)
        let ranked = try await fixture.database.read { repositories in
            try repositories.items.items([fixture.book, fixture.album, fixture.song]).map(
                \.popularity)
        }
        #expect(ranked == [10, 3, 0])
        let grossing = try await StorefrontService(database: fixture.database).chart(
            ItemChart(kinds: [], rank: .grossing, storefront: usa), limit: 5)
        #expect(grossing.map(\.id) == [fixture.book])
    }
}
