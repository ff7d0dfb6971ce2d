import StoreModel
import StoreTestSupport
import Testing

@testable import StoreAPI

/// What each entity and each attribute means, and what a wrong one is answered with.
@Suite struct SearchMeaningTests {
    private typealias Shop = SearchShop

    @Test func `the entity decides what is given of a medium`() async throws {
        let shop = try await SearchShop()
        var tested: Set<String> = []
        for (entity, term, wanted) in [
            ("song", "river", [Shop.song, Shop.explicitSong]), ("album", "river", [Shop.album]),
            ("musicVideo", "river", [Shop.video]),
            ("musicTrack", "river", [Shop.song, Shop.explicitSong, Shop.video]),
            ("mix", "river", []), ("podcastEpisode", "river", []),
            ("tvSeason", "castle street", [Shop.season]),
            ("software", "chess", [Shop.chess, Shop.tabletChess]),
            ("iPadSoftware", "chess", [Shop.tabletChess]),
            ("macSoftware", "chess", [Shop.macChess]), ("ebook", "chess", [Shop.book]),
            ("movie", "river", [Shop.movie]), ("shortFilm", "river", [Shop.shortFilm]),
            ("podcast", "river", [Shop.podcast]), ("audiobook", "river", [Shop.audiobook]),
            ("tvEpisode", "river", [Shop.episode]),
            (
                "allTrack", "chess",
                [Shop.chess, Shop.macChess, Shop.tabletChess, Shop.book]
            ),
            ("album,song", "river", [Shop.album, Shop.song, Shop.explicitSong]),
        ] as [(String, String, [ItemID])] {
            tested.insert(entity)
            let ids = try await shop.ids("/search", [("term", term), ("entity", entity)])
            #expect(Set(ids) == Set(wanted.map(\.number)), "\(entity)")
        }
        for (entity, term, artist) in [
            ("musicArtist", "pebbles", Shop.band), ("allArtist", "rook", Shop.developer),
            ("movieArtist", "ada penn", Shop.writer), ("shortFilmArtist", "ada", Shop.writer),
            ("podcastAuthor", "penn", Shop.writer), ("audiobookAuthor", "ada", Shop.writer),
        ] as [(String, String, ArtistID)] {
            tested.insert(entity)
            let results = try await shop.results("/search", [("term", term), ("entity", entity)])
            #expect(results.map { $0["wrapperType"] as? String } == ["artist"])
            #expect(results.compactMap(Shop.number) == [artist.number])
        }
        // Who made nothing of the kind is not found.
        #expect(
            try await shop.ids("/search", [("term", "ada"), ("entity", "musicArtist")]).isEmpty)
        #expect(tested.isSuperset(of: SearchEntity.allCases.map(\.rawValue)))
        for (media, entity) in [
            ("music", "movie"), ("all", "songs"), ("software", "  "), ("all", "123"),
            ("music", "song,movie"), ("music", "song,"),
        ] {
            #expect(
                try await shop.refusal(
                    "/search", [("term", "river"), ("media", media), ("entity", entity)])
                    == "400 [resultEntity]", "\(media) \(entity)")
        }
    }

    @Test func `an attribute decides where the words stand`() async throws {
        let shop = try await SearchShop()
        try await shop.review(Shop.movie, count: 5)
        var tested: Set<String> = []
        for (media, attribute, term, wanted) in [
            ("movie", "actorTerm", "max mime", [Shop.movie]),
            ("movie", "directorTerm", "dora lens", [Shop.movie]),
            ("movie", "producerTerm", "paul purse", [Shop.movie]),
            ("movie", "releaseYearTerm", "1985", [Shop.movie]),
            ("movie", "ratingTerm", "PG-13", [Shop.movie]),
            ("movie", "movieTerm", "river", [Shop.movie]),
            ("movie", "movieTerm", "dora", []),
            ("movie", "shortFilmTerm", "river", [Shop.shortFilm]),
            ("music", "composerTerm", "quill", [Shop.song]),
            ("music", "artistTerm", "pebbles", [Shop.song, Shop.explicitSong, Shop.video]),
            ("music", "artistTerm", "river", []),
            ("music", "albumTerm", "stones", [Shop.song, Shop.explicitSong, Shop.video]),
            ("music", "songTerm", "anger", [Shop.explicitSong]),
            ("music", "mixTerm", "river", []),
            ("music", "genreIndex", "alternative", [Shop.explicitSong]),
            ("podcast", "languageTerm", "fr", [Shop.podcast]),
            ("software", "softwareDeveloper", "rook", [Shop.chess, Shop.tabletChess]),
            ("software", "softwareDeveloper", "chess", []),
            ("tvShow", "showTerm", "castle", [Shop.episode]),
            ("all", "keywordsTerm", "gambit", [Shop.chess]),
            ("all", "descriptionTerm", "zeppelin", [Shop.book]),
            ("all", "allArtistTerm", "rook", [Shop.chess, Shop.macChess, Shop.tabletChess]),
            (
                "all", "allTrackTerm", "chess",
                [Shop.chess, Shop.macChess, Shop.tabletChess, Shop.book]
            ),
            ("podcast", "titleTerm", "river", [Shop.podcast]),
            ("podcast", "titleTerm", "penn", []),
            ("audiobook", "authorTerm", "penn", [Shop.audiobook]),
            ("audiobook", "authorTerm", "river", []),
            ("movie", "featureFilmTerm", "king", [Shop.movie]),
            ("movie", "movieArtistTerm", "penn", [Shop.movie]),
            ("music", "musicTrackTerm", "clip", [Shop.video]),
            ("tvShow", "tvEpisodeTerm", "gate", [Shop.episode]),
            ("tvShow", "tvEpisodeTerm", "castle", []),
            ("tvShow", "tvSeasonTerm", "season 1", [Shop.episode]),
            ("movie", "ratingIndex", "3", [Shop.movie]), ("movie", "ratingIndex", "4", []),
        ] as [(String, String, String, [ItemID])] {
            tested.insert(attribute)
            let ids = try await shop.ids(
                "/search", [("term", term), ("media", media), ("attribute", attribute)])
            #expect(Set(ids) == Set(wanted.map(\.number)), "\(media) \(attribute) \(term)")
        }
        #expect(tested == Set(SearchAttribute.allCases.map(\.rawValue)))
        for (media, attribute) in [
            ("software", "songTerm"), ("audiobook", "  "), ("all", "123"), ("ebook", "titleTerm"),
            ("all", "softwareDeveloper"),
        ] {
            #expect(
                try await shop.refusal(
                    "/search", [("term", "river"), ("media", media), ("attribute", attribute)])
                    == "400 [attributeType]", "\(media) \(attribute)")
        }
        #expect(
            try await shop.ids(
                "/search",
                [("term", "rook"), ("entity", "software"), ("attribute", "softwareDeveloper")]
            ).count == 2)
    }
}
