import StoreCore

extension PortalRouteTable {
    static let teams: [PortalRoute] = [
        .get("/teams", .operate, TeamPages.list),
        .get("/teams/new", .operate, TeamPages.form),
        .post("/teams/new", .operate, TeamPages.create),
        .get("/teams/{id}", .operate, TeamPages.show),
        .post("/teams/{id}", .operate, TeamPages.rename),
    ]
}

/// All teams, for operators.
enum TeamPages {
    private static let root = PortalSection.teams.path
    private static let crumb = PortalPage.Crumb(PortalSection.teams.title, root)

    static func list(_ call: PortalCall) async throws -> PortalAnswer {
        let search = call.query("search")
        let found = try await call.services.people.teams.teams(
            matching: search, after: call.query("after"), limit: PortalPaging.size + 1,
            by: call.actor)
        let shown = found.teams.prefix(PortalPaging.size)
        let more =
            found.teams.count > shown.count
            ? shown.last.map { call.link(changing: [("after", $0.name)]) } : nil
        var page = PortalPage(
            PortalSection.teams.title,
            [
                PortalSearch("Name contains").html(call),
                PortalTable(
                    "Teams", columns: [.init("Name"), .init("Paid agreement")],
                    rows: shown.map { team in
                        [
                            .link("\(root)/\(team.id)", [.foreign(team.name)]),
                            team.hasPaidAgreement
                                ? PortalBadge("In Force", .good).html
                                : PortalBadge("Not in Force", .warn).html,
                        ]
                    },
                    none: search == nil
                        ? ("No teams yet", "A team has apps, and sells in them.")
                        : ("No such team", "No team’s name contains this.")
                ).html(),
                more.map { .element("p", [], [.buttonLink($0, "More Teams")]) } ?? .nothing,
            ], in: .teams)
        page.lead = PortalFormatting.count(found.total, "team", "teams") + "."
        page.actions = [.buttonLink("\(root)/new", "Make a Team", isMeant: true)]
        return .page(page)
    }

    static func form(_ call: PortalCall) async throws -> PortalAnswer {
        .page(page(PortalForm(call), call))
    }

    static func create(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let made = try await call.services.people.teams.create(
                name: call.form["name"], accountHolder: call.form["email"], by: call.actor)
            guard let invitation = made.invitation else {
                return .redirect(
                    to: "\(root)/\(made.team.id)",
                    notice: "The team is made. Choose it at the top, to act for it.")
            }
            return .page(
                InvitationLink.page(
                    invitation, call, in: .teams, trail: [crumb],
                    back: "\(root)/\(made.team.id)"))
        } again: { form in
            page(form, call)
        }
    }

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await page(of: call, PortalForm(call)))
    }

    static func rename(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let team = try await team(call)
            _ = try await call.services.people.teams.rename(
                team.id, to: call.form["name"], by: call.actor)
            return .redirect(to: "\(root)/\(team.id)", notice: "The name is changed.")
        } again: { form in
            try await page(of: call, form)
        }
    }

    private static func team(_ call: PortalCall) async throws -> Team {
        guard let id = Int64(call.id) else { throw ConnectRefusal.notFound("team", call.id) }
        return try await call.services.people.teams.team(id, by: call.actor)
    }

    private static func page(
        of call: PortalCall, _ form: PortalForm
    ) async throws -> PortalPage {
        let team = try await team(call)
        let holder = try await call.services.people.teams.accountHolder(
            of: team.id, by: call.actor)
        let query = [(name: "team", value: String(team.id))]
        func link(_ section: PortalSection) -> HTML {
            .element("li", [], [.link(PortalLink(section.path, query).text, section.title)])
        }
        var page = PortalPage(
            team.name,
            [
                PortalFacts([
                    (
                        "Account Holder",
                        .text(holder?.person.email ?? "Nobody has accepted the invitation yet")
                    ),
                    (
                        "Paid agreement",
                        .text(team.hasPaidAgreement ? "In force" : "Not in force")
                    ),
                ]).html,
                PortalPanel(
                    "Its pages",
                    [.element("ul", [], [.users, .agreements, .keys, .activity].map(link))]
                ).html,
                PortalPanel(
                    "Name",
                    [
                        form.html(
                            "\(root)/\(team.id)",
                            [
                                form.text(
                                    "name", "Name", team.name, isRequired: true,
                                    limit: PersonRules.longestName),
                                form.actions("Save Name"),
                            ])
                    ]
                ).html,
            ], in: .teams)
        page.kind = "Team"
        page.trail = [crumb]
        return page
    }

    private static func page(_ form: PortalForm, _ call: PortalCall) -> PortalPage {
        var page = PortalPage(
            "Make a Team",
            [
                form.html(
                    "\(root)/new",
                    [
                        form.text(
                            "name", "Name", hint: "The publisher, as people know it.",
                            isRequired: true, limit: PersonRules.longestName),
                        form.text(
                            "email", "Account Holder’s email", call.visitor.email, as: .email,
                            hint: "With your own address you hold the account yourself.",
                            isRequired: true),
                        form.actions("Make the Team", cancel: root),
                    ])
            ], in: .teams)
        page.trail = [crumb]
        page.isNarrow = true
        return page
    }
}
