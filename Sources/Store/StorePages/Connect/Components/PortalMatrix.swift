/// Many fields of one kind, a row for each thing: prices by territory, for example.
///
/// The table stays a table on phones, and scrolls within its frame.
package struct PortalMatrix: Sendable {
    private let caption: String
    private let columns: [String]
    private let rows: [(name: String, hint: String?, cells: [HTML])]

    /// - Parameters:
    ///   - columns: the headings, that of the rows' names first.
    ///   - rows: for each heading but the first one piece; fields come from
    ///     `PortalForm.cell`.
    package init(
        _ caption: String, columns: [String],
        rows: [(name: String, hint: String?, cells: [HTML])]
    ) {
        self.caption = caption
        self.columns = columns
        self.rows = rows
    }

    package var html: HTML {
        .element(
            "div",
            [
                .init("class", "scroll"), .init("role", "region"), .init("tabindex", "0"),
                .init("aria-label", caption),
            ],
            [
                .element(
                    "table", class: "matrix",
                    [
                        .element("caption", [.init("class", "unseen")], caption),
                        .element(
                            "thead", [],
                            [
                                .element(
                                    "tr", [],
                                    columns.map {
                                        .element("th", [.init("scope", "col")], $0)
                                    })
                            ]),
                        .element("tbody", [], rows.map(row)),
                    ])
            ])
    }

    private func row(_ row: (name: String, hint: String?, cells: [HTML])) -> HTML {
        .element(
            "tr", [],
            [
                .element(
                    "th", [.init("scope", "row")],
                    [
                        .text(row.name),
                        row.hint.map { .element("span", class: "quiet", " \($0)") } ?? .nothing,
                    ])
            ] + row.cells.map { .element("td", [], [$0]) })
    }
}

extension PortalForm {
    /// A field without a label of its own, for a matrix.
    ///
    /// - Parameter label: what is read out, for example `Price in Germany`.
    package func cell(
        _ name: String, label: String, _ value: String, limit: Int = 20
    ) -> HTML {
        let problem = problem(name)
        var attributes: [HTML.Attribute] = [
            .init("type", "text"), .init("class", "line"), .init("id", Self.id(name)),
            .init("name", name), .init("value", typed?[name] ?? value),
            .init("aria-label", label), .init("maxlength", String(limit)),
            .init("autocomplete", "off"),
        ]
        guard let problem else { return .element("input", attributes) }
        attributes += [
            .init("aria-invalid", "true"), .init("aria-describedby", "\(Self.id(name))-problem"),
        ]
        return .group([
            .element("input", attributes),
            .element(
                "p", [.init("class", "wrong"), .init("id", "\(Self.id(name))-problem")], problem),
        ])
    }

    /// A form with files, sent as one body: with scripts by PUT to another address, with its
    /// progress; see `PortalVisit.files`.
    ///
    /// - Parameters:
    ///   - action: where it goes without scripts, by POST.
    ///   - upload: where the script puts the bytes of the file; nil for no script.
    package func uploading(_ action: String, upload: String? = nil, _ content: [HTML]) -> HTML {
        var attributes: [HTML.Attribute] = [
            .init("method", "post"), .init("class", "form"), .init("action", action),
            .init("enctype", "multipart/form-data"),
        ]
        if let upload { attributes.append(.init("data-upload", upload)) }
        return .element("form", attributes, [summary, .formToken(token)] + content)
    }
}
