import StoreCore
import StoreModel

/// Who made items: all works that a country's store sells.
struct ArtistPages: Sendable {
    let visit: StorefrontVisit
    private var frame: StorefrontFrame { visit.frame }

    init(_ visit: StorefrontVisit) {
        self.visit = visit
    }

    var page: PublicPage {
        PublicPage(variant: [visit.locale ?? ""]) { try await make(isShort: false) }
    }

    var short: PublicPage {
        PublicPage { try await make(isShort: true) }
    }

    private func make(isShort: Bool) async throws -> PublicAnswer {
        let storefront = visit.services.storefront
        guard let number = visit.number(visit.request.parameters.last),
            let artist = try await storefront.artist(ArtistID(number: number))
        else { return .nothing }
        let path = frame.links.page(of: artist, in: frame.storefront)
        guard !isShort, path.removingPercentEncoding == visit.request.path else {
            return .moved(path)
        }
        let shelf = ShelfComponent(frame: frame)
        var shelves: [HTML] = []
        var picture: String?
        for kind in ItemKind.allCases {
            let works = try await storefront.works(
                of: artist.id, kinds: [kind], by: .popular, limit: StorefrontService.most,
                in: frame.storefront, locale: visit.locale)
            guard !works.isEmpty else { continue }
            picture =
                picture
                ?? works.first?.artwork.map {
                    frame.outerLinks.artwork($0, width: 1200, height: 630)
                }
            if kind == .song || kind == .tvEpisode {
                shelves.append(
                    .element(
                        "section", class: "shelf",
                        [shelf.heading(kind.pluralTitle), shelf.rows(works)]))
            } else {
                shelves.append(shelf.shelf(kind.pluralTitle, works))
            }
        }
        // Nobody is told of who has nothing on sale yet.
        guard !shelves.isEmpty else { return .nothing }
        var page = StorefrontPage(
            artist.name,
            [
                .element(
                    "header", class: "intro",
                    [
                        .element("h1", [], [.foreign(artist.name)]),
                        .element(
                            "p", class: "lead",
                            artist.genre.flatMap(Genre.numbered)?.name ?? artist.type.rawValue),
                    ])
            ] + shelves)
        page.summary = "What \(artist.name) made, in \(frame.storefront.nameInSentence)."
        page.canonical = String(path.dropFirst(frame.environment.pathPrefix.utf8.count))
        page.picture = picture
        page.graphType = "profile"
        page.structuredData = [
            .object([
                ("@context", .text("https://schema.org")),
                ("@type", .text(Self.type(of: artist.type))), ("name", .text(artist.name)),
                ("url", .text(frame.outerLinks.page(of: artist, in: frame.storefront))),
            ])
        ]
        return .page(page)
    }

    private static func type(of type: ArtistType) -> String {
        switch type {
        case .artist: "MusicGroup"
        case .movieArtist, .author, .podcastArtist: "Person"
        case .softwareArtist: "Organization"
        case .televisionShow: "TVSeries"
        }
    }
}
