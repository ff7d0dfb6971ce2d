/// A list as a table: with a caption, headings that sort, a search, pages, and a sentence
/// where there is nothing. On a phone each row becomes a card.
///
/// ```swift
/// PortalTable(
///     "Testers", columns: [.init("Email", sort: "email"), .init("Purchases", isNumber: true)],
///     rows: testers.map { [.link(path(of: $0), $0.email), .text("\($0.purchases)")] },
///     none: ("No testers yet", "A tester buys in the sandbox, without money."))
///     .html(call)
/// ```
package struct PortalTable: Sendable {
    package struct Column: Sendable {
        package let title: String
        /// What the query's `sort` says for it; nil where it can't be sorted by.
        package let sort: String?
        package let isNumber: Bool

        package init(_ title: String, sort: String? = nil, isNumber: Bool = false) {
            self.title = title
            self.sort = sort
            self.isNumber = isNumber
        }
    }

    /// What the table is of, read out with it.
    package var caption: String
    package var columns: [Column]
    /// The first piece of each row names it.
    package var rows: [[HTML]]
    /// What is said where there are no rows.
    package var none: (title: String, text: String)
    /// Whether rows stay rows on phones, and the table scrolls instead: for many numbers.
    package var staysTable = false

    package init(
        _ caption: String, columns: [Column], rows: [[HTML]],
        none: (title: String, text: String), staysTable: Bool = false
    ) {
        self.caption = caption
        self.columns = columns
        self.rows = rows
        self.none = none
        self.staysTable = staysTable
    }

    /// - Parameter call: for links that sort; nil where nothing sorts.
    package func html(_ call: PortalCall? = nil) -> HTML {
        guard !rows.isEmpty else {
            return .element(
                "div", class: "empty",
                [.element("p", class: "title", none.title), .element("p", none.text)])
        }
        let table = HTML.element(
            "table",
            [.init("class", staysTable ? "numbers" : "cards"), .init("role", "table")],
            [
                .element("caption", [.init("class", "unseen")], caption),
                .element(
                    "thead", [.init("role", "rowgroup")],
                    [.element("tr", [.init("role", "row")], columns.map { heading($0, call) })]),
                .element("tbody", [.init("role", "rowgroup")], rows.map(row)),
            ])
        return .element(
            "div",
            [
                .init("class", "scroll"), .init("role", "region"), .init("tabindex", "0"),
                .init("aria-label", caption),
            ], [table])
    }

    /// How a query says what to sort by: the name of a column, `-` before it for downwards.
    package static func order(_ text: String?) -> (column: String, isDescending: Bool)? {
        guard let text, !text.isEmpty else { return nil }
        return text.dropping(prefix: "-").map { (String($0), true) } ?? (text, false)
    }

    private func heading(_ column: Column, _ call: PortalCall?) -> HTML {
        var attributes: [HTML.Attribute] = [
            .init("scope", "col"), .init("role", "columnheader"),
        ]
        if column.isNumber { attributes.append(.init("class", "number")) }
        guard let sort = column.sort, let call else {
            return .element("th", attributes, column.title)
        }
        let order = Self.order(call.query("sort"))
        let isThis = order?.column == sort
        let isDown = isThis && order?.isDescending == true
        if isThis {
            attributes.append(.init("aria-sort", isDown ? "descending" : "ascending"))
        }
        let next = isThis && !isDown ? "-\(sort)" : sort
        return .element(
            "th", attributes,
            [
                .link(
                    call.link(changing: [("sort", next), ("page", "")]),
                    [
                        .text(column.title),
                        isThis
                            ? .element(
                                "span", [.init("aria-hidden", "true")], isDown ? " ↓" : " ↑")
                            : .nothing,
                    ])
            ])
    }

    private func row(_ cells: [HTML]) -> HTML {
        .element(
            "tr", [.init("role", "row")],
            zip(columns, cells).enumerated().map { index, pair in
                let (column, cell) = pair
                var attributes = [HTML.Attribute("data-label", column.title)]
                if column.isNumber { attributes.append(.init("class", "number")) }
                return index == 0
                    ? .element(
                        "th", attributes + [.init("scope", "row"), .init("role", "rowheader")],
                        [cell])
                    : .element("td", attributes + [.init("role", "cell")], [cell])
            })
    }
}
