import StoreModel
import StoreTestSupport
import Testing

@testable import StoreAPI

/// Walks the tables of media, entities and attributes.
@Suite struct SearchTableTests {
    private static func query(_ query: [(String, String)]) -> QueryParameters {
        QueryParameters(([("term", "x")] + query).map { (name: $0.0, value: $0.1) })
    }

    private func key(_ query: [(String, String)]) -> String? {
        do {
            _ = try SearchParameters(Self.query(query))
            return nil
        } catch {
            return (error as? ParameterRefusal)?.key ?? "\(error)"
        }
    }

    @Test(arguments: SearchMedium.allCases)
    func `a medium takes its own entities and no others`(medium: SearchMedium) {
        for entity in SearchEntity.allCases {
            let refused = key([("media", medium.rawValue), ("entity", entity.rawValue)])
            #expect(
                refused == (medium.entities.contains(entity) ? nil : "resultEntity"), "\(entity)")
        }
        #expect(key([("media", medium.rawValue), ("entity", "x")]) == "resultEntity")
    }

    @Test(arguments: SearchMedium.allCases)
    func `a medium takes its own attributes and no others`(medium: SearchMedium) {
        for attribute in SearchAttribute.allCases {
            let refused = key([("media", medium.rawValue), ("attribute", attribute.rawValue)])
            #expect(
                refused == (medium.attributes.contains(attribute) ? nil : "attributeType"),
                "\(attribute)")
        }
    }

    @Test func `without a medium, an entity brings the attributes of its media`() {
        #expect(key([("entity", "software"), ("attribute", "softwareDeveloper")]) == nil)
        #expect(key([("entity", "song"), ("attribute", "musicTrackTerm")]) == nil)
        #expect(key([("entity", "song"), ("attribute", "softwareDeveloper")]) == "attributeType")
        #expect(key([("entity", "audiobook"), ("attribute", "genreIndex")]) == nil)
        #expect(key([("entity", "movieArtist"), ("attribute", "actorTerm")]) == nil)
    }

    @Test func `every attribute but mixTerm means a part of an item`() {
        #expect(SearchAttribute.allCases.filter { $0.place == nil } == [.mixTerm])
    }

    @Test func `an attribute narrows what is looked for, and never widens it`() throws {
        for (query, kinds) in [
            ([("attribute", "songTerm")], [.song]),
            ([("media", "musicVideo"), ("attribute", "songTerm")], [.musicVideo]),
            ([("media", "movie"), ("attribute", "shortFilmTerm")], [.shortFilm]),
            (
                [("media", "movie"), ("entity", "movie"), ("attribute", "shortFilmTerm")],
                [.movie]
            ),
            ([("media", "tvShow"), ("attribute", "tvSeasonTerm")], [.tvEpisode]),
            ([("entity", "tvSeason"), ("attribute", "tvSeasonTerm")], [.tvSeason]),
            ([("attribute", "softwareDeveloper"), ("entity", "iPadSoftware")], [.software]),
        ] as [([(String, String)], Set<ItemKind>)] {
            let parameters = try SearchParameters(Self.query(query))
            #expect(parameters.kinds == kinds, "\(query)")
        }
    }

    @Test func `only apps for tablets are asked for where nothing else is`() throws {
        for (entity, isForTablets) in [
            ("iPadSoftware", true), ("software", false), ("software,iPadSoftware", false),
            ("song,iPadSoftware", false),
        ] {
            let parameters = try SearchParameters(
                Self.query([("entity", entity)]))
            #expect(parameters.query(in: .production).isForTablets == isForTablets)
        }
    }
}
