/// What an item of the storefront is. The raw value is the `kind` of the search API's results.
package enum ItemKind: String, Sendable, Hashable, Codable, CaseIterable {
    case software
    case macSoftware = "mac-software"
    case ebook
    case album
    case song
    case musicVideo = "music-video"
    case movie = "feature-movie"
    case shortFilm = "short-film"
    case tvEpisode = "tv-episode"
    case tvSeason = "tv-season"
    case podcast
    case audiobook

    /// What stands in the address of a page: `/{cc}/{segment}/{slug}/id{n}`.
    package var pathSegment: String {
        switch self {
        case .software, .macSoftware: "app"
        case .ebook: "book"
        case .album: "album"
        case .song: "song"
        case .musicVideo: "music-video"
        case .movie, .shortFilm: "movie"
        case .tvEpisode: "tv-episode"
        case .tvSeason: "tv-season"
        case .podcast: "podcast"
        case .audiobook: "audiobook"
        }
    }

    /// The number of the media type in links, `mt`.
    package var mediaTypeNumber: Int {
        switch self {
        case .album, .song: 1
        case .podcast: 2
        case .audiobook: 3
        case .tvEpisode, .tvSeason: 4
        case .musicVideo: 5
        case .movie, .shortFilm: 6
        case .software: 8
        case .ebook: 11
        case .macSoftware: 12
        }
    }

    /// The kind that an item of this kind is a part of; nil for what stands alone.
    package var parentKind: ItemKind? {
        switch self {
        case .song, .musicVideo: .album
        case .tvEpisode: .tvSeason
        default: nil
        }
    }

    /// Whether items of this kind are programs.
    package var isApp: Bool { self == .software || self == .macSoftware }

    /// Whether items of this kind are collections of others.
    package var isCollection: Bool { self == .album || self == .tvSeason }

    /// What people call one of them, in English.
    package var title: String {
        switch self {
        case .software: "App"
        case .macSoftware: "Mac App"
        case .ebook: "Book"
        case .album: "Album"
        case .song: "Song"
        case .musicVideo: "Music Video"
        case .movie: "Film"
        case .shortFilm: "Short Film"
        case .tvEpisode: "TV Episode"
        case .tvSeason: "TV Season"
        case .podcast: "Podcast"
        case .audiobook: "Audiobook"
        }
    }

    /// What people call many of them, in English.
    package var pluralTitle: String {
        self == .software ? "Apps" : title + "s"
    }
}

/// Whether an item is for everybody's ears and eyes. The raw value is the one of the search API.
package enum Explicitness: String, Sendable, Hashable, Codable, CaseIterable {
    case explicit
    case cleaned
    case notExplicit
}
