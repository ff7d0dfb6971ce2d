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
        let (own, apps, owners) = try await call.services.database.read {
            repositories -> (Team?, ListPage<AppRecord>, [Int64: String]) in
            let apps = try repositories.apps.records(
                AppQuery(), PageRequest(limit: appLimit), team: team)
            var owners: [Int64: String] = [:]
            for record in apps.items where owners[record.app.teamID] == nil {
                owners[record.app.teamID] = try repositories.catalog.team(record.app.teamID)?.name
            }
            return (try team.flatMap { try repositories.catalog.team($0) }, apps, owners)
        }
        var page = PortalPage(
            own?.name ?? "The Store",
            [
                steps(own, hasApps: !apps.items.isEmpty, call),
                try await DashboardWaiting.html(call),
                call.actor.allows(.viewApps) ? list(apps, owners, call) : .nothing,
                sections(call),
            ])
        page.kind = own == nil ? "Store staff" : "Team"
        return .page(page)
    }

    /// - Parameter owners: names of the teams, which staff see.
    private static func list(
        _ apps: ListPage<AppRecord>, _ owners: [Int64: String], _ call: PortalCall
    ) -> HTML {
        let hasPages = PortalSection.apps.isOpen(to: call.actor)
        let showsOwners = call.actor.team == nil
        let total = apps.total ?? apps.items.count
        var columns: [PortalTable.Column] = [
            .init("Name"), .init("Bundle identifier"), .init("State"),
        ]
        if showsOwners { columns.insert(.init("Team"), at: 1) }
        return PortalPanel(
            "Apps",
            actions: hasPages && total > apps.items.count
                ? [.link(PortalSection.apps.path, "All \(total) apps")] : [],
            [
                PortalTable(
                    "Apps", columns: columns,
                    rows: apps.items.map { record in
                        let app = record.app
                        var row: [HTML] = [
                            hasPages
                                ? .link(
                                    "\(PortalSection.apps.path)/\(app.id.number)",
                                    [.foreign(app.name)])
                                : .foreign(app.name),
                            .element("code", app.bundleID.text),
                            app.binaryState.badge.html,
                        ]
                        if showsOwners {
                            row.insert(.foreign(owners[app.teamID] ?? ""), at: 1)
                        }
                        return row
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
                        "Bring the Paid Apps agreement into force",
                        isDone: team.hasPaidAgreement, path: path(.agreements),
                        hint: team.hasPaidAgreement
                            ? nil
                            : "Accept it, and fill in a bank account and a tax form: no product is "
                                + "valid without it, not even in the sandbox."),
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
            (.refunds, "What customers want their money back for, and what became of it."),
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
