import StoreCore

extension PortalRouteTable {
    static let activity: [PortalRoute] = [
        .get("/activity", .viewAudit, ActivityPages.list)
    ]
}

/// Who changed what.
enum ActivityPages {
    static func list(_ call: PortalCall) async throws -> PortalAnswer {
        let scope = TeamScope(call)
        let found = try await call.services.people.audit.entries(
            of: scope.team, before: call.query("before").flatMap { Int64($0) },
            limit: PortalPaging.size + 1, by: call.actor)
        let shown = found.prefix(PortalPaging.size)
        let path = PortalSection.activity.path
        let older =
            found.count > shown.count
            ? shown.last.map { scope.path(path, [("before", String($0.number))]) } : nil
        var page = PortalPage(
            PortalSection.activity.title,
            [
                PortalTable(
                    "Activity",
                    columns: [
                        .init("When"), .init("Who"), .init("What"), .init("On"),
                        .init("Before"), .init("After"),
                    ],
                    rows: shown.map { record in
                        let entry = record.entry
                        return [
                            PortalFormatting.time(record.date), .foreign(entry.actor),
                            .element("code", entry.action), .foreign(entry.subject),
                            .foreign(entry.before ?? "—"), .foreign(entry.after ?? "—"),
                        ]
                    }, none: ("Nothing yet", "Whatever is changed is written down here.")
                ).html(),
                older.map { .element("p", [], [.buttonLink($0, "Older")]) } ?? .nothing,
            ], in: .activity)
        page.lead = "Entries are never changed or deleted."
        return .page(page)
    }
}
