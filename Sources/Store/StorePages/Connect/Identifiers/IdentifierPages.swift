import StoreCore
import StoreModel

/// Bundle identifiers of a team: the list, and registering one.
enum IdentifierPages {
    static func path(_ id: BundleIdentifierID) -> String {
        "\(PortalSection.identifiers.path)/\(id.text)"
    }

    static func list(_ call: PortalCall) async throws -> PortalAnswer {
        var query = BundleIdentifierQuery()
        query.search = call.query("search")
        query.platforms =
            call.query("platform")
            .flatMap(BundleIdentifierPlatform.init(rawValue:)).map { [$0] } ?? []
        query.order = ListOrder(call.query("sort"), otherwise: .name)
        let found = try await call.services.bundleIdentifiers.identifiers(
            query, call.pageRequest, by: call.actor)
        let table = PortalTable(
            "Identifiers",
            columns: [
                .init("Name", sort: "name"), .init("Identifier", sort: "identifier"),
                .init("Platform", sort: "platform"), .init("In-App Purchase"), .init("App"),
            ],
            rows: found.items.map { identifier in
                [
                    .link(path(identifier.id), [.foreign(identifier.name)]),
                    .element("code", identifier.identifier.text),
                    .text(identifier.platform.title), purchaseBadge(identifier).html,
                    identifier.app.map { .link(AppPages.path($0), "App \($0.number)") }
                        ?? .text("—"),
                ]
            },
            none: (
                "No identifiers",
                "An app is made from an identifier such as com.example.app. Register it first."
            ))
        var page = PortalPage(
            "Identifiers",
            [
                PortalSearch(
                    "Name or identifier",
                    filters: [("platform", "Platform", [.init("", "All")] + platforms)]
                ).html(call), table.html(call),
                PortalPaging(page: call.page, total: found.total ?? 0).html(call),
            ], in: .identifiers)
        page.lead =
            "Apps and profiles are made from identifiers: explicit ones to sell, wildcards to try "
            + "things out."
        if call.actor.allows(.manageIdentifiers) {
            page.actions = [
                .buttonLink(
                    "\(PortalSection.identifiers.path)/new", "Register Identifier", isMeant: true)
            ]
        }
        return .page(page)
    }

    static func new(_ call: PortalCall) async throws -> PortalAnswer {
        .page(registration(PortalForm(call)))
    }

    static func register(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let identifier = try await call.services.bundleIdentifiers.register(
                BundleIdentifierDraft(
                    identifier: call.form["identifier"], name: call.form["name"],
                    platform: BundleIdentifierPlatform(rawValue: call.form["platform"])
                        ?? .linux), by: call.actor)
            return .redirect(
                to: path(identifier.id), notice: "\(identifier.identifier) is registered.")
        } again: {
            registration($0)
        }
    }

    private static func registration(_ form: PortalForm) -> PortalPage {
        var page = PortalPage(
            "Register an Identifier",
            [
                form.html(
                    PortalSection.identifiers.path,
                    [
                        form.text("name", "Name", isRequired: true, limit: 100),
                        form.text(
                            "identifier", "Bundle identifier",
                            hint: "Explicit, as com.example.app, for an app that sells. With a "
                                + "final *, as com.example.*, for all that begin so: development "
                                + "only, and without in-app purchase.",
                            isRequired: true, limit: 155,
                            [.init("autocapitalize", "none"), .init("spellcheck", "false")]),
                        form.radios("platform", "Platform", platforms, chosen: "LINUX"),
                        form.actions("Register", cancel: PortalSection.identifiers.path),
                    ])
            ], in: .identifiers)
        page.trail = [.init("Identifiers", PortalSection.identifiers.path)]
        page.isNarrow = true
        return page
    }

    private static let platforms: [PortalOption] = [
        BundleIdentifierPlatform.linux, .universal, .iOS, .macOS, .services,
    ].map { PortalOption($0.rawValue, $0.title) }

    static func purchaseBadge(_ identifier: BundleIdentifier) -> PortalBadge {
        if identifier.isWildcard { return PortalBadge("Not for wildcards") }
        return identifier.allowsInAppPurchase ? PortalBadge("On", .good) : PortalBadge("Off", .warn)
    }
}
