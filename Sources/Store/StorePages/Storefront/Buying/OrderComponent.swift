import StoreCore

/// What a customer is about to get, or has got, in one line.
struct OrderComponent {
    let item: StorefrontItem
    let frame: StorefrontFrame
    /// Empty for none.
    let price: String

    var html: HTML {
        .element(
            "div", class: "order",
            [
                ArtworkComponent(item: item, links: frame.links).html(side: 80, isFirst: true),
                .element(
                    "div", class: "words",
                    [
                        .element("p", class: "name", [.foreign(item.text.title)]),
                        .element(
                            "p", class: "by",
                            [
                                .text(item.kind.title), .text(" · "),
                                .foreign(item.artist?.name ?? item.sellerName),
                            ]),
                    ]),
                price.isEmpty ? .nothing : .element("p", class: "amount", price),
            ])
    }
}
