import Foundation
import StoreCore
import StoreFeed
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

@Suite struct FeedExportTests {
    private static let week = "20160120"
    private static let hostile = "a\u{1}b\u{2}\nc\u{2}#recordsWritten:1\n#d\u{0}\"'<é日本語👩‍👩‍👧"
    private static let harmless = "ab\nc#recordsWritten:1\n#d\"'<é日本語👩‍👩‍👧"

    /// The columns of a row that another one has.
    private static func part(
        of row: [String: String], like other: [String: String]
    ) -> [String: String] {
        row.filter { other.keys.contains($0.key) }
    }

    @Test func `an app is in all tables of apps`() async throws {
        let shop = try await FeedShop()
        let maker = try await shop.addArtist("Maker", .softwareArtist)
        let app = try await shop.add(
            .software, Self.hostile, genres: [7012, 6016], prices: ItemPrices(tier: "1")
        ) { details in
            details.artist = maker.id
            details.releaseDate = Date(timeIntervalSince1970: 1_245_542_400)
            details.texts["en_US"]?.description = Self.hostile
            details.texts["ja_JP"] = ItemText(title: "本", releaseNotes: "新しい")
            details.facts.advisoryRating = "4+"
            details.facts.version = "1.2"
            details.facts.fileSize = 5_000_000_000
            details.facts.supportedDevices = ["iPhone5s-iPhone5s", "iPadAir-iPadAir", "iPad2"]
            details.facts.copyright = "© 2016\u{2}\nExample"
        }
        try await shop.addMedia(.artwork, to: app)
        try await shop.addMedia(.screenshot, to: app)
        try await shop.addMedia(.tabletScreenshot, to: app)
        try await shop.add(.software, "A draft", genres: [6016], state: .draft)
        try await shop.add(.software, "Gone", genres: [6016], state: .removed)
        try await shop.export()

        let table = try await shop.table("application", of: .itunes, at: Self.week)
        #expect(table.mode == "FULL")
        #expect(table.primaryKey == ["application_id"])
        #expect(table.types.prefix(3) == ["BIGINT", "BIGINT", "VARCHAR(1000)"])
        #expect(table.rows.count == 1)
        let row = try #require(table.rows.first)
        let facts: [String: String] = [
            "export_date": "1453346400000", "application_id": "\(app.id)",
            "title": Self.harmless, "description": Self.harmless,
            "copyright": "© 2016\nExample", "recommended_age": "4+", "artist_name": "Maker",
            "seller_name": "Example", "support_url": "", "itunes_release_date": "2009 06 21",
            "download_size": "5000000000",
        ]
        #expect(Self.part(of: row, like: facts) == facts)
        #expect(row["view_url"]?.hasPrefix("https://store.example.com/us/app/") == true)
        #expect(row["view_url"]?.hasSuffix("/id\(app.id)") == true)
        #expect(row["artwork_url_large"]?.contains("512x512bb.png") == true)
        let makers = try await shop.table("artist_application", of: .itunes, at: Self.week).rows
        #expect(makers.map { $0["artist_id"] } == ["\(maker.id)"])
        try await expectMoreOfTheApp(in: shop)
    }

    private func column(_ name: String, of rows: [[String: String]]) -> [String?] {
        rows.map { $0[name] }
    }

    /// What is said of the app in tables beside the one of apps.
    private func expectMoreOfTheApp(in shop: FeedShop) async throws {
        let details = try await shop.table("application_detail", of: .itunes, at: Self.week).rows
        #expect(column("language_code", of: details) == ["en-US", "ja-JP"])
        #expect(details.last?["title"] == "本")
        #expect(details.last?["release_notes"] == "新しい")
        #expect(details.first?["screenshot_width_height_1"] == "640x480")
        #expect(details.first?["screenshot_url_2"] == "")
        #expect(details.first?["ipad_screenshot_url_1"]?.contains("640x480bb.png") == true)
        let devices = try await shop.table("application_device_type", of: .itunes, at: Self.week)
            .rows
        #expect(column("device_type_id", of: devices) == ["1", "2"])
        let genres = try await shop.table("genre_application", of: .itunes, at: Self.week).rows
        #expect(column("genre_id", of: genres) == ["7012", "6014", "36", "6016"])
        #expect(column("is_primary", of: genres) == ["1", "0", "0", "0"])
        let prices = try await shop.table("application_price", of: .pricing, at: Self.week)
        #expect(prices.rows.count == Storefront.all.count)
        #expect(prices.primaryKey == ["application_id", "storefront_id"])
        let japan = prices.rows.first { $0["storefront_id"] == "143462" }
        #expect(japan?["retail_price"] == "120.000")
        #expect(japan?["currency_code"] == "JPY")
    }

