import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreAPI

/// What is sold no longer is gone from every answer at once, also from those that were kept.
@Suite struct StorefrontChangeTests {
    private typealias Shop = SearchShop

    /// The addresses that show an item of the shop, and whether each one shows it.
    private static func seen(_ shop: Shop, in country: String) async throws -> [String: Bool] {
        var seen: [String: Bool] = [:]
        for path in [
            "/\(country)/search?term=chess+board", "/\(country)/lookup?id=\(Shop.tabletChess)",
            "/\(country)/lookup?bundleId=com.example.chess-board",
            "/\(country)/lookup?id=\(Shop.developer)&entity=software",
            "/\(country)/rss/toppaidapplications/limit=5/json",
            "/\(country)/rss/newapplications/limit=5/xml",
            "/\(country)/customer-reviews/id\(Shop.tabletChess)",
        ] {
            let answer = try await LoopbackClient(port: shop.shop.server.port).send(
                HTTPRequest(method: "GET", path: path))
            seen[path] = answer.text.contains("Chess Board")
        }
        return seen
    }

    private static func change(
        _ shop: Shop, _ change: @escaping @Sendable (inout Item) -> Void
    ) async throws {
        try await shop.shop.store.database.write { repositories in
            var item = try #require(try repositories.items.item(Shop.tabletChess))
            change(&item)
            try repositories.items.update(item, at: item.changed)
        }
    }

    @Test func `an item that is sold no longer in a country is gone there, and there only`()
        async throws
    {
        let shop = try await SearchShop()
        for country in ["us", "jp"] {
            let seen = try await Self.seen(shop, in: country)
            #expect(!seen.values.contains(false), "\(seen)")
        }
        try await Self.change(shop) { $0.details.prices.storefronts = ["JPN"] }
        let gone = try await Self.seen(shop, in: "us")
        #expect(!gone.values.contains(true), "\(gone)")
        let left = try await Self.seen(shop, in: "jp")
        #expect(!left.values.contains(false), "\(left)")
        // The price of a single country ends.
        try await Self.change(shop) { $0.details.prices = ItemPrices(own: ["USA": 990]) }
        let back = try await Self.seen(shop, in: "us")
        #expect(!back.values.contains(false), "\(back)")
        let without = try await Self.seen(shop, in: "jp")
        #expect(!without.values.contains(true), "\(without)")
    }

    @Test func `a price and its list change at once`() async throws {
        let shop = try await SearchShop()
        let query = [("id", "\(Shop.tabletChess)")]
        for (tier, price, list) in [
            ("1", 0.99, "toppaidapplications"), ("5", 4.99, "toppaidapplications"),
            ("0", 0, "topfreeapplications"),
        ] as [(String, Double, String)] {
            try await Self.change(shop) { $0.details.prices = ItemPrices(tier: tier) }
            let result = try await shop.results("/lookup", query).first
            #expect(result?["price"] as? Double == price)
            for name in ["toppaidapplications", "topfreeapplications"] {
                let feed = try await shop.get("/us/rss/\(name)/json").text
                #expect(feed.contains("Chess Board") == (name == list), "\(tier) \(name)")
            }
        }
    }

    @Test func `testers see the stars of testers, customers those of customers`() async throws {
        let shop = try await SearchShop()
        try await shop.review(Shop.chess, count: 5)
        let id = ("id", "\(Shop.chess)")
        for (path, count, average) in [("/lookup", 5, 3.0), ("/sandbox/lookup", 0, 0)]
            as [(String, Int, Double)]
        {
            for _ in 1...2 {
                let result = try await shop.results(path, [id]).first
                #expect(result?["userRatingCount"] as? Int == count)
                #expect(result?["averageUserRating"] as? Double == average)
            }
        }
        for (prefix, count) in [("", 5), ("/sandbox", 0)] {
            let page = try await shop.get("\(prefix)/us/customer-reviews/id\(Shop.chess)").text
            #expect(page.contains(">\(count) Ratings<"))
            let feed = try await shop.get("\(prefix)/us/rss/customerreviews/id=\(Shop.chess)/json")
            #expect(feed.text.contains("Title 5") == (count > 0))
            let rated = try await shop.ids(
                "\(prefix)/search",
                [("term", "3"), ("media", "all"), ("attribute", "ratingIndex")])
            #expect(rated == (count > 0 ? [Shop.chess.number] : []))
        }
    }
}
