import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreAPI

/// Which fields the results of each kind have, and of which type.
@Suite struct ItemResultTests {
    private static let artwork: Set<String> = ["artworkUrl60", "artworkUrl100"]

    private static let software: Set<String> = artwork.union([
        "screenshotUrls", "artworkUrl512", "artistViewUrl", "supportedDevices", "features",
        "advisories", "isGameCenterEnabled", "kind", "minimumOsVersion", "trackCensoredName",
        "languageCodesISO2A", "fileSizeBytes", "sellerUrl", "formattedPrice",
        "contentAdvisoryRating", "averageUserRating", "averageUserRatingForCurrentVersion",
        "userRatingCount", "userRatingCountForCurrentVersion", "trackViewUrl",
        "trackContentRating", "bundleId", "trackId", "trackName", "releaseDate",
        "currentVersionReleaseDate", "releaseNotes", "primaryGenreName", "primaryGenreId",
        "genreIds", "genres", "sellerName", "currency", "description", "artistId", "artistName",
        "price", "version", "wrapperType", "isVppDeviceBasedLicensingEnabled",
    ])

    private static let book: Set<String> = artwork.union([
        "artistViewUrl", "trackCensoredName", "fileSizeBytes", "formattedPrice", "trackViewUrl",
        "trackId", "trackName", "releaseDate", "genreIds", "artistIds", "currency",
        "description", "artistId", "artistName", "genres", "price", "kind", "averageUserRating",
        "userRatingCount",
    ])

    private static let track: Set<String> = artwork.union([
        "wrapperType", "kind", "artistId", "trackId", "artistName", "trackName",
        "trackCensoredName", "artistViewUrl", "trackViewUrl", "previewUrl", "artworkUrl30",
        "collectionPrice", "trackPrice", "releaseDate", "collectionExplicitness",
        "trackExplicitness", "discCount", "discNumber", "trackCount", "trackNumber",
        "trackTimeMillis", "country", "currency", "primaryGenreName", "contentAdvisoryRating",
    ])

    private static let ofCollection: Set<String> = [
        "collectionId", "collectionName", "collectionCensoredName", "collectionViewUrl",
    ]

    private static let ofOther: Set<String> = ["collectionArtistId", "collectionArtistName"]

    private static let hd: Set<String> = ["collectionHdPrice", "trackHdPrice"]
    private static let rental: Set<String> = ["trackRentalPrice", "trackHdRentalPrice"]
    private static let film: Set<String> = hd.union(["shortDescription", "longDescription"])

    private static let collection: Set<String> = artwork.union([
        "wrapperType", "artistId", "collectionId", "amgArtistId", "artistName", "collectionName",
        "collectionCensoredName", "artistViewUrl", "collectionViewUrl", "collectionPrice",
        "collectionExplicitness", "trackCount", "copyright", "country", "currency",
        "releaseDate", "primaryGenreName", "contentAdvisoryRating",
    ])

    private static func fields(_ kind: ItemKind) -> Set<String> {
        switch kind {
        case .software: software.union(["ipadScreenshotUrls", "appletvScreenshotUrls"])
        case .macSoftware: software
        case .ebook: book
        case .song: track.union(ofCollection).union(ofOther).union(["isStreamable"])
        case .musicVideo: track.union(ofCollection).union(ofOther)
        case .movie, .shortFilm: track.union(film).union(rental).union(["hasITunesExtras"])
        case .tvEpisode: track.union(ofCollection).union(ofOther).union(film)
        case .podcast:
            track.union(ofCollection).union(hd).union([
                "feedUrl", "artworkUrl600", "genreIds", "genres",
            ])
        case .album: collection.union(["collectionType"])
        case .tvSeason:
            collection.union(["collectionType", "collectionHdPrice", "longDescription"])
        case .audiobook: collection.union(["previewUrl", "description"])
        }
    }

    @Test(arguments: ItemKind.allCases)
    func `a result has the fields of its kind, and no others`(kind: ItemKind) throws {
        let result = try SampleItem.result(SampleItem.make(kind))
        #expect(Set(result.keys) == Self.fields(kind))
    }

    private static func isNumber(_ name: String) -> Bool {
        guard name != "bundleId", name != "formattedPrice" else { return false }
        let endings = ["Id", "Price", "price", "Count", "Number", "Millis"]
        let beginnings = ["averageUserRating", "userRatingCount"]
        return endings.contains { name.hasSuffix($0) } || beginnings.contains { name.hasPrefix($0) }
    }

    @Test(arguments: ItemKind.allCases)
    func `each field has its type`(kind: ItemKind) throws {
        let result = try SampleItem.result(SampleItem.make(kind))
        for (name, value) in result {
            switch name {
            case "fileSizeBytes":
                #expect((value is String) == (kind != .ebook), "\(kind)")
            case "genreIds", "genres", "screenshotUrls", "ipadScreenshotUrls",
                "appletvScreenshotUrls", "supportedDevices", "features", "advisories",
                "languageCodesISO2A":
                #expect(value is [String], "\(kind) \(name)")
            case "artistIds": #expect(value as? [Int] == [7])
            case "isGameCenterEnabled", "isVppDeviceBasedLicensingEnabled", "isStreamable",
                "hasITunesExtras":
                #expect(value as? Bool == true, "\(kind) \(name)")
            case _ where Self.isNumber(name):
                #expect(value is NSNumber && !(value is String), "\(kind) \(name)")
            case _ where name.hasSuffix("Date"):
                let text = value as? String ?? ""
                #expect(text.hasSuffix("Z") && text.count == 20, "\(kind) \(name) \(text)")
            case _ where name.hasPrefix("artworkUrl"):
                let size = name.dropFirst("artworkUrl".count)
                #expect((value as? String)?.contains("/\(size)x\(size)bb.") == true)
            default: #expect(value is String, "\(kind) \(name)")
            }
        }
    }

