import StoreCore
import StoreModel
import StoreTexts

/// The top of a product's page: picture, names, stars, and what it takes to get it.
struct ItemHero {
    let item: StorefrontItem
    let frame: StorefrontFrame
    /// The button that gets it.
    let offer: HTML
    /// Pixels of the style sheet.
    private static let side = 240
    /// Characters of a title that are set large.
    private static let longTitle = 70

    private var links: StorefrontLinks { frame.links }
    private var texts: Texts { frame.texts }

    init(item: StorefrontItem, frame: StorefrontFrame, offer: HTML) {
        self.item = item
        self.frame = frame
        self.offer = offer
    }

    var html: HTML {
        .element(
            "header", class: "hero",
            [
                glow,
                ArtworkComponent(item: item, links: links).html(side: Self.side, isFirst: true),
                .element(
                    "div", class: "names",
                    [
                        .element("p", class: "kind", kind),
                        .element(
                            "h1",
                            item.text.title.count > Self.longTitle ? [.init("class", "long")] : [],
                            [.foreign(item.text.title, locale: item.textLocale)]),
                        item.text.subtitle.isEmpty
                            ? .nothing
                            : .element("p", class: "subtitle", [.foreign(item.text.subtitle)]),
                        maker, whole, badges,
                        .element("div", class: "getting", [offer, rental]),
                    ]),
            ])
    }

    /// The picture once more, blurred, as light behind the page's top.
    private var glow: HTML {
        guard let artwork = item.artwork else { return .nothing }
        return .element(
            "img",
            [
                .init("class", "glow"), .init("alt"), .init("decoding", "async"),
                .init("src", links.artwork(artwork, width: 100, height: 100)),
            ])
    }

    private var kind: [HTML] {
        var pieces: [HTML] = [.text(texts.title(of: item.kind))]
        if let genre = item.item.details.genres.first.flatMap(Genre.numbered),
            genre.parent != nil
        {
            pieces.append(.text(" · "))
            pieces.append(frame.link(GenreLink.path(genre, in: frame), [.text(genre.name)]))
        }
        return pieces
    }

    private var maker: HTML {
        guard let artist = item.artist else {
            return .element("p", class: "maker", [.foreign(item.sellerName)])
        }
        return .element(
            "p", class: "maker",
            [
                frame.link(
                    links.page(of: artist, in: frame.storefront), [.foreign(artist.name)])
            ])
    }

    /// The album or season that it is a part of.
    private var whole: HTML {
        guard let parent = item.parent else { return .nothing }
        let page = links.page(
            of: parent.item, title: parent.text.title, in: frame.storefront)
        return .element(
            "p", class: "whole",
            [texts.fromWhole(title: frame.link(page, [.foreign(parent.text.title)]))])
    }

    private var badges: HTML {
        var badges: [HTML] = []
        if let average = item.rating.average {
            let count = item.rating.total
            badges.append(
                .element(
                    "li", [],
                    [
                        .element("strong", StorefrontFormatting.average(average)), .text(" "),
                        StarComponent.stars(average, texts), .text(" "),
                        .element(
                            "span", class: "count",
                            texts.ratings(count: count)),
                    ]))
        }
        if let rating = item.item.details.facts.advisoryRating, !rating.isEmpty {
            badges.append(.element("li", class: "badge", [.foreign(rating)]))
        }
        switch item.item.details.explicitness {
        case .explicit: badges.append(.element("li", class: "badge", texts.explicitContent))
        case .cleaned: badges.append(.element("li", class: "badge", texts.cleanContent))
        case .notExplicit: break
        }
        return badges.isEmpty ? .nothing : .element("ul", class: "badges", badges)
    }

    private var rental: HTML {
        guard let price = item.rentalPrice else { return .nothing }
        return .element(
            "p", class: "rental",
            [
                .text(
                    texts.rentalPriceIs(
                        price: StorefrontFormatting.price(price, in: item.storefront, texts)))
            ]
        )
    }
}

extension StorefrontItem {
    /// What the shown text is written in; nil if unknown.
    var textLocale: String? { item.details.texts.first { $0.value == text }?.key }
}

/// Where a genre's page is.
enum GenreLink {
    static func path(_ genre: Genre, in frame: StorefrontFrame) -> String {
        frame.path("genre/\(StorefrontLinks.slug(genre.name))/id\(genre.id)")
    }
}

extension [Genre] {
    /// In the order in which people look for a name.
    var byName: [Genre] { sorted { $0.name < $1.name } }
}
