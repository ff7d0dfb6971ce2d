import StoreCore
import StoreModel

/// Apps of a team: the list, making one, and the overview of one.
enum AppPages {
    static func path(_ id: AppID) -> String { "\(PortalSection.apps.path)/\(id.number)" }

    static func list(_ call: PortalCall) async throws -> PortalAnswer {
        var query = AppQuery()
        query.search = call.query("search")
        query.order = ListOrder(call.query("sort"), otherwise: .name)
        let found = try await call.services.apps.apps(query, call.pageRequest, by: call.actor)
        let table = PortalTable(
            "Apps",
            columns: [
                .init("Name", sort: "name"), .init("Bundle identifier", sort: "bundleId"),
                .init("SKU", sort: "sku"), .init("Apple ID", isNumber: true), .init("State"),
            ],
            rows: found.items.map { record in
                [
                    .link(path(record.app.id), [.foreign(record.app.name)]),
                    .element("code", record.app.bundleID.text), .foreign(record.sku),
                    .text(String(record.app.id.number)), record.app.binaryState.badge.html,
                ]
            },
            none: ("No apps", "An app is made from an explicit identifier of the team."))
        var page = PortalPage(
            "Apps",
            [
                PortalSearch("Name, bundle identifier or SKU").html(call), table.html(call),
                PortalPaging(page: call.page, total: found.total ?? 0).html(call),
            ], in: .apps)
        if call.actor.allows(.manageApps) {
            page.actions = [
                .buttonLink("\(PortalSection.apps.path)/new", "New App", isMeant: true)
            ]
        }
        return .page(page)
    }

    // MARK: Making

    static func new(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await creation(call, PortalForm(call)))
    }

    static func create(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            guard let identifier = BundleIdentifierID(call.form["bundleId"]) else {
                throw ConnectRefusal(
                    .invalid, rule: "bundleIdUnknown", field: "bundleId",
                    "No bundle identifier is chosen.", help: "Choose one, or register it first.")
            }
            let record = try await call.services.apps.create(
                AppCreation(
                    identifier: identifier, sku: call.form["sku"], name: call.form["name"],
                    primaryLocale: call.form["primaryLocale"]), by: call.actor)
            return .redirect(to: path(record.app.id), notice: "The app is set up.")
        } again: {
            try await creation(call, $0)
        }
    }

    private static func creation(_ call: PortalCall, _ form: PortalForm) async throws -> PortalPage
    {
        let free = try await call.identifiers().filter {
            !$0.isWildcard && $0.app == nil && $0.platform != .services
        }
        var page = PortalPage(
            "New App",
            [
                free.isEmpty
                    ? PortalNotice(
                        .warn,
                        [
                            .element(
                                "p", [],
                                [
                                    .text("No explicit identifier is free. "),
                                    .link(
                                        "\(PortalSection.identifiers.path)/new",
                                        "Register one first"), .text("."),
                                ])
                        ]
                    ).html : .nothing,
                form.html(
                    PortalSection.apps.path,
                    [
                        form.text(
                            "name", "Name", hint: "As customers see it.", isRequired: true,
                            limit: 30),
                        form.select(
                            "primaryLocale", "Primary language", AppInformationPages.locales,
                            chosen: ConnectLocale.americanEnglish.text, isRequired: true),
                        form.select(
                            "bundleId", "Bundle identifier",
                            free.map {
                                PortalOption($0.id.text, "\($0.identifier) – \($0.name)")
                            }, isRequired: true),
                        form.text(
                            "sku", "SKU",
                            hint: "Your own number for the app. Customers don’t see it, and it "
                                + "can’t be changed.", isRequired: true, limit: 100),
                        form.actions("Create", cancel: PortalSection.apps.path),
                    ]),
            ], in: .apps)
        page.trail = [.init("Apps", PortalSection.apps.path)]
        page.isNarrow = true
        return page
    }

    // MARK: Overview

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        let record = try await AppTabs.app(call)
        let app = record.app
        let versions = try await call.services.appVersions.versions(of: app.id, by: call.actor)
        var page = PortalPage(
            app.name,
            [
                PortalPanel(
                    "Versions",
                    actions: call.actor.allows(.manageApps)
                        ? [.buttonLink("\(path(app.id))/versions/new", "New Version")] : [],
                    [list(versions, of: app)]
                ).html,
                PortalPanel("App", [facts(record)]).html,
            ], in: .apps)
        page.kind = "App"
        page.badge = app.binaryState.badge.html
        page.trail = [.init("Apps", PortalSection.apps.path)]
        page.tabs = AppTabs.html(of: app, current: "/apps/{id}", call)
        return .page(page)
    }

    private static func list(_ versions: [AppVersion], of app: App) -> HTML {
        PortalTable(
            "Versions",
            columns: [
                .init("Version"), .init("Platform"), .init("State"), .init("On sale since"),
            ],
            rows: versions.map { version in
                [
                    .link(VersionPages.path(version), version.version.text),
                    .text(version.platform.title), version.state.badge.html,
                    version.released.map(PortalFormatting.day) ?? .text("—"),
                ]
            },
            none: (
                "No versions",
                "A version has a build, which is reviewed before customers get it."
            )
        ).html()
    }

    private static func facts(_ record: AppRecord) -> HTML {
        PortalFacts([
            (
                "Bundle identifier",
                .link(
                    IdentifierPages.path(record.identifier),
                    [.element("code", record.app.bundleID.text)])
            ),
            ("Apple ID", .text(String(record.app.id.number))),
            ("SKU", .foreign(record.sku)),
            ("Primary language", .text(record.primaryLocale.title)),
        ]).html
    }
}

extension AppVersionState {
    /// As publishers read it.
    package var badge: PortalBadge {
        switch self {
        case .prepareForSubmission: PortalBadge(title)
        case .waitingForReview, .inReview: PortalBadge(title, .busy)
        case .pendingDeveloperRelease, .developerRejected, .developerRemovedFromSale:
            PortalBadge(title, .warn)
        case .readyForSale: PortalBadge(title, .good)
        case .rejected, .removedFromSale: PortalBadge(title, .bad)
        case .replacedWithNewVersion: PortalBadge(title)
        }
    }
}
