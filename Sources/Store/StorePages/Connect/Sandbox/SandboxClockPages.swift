import Foundation
import StoreCore
import StoreModel

extension PortalRouteTable {
    static let sandboxClocks: [PortalRoute] = [
        .get("/sandbox/clocks", .manageTesters, SandboxClockPages.list),
        .get("/sandbox/clocks/new", .manageTesters, SandboxClockPages.askCreation),
        .post("/sandbox/clocks/new", .manageTesters, SandboxClockPages.create),
        .get("/sandbox/clocks/{clock}", .manageTesters, SandboxClockPages.show),
        .post("/sandbox/clocks/{clock}", .manageTesters, SandboxClockPages.advance),
        .get("/sandbox/clocks/{clock}/delete", .manageTesters, SandboxClockPages.askDeletion),
        .post("/sandbox/clocks/{clock}/delete", .manageTesters, SandboxClockPages.delete),
    ]
}

/// Clocks that testers follow, and the form that advances one.
enum SandboxClockPages {
    static let root = "\(PortalSection.sandbox.path)/clocks"
    /// As many testers and apps are offered.
    private static let choices = 100

    private static let trail: [PortalPage.Crumb] = [
        .init("Sandbox Testers", PortalSection.sandbox.path), .init("Clocks", root),
    ]

    // MARK: The list

    static func list(_ call: PortalCall) async throws -> PortalAnswer {
        let size = PortalPaging.size
        let clocks = try await call.services.sandboxClocks.clocks(
            PageRequest(limit: size, cursor: String((call.page - 1) * size)), by: call.actor)
        let table = PortalTable(
            "Clocks",
            columns: [.init("Name"), .init("Shows"), .init("Followed by")],
            rows: clocks.items.map { shown in
                [
                    .link("\(root)/\(shown.clock.id)", [.foreign(shown.clock.name)]),
                    PortalFormatting.time(shown.clock.date), .text(followers(shown)),
                ]
            },
            none: (
                "No clocks yet",
                "A tester who follows a clock goes by its time. When you advance it, subscriptions renew "
                    + "or end."
            ))
        var page = PortalPage(
            "Clocks",
            [table.html(call), PortalPaging(page: call.page, total: clocks.total ?? 0).html(call)],
            in: .sandbox)
        page.trail = [trail[0]]
        if call.actor.team != nil {
            page.actions = [.buttonLink("\(root)/new", "Add Clock", isMeant: true)]
        }
        return .page(page)
    }

    private static func followers(_ shown: SandboxClockService.Shown) -> String {
        var words: [String] = []
        if !shown.testers.isEmpty {
            words.append(PortalFormatting.count(shown.testers.count, "tester", "testers"))
        }
        if !shown.apps.isEmpty {
            words.append(PortalFormatting.count(shown.apps.count, "app", "apps"))
        }
        return words.joined(separator: ", ")
    }

    // MARK: Making one

    static func askCreation(_ call: PortalCall) async throws -> PortalAnswer {
        guard call.actor.team != nil else { return needsTeam }
        return .page(try await creation(call, PortalForm(call)))
    }

    private static let needsTeam = PortalAnswer.redirect(
        to: root, notice: "A clock belongs to a team: switch to the team first.")

    static func create(_ call: PortalCall) async throws -> PortalAnswer {
        guard call.actor.team != nil else { return needsTeam }
        return try await call.submit {
            let testers = call.form.all("testers").compactMap { TransactionID($0)?.number }
            let apps = call.form.all("apps").compactMap { TransactionID($0)?.number }
            let shown = try await call.services.sandboxClocks.create(
                SandboxClockDraft(
                    name: call.form["name"],
                    followers: Set(
                        testers.map { .tester(AccountID(number: $0)) }
                            + apps.map { .app(AppID(number: $0)) })), by: call.actor)
            return .redirect(
                to: "\(root)/\(shown.clock.id)",
                notice: "The clock was made. It stands still until you advance it.")
        } again: { form in
            try await creation(call, form)
        }
    }

    private static func creation(_ call: PortalCall, _ form: PortalForm) async throws -> PortalPage
    {
        let testers = try await call.services.testers.testers(
            PageRequest(limit: choices), by: call.actor)
        let apps = try await call.services.apps.apps(
            AppQuery(), PageRequest(limit: choices), by: call.actor)
        var page = PortalPage(
            "Add Clock",
            [
                form.html(
                    nil,
                    [
                        form.text("name", "Name", isRequired: true, limit: 100),
                        form.checkboxes(
                            "testers", "Testers",
                            testers.items.filter { $0.status == .active }.map {
                                PortalOption(String($0.account.number), $0.email)
                            }, chosen: []),
                        form.checkboxes(
                            "apps", "All testers in these apps",
                            apps.items.map {
                                PortalOption(String($0.app.id.number), $0.app.name)
                            }, chosen: [], hint: "A tester's own clock comes first."),
                        form.actions("Add Clock", cancel: root),
                    ])
            ], in: .sandbox)
        page.isNarrow = true
        page.trail = trail
        return page
    }

