import StoreCore
import StoreModel

/// Rows and tiles of items.
struct ShelfComponent {
    let frame: StorefrontFrame

    /// A heading with a row of tiles, which is moved sideways; nothing where there are none.
    ///
    /// - Parameter more: where there are more of them.
    func shelf(_ title: String, _ items: [StorefrontItem], more: String? = nil) -> HTML {
        guard !items.isEmpty else { return .nothing }
        return .element(
            "section", [.init("class", "shelf")],
            [
                heading(title, more: more), frame.leavingNote,
                .element(
                    "ul", [.init("class", "tiles")],
                    items.map { .element("li", [], [tile($0)]) }),
            ])
    }

    func heading(_ title: String, more: String? = nil) -> HTML {
        .element(
            "div", class: "heading",
            [
                .element("h2", title),
                more.map { path in
                    frame.link(
                        path, class: "more",
                        [
                            .text(frame.texts.seeAll),
                            .element("span", class: "unseen", ": \(title)"),
                        ])
                } ?? .nothing,
            ])
    }

    private func tile(_ item: StorefrontItem) -> HTML {
        frame.link(
            frame.links.page(of: item), class: "tile",
            [
                ArtworkComponent(item: item, links: frame.links).html(side: 160),
                .element("span", class: "name", [.foreign(item.text.title)]),
                .element("span", class: "by", [by(item)]),
                .element("span", class: "price", price(item)),
            ])
    }

    private func price(_ item: StorefrontItem) -> String {
        item.price.map { StorefrontFormatting.price($0, in: item.storefront, frame.texts) } ?? ""
    }

    /// Who made it; of an app, what it is.
    private func by(_ item: StorefrontItem) -> HTML {
        if let artist = item.artist { return .foreign(artist.name) }
        if let genre = item.item.details.genres.first.flatMap(Genre.numbered) {
            return .text(genre.name)
        }
        return .foreign(item.sellerName)
    }

    /// Items below one another, each with its button.
    ///
    /// - Parameter firstRank: the place of the first one in a list of the best; nil where the
    ///   order means nothing.
    func rows(_ items: [StorefrontItem], firstRank: Int? = nil) -> HTML {
        let rows = items.enumerated().map { index, item in
            HTML.element("li", class: "row", row(item, rank: firstRank.map { $0 + index }))
        }
        return firstRank == nil
            ? .element("ul", class: "rows", rows) : .element("ol", class: "rows ranked", rows)
    }

    private func row(_ item: StorefrontItem, rank: Int?) -> [HTML] {
        [
            rank.map {
                .element(
                    "span", [.init("class", "rank"), .init("aria-hidden", "true")], String($0))
            } ?? .nothing,
            .element(
                "a",
                [.init("class", "what"), .init("href", frame.links.page(of: item))],
                [
                    ArtworkComponent(item: item, links: frame.links).html(side: 64),
                    .element(
                        "span", class: "words",
                        [
                            .element("span", class: "name", [.foreign(item.text.title)]),
                            .element(
                                "span", class: "by",
                                [
                                    .text(frame.texts.title(of: item.kind)), .text(" · "), by(item),
                                ]),
                            StarComponent.line(item.rating, frame.texts),
                        ]),
                ]),
            OfferComponent(frame: frame).html(item),
        ]
    }
}
