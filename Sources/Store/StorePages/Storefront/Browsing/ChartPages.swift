import StoreCore
import StoreModel

/// The best of a kind, and of a genre.
struct ChartPages: Sendable {
    private static let perPage = 50
    private static let lastPage = 4
    private static let ranks: [(rank: ItemChart.Rank, title: String)] = [
        (.all, "Top"), (.paid, "Paid"), (.free, "Free"), (.new, "New"),
    ]

    let visit: StorefrontVisit
    private var frame: StorefrontFrame { visit.frame }

    init(_ visit: StorefrontVisit) {
        self.visit = visit
    }

    private var rank: ItemChart.Rank {
        let asked = ItemChart.Rank(rawValue: visit.query("rank"))
        return Self.ranks.first { $0.rank == asked }?.rank ?? .all
    }

    // MARK: Charts

    var page: PublicPage {
        let number = visit.number("page", in: 1...Self.lastPage)
        let genre = visit.number(visit.query("genre")).flatMap { Genre.numbered(Int($0)) }
        let rank = rank
        return PublicPage(
            variant: [rank.rawValue, String(number), genre.map { String($0.id) } ?? ""]
        ) {
            try await make(rank, genre, number)
        }
    }

    private func make(
        _ rank: ItemChart.Rank, _ genre: Genre?, _ number: Int
    ) async throws -> PublicAnswer {
        let segment = visit.request.parameters.last ?? ""
        let kinds = StorefrontPageTable.kinds(of: segment)
        guard let kind = ItemKind.allCases.first(where: kinds.contains) else { return .nothing }
        let offset = (number - 1) * Self.perPage
        let items = try await visit.services.storefront.chart(
            ItemChart(
                kinds: kinds, rank: rank, genre: genre?.id, storefront: frame.storefront),
            offset: offset, limit: Self.perPage + 1, locale: nil)
        let word = Self.ranks.first { $0.rank == rank }?.title ?? "Top"
        let title = "\(word) \(genre.map { "\($0.name) " } ?? "")\(kind.pluralTitle)"
        func path(rank other: ItemChart.Rank? = nil, genre: Int?, page: Int = 1) -> String {
            let other = other ?? rank
            return frame.path(
                "charts/\(segment)",
                [
                    ("rank", other == .all ? "" : other.rawValue),
                    ("genre", genre.map(String.init) ?? ""),
                    ("page", page == 1 ? "" : String(page)),
                ])
        }
        var page = StorefrontPage(
            title,
            [
                .element("h1", title), siblings(of: segment),
                choices(
                    "Charts",
                    Self.ranks.map {
                        ($0.title, path(rank: $0.rank, genre: genre?.id), $0.rank == rank)
                    }),
                choices(
                    "Genres",
                    [("All genres", path(genre: nil), genre == nil)]
                        + Genre.root(of: kind).children.byName.map {
                            ($0.name, path(genre: $0.id), $0 == genre)
                        }),
                items.isEmpty
                    ? .element("p", class: "quiet", "There is nothing here yet.")
                    : ShelfComponent(frame: frame).rows(
                        Array(items.prefix(Self.perPage)), firstRank: offset + 1),
                PaginationComponent(
                    page: number,
                    pages: items.count > Self.perPage && number < Self.lastPage
                        ? number + 1 : number,
                    isOpen: true, label: "Pages of the chart"
                ).html { path(genre: genre?.id, page: $0) },
            ])
        page.summary = "\(title) in \(frame.storefront.nameInSentence)."
        page.section = ItemPage.section(of: kind)
        page.canonical = String(
            path(genre: genre?.id, page: number)
                .dropFirst(frame.environment.pathPrefix.utf8.count))
        return .page(page)
    }

    /// Charts of kinds that belong together.
    private func siblings(of segment: String) -> HTML {
        let families = [
            [("album", "Albums"), ("song", "Songs"), ("music-video", "Music Videos")],
            [("tv-season", "Seasons"), ("tv-episode", "Episodes")],
        ]
        guard let family = families.first(where: { $0.contains { $0.0 == segment } }) else {
            return .nothing
        }
        return choices(
            "Kinds", family.map { ($0.1, frame.path("charts/\($0.0)"), $0.0 == segment) },
            style: "choices large")
    }

    private func choices(
        _ label: String, _ choices: [(title: String, path: String, isHere: Bool)],
        style: String = "choices"
    ) -> HTML {
        ChoiceComponent(label: label, choices: choices, style: style).html
    }

    // MARK: Genres

    var genre: PublicPage {
        PublicPage { try await makeGenre(isShort: false) }
    }

    var shortGenre: PublicPage {
        PublicPage { try await makeGenre(isShort: true) }
    }

    private func makeGenre(isShort: Bool) async throws -> PublicAnswer {
        guard let number = visit.number(visit.request.parameters.last),
            let genre = Genre.numbered(Int(number))
        else { return .nothing }
        let path = GenreLink.path(genre, in: frame)
        guard !isShort, path.removingPercentEncoding == visit.request.path else {
            return .moved(path)
        }
        let kinds = ItemKind.allCases.filter { Genre.root(of: $0) == genre.root }
        let shelf = ShelfComponent(frame: frame)
        var shelves: [HTML] = []
        for kind in kinds {
            for (rank, title) in Self.ranks where rank != .all {
                let items = try await visit.services.storefront.chart(
                    ItemChart(
                        kinds: [kind], rank: rank, genre: genre.id, storefront: frame.storefront),
                    offset: 0, limit: 12, locale: nil)
                let more = frame.path(
                    "charts/\(kind.pathSegment)",
                    [("rank", rank.rawValue), ("genre", String(genre.id))])
                shelves.append(
                    shelf.shelf(
                        "\(rank == .new ? "New" : "Top \(title)") \(kind.pluralTitle)", items,
                        more: more))
            }
        }
        let title = genre.parent == nil ? genre.name : "\(genre.name) – \(genre.root.name)"
        var page = StorefrontPage(
            title,
            [
                .element("h1", genre.name),
                choices(
                    "Genres",
                    genre.children.byName.map { ($0.name, GenreLink.path($0, in: frame), false) }),
                shelves.allSatisfy(\.isNothing)
                    ? .element("p", class: "quiet", "There is nothing here yet.")
                    : .group(shelves),
            ])
        page.summary = "\(title) in \(frame.storefront.nameInSentence)."
        page.section = kinds.first.map(ItemPage.section)
        page.canonical = String(path.dropFirst(frame.environment.pathPrefix.utf8.count))
        page.alternates = Storefront.all.map { other in
            (other, frame.origin + GenreLink.path(genre, in: frame.moved(to: other)))
        }
        return .page(page)
    }
}
