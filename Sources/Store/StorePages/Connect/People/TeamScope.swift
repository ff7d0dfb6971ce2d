import StoreCore

/// The team that a page is about: one's own, or for the store's staff the one that the
/// address or the form names.
struct TeamScope: Sendable {
    /// Nil for the store itself.
    let team: Int64?
    /// Whether it is named, because whoever looks acts for the store.
    private let isNamed: Bool

    init(_ call: PortalCall) {
        let named = call.query("team") ?? call.form["team"]
        team = call.actor.team ?? Int64(named)
        isNamed = call.actor.team == nil && team != nil
    }

    /// The team, where there must be one.
    ///
    /// - Throws: `ConnectRefusal` that leads the store's staff to the list of teams.
    func required() throws -> Int64 {
        guard let team else {
            throw ConnectRefusal(
                .notFound, rule: "teamMissing",
                "Who acts for the store has no team of their own.",
                help: "Open Teams, and choose one.")
        }
        return team
    }

    /// The page of a section for whoever acts for the store and has named no team.
    static func choice(_ call: PortalCall, in section: PortalSection) async throws -> PortalAnswer {
        let found = try await call.services.people.teams.teams(
            matching: call.query("search"), after: call.query("after"),
            limit: PortalPaging.size + 1, by: call.actor)
        let shown = found.teams.prefix(PortalPaging.size)
        let more =
            found.teams.count > shown.count
            ? shown.last.map { call.link(changing: [("after", $0.name)]) } : nil
        var page = PortalPage(
            section.title,
            [
                PortalSearch("Name contains").html(call),
                PortalTable(
                    "Teams", columns: [.init("Team")],
                    rows: shown.map { team in
                        [
                            .link(
                                PortalLink(section.path, [("team", String(team.id))]).text,
                                [.foreign(team.name)])
                        ]
                    }, none: ("No such team", "Operators make teams, under Teams.")
                ).html(),
                more.map { .element("p", [], [.buttonLink($0, "More Teams")]) } ?? .nothing,
            ], in: section)
        page.lead = "You act for the store. Of which team?"
        return .page(page)
    }

    /// A path that stays with the team.
    func path(_ path: String, _ more: [(name: String, value: String)] = []) -> String {
        PortalLink(path, more + [("team", isNamed ? team.map(String.init) ?? "" : "")]).text
    }

    /// The field by which forms stay with the team.
    var field: HTML {
        guard isNamed, let team else { return .nothing }
        return .hidden("team", String(team))
    }

    /// The same for forms that are one button.
    var fields: [(name: String, value: String)] {
        guard isNamed, let team else { return [] }
        return [("team", String(team))]
    }
}

extension ConnectRole {
    /// What the role is for, for whoever chooses one.
    var purpose: String {
        switch self {
        case .accountHolder: "Signs agreements. A team has exactly one."
        case .admin: "Everything but signing agreements."
        case .appManager: "Apps, products, prices, submissions."
        case .developer: "Content, binaries, testers, development profiles."
        case .marketing: "Products’ texts, and sales."
        case .sales: "Sales and trends."
        case .finance: "Bank account, tax form, sales."
        case .customerSupport: "Looking at apps and products."
        case .reviewer: "Decides what is sold."
        case .operator: "Creates teams and staff, and can do everything in the store."
        }
    }

    /// Roles as choices of a form.
    static func options(_ roles: [ConnectRole]) -> [PortalOption] {
        roles.map { PortalOption($0.rawValue, $0.title, hint: $0.purpose) }
    }

    /// Those that are given in a team.
    static let assignable: [ConnectRole] = allCases.filter { !$0.isStaff && $0 != .accountHolder }
    static let staff: [ConnectRole] = allCases.filter(\.isStaff)
}

extension FormFields {
    /// The roles that were ticked.
    var roles: Set<ConnectRole> { Set(all("roles").compactMap(ConnectRole.init(rawValue:))) }
}
