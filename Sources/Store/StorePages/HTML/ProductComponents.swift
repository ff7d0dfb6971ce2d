import StoreCore
import StoreModel
import StoreTexts

/// How pages show a product and what belongs to it.
enum ProductComponents {
    static func item(
        _ product: PromptProduct, quantity: Int, price: String, in texts: Texts
    ) -> HTML {
        let title = HTML.foreign(product.title, locale: product.locale)
        let name =
            quantity == 1
            ? title
            : texts.times(quantity: .text(texts.number(quantity)), product: title)
        return .element(
            "section", [.init("class", "item"), .init("aria-label", texts.whatYouGet)],
            [
                .element(
                    "div", [],
                    [
                        .element("p", class: "name", [name]),
                        product.description.isEmpty
                            ? .nothing
                            : .element(
                                "p", class: "about",
                                [.foreign(product.description, locale: product.locale)]),
                    ]),
                .element("p", class: "price", [.foreign(price)]),
            ])
    }

    /// What is said before a subscription; nothing for what does not renew.
    static func renewal(of product: PromptProduct, price: String, in texts: Texts) -> HTML {
        guard let renewal = product.renewal else { return .nothing }
        let way = texts.howToCancel
        let link: HTML =
            product.cancellationPath.map { path in
                // In a tab of its own: the question stays where it is.
                .element(
                    "a",
                    [
                        .init("href", path), .init("target", "_blank"),
                        .init("rel", "noopener"),
                    ], way)
            } ?? .text(way)
        let terms = texts.terms(of: renewal, price: price).map {
            ($0.label, HTML.foreign($0.value))
        }
        return facts(terms + [(texts.cancellation, link)])
    }

    /// What is said where nothing is charged now.
    static func charge(
        for product: PromptProduct, in storefront: Storefront, _ texts: Texts
    ) -> HTML {
        texts.sentence(of: product.charge, in: storefront.locale, storefront.currency)
            .map { .element("p", class: "note", [.text($0)]) } ?? .nothing
    }

    /// One line of names and values.
    static func facts(_ facts: [(name: String, value: HTML)]) -> HTML {
        .element(
            "dl", class: "facts",
            facts.map { fact in
                .element(
                    "div", [],
                    [.element("dt", fact.name), .element("dd", [], [fact.value])])
            })
    }
}
