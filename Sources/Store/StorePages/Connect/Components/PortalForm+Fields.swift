import StoreCore

/// A choice of a select, a group of radio buttons or of checkboxes.
package struct PortalOption: Sendable, Hashable {
    package let value: String
    package let title: String
    package let hint: String?

    package init(_ value: String, _ title: String, hint: String? = nil) {
        self.value = value
        self.title = title
        self.hint = hint
    }
}

/// What one types into a line.
package enum PortalInput: String, Sendable {
    case text, email, password, number, date, url
}

extension PortalForm {
    /// A line of text.
    ///
    /// - Parameters:
    ///   - value: what stands in it, where nothing was typed.
    ///   - limit: as many characters as the rules allow; an email address has its own, unless given.
    package func text(
        _ name: String, _ label: String, _ value: String = "", as input: PortalInput = .text,
        hint: String? = nil, isRequired: Bool = false, limit: Int? = nil,
        _ more: [HTML.Attribute] = []
    ) -> HTML {
        var attributes: [HTML.Attribute] = [
            .init("type", input.rawValue), .init("class", "line"),
        ]
        // A password does not come back.
        if input != .password {
            attributes.append(.init("value", typed?[name] ?? value))
        }
        if let limit = limit ?? (input == .email ? EmailAddress.longest : nil) {
            attributes.append(.init("maxlength", String(limit)))
        }
        return field(name, label, hint: hint, isRequired: isRequired) { common in
            .element("input", attributes + common + more)
        }
    }

    /// What goes with the field for the address that one signs in with: password managers
    /// look for a line of text.
    package static let address: [HTML.Attribute] = [
        .init("autocomplete", "username"), .init("inputmode", "email"),
        .init("autocapitalize", "none"), .init("spellcheck", "false"),
        .init("maxlength", String(EmailAddress.longest)),
    ]

    /// The address that the passwords of a form belong to: for password managers, seen by
    /// nobody.
    package static func account(_ email: String) -> HTML {
        .element(
            "input",
            [
                .init("type", "text"), .init("value", email), .init("readonly"),
                .init("autocomplete", "username"), .init("hidden"),
            ])
    }

    /// Several lines of text.
    package func area(
        _ name: String, _ label: String, _ value: String = "", hint: String? = nil,
        isRequired: Bool = false, limit: Int? = nil, rows: Int = 4
    ) -> HTML {
        var attributes: [HTML.Attribute] = [.init("rows", String(rows))]
        if let limit { attributes += [.init("maxlength", String(limit))] }
        return field(name, label, hint: hint, isRequired: isRequired) { common in
            // The line break that browsers drop behind the start.
            .element("textarea", attributes + common, "\n" + (typed?[name] ?? value))
        }
    }

    /// One of several, from a menu.
    package func select(
        _ name: String, _ label: String, _ options: [PortalOption], chosen: String? = nil,
        hint: String? = nil, isRequired: Bool = false
    ) -> HTML {
        let chosen = typed?[name] ?? chosen
        return field(name, label, hint: hint, isRequired: isRequired) { common in
            .element(
                "select", common,
                options.map { option in
                    .element(
                        "option",
                        [.init("value", option.value)]
                            + (option.value == chosen ? [.init("selected")] : []), option.title)
                })
        }
    }

    /// Yes or no. Ticked, the field's value is `true`; otherwise it is not there.
    package func checkbox(
        _ name: String, _ label: String, isOn: Bool, hint: String? = nil
    ) -> HTML {
        choice(
            PortalOption("true", label, hint: hint), name, type: "checkbox", id: Self.id(name),
            isTicked: typed.map { !$0[name].isEmpty } ?? isOn)
    }

    /// Any of several.
    package func checkboxes(
        _ name: String, _ legend: String, _ options: [PortalOption], chosen: Set<String>,
        hint: String? = nil
    ) -> HTML {
        let chosen = typed.map { Set($0.all(name)) } ?? chosen
        return several(name, legend, hint) {
            choices(options, name, type: "checkbox", ticked: { chosen.contains($0.value) })
        }
    }

