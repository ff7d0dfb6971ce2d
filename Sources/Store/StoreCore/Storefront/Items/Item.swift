import Foundation
import StoreDatabase
import StoreModel

/// What people read about an item, in one language.
package struct ItemText: Sendable, Hashable, Codable {
    package var title: String
    /// A line below the title; empty for none.
    @OmittedIfEmpty package var subtitle: String
    @OmittedIfEmpty package var description: String
    /// A sentence instead of the description, where room is short; empty for none.
    @OmittedIfEmpty package var shortDescription: String
    /// What is new in this version; empty for none.
    @OmittedIfEmpty package var releaseNotes: String

    package init(
        title: String, subtitle: String = "", description: String = "",
        shortDescription: String = "", releaseNotes: String = ""
    ) {
        self.title = title
        self.subtitle = subtitle
        self.description = description
        self.shortDescription = shortDescription
        self.releaseNotes = releaseNotes
    }
}

/// What is known about an item beside its names, price and place: each kind has some of it.
package struct ItemFacts: Sendable, Hashable, Codable {
    /// The seller as the page names it; nil for the team's name.
    package var sellerName: String?
    package var sellerURL: String?
    package var supportURL: String?
    package var copyright: String?
    /// Label, studio, publisher or network.
    package var publisher: String?
    /// `4+`, `PG-13`, `TV-MA` and the like.
    package var advisoryRating: String?
    /// Why it has this rating, for example `Infrequent/Mild Cartoon Violence`.
    @OmittedIfEmpty package var advisories: [String]
    /// Two-letter codes, upper case.
    @OmittedIfEmpty package var languages: [String]

    // Apps.
    package var version: String?
    package var versionDate: Date?
    package var minimumOS: String?
    @OmittedIfEmpty package var supportedDevices: [String]
    @OmittedIfEmpty package var features: [String]
    package var usesGameCenter: Bool?
    package var isVolumePurchased: Bool?

    /// Bytes of what a customer downloads.
    package var fileSize: Int64?
    /// Milliseconds.
    package var duration: Int64?
    package var discNumber: Int?
    package var discCount: Int?
    package var trackNumber: Int?
    package var trackCount: Int?
    package var composer: String?
    package var director: String?
    @OmittedIfEmpty package var producers: [String]
    @OmittedIfEmpty package var actors: [String]
    @OmittedIfEmpty package var keywords: [String]
    /// Of a podcast: where its episodes are listed.
    package var feedURL: String?
    package var hasExtras: Bool?
    package var isStreamable: Bool?
    package var isCompilation: Bool?

    package init() {}

    /// The age in years that an app is rated for; nil if the rating is none of an app's, such as
    /// `PG-13`.
    package var ageInYears: Int? {
        switch advisoryRating {
        case "4+": 4
        case "9+": 9
        case "12+": 12
        case "13+": 13
        case "16+": 16
        case "17+": 17
        case "18+": 18
        default: nil
        }
    }

    /// Whether an app is made for tablets too.
    package var isForTablets: Bool {
        supportedDevices.contains { $0.lowercased().contains("ipad") }
            || features.contains("iosUniversal")
    }
}

/// What a publisher says about an item.
package struct ItemDetails: Sendable, Hashable {
    package var kind: ItemKind
    /// Of the app that is the item; nil for what is no app of this store.
    package var app: AppID?
    package var artist: ArtistID?
    /// The album of a song, the season of an episode.
    package var parent: ItemID?
    /// The first one is the primary one; numbers of `Genre`.
    package var genres: [Int]
    package var releaseDate: Date?
    package var explicitness: Explicitness
    /// The language of `texts` that is shown where a storefront's own is missing, `en_US`.
    package var primaryLocale: String
    /// By locale, for example `en_US`; never empty.
    package var texts: [String: ItemText]
    package var prices: ItemPrices
    /// To rent it for a time; nil where that is not offered.
    package var rentalPrices: ItemPrices?
    package var bundleID: String?
    package var upc: String?
    package var isbn: String?
    /// Numbers of a music guide, for who looks things up by them.
    package var amgAlbumID: Int64?
    package var amgVideoID: Int64?
    package var facts: ItemFacts

    package init(
        kind: ItemKind, title: String, genres: [Int], prices: ItemPrices = .free,
        primaryLocale: String = "en_US"
    ) {
        self.kind = kind
        self.genres = genres
        self.explicitness = .notExplicit
        self.primaryLocale = primaryLocale
        self.texts = [primaryLocale: ItemText(title: title)]
        self.prices = prices
        self.facts = ItemFacts()
    }

    /// In the primary language.
    package var title: String { text(locale: primaryLocale).title }
}

/// Whether customers see an item.
package enum ItemState: String, Sendable, Hashable, CaseIterable, TextColumnValue {
    /// Only its publisher sees it.
    case draft = "DRAFT"
    case onSale = "ON_SALE"
    /// Its publisher or the store took it from sale. Customers who bought it keep it.
    case removed = "REMOVED"
}

/// Something that customers browse, and most of which they can buy.
package struct Item: Sendable, Hashable {
    package let id: ItemID
    /// Whose it is.
    package let team: Int64
    package var details: ItemDetails
    package var state: ItemState
    /// When the store's staff took the item down. Nil if they have not.
    package var takenDown: Date?
    /// Grows with what is bought and rated; orders results that match alike.
    package var popularity: Int64
    package let created: Date
    package var changed: Date

    package init(
        id: ItemID, team: Int64, details: ItemDetails, state: ItemState, popularity: Int64 = 0,
        created: Date, changed: Date
    ) {
        self.id = id
        self.team = team
        self.details = details
        self.state = state
        self.popularity = popularity
        self.created = created
        self.changed = changed
    }
}

/// Whoever made items: a developer, an author, a band.
package struct Artist: Sendable, Hashable {
    package internal(set) var id: ArtistID
    package let team: Int64
    package var name: String
    package var type: ArtistType
    /// The number of its primary `Genre`.
    package var genre: Int?
    package var amgArtistID: Int64?
}