    @Test func `albums, songs and videos are in theirs`() async throws {
        let shop = try await FeedShop()
        let band = try await shop.addArtist("Band\u{1}\u{2}", .artist, amg: 77)
        let album = try await shop.add(
            .album, "Album", genres: [21], prices: ItemPrices(own: ["USA": 9990])
        ) {
            $0.artist = band.id
            $0.upc = "724384260958"
            $0.amgAlbumID = 12
            $0.explicitness = .explicit
            $0.texts["ja_JP"] = ItemText(title: "アルバム")
        }
        let song = try await shop.add(
            .song, "Song", genres: [21], prices: ItemPrices(own: ["USA": 990])
        ) {
            $0.artist = band.id
            $0.parent = album.id
            $0.facts.trackNumber = 3
            $0.facts.discNumber = 1
            $0.facts.duration = 215_000
        }
        let film = try await shop.add(
            .movie, "Film", genres: [4406], prices: ItemPrices(own: ["GBR": 7990])
        ) {
            $0.rentalPrices = ItemPrices(own: ["GBR": 2490])
            $0.amgVideoID = 34
            $0.texts["en_US"]?.description = "Long"
        }
        try await shop.addMedia(.artwork, to: album)
        try await shop.addMedia(.audioPreview, to: song)
        try await shop.export()
        func rows(
            _ name: String, _ feed: FeedName = .itunes
        ) async throws -> [[String: String]] {
            try await shop.table(name, of: feed, at: Self.week).rows
        }

        let collection = try #require(try await rows("collection").first)
        let known: [String: String] = [
            "collection_id": "\(album.id)", "parental_advisory_id": "1",
            "collection_type_id": "1", "media_type_id": "1", "artist_display_name": "Band",
        ]
        #expect(Self.part(of: collection, like: known) == known)
        let translations: [String?] = column("name", of: try await rows("collection_translation"))
        #expect(translations == ["アルバム"])
        let bands: [String?] = column(
            "is_primary_artist", of: try await rows("artist_collection"))
        #expect(bands == ["1"])
        let songRow = try #require(try await rows("song").first)
        let sung: [String: String] = [
            "collection_display_name": "Album", "track_length": "215000",
        ]
        #expect(Self.part(of: songRow, like: sung) == sung)
        #expect(songRow["preview_url"]?.hasPrefix("https://store.example.com/media/") == true)
        let part = try #require(try await rows("collection_song").first)
        let place: [String: String] = [
            "collection_id": "\(album.id)", "song_id": "\(song.id)", "track_number": "3",
        ]
        #expect(Self.part(of: part, like: place) == place)
        let video = try #require(try await rows("video").first)
        #expect(video["long_description"] == "Long")
        #expect(video["view_url"]?.contains("/gb/movie/") == true)
        let artist = try #require(try await rows("artist").first)
        #expect(artist["name"] == "Band")
        #expect(artist["artist_type_id"] == "1")
        #expect(artist["view_url"]?.contains("/us/artist/") == true)

        let price = try #require(try await rows("video_price", .pricing).first)
        let costs: [String: String] = [
            "retail_price": "7.990", "sd_price": "7.990", "sd_rental_price": "2.490",
            "currency_code": "GBP", "storefront_id": "143444", "hd_price": "",
        ]
        #expect(Self.part(of: price, like: costs) == costs)
        let prices = column("retail_price", of: try await rows("collection_price", .pricing))
        #expect(prices == ["9.990"])
        let songs = column("song_id", of: try await rows("song_price", .pricing))
        #expect(songs == ["\(song.id)"])
        let match = try #require(try await rows("collection_match", .match).first)
        let names: [String: String] = ["upc": "724384260958", "grid": "", "amg_album_id": "12"]
        #expect(Self.part(of: match, like: names) == names)
        #expect(try await rows("video_match", .match).map { $0["amg_video_id"] } == ["34"])
        #expect(try await rows("artist_match", .match).map { $0["amg_artist_id"] } == ["77"])
        #expect(film.id > song.id)
    }