    @Test func `wrappers and kinds are those that clients know`() throws {
        let known: [ItemKind: (String?, String?, String?)] = [
            .software: ("software", "software", nil),
            .macSoftware: ("software", "mac-software", nil), .ebook: (nil, "ebook", nil),
            .album: ("collection", nil, "Album"), .song: ("track", "song", nil),
            .musicVideo: ("track", "music-video", nil),
            .movie: ("track", "feature-movie", nil), .shortFilm: ("track", "feature-movie", nil),
            .tvEpisode: ("track", "tv-episode", nil),
            .tvSeason: ("collection", nil, "TV Season"), .podcast: ("track", "podcast", nil),
            .audiobook: ("audiobook", nil, nil),
        ]
        for kind in ItemKind.allCases {
            let result = try SampleItem.result(SampleItem.make(kind))
            let expected = try #require(known[kind])
            #expect(result["wrapperType"] as? String == expected.0, "\(kind)")
            #expect(result["kind"] as? String == expected.1, "\(kind)")
            #expect(result["collectionType"] as? String == expected.2, "\(kind)")
        }
    }

    @Test func `values come from where they belong`() throws {
        let result = try SampleItem.result(SampleItem.make(.song))
        #expect(result["trackId"] as? Int == 42)
        #expect(result["collectionId"] as? Int == 43)
        #expect(result["artistId"] as? Int == 7)
        #expect(result["collectionArtistId"] as? Int == 8)
        #expect(result["trackPrice"] as? Double == 1.99)
        #expect(result["collectionPrice"] as? Double == 9.99)
        #expect(result["trackCount"] as? Int == 12)
        #expect(result["country"] as? String == "USA")
        #expect(result["releaseDate"] as? String == "2005-03-01T08:00:00Z")
        let app = try SampleItem.result(SampleItem.make(.software))
        #expect(app["fileSizeBytes"] as? String == "123456789012")
        #expect(app["averageUserRating"] as? Double == 4.33333)
        #expect(app["averageUserRatingForCurrentVersion"] as? Double == 4)
        #expect(app["userRatingCount"] as? Int == 3)
        #expect(app["formattedPrice"] as? String == "$1.99")
        #expect(
            app["trackViewUrl"] as? String
                == "https://store.example.com/us/app/text/id42?mt=8&uo=4")
        let artist = ArtistResult(
            artist: SampleItem.artist(7, "Ada"), storefront: .unitedStates,
            links: SampleItem.links)
        let written = try SearchShop.object(Data(artist.json.bytes))
        #expect(
            Set(written.keys) == [
                "wrapperType", "artistType", "artistName", "artistLinkUrl", "artistId",
                "amgArtistId", "primaryGenreName", "primaryGenreId",
            ])
        #expect(written["artistType"] as? String == "Artist")
        #expect(written["primaryGenreName"] as? String == "Rock")
    }

    @Test func `what is missing is left out`() throws {
        var item = SampleItem.make(.song, isPart: false)
        item.artist = nil
        item.media = []
        item.item.details.facts = ItemFacts()
        item.price = nil
        let result = try SampleItem.result(item)
        for name in ["artistId", "collectionId", "artworkUrl100", "trackTimeMillis", "previewUrl"] {
            #expect(result[name] == nil, "\(name)")
        }
        #expect(result["artistName"] as? String == "Text")
        #expect(result["trackPrice"] as? Int == -1)
        #expect(result.values.allSatisfy { !($0 is NSNull) })
    }

    @Test func `prices have the decimals of their currency, and words for nothing`() {
        for (thousandths, currency, number) in [
            (0, "USD", "0.00"), (990, "USD", "0.99"), (10, "USD", "0.01"), (120_000, "JPY", "120"),
            (1_500, "KWD", "1.50"), (1_505, "KWD", "1.505"), (-5, "USD", "-0.005"),
            (999_990, "EUR", "999.99"),
        ] as [(Int64, String, String)] {
            #expect(Money(thousandths: thousandths, currency: currency).resultNumber == number)
        }
        let prices = PriceTexts()
        for (locale, word) in [
            ("en_US", "Free"), ("de_DE", "Gratis"), ("fr_CA", "Gratuit"), ("ja_JP", "無料"),
            ("zh_Hant_TW", "免費"), ("zh_Hans_CN", "免费"), ("xx_XX", "Free"),
        ] {
            #expect(prices.text(Money(thousandths: 0, currency: "USD"), locale: locale) == word)
        }
        for storefront in Storefront.all where !storefront.locale.hasPrefix("en") {
            #expect(PriceTexts.free(locale: storefront.locale) != "Free", "\(storefront.locale)")
        }
        let yen = Money(thousandths: 120_000, currency: "JPY")
        for _ in 1...2 { #expect(prices.text(yen, locale: "ja_JP").contains("120")) }
    }
}
