import Foundation
import StoreCore
import StoreModel

/// Provisioning profiles of a team: the list, and making one.
enum ProfilePages {
    static func path(_ id: ProfileID) -> String { "\(PortalSection.profiles.path)/\(id.text)" }

    static func badge(_ profile: Profile, at date: Date) -> PortalBadge {
        switch profile.flaw(at: date) {
        case nil: PortalBadge("Active", .good)
        case .expired: PortalBadge("Expired", .warn)
        case .identifierChanged: PortalBadge("Out of date", .warn)
        case .identifierDeleted: PortalBadge("Invalid", .bad)
        }
    }

    static func list(_ call: PortalCall) async throws -> PortalAnswer {
        var query = ProfileQuery()
        query.order = ListOrder(call.query("sort"), otherwise: .name)
        let found = try await call.services.profiles.profiles(
            query, call.pageRequest, by: call.actor)
        let now = call.services.clock.now()
        let table = PortalTable(
            "Profiles",
            columns: [
                .init("Name", sort: "name"), .init("Type", sort: "profileType"),
                .init("Identifier"), .init("State", sort: "profileState"), .init("Expires"),
            ],
            rows: found.items.map { profile in
                [
                    .link(path(profile.id), [.foreign(profile.name)]),
                    .text(profile.type.title), .element("code", profile.identifier.text),
                    badge(profile, at: now).html, PortalFormatting.day(profile.expires),
                ]
            },
            none: (
                "No profiles",
                "A profile tells an app which store, sandbox or production, it talks to."
            ))
        var page = PortalPage(
            "Profiles",
            [
                table.html(call),
                PortalPaging(page: call.page, total: found.total ?? 0).html(call),
            ], in: .profiles)
        page.lead = "What an app carries to know its store."
        if call.actor.allows(.manageDevelopmentProfiles) {
            page.actions = [
                .buttonLink("\(PortalSection.profiles.path)/new", "Make Profile", isMeant: true)
            ]
        }
        return .page(page)
    }

    static func new(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await creation(call, PortalForm(call)))
    }

    static func create(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            guard let type = ProfileType(rawValue: call.form["profileType"]) else {
                throw ConnectRefusal(
                    .invalid, rule: "profileType", field: "profileType",
                    "No type of profile is chosen.", help: "Choose one.")
            }
            guard let identifier = BundleIdentifierID(call.form["bundleId"]) else {
                throw ConnectRefusal(
                    .invalid, rule: "bundleIdUnknown", field: "bundleId",
                    "No identifier is chosen.", help: "Choose one.")
            }
            let profile = try await call.services.profiles.create(
                ProfileDraft(name: call.form["name"], type: type, bundleIdentifier: identifier),
                uuid: UUID(), address: call.profileAddress, by: call.actor)
            return .redirect(to: path(profile.id), notice: "The profile is made.")
        } again: {
            try await creation(call, $0)
        }
    }

    private static func creation(_ call: PortalCall, _ form: PortalForm) async throws -> PortalPage
    {
        let found = try await call.identifiers().filter { $0.platform != .services }
        let identifiers = found.map {
            PortalOption($0.id.text, "\($0.identifier) – \($0.name)")
        }
        let types = ProfileType.allCases.filter { call.actor.allows($0.permission) }
        var page = PortalPage(
            "Make a Profile",
            [
                identifiers.isEmpty
                    ? PortalNotice(.warn, "Register an identifier first.").html : .nothing,
                form.html(
                    PortalSection.profiles.path,
                    [
                        form.text("name", "Name", isRequired: true, limit: 100),
                        form.select(
                            "profileType", "Type", types.map(option),
                            chosen: call.query("type") ?? ProfileType.linuxDevelopment.rawValue,
                            isRequired: true),
                        form.select(
                            "bundleId", "Identifier", identifiers, chosen: call.query("bundleId"),
                            hint: "Distribution needs an explicit one.", isRequired: true),
                        form.actions("Make Profile", cancel: PortalSection.profiles.path),
                    ]),
            ], in: .profiles)
        page.lead =
            "The profile leads the app to this store at "
            + "\(call.profileAddress ?? "an address that only the operator can say"), for one year."
        page.trail = [.init("Profiles", PortalSection.profiles.path)]
        page.isNarrow = true
        return page
    }

    private static func option(_ type: ProfileType) -> PortalOption {
        let environment = type.environment == .sandbox ? "sandbox" : "production"
        return PortalOption(type.rawValue, "\(type.title) (\(environment))")
    }
}
