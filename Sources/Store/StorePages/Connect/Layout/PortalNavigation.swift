import StoreCore
import StoreModel

/// Header and side navigation, with what somebody may use.
struct PortalNavigation {
    let visitor: ConnectVisitor
    let section: PortalSection?
    let formToken: String

    func header(mark: HTML) -> HTML {
        .element(
            "header", class: "top",
            [
                .element(
                    "a", [.init("class", "brand"), .init("href", PortalPath.start)],
                    [mark, .text("Connect")]),
                switcher, account,
            ])
    }

    /// Whom one acts for. One choice is none.
    private var switcher: HTML {
        let choices =
            visitor.teams.map { (value: String($0.id), name: $0.name) }
            + (visitor.isStaff ? [(value: "staff", name: "Store Staff")] : [])
        let current = visitor.actor.map { $0.team.map(String.init) ?? "staff" }
        guard choices.count > 1 else {
            return .element(
                "p", class: "team",
                [.foreign(choices.first { $0.value == current }?.name ?? "")])
        }
        let options = choices.map { choice in
            HTML.element(
                "option",
                [.init("value", choice.value)]
                    + (choice.value == current ? [.init("selected")] : []), choice.name)
        }
        return .element(
            "form",
            [
                .init("class", "team"), .init("method", "post"),
                .init("action", PortalPath.choose),
            ],
            [
                token,
                .element(
                    "label", [.init("class", "unseen"), .init("for", "team-switch")], "Team"),
                .element(
                    "select",
                    [.init("name", "team"), .init("id", "team-switch")], options),
                .element("button", [.init("type", "submit")], "Switch"),
            ])
    }

    private var account: HTML {
        let hasPage = PortalRouteTable.routes.contains {
            $0.method == .get && $0.pattern == "/account"
        }
        return .element(
            "details", [.init("class", "account"), .init("data-menu")],
            [
                .element(
                    "summary", [.init("aria-label", "Account: \(visitor.name)")],
                    [
                        .element(
                            "span", [.init("class", "initials"), .init("aria-hidden", "true")],
                            initials),
                        .element("span", class: "who", [.foreign(visitor.name)]),
                    ]),
                .element(
                    "div", class: "menu",
                    [
                        .element(
                            "p", [],
                            [
                                .element("strong", [], [.foreign(visitor.name)]),
                                .element("br"), .foreign(visitor.email),
                            ]),
                        .element("p", class: "quiet", roles),
                        hasPage ? .link("/connect/account", "Your account") : .nothing,
                        .element(
                            "form",
                            [.init("method", "post"), .init("action", PortalPath.signOut)],
                            [
                                token,
                                .element("button", [.init("type", "submit")], "Sign Out"),
                            ]),
                    ]),
            ])
    }

    func side() -> HTML {
        guard let actor = visitor.actor else { return .nothing }
        let open = PortalSection.allCases.filter { $0.isOpen(to: actor) }
        guard !open.isEmpty else { return .nothing }
        let own = open.filter { !$0.isForStaff }
        let staff = open.filter(\.isForStaff)
        let lists = [
            list(own, heading: nil),
            staff.isEmpty ? .nothing : list(staff, heading: "Store"),
        ]
        // The menu of small windows is the same list, folded: a style sheet shows one of them.
        return .group([
            .element(
                "nav", [.init("class", "side"), .init("aria-label", "Sections")], lists),
            .element(
                "nav", [.init("class", "side-menu"), .init("aria-label", "Sections")],
                [
                    .element(
                        "details", [.init("data-menu")],
                        [.element("summary", section?.title ?? "Menu")] + lists)
                ]),
        ])
    }

    private func list(_ sections: [PortalSection], heading: String?) -> HTML {
        .group([
            heading.map { .element("p", class: "group", $0) } ?? .nothing,
            .element(
                "ul", [],
                sections.map { entry in
                    var attributes = [HTML.Attribute("href", entry.path)]
                    if entry == section { attributes.append(.init("aria-current", "true")) }
                    return .element("li", [], [.element("a", attributes, entry.title)])
                }),
        ])
    }

    private var roles: String {
        let roles = visitor.actor?.roles ?? []
        return ConnectRole.allCases.filter(roles.contains).map(\.title).joined(separator: ", ")
    }

    private var initials: String {
        let words = visitor.name.split(scalar: " ")
        return String([words.first, words.dropFirst().last].compactMap { $0?.first }).uppercased()
    }

    private var token: HTML { .formToken(formToken) }
}

extension HTML {
    /// The hidden field without which no form is taken.
    package static func formToken(_ token: String) -> HTML {
        .element(
            "input",
            [
                .init("type", "hidden"), .init("name", PageForm.tokenField),
                .init("value", token),
            ])
    }
}