    // MARK: One clock

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await page(call, PortalForm(call)))
    }

    private static func id(_ call: PortalCall) throws -> Int64 {
        guard let number = TransactionID(call.id)?.number else {
            throw ConnectRefusal.notFound("sandbox clock", String(call.id.prefix(40)))
        }
        return number
    }

    static func advance(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let units: [String: TimeInterval] = [
                "minutes": 60, "hours": 3600, "days": 86_400,
            ]
            guard let number = Int(call.form["number"]), (1...100_000).contains(number),
                let unit = units[call.form["unit"]]
            else {
                throw ConnectRefusal(
                    .invalid, rule: "clockSpan", field: "number",
                    "A clock can't be advanced by that.", help: "Type a number from 1 to 100,000.")
            }
            let id = try id(call)
            let before = try await call.services.sandboxClocks.clock(id, by: call.actor)
            let shown = try await call.services.sandboxClocks.advance(
                id, to: before.clock.date.addingTimeInterval(TimeInterval(number) * unit),
                by: call.actor)
            let count = shown.undelivered.count
            return .redirect(
                to: "\(root)/\(id)",
                notice: count == 0
                    ? "The clock was advanced."
                    : "The clock was advanced. "
                        + PortalFormatting.count(count, "notification has", "notifications have")
                        + " not reached the server.")
        } again: { form in
            try await page(call, form)
        }
    }

    private static func page(_ call: PortalCall, _ form: PortalForm) async throws -> PortalPage {
        let shown = try await call.services.sandboxClocks.clock(try id(call), by: call.actor)
        var followers: [HTML] = []
        for id in shown.testers {
            let tester = try await call.services.testers.tester(id, by: call.actor)
            followers.append(
                .element("li", [], [.link(TesterStrings.path(id), [.foreign(tester.email)])]))
        }
        for id in shown.apps {
            let app = try await call.services.apps.app(id, by: call.actor)
            followers.append(
                .element("li", [], [.foreign("All testers in \(app.app.name)")]))
        }
        var page = PortalPage(
            shown.clock.name,
            [
                PortalFacts([
                    ("Shows", PortalFormatting.time(shown.clock.date)),
                    ("Made on", PortalFormatting.day(shown.clock.created)),
                    (
                        "Not delivered",
                        .text(
                            shown.undelivered.isEmpty
                                ? "Nothing"
                                : PortalFormatting.count(
                                    shown.undelivered.count, "notification", "notifications"))
                    ),
                ]).html,
                PortalPanel(
                    "Advance",
                    [
                        .element(
                            "p", class: "quiet",
                            "What falls due until then happens at its date, and apps and servers "
                                + "hear of it."),
                        form.html(
                            nil,
                            [
                                form.text(
                                    "number", "By", "1", isRequired: true,
                                    [.init("inputmode", "numeric")]),
                                form.select(
                                    "unit", "Unit",
                                    [
                                        PortalOption("minutes", "Minutes"),
                                        PortalOption("hours", "Hours"),
                                        PortalOption("days", "Days"),
                                    ], chosen: "hours", isRequired: true),
                                form.actions("Advance"),
                            ]),
                    ]
                ).html,
                PortalPanel("Followed by", [.element("ul", [], followers)]).html,
            ], in: .sandbox)
        page.kind = "Sandbox clock"
        page.trail = trail
        page.actions = [.buttonLink("\(root)/\(shown.clock.id)/delete", "Delete")]
        return page
    }

    // MARK: Deleting

    static func askDeletion(_ call: PortalCall) async throws -> PortalAnswer {
        let shown = try await call.services.sandboxClocks.clock(try id(call), by: call.actor)
        let path = "\(root)/\(shown.clock.id)"
        var page = PortalConfirmation(
            "Delete the clock \(shown.clock.name)?",
            [
                "The testers who follow it go by the store's time again.",
                "Their purchase history is cleared in all apps, because it may lie in the future.",
                "It can't be undone.",
            ], button: "Delete Clock"
        ).page(PortalForm(call), action: "\(path)/delete", cancel: path, in: .sandbox)
        page.trail = trail + [.init(shown.clock.name, path)]
        return .page(page)
    }

    static func delete(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.services.sandboxClocks.delete(try id(call), by: call.actor)
        return .redirect(to: root, notice: "The clock was deleted.")
    }
}
