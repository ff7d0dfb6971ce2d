import Foundation
import StoreCore

extension PortalRouteTable {
    static let keys: [PortalRoute] = [
        .get("/keys", .manageKeys, KeyPages.list),
        .get("/keys/new", .manageKeys, KeyPages.form),
        .post("/keys/new", .manageKeys, KeyPages.create),
        .get("/keys/{id}/revoke", .manageKeys, KeyPages.askRevocation),
        .post("/keys/{id}/revoke", .manageKeys, KeyPages.revoke),
    ]
}

/// Keys of the API.
enum KeyPages {
    private static let root = PortalSection.keys.path
    private static let crumb = PortalPage.Crumb(PortalSection.keys.title, root)

    static func list(_ call: PortalCall) async throws -> PortalAnswer {
        let scope = TeamScope(call)
        let found = try await call.services.people.keys.keys(of: scope.team, by: call.actor)
        var page = PortalPage(
            PortalSection.keys.title,
            [
                found.issuer.map {
                    PortalFacts([("Issuer ID", .element("code", $0.text))]).html
                } ?? .nothing,
                PortalTable(
                    "Keys",
                    columns: [
                        .init("Name"), .init("Key ID"), .init("Role"), .init("Made"),
                        .init("Last used"), .init("State"),
                    ],
                    rows: found.keys.map { key in
                        [
                            .foreign(key.name), .element("code", key.id.text),
                            .text(key.role.title), PortalFormatting.day(key.created),
                            key.lastUse.map(PortalFormatting.time) ?? .text("Never"),
                            key.revoked == nil
                                ? .link(scope.path("\(root)/\(key.id)/revoke"), "Revoke")
                                : PortalBadge("Revoked", .bad).html,
                        ]
                    },
                    none: ("No keys yet", "A key lets programs use the API as a team.")
                ).html(),
            ], in: .keys)
        page.lead =
            "Programs sign their requests with a key, as for App Store Connect. Keys belong to "
            + "a team; there are none of single people."
        page.actions = [.buttonLink(scope.path("\(root)/new"), "Make a Key", isMeant: true)]
        if scope.team != nil {
            page.actions.append(
                .buttonLink(scope.path(SharedSecretPages.teamPath), "Shared Secret"))
        }
        return .page(page)
    }

    static func form(_ call: PortalCall) async throws -> PortalAnswer {
        .page(page(PortalForm(call), TeamScope(call)))
    }

    static func create(_ call: PortalCall) async throws -> PortalAnswer {
        let scope = TeamScope(call)
        return try await call.submit {
            guard let role = ConnectRole(rawValue: call.form["role"]) else {
                throw ConnectRefusal(
                    .invalid, rule: "roleMissing", field: "role", "No role is chosen.",
                    help: "Choose what the key may do.")
            }
            let issued = try await call.services.people.keys.create(
                name: call.form["name"], role: role, team: scope.team, by: call.actor)
            return .page(secret(issued, scope))
        } again: { form in
            page(form, scope)
        }
    }

    static func askRevocation(_ call: PortalCall) async throws -> PortalAnswer {
        .page(revocation(try await key(call), PortalForm(call), TeamScope(call)))
    }

    static func revoke(_ call: PortalCall) async throws -> PortalAnswer {
        let key = try await key(call)
        _ = try await call.services.people.keys.revoke(key.id, by: call.actor)
        return .redirect(to: TeamScope(call).path(root), notice: "\(key.id) is revoked.")
    }

    private static func key(_ call: PortalCall) async throws -> APIKey {
        guard let id = APIKeyID(call.id) else { throw ConnectRefusal.notFound("key", call.id) }
        return try await call.services.people.keys.key(id, by: call.actor)
    }

    private static func page(_ form: PortalForm, _ scope: TeamScope) -> PortalPage {
        let roles = scope.team == nil ? ConnectRole.staff : ConnectRole.assignable
        var page = PortalPage(
            "Make a Key",
            [
                form.html(
                    "\(root)/new",
                    [
                        scope.field,
                        form.text(
                            "name", "Name", hint: "What the key is for.", isRequired: true,
                            limit: PersonRules.longestName),
                        form.radios("role", "Role", ConnectRole.options(roles), chosen: nil),
                        form.actions("Make the Key", cancel: scope.path(root)),
                    ])
            ], in: .keys)
        page.trail = [crumb]
        page.isNarrow = true
        return page
    }

    /// The private half, shown and offered as a file without another request for it.
    private static func secret(_ issued: IssuedAPIKey, _ scope: TeamScope) -> PortalPage {
        let file =
            "data:application/x-pem-file;base64,"
            + Data(issued.privateKey.utf8).base64EncodedString()
        var page = PortalPage(
            "Keep This Key",
            [
                PortalFacts([
                    ("Key ID", .element("code", issued.key.id.text)),
                    ("Issuer ID", .element("code", issued.key.issuer.text)),
                    ("Role", .text(issued.key.role.title)),
                ]).html,
                PortalSecret("Private key", issued.privateKey).html,
                .element(
                    "p", [],
                    [
                        .element(
                            "a",
                            [
                                .init("class", "button primary"), .init("href", file),
                                .init("download", issued.key.id.fileName),
                            ], "Download \(issued.key.id.fileName)")
                    ]),
                .element("p", [], [.link(scope.path(root), "Done")]),
            ], in: .keys)
        page.trail = [crumb]
        page.isNarrow = true
        return page
    }

    private static func revocation(
        _ key: APIKey, _ form: PortalForm, _ scope: TeamScope
    ) -> PortalPage {
        PortalConfirmation(
            "Revoke \(key.name)?",
            [
                "Programs that use the key \(key.id) are refused at once.",
                "It can’t be given back; make a new one.",
            ], button: "Revoke"
        ).page(
            form, action: "\(root)/\(key.id)/revoke", cancel: scope.path(root), in: .keys,
            [scope.field])
    }
}
