import Foundation
import StoreModel

/// Something that a publisher says about an item beside its texts, genres, prices and place: how
/// the API and pages call it, and which kinds have it.
package struct ItemField: Sendable {
    /// Where the value is, and what it looks like.
    package enum Form: Sendable {
        case text(WritableKeyPath<ItemDetails, String?> & Sendable)
        case url(WritableKeyPath<ItemDetails, String?> & Sendable)
        case texts(WritableKeyPath<ItemDetails, [String]> & Sendable)
        case flag(WritableKeyPath<ItemDetails, Bool?> & Sendable)
        /// A small number, such as a track's.
        case number(WritableKeyPath<ItemDetails, Int?> & Sendable)
        /// A number of any size: bytes, milliseconds, identifiers.
        case count(WritableKeyPath<ItemDetails, Int64?> & Sendable)
        case time(WritableKeyPath<ItemDetails, Date?> & Sendable)
    }

    /// As in the API, for example `sellerName`; what the search API's results have is named as
    /// there, and as the rules name it.
    package let name: String
    /// As on pages.
    package let title: String
    /// What else people should know; nil for nothing.
    package let hint: String?
    /// The kinds that have it.
    package let kinds: Set<ItemKind>
    package let form: Form

    private init(
        _ name: String, _ title: String, _ form: Form, _ kinds: Set<ItemKind> = every,
        hint: String? = nil
    ) {
        self.name = name
        self.title = title
        self.hint = hint
        self.kinds = kinds
        self.form = form
    }

    private static let every = Set(ItemKind.allCases)
    private static let apps: Set<ItemKind> = [.software, .macSoftware]
    private static let music: Set<ItemKind> = [.album, .song, .musicVideo]
    private static let films: Set<ItemKind> = [.movie, .shortFilm, .tvEpisode, .tvSeason]
    private static let heardOrSeen: Set<ItemKind> = [
        .song, .musicVideo, .movie, .shortFilm, .tvEpisode, .audiobook,
    ]
    private static let parts: Set<ItemKind> = [.song, .musicVideo, .tvEpisode]

    /// All of them, in the order of pages.
    package static let all: [ItemField] = general + aboutApps + aboutWorks + numbers

    /// Those that a kind has, in the order of pages.
    package static func fields(of kind: ItemKind) -> [ItemField] {
        all.filter { $0.kinds.contains(kind) }
    }

    private static let general: [ItemField] = [
        ItemField(
            "releaseDate", "Released", .time(\.releaseDate),
            hint: "What comes out later is on sale all the same."),
        ItemField(
            "sellerName", "Seller", .text(\.facts.sellerName),
            hint: "As the page names it; the team's name where it is empty."),
        ItemField("sellerUrl", "Seller's website", .url(\.facts.sellerURL)),
        ItemField("supportUrl", "Support", .url(\.facts.supportURL)),
        ItemField("copyright", "Copyright", .text(\.facts.copyright)),
        ItemField(
            "publisher", "Publisher", .text(\.facts.publisher), every.subtracting(apps),
            hint: "Label, studio or network."),
        ItemField(
            "contentAdvisoryRating", "Rating", .text(\.facts.advisoryRating),
            hint: "For example 4+, PG-13 or TV-MA."),
        ItemField(
            "advisories", "Why it is rated so", .texts(\.facts.advisories),
            hint: "For example Infrequent/Mild Cartoon Violence."),
        ItemField(
            "languageCodesISO2A", "Languages", .texts(\.facts.languages),
            hint: "Codes of two letters, for example EN."),
        ItemField(
            "keywords", "Keywords", .texts(\.facts.keywords),
            hint: "Words that it is found by, beside those of its texts."),
    ]

    private static let aboutApps: [ItemField] = [
        ItemField("version", "Version", .text(\.facts.version), apps),
        ItemField("versionDate", "Version of", .time(\.facts.versionDate), apps),
        ItemField("bundleId", "Bundle ID", .text(\.bundleID), apps),
        ItemField("minimumOsVersion", "Needs at least", .text(\.facts.minimumOS), apps),
        ItemField(
            "supportedDevices", "Devices", .texts(\.facts.supportedDevices), apps),
        ItemField("features", "Features", .texts(\.facts.features), apps),
        ItemField("usesGameCenter", "Uses Game Center", .flag(\.facts.usesGameCenter), apps),
        ItemField(
            "isVolumePurchased", "Is sold in volumes", .flag(\.facts.isVolumePurchased), apps),
    ]

    private static let aboutWorks: [ItemField] = [
        ItemField(
            "trackTimeMillis", "Duration", .count(\.facts.duration), heardOrSeen,
            hint: "Milliseconds."),
        ItemField("discNumber", "Disc", .number(\.facts.discNumber), parts),
        ItemField("discCount", "Discs", .number(\.facts.discCount), music),
        ItemField(
            "trackNumber", "Track or episode", .number(\.facts.trackNumber), parts),
        ItemField(
            "trackCount", "Tracks or episodes", .number(\.facts.trackCount),
            music.union([.tvSeason, .tvEpisode, .podcast, .audiobook])),
        ItemField("composer", "Composer", .text(\.facts.composer), music),
        ItemField("isCompilation", "Is a compilation", .flag(\.facts.isCompilation), [.album]),
        ItemField(
            "isStreamable", "Can be streamed", .flag(\.facts.isStreamable), [.song, .musicVideo]),
        ItemField("director", "Director", .text(\.facts.director), films.union([.musicVideo])),
        ItemField("producers", "Producers", .texts(\.facts.producers), films),
        ItemField("actors", "Actors", .texts(\.facts.actors), films),
        ItemField("hasExtras", "Has extras", .flag(\.facts.hasExtras), [.movie]),
        ItemField(
            "feedUrl", "Feed", .url(\.facts.feedURL), [.podcast],
            hint: "Where its episodes are listed."),
    ]

    private static let numbers: [ItemField] = [
        ItemField(
            "fileSizeBytes", "Size of the download", .count(\.facts.fileSize), hint: "Bytes."),
        ItemField("upc", "UPC", .text(\.upc), every.subtracting(apps)),
        ItemField("isbn", "ISBN", .text(\.isbn), [.ebook, .audiobook]),
        ItemField(
            "amgAlbumId", "Album in the music guide", .count(\.amgAlbumID), [.album, .song]),
        ItemField(
            "amgVideoId", "Video in the music guide", .count(\.amgVideoID),
            films.union([.musicVideo])),
    ]
}
