import StoreCore
import StoreModel

/// Searching.
struct FindPages: Sendable {
    private static let perPage = 24
    private static let lastPage = 20
    private static let termLimit = 200

    let visit: StorefrontVisit
    private var frame: StorefrontFrame { visit.frame }

    init(_ visit: StorefrontVisit) {
        self.visit = visit
    }

    /// What can be searched for alone.
    private static let kinds: [(segment: String, title: String)] = [
        ("", "Everything"), ("app", "Apps"), ("book", "Books"), ("album", "Albums"),
        ("song", "Songs"), ("music-video", "Music Videos"), ("movie", "Films"),
        ("tv-season", "TV Seasons"), ("tv-episode", "Episodes"), ("podcast", "Podcasts"),
        ("audiobook", "Audiobooks"),
    ]

    var page: PublicPage {
        let term = String(visit.query("term").prefix(Self.termLimit))
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let asked = visit.query("kind")
        let segment = StorefrontPageTable.kinds.contains(asked) ? asked : ""
        let number = visit.number("page", in: 1...Self.lastPage)
        return PublicPage(variant: [term, segment, String(number)]) {
            try await make(term, segment, number)
        }
    }

    private func make(
        _ term: String, _ segment: String, _ number: Int
    ) async throws -> PublicAnswer {
        guard !term.isEmpty else {
            var page = StorefrontPage("Search", [form(term), empty("What are you looking for?")])
            page.returnPath = frame.path("find")
            return .page(page)
        }
        let kinds =
            segment.isEmpty
            ? Set(ItemKind.allCases) : StorefrontPageTable.kinds(of: segment)
        var query = ItemQuery(
            term: term, kinds: kinds, storefront: frame.storefront,
            offset: (number - 1) * Self.perPage, limit: Self.perPage + 1)
        let items = try await visit.services.storefront.search(query, locale: nil)
        var artists: [Artist] = []
        if segment.isEmpty, number == 1 {
            query.offset = 0
            query.limit = 4
            artists = try await visit.services.storefront.searchArtists(query)
        }
        func path(_ segment: String, _ page: Int) -> String {
            frame.path(
                "find",
                [("term", term), ("kind", segment), ("page", page == 1 ? "" : String(page))])
        }
        var page = StorefrontPage(
            "Search for “\(term)”",
            [
                form(term),
                ChoiceComponent(
                    label: "Kinds of results",
                    choices: Self.kinds.map {
                        ($0.title, path($0.segment, 1), $0.segment == segment)
                    }
                ).html,
                makers(artists),
                items.isEmpty
                    ? empty("Nothing was found. Try fewer words, or others.")
                    : ShelfComponent(frame: frame).rows(Array(items.prefix(Self.perPage))),
                PaginationComponent(
                    page: number,
                    pages: items.count > Self.perPage && number < Self.lastPage
                        ? number + 1 : number,
                    isOpen: true, label: "Pages of results"
                ).html { path(segment, $0) },
            ])
        page.returnPath = path(segment, number)
        return .page(page, term: term)
    }

    private func form(_ term: String) -> HTML {
        .element("h1", [], [.text(term.isEmpty ? "Search" : "Results for "), quoted(term)])
    }

    private func quoted(_ term: String) -> HTML {
        term.isEmpty ? .nothing : .group([.text("“"), .foreign(term), .text("”")])
    }

    private func empty(_ text: String) -> HTML {
        .element("p", [.init("class", "quiet"), .init("role", "status")], text)
    }

    private func makers(_ artists: [Artist]) -> HTML {
        guard !artists.isEmpty else { return .nothing }
        return .element(
            "ul", [.init("class", "makers"), .init("aria-label", "Artists")],
            artists.map { artist in
                .element(
                    "li", [],
                    [
                        .element(
                            "a",
                            [.init("href", frame.links.page(of: artist, in: frame.storefront))],
                            [
                                .element("span", class: "name", [.foreign(artist.name)]),
                                .element("span", class: "by", artist.type.rawValue),
                            ])
                    ])
            })
    }
}
