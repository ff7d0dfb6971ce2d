import StoreModel

/// What a search gives: `entity`.
package enum SearchEntity: String, Sendable, Hashable, CaseIterable {
    case movieArtist, movie
    case podcastAuthor, podcast
    /// Episodes are in the podcast's own feed; the store has none.
    case podcastEpisode
    case musicArtist, musicTrack, album, musicVideo, song
    /// Lists of songs that customers once published; the store has none.
    case mix
    case audiobookAuthor, audiobook
    case shortFilmArtist, shortFilm
    case tvEpisode, tvSeason
    case software, iPadSoftware, macSoftware
    case ebook
    case allArtist, allTrack

    /// The kinds of the items that it gives; of those whose makers it gives.
    package var kinds: Set<ItemKind> {
        switch self {
        case .movieArtist: [.movie, .shortFilm]
        case .movie: [.movie]
        case .podcastAuthor, .podcast: [.podcast]
        case .musicArtist: [.album, .song, .musicVideo]
        case .musicTrack: [.song, .musicVideo]
        case .album: [.album]
        case .musicVideo: [.musicVideo]
        case .song: [.song]
        case .podcastEpisode, .mix: []
        case .audiobookAuthor, .audiobook: [.audiobook]
        case .shortFilmArtist, .shortFilm: [.shortFilm]
        case .tvEpisode: [.tvEpisode]
        case .tvSeason: [.tvSeason]
        case .software, .iPadSoftware: [.software]
        case .macSoftware: [.macSoftware]
        case .ebook: [.ebook]
        case .allArtist: Set(ItemKind.allCases)
        case .allTrack: Set(ItemKind.allCases.filter { !$0.isCollection })
        }
    }

    /// Whether it gives whoever made items.
    package var givesArtists: Bool {
        switch self {
        case .movieArtist, .podcastAuthor, .musicArtist, .audiobookAuthor, .shortFilmArtist,
            .allArtist:
            true
        default: false
        }
    }
}

/// In what a search looks: `media`.
package enum SearchMedium: String, Sendable, Hashable, CaseIterable {
    case movie, podcast, music, musicVideo, audiobook, shortFilm, tvShow, software, ebook, all

    /// What it can give; the first one is given where nobody says.
    package var entities: [SearchEntity] {
        switch self {
        case .movie: [.movie, .movieArtist]
        case .podcast: [.podcast, .podcastAuthor, .podcastEpisode]
        case .music: [.musicTrack, .musicArtist, .album, .musicVideo, .mix, .song]
        case .musicVideo: [.musicVideo, .musicArtist]
        case .audiobook: [.audiobook, .audiobookAuthor]
        case .shortFilm: [.shortFilm, .shortFilmArtist]
        case .tvShow: [.tvEpisode, .tvSeason]
        case .software: [.software, .iPadSoftware, .macSoftware]
        case .ebook: [.ebook]
        // Clients name an entity and no medium: what any medium gives is taken.
        case .all: [.allTrack] + SearchEntity.allCases.filter { $0 != .allTrack }
        }
    }

    /// All kinds that belong to it. Short films are films.
    var kinds: Set<ItemKind> {
        let kinds = entities.filter { !$0.givesArtists }
            .reduce(into: Set<ItemKind>()) { $0.formUnion($1.kinds) }
        return self == .movie ? kinds.union([.shortFilm]) : kinds
    }
}
