import StoreCore
import StoreModel
import StoreTexts

/// The page of an item, in the storefront or shown by an app: values in, HTML out.
package struct ItemPage: Sendable {
    package let frame: StorefrontFrame
    package let item: StorefrontItem
    package var content = ItemPageContent()
    package var reviews: [CustomerReview] = []
    /// As many reviews as there are on all pages.
    package var reviewCount = 0
    package var order = ReviewOrder.mostHelpful
    /// From 1 on.
    package var reviewPage = 1
    /// As many reviews as a page has.
    package static let reviewsPerPage = 10

    package init(frame: StorefrontFrame, item: StorefrontItem) {
        self.frame = frame
        self.item = item
    }

    private var links: StorefrontLinks { frame.links }
    private var path: String { frame.page(of: item) }
    private var words: Texts { frame.texts }
    private var opinion: OpinionComponents { OpinionComponents(texts: words) }

    /// The address with the texts of the country, whatever language a link has asked for.
    private var canonical: String {
        let storefront = item.storefront
        let title = item.item.details.text(locale: storefront.locale).title
        return String(
            links.page(of: item.item, title: title, in: storefront)
                .dropFirst(frame.environment.pathPrefix.utf8.count))
    }

    package var page: StorefrontPage {
        var page = StorefrontPage(title, [product, shelves])
        guard frame.app == nil else { return page }
        page.summary =
            [item.text.shortDescription, item.text.subtitle, item.text.description]
            .first { !$0.isEmpty } ?? ""
        page.canonical = canonical
        page.alternates = alternates
        page.picture = item.artwork.map {
            frame.outerLinks.artwork($0, width: 1200, height: 630)
        }
        page.graphType = graphType
        page.structuredData = [ItemStructuredData(page: self).data]
        page.section = Self.section(of: item.kind)
        return page
    }

    private var product: HTML {
        // A page in a tab of its own, of which an app would not know whether it is looked at.
        let opens = frame.app == nil
        let previews = ItemPreviews(item: item, links: links, texts: words)
        let texts = ItemTexts(item: item, texts: words, versions: content.versions)
        let offers = OfferComponent(frame: frame)
        let parts = ItemParts(parts: content.parts, frame: frame) { offers.html($0) }
        return .element(
            "article", class: "product",
            [
                ItemHero(item: item, frame: frame, offer: offers.html(item, isLarge: true)).html,
                previews.gallery(of: .screenshot, words.screenshots, opens: opens),
                previews.gallery(of: .tabletScreenshot, words.tabletScreenshots, opens: opens),
                previews.players, parts.html, texts.description, texts.news,
                ItemPurchases(
                    purchases: content.purchases, storefront: item.storefront, texts: words
                ).html,
                opinions, ItemFactList(item: item, frame: frame).html,
            ])
    }

    private var title: String {
        guard frame.app == nil, let artist = item.artist else { return item.text.title }
        return "\(item.text.title) by \(artist.name)"
    }

    private var graphType: String {
        switch item.kind {
        case .ebook: "book"
        case .song: "music.song"
        case .album: "music.album"
        case .movie, .shortFilm: "video.movie"
        case .tvEpisode: "video.episode"
        case .musicVideo: "video.other"
        default: "website"
        }
    }

    /// The segment of the kind that the navigation marks.
    static func section(of kind: ItemKind) -> String {
        switch kind {
        case .song, .musicVideo: "album"
        case .tvEpisode: "tv-season"
        default: kind.pathSegment
        }
    }

    private var alternates: [(storefront: Storefront, address: String)] {
        Storefront.all.compactMap { other in
            guard item.item.details.prices.price(in: other) != nil else { return nil }
            let title = item.item.details.text(locale: other.locale).title
            return (other, frame.outerLinks.page(of: item.item, title: title, in: other))
        }
    }

    // MARK: Opinions

    private var opinions: HTML {
        .element(
            "section", [.init("class", "opinions"), .init("id", "reviews")],
            [
                .element("h2", words.ratingsAndReviews), opinion.summary(item.rating),
                .slot(.review, writeLink), .slot(.votes, signInToVote), sorting,
                reviews.isEmpty
                    ? .nothing
                    : .element(
                        "ul", class: "reviews",
                        reviews.map { review in
                            .element(
                                "li", [],
                                opinion.review(review, votes: opinion.votes(review)))
                        }), paging,
            ])
    }

    private var writeLink: HTML {
        .element(
            "p", class: "own",
            [
                .element(
                    "a",
                    [.init("class", "button"), .init("href", frame.review(of: item.id))],
                    words.writeYourReview)
            ])
    }

    /// What the buttons for votes lead to where nobody is signed in.
    private var signInToVote: HTML {
        guard !reviews.isEmpty else { return .nothing }
        return .element(
            "form",
            [
                .init("id", OpinionComponents.votesForm), .init("method", "get"),
                .init("action", frame.account),
            ],
            [PageForm.hidden("next", frame.app?.reviews ?? path)])
    }

    private var sorting: HTML {
        guard reviewCount > 1 else { return .nothing }
        return .element(
            "nav", [.init("class", "choices"), .init("aria-label", words.orderOfReviews)],
            [
                .element(
                    "ul", [],
                    ReviewOrder.allCases.map { order in
                        .element("li", [], [choice(order)])
                    })
            ])
    }

    private func choice(_ choice: ReviewOrder) -> HTML {
        .element(
            "a",
            [.init("href", reviewPath(choice, 1))]
                + (choice == order ? [.init("aria-current", "true")] : []), words.title(of: choice))
    }

    private func reviewPath(_ order: ReviewOrder, _ page: Int) -> String {
        PortalLink(
            path,
            [
                ("sort", order == .mostHelpful ? "" : order.rawValue),
                ("page", page == 1 ? "" : String(page)),
            ]
        ).text + "#reviews"
    }

    private var paging: HTML {
        PaginationComponent(
            page: reviewPage, pages: (reviewCount + Self.reviewsPerPage - 1) / Self.reviewsPerPage,
            label: words.pagesOfReviews, texts: words
        ).html { reviewPath(order, $0) }
    }

    // MARK: What else there is

    private var shelves: HTML {
        let shelf = ShelfComponent(frame: frame)
        return .group([
            shelf.shelf(
                item.artist.map { words.moreByMaker(maker: $0.name) } ?? words.otherItems,
                content.others,
                more: item.artist.map { links.page(of: $0, in: frame.storefront) }),
            shelf.shelf(words.mightAlsoLike, content.related),
        ])
    }
}
