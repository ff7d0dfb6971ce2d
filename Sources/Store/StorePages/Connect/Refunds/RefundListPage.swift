import StoreCore
import StoreModel

/// Requests for refunds, the newest first.
enum RefundListPage {
    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        let app = call.query("app").flatMap { TransactionID($0) }.map { AppID(number: $0.number) }
        let state = call.query("state")
        let found = try await call.services.refunds.cases(
            RefundQuery(
                app: app, environment: call.query("environment").flatMap(Self.environment),
                isWaiting: state == "waiting" ? true : state == "decided" ? false : nil),
            PageRequest(limit: PortalPaging.size, cursor: call.query("page")), by: call.actor)
        let isWhole = call.query("page") == nil && found.next == nil
        let apps = try await apps(call)
        var page = PortalPage(
            PortalSection.refunds.title,
            [
                choice(call, apps, app),
                PortalTable(
                    "Requests for refunds",
                    columns: [
                        .init("Product"), .init("Reason"), .init("Price", isNumber: true),
                        .init("Asked"), .init("State"),
                    ],
                    rows: found.items.map(row),
                    none: (
                        "No requests",
                        "Customers ask for refunds on the page of their account; what they ask "
                            + "for stands here at once."
                    )
                ).html(),
                PortalCursorPaging(
                    // Nobody has counted, unless all of them are here.
                    total: isWhole ? found.items.count : nil, shown: found.items.count,
                    isFirst: call.query("page") == nil, next: found.next
                ).html(call),
            ], in: .refunds)
        page.lead =
            call.actor.allows(.decideRefunds)
            ? "If nobody decides a request, the store decides by its rules, when the publisher has "
                + "answered or its time is over."
            : "The store decides. It considers what your server says about how a purchase was "
                + "used. You don’t see which customer asks."
        return .page(page)
    }

    private static func environment(_ text: String) -> StoreEnvironment? {
        StoreEnvironment.allCases.first { $0.word == text }
    }

    private static func apps(_ call: PortalCall) async throws -> [App] {
        let actor = call.actor
        return try await call.services.database.read { repositories in
            try repositories.catalog.apps().filter { actor.sees(team: $0.teamID) }
        }
    }

    private static func row(_ refund: RefundCase) -> [HTML] {
        let details = refund.entry.details
        return [
            .group([
                .link(RefundStrings.path(refund.id), [.foreign(refund.productName)]),
                .element(
                    "span", class: "quiet under",
                    [
                        .foreign(refund.app.name),
                        .text(details.environment == .sandbox ? ", sandbox" : ""),
                    ]),
            ]),
            .text(refund.reason.title), .text(PortalFormatting.money(details.charged)),
            PortalFormatting.time(refund.date),
            .group([
                RefundStrings.badge(refund).html,
                refund.state == .waiting
                    ? .element(
                        "span", class: "quiet under",
                        [.text("until "), PortalFormatting.time(refund.deadline)]) : .nothing,
            ]),
        ]
    }

    private static func choice(_ call: PortalCall, _ apps: [App], _ app: AppID?) -> HTML {
        func menu(
            _ name: String, _ label: String, _ options: [(value: String, title: String)],
            _ chosen: String
        ) -> HTML {
            .element(
                "div", class: "filter",
                [
                    .element("label", [.init("for", "filter-\(name)")], label),
                    .element(
                        "select", [.init("name", name), .init("id", "filter-\(name)")],
                        options.map { option in
                            .element(
                                "option",
                                [.init("value", option.value)]
                                    + (option.value == chosen ? [.init("selected")] : []),
                                option.title)
                        }),
                ])
        }
        return .element(
            "form",
            [
                .init("class", "search"), .init("method", "get"),
                .init("action", RefundStrings.root),
            ],
            [
                menu(
                    "state", "State",
                    [("", "All"), ("waiting", "Waiting"), ("decided", "Decided")],
                    call.query("state") ?? ""),
                menu(
                    "app", "App",
                    [("", "All apps")] + apps.map { (String($0.id.number), $0.name) },
                    app.map { String($0.number) } ?? ""),
                menu(
                    "environment", "Environment",
                    [("", "All")] + StoreEnvironment.allCases.map { ($0.word, $0.title) },
                    call.query("environment") ?? ""), PortalButton("Show").html,
            ])
    }
}

extension StoreEnvironment {
    /// As menus call it.
    fileprivate var title: String {
        switch self {
        case .production: "Production"
        case .sandbox: "Sandbox"
        }
    }
}
