import StoreCore

/// How pages show a product and what belongs to it.
enum ProductPieces {
    static func item(_ product: PromptProduct, quantity: Int, price: String) -> HTML {
        let name = [
            quantity == 1 ? HTML.nothing : .text("\(quantity) × "),
            .foreign(product.title, locale: product.locale),
        ]
        return .element(
            "section", [.init("class", "item"), .init("aria-label", "What you get")],
            [
                .element(
                    "div", [],
                    [
                        .element("p", class: "name", name),
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
    static func renewal(of product: PromptProduct, price: String) -> HTML {
        guard let renewal = product.renewal else { return .nothing }
        return facts(renewal.facts(price: price).map { (name: $0.label, value: $0.value) })
    }

    /// One line of names and values.
    static func facts(_ facts: [(name: String, value: String)]) -> HTML {
        .element(
            "dl", class: "facts",
            facts.map { fact in
                .element(
                    "div", [],
                    [.element("dt", fact.name), .element("dd", [], [.foreign(fact.value)])])
            })
    }
}
