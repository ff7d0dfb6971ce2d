import StoreCore
import StoreModel

extension PortalRouteTable {
    static let dashboard: [PortalRoute] = [.get("/", .useConnect, Dashboard.show)]
}

/// The page that one comes to: the team's apps, and what is to be done next.
enum Dashboard {
    /// As many apps as it shows.
    private static let appLimit = 12

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        let team = call.actor.team
        let (own, apps) = try await call.services.database.read { repositories in
            let apps = try repositories.catalog.apps().filter { team == nil || $0.teamID == team }
            return (try team.flatMap { try repositories.catalog.team($0) }, apps)
        }
        var page = PortalPage(
            own?.name ?? "The Store",
            [
                steps(own, hasApps: !apps.isEmpty, call),
                call.actor.allows(.viewApps) ? list(apps, call) : .nothing,
                sections(call),
            ])
        page.kind = own == nil ? "Store staff" : "Team"
        return .page(page)
    }

    private static func list(_ apps: [App], _ call: PortalCall) -> HTML {
        let hasPages = PortalSection.apps.isOpen(to: call.actor)
        return PortalPanel(
            "Apps",
            actions: hasPages && apps.count > appLimit
                ? [.link(PortalSection.apps.path, "All \(apps.count) apps")] : [],
            [
                PortalTable(
                    "Apps",
                    columns: [.init("Name"), .init("Bundle identifier"), .init("State")],
                    rows: apps.prefix(appLimit).map { app in
                        [
                            hasPages
                                ? .link(
                                    "\(PortalSection.apps.path)/\(app.id.number)",
                                    [.foreign(app.name)])
                                : .foreign(app.name),
                            .element("code", app.bundleID.text),
                            app.binaryState.badge.html,
                        ]
                    },
                    none: (
                        "No apps yet",
                        "An app needs an identifier first; products are sold in it."
                    )
                ).html()
            ]
        ).html
    }

    /// What a team does before it can sell.
    private static func steps(_ team: Team?, hasApps: Bool, _ call: PortalCall) -> HTML {
        guard let team, !team.hasPaidAgreement || !hasApps else { return .nothing }
        func path(_ section: PortalSection) -> String? {
            section.isOpen(to: call.actor) ? section.path : nil
        }
        return PortalPanel(
            "Next steps",
            [
                PortalChecklist([
                    .init(
                        "Agree to the Paid Applications agreement",
                        isDone: team.hasPaidAgreement, path: path(.agreements),
                        hint: team.hasPaidAgreement
                            ? nil : "No product is valid without it, not even in the sandbox."),
                    .init(
                        "Set up an app", isDone: hasApps, path: path(.apps),
                        hint: hasApps ? nil : "With its identifier, name and primary language."),
                ]).html
            ]
        ).html
    }

    /// Where else one may go.
    private static func sections(_ call: PortalCall) -> HTML {
        let others: [(PortalSection, String)] = [
            (.review, "What waits for a decision."),
            (.sandbox, "Testers who buy without money, and what they bought."),
            (.sales, "Units and proceeds by day, product and territory."),
            (.users, "Who may do what in this team."),
            (.teams, "Publishers who sell in this store."),
        ]
        let open = others.filter { $0.0.isOpen(to: call.actor) }
        guard !open.isEmpty else { return .nothing }
        return .element(
            "div", class: "columns",
            open.map { section, text in
                .element(
                    "section", class: "panel",
                    [
                        .element("h2", [], [.link(section.path, section.title)]),
                        .element("p", class: "quiet", text),
                    ])
            })
    }
}

extension BinaryState {
    /// As publishers read it.
    package var badge: PortalBadge {
        switch self {
        case .prepareForSubmission: PortalBadge("Prepare for Submission", .plain)
        case .readyForSale: PortalBadge("Ready for Sale", .good)
        case .rejected: PortalBadge("Rejected", .bad)
        case .developerRejected: PortalBadge("Developer Rejected", .warn)
        }
    }
}
