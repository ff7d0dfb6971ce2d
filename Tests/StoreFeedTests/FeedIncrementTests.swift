import Foundation
import StoreCore
import StoreFeed
import StoreModel
import StoreTestSupport
import Testing

@Suite struct FeedIncrementTests {
    private static let friday = "20160120/incremental/20160122"
    private static let day: TimeInterval = 86_400

    @Test func `what changed since the export before is in it, and nothing else`() async throws {
        let shop = try await FeedShop()
        let band = try await shop.addArtist("Band", .artist)
        let old = try await shop.add(.ebook, "Old", genres: [9031])
        let changed = try await shop.add(.ebook, "Changed", genres: [9031])
        let pictured = try await shop.add(.movie, "Pictured", genres: [4406])
        let sung = try await shop.add(.song, "Sung", genres: [21]) { $0.artist = band.id }
        let gone = try await shop.add(.ebook, "Gone", genres: [9031])
        try await shop.export()

        shop.clock.advance(by: Self.day)
        try await shop.update(changed) {
            $0.details.texts["en_US"]?.title = "Changed again"
            $0.details.prices = ItemPrices(own: ["USA": 1990])
        }
        try await shop.addMedia(.artwork, to: pictured)
        try await shop.store.database.write { repositories in
            var band = band
            band.name = "Orchestra"
            try repositories.items.update(band)
            try repositories.items.raisePopularity(of: old.id, by: 50)
        }
        try await shop.update(gone) { $0.state = .removed }
        let added = try await shop.add(.ebook, "Added", genres: [9031])
        try await shop.export(.incremental)

        func column(_ name: String, _ table: String, _ feed: FeedName = .itunes) async throws
            -> [String?]
        {
            let file = try await shop.table(table, of: feed, at: Self.friday)
            #expect(file.mode == "INCREMENTAL")
            return file.rows.map { $0[name] }
        }
        #expect(
            try await column("collection_id", "collection") == ["\(changed.id)", "\(added.id)"])
        #expect(try await column("name", "collection") == ["Changed again", "Added"])
        #expect(try await column("video_id", "video") == ["\(pictured.id)"])
        #expect(try await column("artist_display_name", "song") == ["Orchestra"])
        #expect(try await column("song_id", "song") == ["\(sung.id)"])
        #expect(try await column("name", "artist") == ["Orchestra"])
        let prices = try await shop.table("collection_price", of: .pricing, at: Self.friday).rows
        #expect(
            prices.filter { $0["collection_id"] == "\(changed.id)" }.map { $0["retail_price"] }
                == ["1.990"])
        let ranks = try await shop.table(
            "application_popularity_per_genre", of: .popularity, at: Self.friday)
        #expect(ranks.mode == "FULL")
        await #expect(throws: (any Error).self) {
            try await shop.table("storefront", of: .itunes, at: Self.friday)
        }

        // Each adds to the one before it.
        shop.clock.advance(by: Self.day)
        try await shop.export(.incremental)
        let saturday = "20160120/incremental/20160123"
        #expect(try await shop.table("collection", of: .itunes, at: saturday).rows.isEmpty)
        #expect(try await shop.table("video", of: .itunes, at: saturday).rows.isEmpty)
        #expect(try await shop.table("artist", of: .itunes, at: saturday).rows.isEmpty)
    }

    @Test func `a second one of a day has what the first one had`() async throws {
        let shop = try await FeedShop()
        try await shop.add(.ebook, "Old", genres: [9031])
        try await shop.export()
        shop.clock.advance(by: Self.day)
        let first = try await shop.add(.ebook, "Morning", genres: [9031])
        try await shop.export(.incremental)
        shop.clock.advance(by: 3600)
        let second = try await shop.add(.ebook, "Noon", genres: [9031])
        try await shop.export(.incremental)
        let rows = try await shop.table("collection", of: .itunes, at: Self.friday).rows
        #expect(rows.map { $0["collection_id"] } == ["\(first.id)", "\(second.id)"])
    }

    @Test func `a change is told, whatever the clock showed`() async throws {
        let shop = try await FeedShop()
        let changed = try await shop.add(.ebook, "Old", genres: [9031])
        try await shop.add(.ebook, "Other", genres: [9031])
        try await shop.export()
        // It was an hour fast, and is set right.
        shop.clock.advance(by: -3600)
        try await shop.update(changed) { $0.details.texts["en_US"]?.title = "New" }
        let added = try await shop.add(.ebook, "Added", genres: [9031])
        shop.clock.advance(by: Self.day + 3600)
        try await shop.export(.incremental)
        let rows = try await shop.table("collection", of: .itunes, at: Self.friday).rows
        #expect(rows.map { $0["collection_id"] } == ["\(changed.id)", "\(added.id)"])
        #expect(rows.map { $0["name"] } == ["New", "Added"])
        shop.clock.advance(by: Self.day)
        try await shop.export(.incremental)
        let saturday = "20160120/incremental/20160123"
        #expect(try await shop.table("collection", of: .itunes, at: saturday).rows.isEmpty)
    }

    @Test func `without a full export there is nothing to add to`() async throws {
        let shop = try await FeedShop()
        let error = await #expect(throws: FeedError.self) {
            try await shop.export(.incremental)
        }
        #expect(error?.code == .noFullExport)
        #expect(try shop.files().isEmpty)
    }
}
