import StoreCore

/// A form of the portal: with the token, what was typed before, and what was wrong with it.
///
/// ```swift
/// let form = PortalForm(call)                          // as it is first shown
/// form.html(
///     "/connect/sandbox/testers",
///     [
///         form.text("email", "Email", hint: "Never used before.", isRequired: true),
///         form.select("territory", "Territory", options, chosen: "USA"),
///         form.actions("Add Tester", cancel: "/connect/sandbox"),
///     ])
/// ```
/// Where the rules refuse, `PortalCall.submit` makes the form again, with every value as it
/// was typed, a summary of what was wrong, and each sentence beside its field. A field is
/// found by the refusal's `field`, so name fields as the API names attributes.
///
/// Of several forms of a page, only the one that was sent may be made so. Any other would take
/// its values from fields that nobody sent, and show itself empty: give it `PortalForm(call)`.
package struct PortalForm: Sendable {
    let token: String
    /// What was typed; nil where the form is shown for the first time.
    package let typed: FormFields?
    package let refusals: [ConnectRefusal]

    package init(_ call: PortalCall, refusals: [ConnectRefusal] = []) {
        self.init(call.visit, refusals: refusals)
    }

    package init(_ visit: PortalVisit, refusals: [ConnectRefusal] = []) {
        self.init(
            token: visit.formToken, typed: refusals.isEmpty ? nil : visit.form,
            refusals: refusals)
    }

    package init(token: String, typed: FormFields? = nil, refusals: [ConnectRefusal] = []) {
        self.token = token
        self.typed = typed
        self.refusals = refusals
    }

    /// The form.
    ///
    /// - Parameters:
    ///   - action: where it goes; nil for the page's own address.
    ///   - warnsUnsaved: whether leaving the page with something typed asks first.
    package func html(
        _ action: String?, _ content: [HTML], warnsUnsaved: Bool = true
    ) -> HTML {
        var attributes = [HTML.Attribute("method", "post"), .init("class", "form")]
        if let action { attributes.append(.init("action", action)) }
        if warnsUnsaved { attributes.append(.init("data-unsaved")) }
        return .element("form", attributes, [summary, .formToken(token)] + content)
    }

    /// A form that is one button.
    ///
    /// - Parameters:
    ///   - fields: what goes along.
    ///   - question: asked before it is sent, where scripts run; where a mistake would be
    ///     dear, lead to a page with `PortalConfirmation` instead.
    package func button(
        _ title: String, to action: String, _ fields: [(name: String, value: String)] = [],
        look: PortalButton.Look = .plain, question: String? = nil
    ) -> HTML {
        var attributes: [HTML.Attribute] = [
            .init("method", "post"), .init("class", "inline"), .init("action", action),
        ]
        if let question { attributes.append(.init("data-confirm", question)) }
        return .element(
            "form", attributes,
            [.formToken(token)] + fields.map { .hidden($0.name, $0.value) } + [
                PortalButton(title, look).html
            ])
    }

    /// The buttons at the end.
    package func actions(
        _ title: String, cancel: String? = nil, look: PortalButton.Look = .primary
    ) -> HTML {
        .element(
            "div", class: "actions",
            [
                PortalButton(title, look).html,
                cancel.map { .buttonLink($0, "Cancel") } ?? .nothing,
            ])
    }

    /// What was wrong, at the top, which gets the focus.
    var summary: HTML {
        guard !refusals.isEmpty else { return .nothing }
        return .element(
            "div",
            [
                .init("class", "notice bad summary"), .init("role", "alert"),
                .init("tabindex", "-1"), .init("autofocus"), .init("aria-labelledby", "summary"),
            ],
            [
                .element(
                    "h2", [.init("id", "summary")],
                    refusals.count == 1
                        ? "There is a problem" : "There are \(refusals.count) problems"),
                .element(
                    "ul", [],
                    refusals.map { refusal in
                        let text = "\(refusal.problem) \(refusal.help)"
                        return .element(
                            "li", [],
                            [
                                refusal.field.map { .link("#\(Self.id($0))", text) }
                                    ?? .text(text)
                            ])
                    }),
            ])
    }

    /// What was wrong, as sentences of the page, where the form itself is not shown: a button's,
    /// or one that the state has closed.
    var notices: HTML {
        .group(refusals.map { PortalNotice(.bad, $0.description, isNews: true).html })
    }

    /// What is wrong with a field; nil for nothing.
    func problem(_ name: String) -> String? {
        let sentences = refusals.filter { $0.field == name }
            .map { "\($0.problem) \($0.help)" }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    /// A field's identifier on the page.
    static func id(_ name: String) -> String { "field-\(name)" }

    /// A fieldset with a heading.
    package func group(_ title: String, hint: String? = nil, _ content: [HTML]) -> HTML {
        .element(
            "fieldset", [],
            [
                .element("legend", title),
                hint.map { .element("p", class: "hint", $0) } ?? .nothing,
            ] + content)
    }
}

/// A button that sends a form.
package struct PortalButton: Sendable {
    package enum Look: String, Sendable {
        case plain, primary, danger
    }

    private let title: String
    private let look: Look
    private let value: (name: String, value: String)?

    /// - Parameter value: what the form says when this button is pressed.
    package init(
        _ title: String, _ look: Look = .plain, value: (name: String, value: String)? = nil
    ) {
        self.title = title
        self.look = look
        self.value = value
    }

    package var html: HTML {
        var attributes: [HTML.Attribute] = [
            .init("type", "submit"),
            .init("class", look == .plain ? "button" : "button \(look.rawValue)"),
        ]
        if let value {
            attributes += [.init("name", value.name), .init("value", value.value)]
        }
        return .element("button", attributes, title)
    }
}

extension HTML {
    /// A field that nobody sees.
    package static func hidden(_ name: String, _ value: String) -> HTML {
        .element(
            "input",
            [.init("type", "hidden"), .init("name", name), .init("value", value)])
    }
}

extension PortalVisit {
    /// Does what a form asks for; what the rules refuse brings the form back, with 422.
    package func submit(
        _ body: () async throws -> PortalAnswer,
        again: (PortalForm) async throws -> PortalPage
    ) async throws -> PortalAnswer {
        do {
            return try await body()
        } catch let refusal as ConnectRefusal {
            guard refusal.kind != .notFound, refusal.kind != .forbidden else { throw refusal }
            let page = try await again(PortalForm(self, refusals: [refusal]))
            return .page(page, status: refusal.kind == .tooMany ? 429 : 422)
        }
    }
}

extension PortalCall {
    /// Does what a form asks for; what the rules refuse brings the form back, with 422.
    package func submit(
        _ body: () async throws -> PortalAnswer,
        again: (PortalForm) async throws -> PortalPage
    ) async throws -> PortalAnswer {
        try await visit.submit(body, again: again)
    }
}
