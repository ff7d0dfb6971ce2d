/// A search above a list, sent by GET. With scripts, what stands behind it in the same
/// element is replaced as one types.
package struct PortalSearch: Sendable {
    private let label: String
    private let filters: [(name: String, label: String, options: [PortalOption])]

    /// - Parameter filters: menus beside it; the first option of each has an empty value.
    package init(
        _ label: String,
        filters: [(name: String, label: String, options: [PortalOption])] = []
    ) {
        self.label = label
        self.filters = filters
    }

    package func html(_ call: PortalCall) -> HTML {
        let menus = filters.map { filter in
            let id = "filter-\(filter.name)"
            let chosen = call.query(filter.name)
            return HTML.element(
                "div", class: "filter",
                [
                    .element("label", [.init("for", id)], filter.label),
                    .element(
                        "select", [.init("name", filter.name), .init("id", id)],
                        filter.options.map { option in
                            .element(
                                "option",
                                [.init("value", option.value)]
                                    + (option.value == chosen ? [.init("selected")] : []),
                                option.title)
                        }),
                ])
        }
        let isUsed =
            call.query("search") != nil || filters.contains { call.query($0.name) != nil }
        let sort = call.query("sort").map { HTML.hidden("sort", $0) } ?? .nothing
        return .element(
            "form",
            [
                .init("class", "search"), .init("method", "get"), .init("action", call.path),
                .init("role", "search"), .init("data-filter"),
            ],
            [
                .element(
                    "div", class: "filter wide",
                    [
                        .element("label", [.init("for", "search")], label),
                        .element(
                            "input",
                            [
                                .init("type", "search"), .init("name", "search"),
                                .init("id", "search"), .init("maxlength", "200"),
                                .init("value", call.query("search") ?? ""),
                            ]),
                    ])
            ] + menus + [
                sort, PortalButton("Search").html,
                isUsed ? .buttonLink(call.path, "Show All") : .nothing,
            ])
    }
}

/// Links to the pages of a list.
package struct PortalPaging: Sendable {
    /// As many rows as one page has.
    package static let size = 50

    private let page: Int
    private let total: Int
    private let size: Int

    /// - Parameters:
    ///   - page: from 1.
    ///   - total: as many rows as there are.
    package init(page: Int, total: Int, size: Int = size) {
        self.page = page
        self.total = total
        self.size = size
    }

    package func html(_ call: PortalCall) -> HTML {
        let last = max(1, (total + size - 1) / size)
        guard total > 0 else { return .nothing }
        let first = (page - 1) * size + 1
        let words =
            first > total
            ? "\(total) in all"
            : "\(first)–\(min(page * size, total)) of \(total)"
        func link(_ title: String, _ page: Int, isOpen: Bool) -> HTML {
            guard isOpen else {
                return .element(
                    "span", [.init("class", "button off"), .init("aria-disabled", "true")], title)
            }
            return .buttonLink(
                call.link(changing: [("page", page == 1 ? "" : String(page))]), title)
        }
        return .element(
            "nav", [.init("class", "paging"), .init("aria-label", "Pages")],
            [
                .element("p", words),
                last > 1
                    ? .group([
                        link("Previous", min(page, last + 1) - 1, isOpen: page > 1),
                        link("Next", page + 1, isOpen: page < last),
                    ]) : .nothing,
            ])
    }
}

/// Views of one thing, one page each.
package struct PortalTabs: Sendable {
    private let label: String
    private let tabs: [(title: String, path: String)]

    package init(_ label: String, _ tabs: [(title: String, path: String)]) {
        self.label = label
        self.tabs = tabs
    }

    /// - Parameter current: the path of the one that is shown.
    package func html(current: String) -> HTML {
        .element(
            "nav", [.init("class", "tabs"), .init("aria-label", label)],
            [
                .element(
                    "ul", [],
                    tabs.map { tab in
                        var attributes = [HTML.Attribute("href", tab.path)]
                        if tab.path == current {
                            attributes.append(.init("aria-current", "page"))
                        }
                        return .element("li", [], [.element("a", attributes, tab.title)])
                    })
            ])
    }
}
