import StoreCore
import StoreModel

/// The first page of a country's store: the best of each kind, and what is new.
struct HomePages: Sendable {
    private static let shelfLength = 12

    let visit: StorefrontVisit
    private var frame: StorefrontFrame { visit.frame }

    init(_ visit: StorefrontVisit) {
        self.visit = visit
    }

    /// What stands on it from top to bottom.
    private static let shelves: [(segment: String, title: String)] = [
        ("app", "Top Apps"), ("book", "Top Books"), ("album", "Top Albums"),
        ("song", "Top Songs"), ("movie", "Top Films"), ("tv-season", "Top TV Seasons"),
        ("music-video", "Top Music Videos"), ("podcast", "Top Podcasts"),
        ("audiobook", "Top Audiobooks"),
    ]
    /// Of each of these the best one stands at the top.
    private static let featured = ["app", "album", "book", "movie"]

    var page: PublicPage {
        PublicPage { try await make() }
    }

    private func make() async throws -> PublicAnswer {
        let storefront = visit.services.storefront
        var best: [StorefrontItem] = []
        var shelves: [HTML] = []
        let shelf = ShelfComponent(frame: frame)
        let new = try await storefront.chart(
            ItemChart(
                kinds: Set(ItemKind.allCases).subtracting([.song, .tvEpisode]), rank: .new,
                storefront: frame.storefront), offset: 0, limit: Self.shelfLength, locale: nil)
        shelves.append(shelf.shelf("New in the Store", new))
        for (segment, title) in Self.shelves {
            let items = try await storefront.chart(
                ItemChart(
                    kinds: StorefrontPageTable.kinds(of: segment), rank: .all,
                    storefront: frame.storefront), offset: 0, limit: Self.shelfLength,
                locale: nil)
            if Self.featured.contains(segment), let first = items.first { best.append(first) }
            shelves.append(
                shelf.shelf(title, items, more: frame.path("charts/\(segment)")))
        }
        let isEmpty = shelves.allSatisfy(\.isNothing)
        var page = StorefrontPage(
            "Apps, Books, Music and Films",
            [
                .element(
                    "header", class: "intro",
                    [
                        .element("h1", "Apps, books, music and films"),
                        .element(
                            "p", class: "lead",
                            "What people read, hear, watch and use here."),
                    ]),
                features(best),
                isEmpty
                    ? .element(
                        "p", class: "quiet",
                        "Nothing is sold here yet. Come back soon.") : .group(shelves),
            ])
        page.summary = "Apps, books, music and films, sold in \(frame.storefront.nameInSentence)."
        page.canonical = "/\(frame.country)"
        page.alternates = Storefront.all.map { ($0, frame.outerLinks.home(of: $0)) }
        return .page(page)
    }

    /// The best ones, large.
    private func features(_ items: [StorefrontItem]) -> HTML {
        guard !items.isEmpty else { return .nothing }
        return .element(
            "section", [.init("class", "features"), .init("aria-label", "Favorites")],
            [.element("ul", [], items.map { .element("li", [], [feature($0)]) })])
    }

    private func feature(_ item: StorefrontItem) -> HTML {
        let glow: HTML =
            item.artwork.map {
                .element(
                    "img",
                    [
                        .init("class", "glow"), .init("alt"), .init("decoding", "async"),
                        .init("src", frame.links.artwork($0, width: 100, height: 100)),
                    ])
            } ?? .nothing
        let about =
            [item.text.subtitle, item.text.shortDescription, item.artist?.name ?? ""]
            .first { !$0.isEmpty } ?? ""
        return .element(
            "a", [.init("class", "feature"), .init("href", frame.links.page(of: item))],
            [
                glow,
                ArtworkComponent(item: item, links: frame.links).html(side: 128, isFirst: true),
                .element(
                    "span", class: "words",
                    [
                        .element("span", class: "kind", "Favorite \(item.kind.title.lowercased())"),
                        .element("span", class: "name", [.foreign(item.text.title)]),
                        .element("span", class: "by", [.foreign(about)]),
                        StarComponent.line(item.rating, frame.texts),
                    ]),
            ])
    }
}
