import StoreCore

/// The testers of a team.
enum TesterListPage {
    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        let size = PortalPaging.size
        let testers = try await call.services.testers.testers(
            matching: call.query("search") ?? "", includesConverted: true,
            PageRequest(limit: size, cursor: String((call.page - 1) * size)), by: call.actor)
        let isSearch = call.query("search") != nil
        let table = PortalTable(
            "Testers",
            columns: [
                .init("Name"), .init("Email"), .init("Territory"), .init("State"),
                .init("Made on"),
            ],
            rows: testers.items.map { tester in
                [
                    .link(TesterStrings.path(tester.account), [.foreign(tester.name)]),
                    .element("code", tester.email),
                    .text(tester.territory.name),
                    TesterStrings.badge(tester).html,
                    PortalFormatting.day(tester.creationDate),
                ]
            },
            none: isSearch
                ? ("No tester is called so", "Search for a part of a name or an address.")
                : (
                    "No testers yet",
                    "A tester buys in the sandbox what your app sells, and pays nothing."
                ))
        var page = PortalPage(
            "Sandbox Testers",
            [
                isSearch || (testers.total ?? 0) > 0
                    ? PortalSearch("Name or address").html(call) : .nothing,
                table.html(call),
                PortalPaging(page: call.page, total: testers.total ?? 0).html(call),
            ], in: .sandbox)
        page.lead =
            "Testers sign in to the sandbox only. Whoever signs in to the production store with a "
            + "tester's address and password makes it a real account, which tests no longer."
        // Staff act for no team that a tester could belong to.
        if call.actor.team != nil {
            page.actions = [
                .buttonLink(SandboxClockPages.root, "Clocks"),
                .buttonLink("\(PortalSection.sandbox.path)/new", "Add Tester", isMeant: true),
            ]
        }
        return .page(page)
    }
}