    /// One of few, all of which are seen.
    package func radios(
        _ name: String, _ legend: String, _ options: [PortalOption], chosen: String?,
        hint: String? = nil
    ) -> HTML {
        let chosen = typed?[name] ?? chosen
        return several(name, legend, hint) {
            choices(options, name, type: "radio", ticked: { $0.value == chosen })
        }
    }

    /// A file of the person's disk, for a form that is sent as `multipart/form-data` or by
    /// the portal's script.
    ///
    /// - Parameter accept: as HTML has it, for example `image/png,image/jpeg`.
    package func file(
        _ name: String, _ label: String, accept: String, hint: String? = nil,
        isRequired: Bool = true, _ more: [HTML.Attribute] = []
    ) -> HTML {
        field(name, label, hint: hint, isRequired: isRequired) { common in
            .element(
                "input", [.init("type", "file"), .init("accept", accept)] + common + more)
        }
    }

    /// Label, control, hint and problem, tied together.
    private func field(
        _ name: String, _ label: String, hint: String?, isRequired: Bool,
        _ control: ([HTML.Attribute]) -> HTML
    ) -> HTML {
        let id = Self.id(name)
        let problem = problem(name)
        var common: [HTML.Attribute] = [.init("id", id), .init("name", name)]
        if isRequired { common.append(.init("required")) }
        common += described(id, hint: hint, problem: problem)
        return .element(
            "div", [.init("class", problem == nil ? "field" : "field wrong")],
            [
                .element(
                    "label", [.init("for", id)],
                    [
                        .text(label),
                        isRequired ? .nothing : .element("span", class: "optional", " (optional)"),
                    ]),
                below(id, hint: hint, problem: problem), control(common),
            ])
    }

    private func described(
        _ id: String, hint: String?, problem: String?, isGroup: Bool = false
    ) -> [HTML.Attribute] {
        let names = [hint.map { _ in "\(id)-hint" }, problem.map { _ in "\(id)-problem" }]
            .compactMap { $0 }
        var attributes: [HTML.Attribute] = []
        if !names.isEmpty {
            attributes.append(.init("aria-describedby", names.joined(separator: " ")))
        }
        // A group as such can't be invalid.
        if problem != nil, !isGroup { attributes.append(.init("aria-invalid", "true")) }
        return attributes
    }

    private func below(_ id: String, hint: String?, problem: String?) -> HTML {
        .group([
            hint.map {
                .element("p", [.init("class", "hint"), .init("id", "\(id)-hint")], $0)
            } ?? .nothing,
            problem.map {
                .element("p", [.init("class", "wrong"), .init("id", "\(id)-problem")], $0)
            } ?? .nothing,
        ])
    }

    private func several(
        _ name: String, _ legend: String, _ hint: String?, _ content: () -> HTML
    ) -> HTML {
        let id = Self.id(name)
        let problem = problem(name)
        return .element(
            "fieldset",
            [.init("class", problem == nil ? "choices" : "choices wrong"), .init("id", id)]
                + described(id, hint: hint, problem: problem, isGroup: true),
            [.element("legend", legend), below(id, hint: hint, problem: problem), content()])
    }

    /// The choices of a group, numbered: the bare identifier is the group's.
    private func choices(
        _ options: [PortalOption], _ name: String, type: String,
        ticked: (PortalOption) -> Bool
    ) -> HTML {
        .group(
            options.enumerated().map { index, option in
                choice(
                    option, name, type: type, id: "\(Self.id(name))-\(index)",
                    isTicked: ticked(option))
            })
    }

    private func choice(
        _ option: PortalOption, _ name: String, type: String, id: String, isTicked: Bool
    ) -> HTML {
        var attributes: [HTML.Attribute] = [
            .init("type", type), .init("id", id), .init("name", name),
            .init("value", option.value),
        ]
        if isTicked { attributes.append(.init("checked")) }
        if option.hint != nil { attributes.append(.init("aria-describedby", "\(id)-hint")) }
        return .element(
            "div", class: "choice",
            [
                .element("input", attributes),
                .element("label", [.init("for", id)], option.title),
                option.hint.map {
                    .element("p", [.init("class", "hint"), .init("id", "\(id)-hint")], $0)
                } ?? .nothing,
            ])
    }
}