    @Test func `short lists say what numbers mean`() async throws {
        let shop = try await FeedShop()
        let report = try await shop.export()
        let storefronts = try await shop.table("storefront", of: .itunes, at: Self.week).rows
        #expect(storefronts.count == Storefront.all.count)
        #expect(
            storefronts.contains {
                $0["storefront_id"] == "143462" && $0["country_code"] == "JPN"
            })
        let genres = try await shop.table("genre", of: .itunes, at: Self.week).rows
        #expect(genres.first { $0["genre_id"] == "7012" }?["parent_id"] == "6014")
        #expect(genres.first { $0["genre_id"] == "36" }?["parent_id"] == "")
        for name in [
            "media_type", "role", "parental_advisory", "translation_type", "collection_type",
            "key_value", "artist_type", "device_type",
        ] {
            let rows = try await shop.table(name, of: .itunes, at: Self.week).rows
            #expect(!rows.isEmpty, "\(name)")
        }
        for archive in report.archives {
            for table in archive.tables {
                let file = try await shop.table(table.name, of: archive.feed, at: Self.week)
                #expect(Int64(file.rows.count) == table.records, "\(table.name)")
            }
        }
    }

    @Test func `ranks are by storefront and genre, and two hundred at most`() async throws {
        let shop = try await FeedShop()
        let apps = try await shop.store.database.write { [team = shop.team] repositories in
            try (0..<230).map { number in
                var details = ItemDetails(
                    kind: .software, title: "App \(number)", genres: [6016],
                    prices: ItemPrices(tier: number % 23 == 0 ? "1" : "0"))
                if number < 3 { details.facts.supportedDevices = ["iPad2"] }
                let item = try repositories.items.insert(
                    details, id: nil, of: team, state: .onSale, at: FeedShop.start)
                try repositories.items.raisePopularity(of: item.id, by: Int64(1000 - number))
                return item.id
            }
        }
        let mine = try await shop.add(
            .software, "Only in Japan", genres: [6016], prices: ItemPrices(own: ["JPN": 120_000]))
        try await shop.store.database.write {
            try $0.items.raisePopularity(of: mine.id, by: 5000)
        }
        try await shop.export(pageSize: 7)
        func ranking(_ name: String, _ storefront: String) async throws -> [String?] {
            let table = try await shop.table(
                "\(name)_popularity_per_genre", of: .popularity, at: Self.week)
            let ranked = try table.rows
                .filter { $0["storefront_id"] == storefront && $0["genre_id"] == "36" }
                .map { row -> (rank: Int, app: String?) in
                    let rank = try #require(row["application_rank"].flatMap { Int($0) })
                    return (rank: rank, app: row["application_id"])
                }
            return ranked.sorted { $0.rank < $1.rank }.map(\.app)
        }
        let paid = apps.enumerated().filter { $0.offset % 23 == 0 }.map { "\($0.element)" }
        #expect(try await ranking("paid_application", "143441") == paid)
        #expect(try await ranking("paid_application", "143462") == ["\(mine.id)"] + paid)
        let free = apps.enumerated().filter { $0.offset % 23 != 0 }.map { "\($0.element)" }
        #expect(try await ranking("free_application", "143441") == Array(free.prefix(200)))
        #expect(
            try await ranking("free_ipad_application", "143441") == ["\(apps[1])", "\(apps[2])"])
        #expect(try await ranking("paid_ipad_application", "143441") == ["\(apps[0])"])
        #expect(try await ranking("application", "143441") == apps.prefix(200).map { "\($0)" })
    }

    @Test func `an app is among the free ones where it costs nothing`() async throws {
        let shop = try await FeedShop()
        let app = try await shop.add(
            .software, "App", genres: [6016], prices: ItemPrices(own: ["USA": 990, "JPN": 0]))
        try await shop.export()
        func storefronts(_ name: String) async throws -> Set<String?> {
            let table = try await shop.table(
                "\(name)_application_popularity_per_genre", of: .popularity, at: Self.week)
            #expect(table.rows.allSatisfy { $0["application_id"] == "\(app.id)" })
            return Set(table.rows.map { $0["storefront_id"] })
        }
        #expect(try await storefronts("free") == ["143462"])
        #expect(try await storefronts("paid") == ["143441"])
    }

    @Test(arguments: [ItemState.draft, .removed])
    func `a song says nothing of an album that customers do not see`(
        state: ItemState
    ) async throws {
        let shop = try await FeedShop()
        let album = try await shop.add(.album, "Secret", genres: [21], state: state)
        _ = try await shop.add(.song, "Song", genres: [21]) { $0.parent = album.id }
        try await shop.export()
        let songs = try await shop.table("song", of: .itunes, at: Self.week).rows
        #expect(songs.count == 1 && songs.first?["collection_display_name"] == "")
        #expect(
            try await shop.table("collection_song", of: .itunes, at: Self.week).rows.isEmpty)
    }

    @Test func `items are read in pages, whatever their number`() async throws {
        let shop = try await FeedShop()
        let count = 1000
        try await shop.store.database.write { [team = shop.team] repositories in
            for number in 0..<count {
                let kind: ItemKind = number % 2 == 0 ? .software : .movie
                _ = try repositories.items.insert(
                    ItemDetails(
                        kind: kind, title: "Item \(number)",
                        genres: [kind == .software ? 6016 : 4406],
                        prices: ItemPrices(own: ["USA": 990])), id: nil, of: team, state: .onSale,
                    at: FeedShop.start)
            }
        }
        let steps = Mutex<[FeedName: [Int64]]>([:])
        try await shop.export(pageSize: 20) { progress in
            guard !progress.isPacking else { return }
            steps.withLock { $0[progress.feed, default: []].append(progress.records) }
        }
        let pricing = try #require(steps.withLock { $0[.pricing] })
        // A row for each item, twenty for each page.
        let pages: [Int64] = (1...50).map { Int64($0) * 20 }
        #expect(pricing == pages)
        #expect(steps.withLock { $0[.itunes]?.count } == 50)
        let rows = try await shop.table("video", of: .itunes, at: Self.week).rows
        #expect(rows.count == count / 2)
        #expect(Set(rows.map { $0["video_id"] }).count == count / 2)
    }
}
