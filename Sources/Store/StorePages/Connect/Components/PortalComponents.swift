import StoreModel

/// A part of a page with a heading.
package struct PortalPanel: Sendable {
    private let title: String
    private let content: [HTML]
    private let actions: [HTML]

    package init(_ title: String, actions: [HTML] = [], _ content: [HTML]) {
        self.title = title
        self.content = content
        self.actions = actions
    }

    package var html: HTML {
        .element(
            "section", class: "panel",
            [
                .element(
                    "div", class: "panel-head",
                    [
                        .element("h2", title),
                        actions.isEmpty ? .nothing : .element("div", class: "doings", actions),
                    ])
            ] + content)
    }
}

/// Names and values.
package struct PortalFacts: Sendable {
    private let facts: [(name: String, value: HTML)]

    package init(_ facts: [(name: String, value: HTML)]) {
        self.facts = facts
    }

    package var html: HTML {
        .element(
            "dl", class: "facts",
            facts.map { fact in
                .element(
                    "div", [], [.element("dt", fact.name), .element("dd", [], [fact.value])])
            })
    }
}

/// What has to be there before a step can be done, and where to bring it.
package struct PortalChecklist: Sendable {
    package struct Item: Sendable {
        package let title: String
        package let isDone: Bool
        /// Where it is done; nil where nothing is to be done.
        package let path: String?
        package let hint: String?

        package init(_ title: String, isDone: Bool, path: String? = nil, hint: String? = nil) {
            self.title = title
            self.isDone = isDone
            self.path = path
            self.hint = hint
        }
    }

    private let items: [Item]

    package init(_ items: [Item]) {
        self.items = items
    }

    package var html: HTML {
        .element(
            "ul", class: "checklist",
            items.map { item in
                .element(
                    "li", [.init("class", item.isDone ? "done" : "open")],
                    [
                        .element(
                            "span", class: "unseen", item.isDone ? "Done: " : "Missing: "),
                        item.path.map { .link($0, item.title) } ?? .text(item.title),
                        item.hint.map { .element("p", class: "hint", $0) } ?? .nothing,
                    ])
            })
    }
}

/// What was there before, and what is to be there instead.
package struct PortalDiff: Sendable {
    package struct Change: Sendable {
        package let name: String
        /// Nil where there was, or will be, nothing.
        package let old: String?
        package let new: String?

        package init(_ name: String, old: String?, new: String?) {
            self.name = name
            self.old = old
            self.new = new
        }
    }

    private let changes: [Change]

    package init(_ changes: [Change]) {
        self.changes = changes
    }

    package var html: HTML {
        .element(
            "dl", class: "diff",
            changes.map { change in
                .element(
                    "div", [],
                    [
                        .element("dt", change.name),
                        .element("dd", [], sides(change)),
                    ])
            })
    }

    private func sides(_ change: Change) -> [HTML] {
        if change.old == change.new { return [.foreign(change.new ?? "—")] }
        func side(_ name: StaticString, _ label: String, _ text: String?) -> HTML {
            guard let text else { return .nothing }
            return .element(
                name, [], [.element("span", class: "unseen", label), .foreign(text)])
        }
        return [side("del", "Before: ", change.old), side("ins", "Now: ", change.new)]
    }
}

/// How much of something is done.
package struct PortalProgress: Sendable {
    private let label: String
    private let value: Double

    /// - Parameter value: from 0 to 1.
    package init(_ label: String, _ value: Double) {
        self.label = label
        self.value = min(1, max(0, value))
    }

    package var html: HTML {
        let percent = Int(clamping: (value * 100).rounded(.down))
        return .element(
            "div", class: "progress",
            [
                .element(
                    "progress",
                    [
                        .init("max", "100"), .init("value", String(percent)),
                        .init("aria-label", label),
                    ], "\(percent) %"),
                .element("span", "\(percent) %"),
            ])
    }
}

/// A secret that is shown this once.
package struct PortalSecret: Sendable {
    private let label: String
    private let secret: String

    package init(_ label: String, _ secret: String) {
        self.label = label
        self.secret = secret
    }

    private var rows: Int {
        secret.split(scalar: "\n").reduce(1) { $0 + 1 + $1.count / 64 }
    }

    package var html: HTML {
        .element(
            "div", class: "secret",
            [
                .element("label", [.init("for", "secret")], label),
                .element(
                    "textarea",
                    [
                        .init("id", "secret"), .init("readonly"),
                        .init("rows", String(min(8, rows))),
                        .init("spellcheck", "false"), .init("data-copy"),
                    ], "\n" + secret),
                .element(
                    "p", class: "hint",
                    "It is shown this once. The store keeps only what it needs to recognize it."),
            ])
    }
}

/// The page that asks before something that can't be undone.
package struct PortalConfirmation: Sendable {
    private let question: String
    private let consequences: [String]
    private let button: String

    /// - Parameter consequences: what happens, one sentence each.
    package init(_ question: String, _ consequences: [String], button: String) {
        self.question = question
        self.consequences = consequences
        self.button = button
    }

    /// - Parameters:
    ///   - action: where the form goes.
    ///   - cancel: where one comes from.
    ///   - fields: what else the form asks, for example a reason.
    package func page(
        _ form: PortalForm, action: String, cancel: String, in section: PortalSection?,
        _ fields: [HTML] = []
    ) -> PortalPage {
        var page = PortalPage(
            question,
            [
                .element("ul", class: "consequences", consequences.map { .element("li", $0) }),
                form.html(
                    action, fields + [form.actions(button, cancel: cancel, look: .danger)],
                    warnsUnsaved: false),
            ], in: section)
        page.isNarrow = true
        return page
    }
}
