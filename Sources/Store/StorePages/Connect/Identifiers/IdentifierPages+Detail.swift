import StoreCore
import StoreModel

/// The page of one bundle identifier: its name, its capabilities, its end.
extension IdentifierPages {
    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await detail(call, PortalForm(call)))
    }

    /// Saves the name and switches what was ticked and unticked.
    static func change(_ call: PortalCall) async throws -> PortalAnswer {
        let id = try identifier(call)
        let service = call.services.bundleIdentifiers
        return try await call.submit {
            _ = try await service.configure(
                id, name: call.form["name"],
                capabilities: Set(
                    call.form.all("capabilityType").compactMap(CapabilityType.init)),
                by: call.actor)
            return .redirect(to: path(id), notice: "Saved.")
        } again: {
            try await detail(call, $0)
        }
    }

    static func confirmDeletion(_ call: PortalCall) async throws -> PortalAnswer {
        let identifier = try await call.services.bundleIdentifiers.identifier(
            identifier(call), by: call.actor)
        return .page(deletion(identifier, PortalForm(call)))
    }

    static func delete(_ call: PortalCall) async throws -> PortalAnswer {
        let identifier = try await call.services.bundleIdentifiers.identifier(
            identifier(call), by: call.actor)
        return try await call.submit {
            try await call.services.bundleIdentifiers.delete(identifier.id, by: call.actor)
            return .redirect(
                to: PortalSection.identifiers.path, notice: "\(identifier.identifier) is deleted.")
        } again: {
            deletion(identifier, $0)
        }
    }

    private static func identifier(_ call: PortalCall) throws -> BundleIdentifierID {
        guard let id = BundleIdentifierID(call.id) else {
            throw ConnectRefusal.notFound("bundle identifier", call.id)
        }
        return id
    }

    private static func deletion(_ identifier: BundleIdentifier, _ form: PortalForm) -> PortalPage {
        var page = PortalConfirmation(
            "Delete \(identifier.identifier)?",
            [
                "The identifier and its capabilities are gone; others may register it then.",
                "It can't be deleted while an app or a profile in force uses it.",
            ], button: "Delete"
        ).page(
            form, action: "\(path(identifier.id))/delete", cancel: path(identifier.id),
            in: .identifiers)
        page.trail = trail(identifier)
        return page
    }

    private static func trail(_ identifier: BundleIdentifier) -> [PortalPage.Crumb] {
        [
            .init("Identifiers", PortalSection.identifiers.path),
            .init(identifier.name, path(identifier.id)),
        ]
    }

    private static func detail(_ call: PortalCall, _ form: PortalForm) async throws -> PortalPage {
        let id = try identifier(call)
        let identifier = try await call.services.bundleIdentifiers.identifier(id, by: call.actor)
        let capabilities = try await call.services.bundleIdentifiers.capabilities(
            of: id, by: call.actor)
        var page = PortalPage(
            identifier.name,
            [
                PortalPanel("Identifier", [facts(identifier)]).html,
                try await profiles(of: id, call),
                call.actor.allows(.manageIdentifiers)
                    ? edit(identifier, capabilities, form)
                    : PortalPanel(
                        "Capabilities",
                        [
                            .element(
                                "ul", [], capabilities.map { .element("li", $0.type.title) })
                        ]
                    ).html,
            ], in: .identifiers)
        page.kind = identifier.isWildcard ? "Wildcard identifier" : "Explicit identifier"
        page.badge = purchaseBadge(identifier).html
        page.trail = [.init("Identifiers", PortalSection.identifiers.path)]
        if call.actor.allows(.manageIdentifiers) {
            page.actions = [.buttonLink("\(path(id))/delete", "Delete…")]
        }
        return page
    }

    private static func facts(_ identifier: BundleIdentifier) -> HTML {
        PortalFacts([
            ("Bundle identifier", .element("code", identifier.identifier.text)),
            ("Identifier in Connect", .element("code", identifier.id.text)),
            ("Prefix of the team", .element("code", identifier.seedID.text)),
            ("Platform", .text(identifier.platform.title)),
            (
                "App",
                identifier.app.map { .link(AppPages.path($0), "App \($0.number)") }
                    ?? .text("None yet")
            ),
        ]).html
    }

    private static func edit(
        _ identifier: BundleIdentifier, _ capabilities: [Capability], _ form: PortalForm
    ) -> HTML {
        let purchase = CapabilityType.inAppPurchase
        let types =
            [purchase]
            + CapabilityType.allCases.filter { $0 != purchase }
            .sorted { $0.title.lowercased() < $1.title.lowercased() }
        let options = types.compactMap { type -> PortalOption? in
            if type == purchase, identifier.isWildcard || identifier.platform == .services {
                return nil
            }
            return PortalOption(
                type.rawValue, type.title,
                hint: type == purchase
                    ? "Switching it on or off makes all existing profiles out of date." : nil)
        }
        return PortalPanel(
            "Name and Capabilities",
            [
                form.html(
                    path(identifier.id),
                    [
                        form.text("name", "Name", identifier.name, isRequired: true, limit: 100),
                        form.checkboxes(
                            "capabilityType", "Capabilities", options,
                            chosen: Set(capabilities.map(\.type.rawValue))),
                        form.actions("Save"),
                    ])
            ]
        ).html
    }

    private static func profiles(
        of id: BundleIdentifierID, _ call: PortalCall
    ) async throws -> HTML {
        var query = ProfileQuery()
        query.bundleIdentifier = id
        let found = try await call.services.profiles.profiles(
            query, PageRequest(limit: 20), by: call.actor)
        guard !found.items.isEmpty else { return .nothing }
        let now = call.services.clock.now()
        return PortalPanel(
            "Profiles",
            [
                PortalTable(
                    "Profiles of the identifier", columns: [.init("Name"), .init("State")],
                    rows: found.items.map { profile in
                        [
                            .link(ProfilePages.path(profile.id), [.foreign(profile.name)]),
                            ProfilePages.badge(profile, at: now).html,
                        ]
                    }, none: ("", "")
                ).html()
            ]
        ).html
    }
}
