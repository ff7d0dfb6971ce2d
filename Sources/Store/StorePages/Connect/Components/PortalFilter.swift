/// Menus above a list, sent by GET, for lists without a search.
package struct PortalFilter: Sendable {
    package struct Menu: Sendable {
        package let name: String
        package let label: String
        package let options: [PortalOption]
        /// Of an option; the first one where it is of none.
        package let chosen: String

        package init(_ name: String, _ label: String, _ options: [PortalOption], chosen: String) {
            self.name = name
            self.label = label
            self.options = options
            self.chosen = chosen
        }
    }

    private let menus: [Menu]

    package init(_ menus: [Menu]) {
        self.menus = menus
    }

    package func html(_ call: PortalCall) -> HTML {
        .element(
            "form",
            [
                .init("class", "search"), .init("method", "get"), .init("action", call.path),
                .init("data-filter"),
            ], menus.map(html) + [PortalButton("Show").html])
    }

    private func html(_ menu: Menu) -> HTML {
        let id = "filter-\(menu.name)"
        return .element(
            "div", class: "filter",
            [
                .element("label", [.init("for", id)], menu.label),
                .element(
                    "select", [.init("name", menu.name), .init("id", id)],
                    menu.options.map { option in
                        .element(
                            "option",
                            [.init("value", option.value)]
                                + (option.value == menu.chosen ? [.init("selected")] : []),
                            option.title)
                    }),
            ])
    }
}
