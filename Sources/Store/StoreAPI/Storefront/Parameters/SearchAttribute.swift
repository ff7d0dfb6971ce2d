import StoreCore
import StoreModel

/// Where the words of a search have to stand: `attribute`.
package enum SearchAttribute: String, Sendable, Hashable, CaseIterable {
    case actorTerm, albumTerm, allArtistTerm, allTrackTerm, artistTerm, authorTerm
    case composerTerm, descriptionTerm, directorTerm, featureFilmTerm, genreIndex, keywordsTerm
    case languageTerm, mixTerm, movieArtistTerm, movieTerm, musicTrackTerm, producerTerm
    case ratingIndex, ratingTerm, releaseYearTerm, shortFilmTerm, showTerm, softwareDeveloper
    case songTerm, titleTerm, tvEpisodeTerm, tvSeasonTerm

    /// The part of an item that it means; nil where the store has nothing of the kind, and
    /// nothing is found.
    package var place: ItemAttribute? {
        switch self {
        case .titleTerm, .allTrackTerm, .movieTerm, .featureFilmTerm, .shortFilmTerm, .songTerm,
            .musicTrackTerm, .tvEpisodeTerm:
            .title
        // The maker of what is on television is the show.
        case .artistTerm, .allArtistTerm, .movieArtistTerm, .authorTerm, .softwareDeveloper,
            .showTerm:
            .artist
        case .albumTerm, .tvSeasonTerm: .collection
        case .descriptionTerm: .description
        case .keywordsTerm: .keywords
        case .composerTerm: .composer
        case .directorTerm: .director
        case .producerTerm: .producer
        case .actorTerm: .actor
        case .genreIndex: .genre
        case .releaseYearTerm: .releaseYear
        case .ratingTerm: .advisoryRating
        case .languageTerm: .language
        case .ratingIndex: .rating
        case .mixTerm: nil
        }
    }

    /// The kinds that its name speaks of; nil for all.
    var kinds: Set<ItemKind>? {
        switch self {
        case .movieTerm, .movieArtistTerm: [.movie, .shortFilm]
        case .featureFilmTerm: [.movie]
        case .shortFilmTerm: [.shortFilm]
        case .songTerm: [.song]
        case .musicTrackTerm: [.song, .musicVideo]
        case .albumTerm: [.album, .song, .musicVideo]
        case .tvEpisodeTerm: [.tvEpisode]
        case .tvSeasonTerm, .showTerm: [.tvSeason, .tvEpisode]
        case .softwareDeveloper: [.software, .macSoftware]
        default: nil
        }
    }
}

extension SearchMedium {
    /// What may be asked for in it.
    package var attributes: Set<SearchAttribute> {
        switch self {
        case .movie:
            [
                .actorTerm, .genreIndex, .artistTerm, .shortFilmTerm, .producerTerm, .ratingTerm,
                .directorTerm, .releaseYearTerm, .featureFilmTerm, .movieArtistTerm, .movieTerm,
                .ratingIndex, .descriptionTerm,
            ]
        case .podcast:
            [
                .titleTerm, .languageTerm, .authorTerm, .genreIndex, .artistTerm, .ratingIndex,
                .keywordsTerm, .descriptionTerm,
            ]
        case .music:
            [
                .mixTerm, .genreIndex, .artistTerm, .composerTerm, .albumTerm, .ratingIndex,
                .songTerm, .musicTrackTerm,
            ]
        case .musicVideo:
            [.genreIndex, .artistTerm, .albumTerm, .ratingIndex, .songTerm, .musicTrackTerm]
        case .audiobook: [.titleTerm, .authorTerm, .genreIndex, .ratingIndex]
        case .shortFilm:
            [.genreIndex, .artistTerm, .shortFilmTerm, .ratingIndex, .descriptionTerm]
        case .software: [.softwareDeveloper]
        case .tvShow:
            [.genreIndex, .tvEpisodeTerm, .showTerm, .tvSeasonTerm, .ratingIndex, .descriptionTerm]
        case .ebook: []
        case .all:
            [
                .actorTerm, .languageTerm, .allArtistTerm, .tvEpisodeTerm, .shortFilmTerm,
                .directorTerm, .releaseYearTerm, .titleTerm, .featureFilmTerm, .ratingIndex,
                .keywordsTerm, .descriptionTerm, .authorTerm, .genreIndex, .mixTerm, .allTrackTerm,
                .artistTerm, .composerTerm, .tvSeasonTerm, .producerTerm, .ratingTerm, .songTerm,
                .movieArtistTerm, .showTerm, .movieTerm, .albumTerm,
            ]
        }
    }

    /// Whether an attribute may be asked for beside entities. Without a medium, those of the
    /// media that have the entities may.
    func takes(_ attribute: SearchAttribute, with entities: [SearchEntity]) -> Bool {
        if attributes.contains(attribute) { return true }
        guard self == .all, !entities.isEmpty else { return false }
        return Self.allCases.contains { medium in
            medium != .all && medium.attributes.contains(attribute)
                && entities.allSatisfy(medium.entities.contains)
        }
    }
}
