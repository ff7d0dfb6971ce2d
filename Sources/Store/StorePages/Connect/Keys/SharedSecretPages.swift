import Foundation
import StoreCore
import StoreModel

extension PortalRouteTable {
    static let sharedSecrets: [PortalRoute] = [
        .get("/apps/{id}/secret", .manageAppSecrets, SharedSecretPages.ofApp),
        .post("/apps/{id}/secret", .manageAppSecrets, SharedSecretPages.makeForApp),
        .get("/keys/secret", .manageTeamSecrets, SharedSecretPages.ofTeam),
        .post("/keys/secret", .manageTeamSecrets, SharedSecretPages.makeForTeam),
    ]
}

extension PortalServices {
    var sharedSecrets: SharedSecretService {
        SharedSecretService(database: database, vault: vault, clock: clock)
    }
}

/// The secret with which a publisher's server has receipts verified: an app's, or a team's.
enum SharedSecretPages {
    static func ofApp(_ call: PortalCall) async throws -> PortalAnswer {
        let app = try await AppTabs.app(call).app
        return .page(page(of: app, try await secret(of: .app(app.id), call), call))
    }

    static func makeForApp(_ call: PortalCall) async throws -> PortalAnswer {
        let app = try await AppTabs.app(call).app
        _ = try await call.services.sharedSecrets.generate(for: .app(app.id), by: call.actor)
        return .redirect(
            to: "\(AppPages.path(app.id))/secret", notice: "The app has a new secret.")
    }

    static func ofTeam(_ call: PortalCall) async throws -> PortalAnswer {
        let scope = TeamScope(call)
        let team = try scope.required()
        return .page(page(try await secret(of: .team(team), call), scope, call))
    }

    static func makeForTeam(_ call: PortalCall) async throws -> PortalAnswer {
        let scope = TeamScope(call)
        _ = try await call.services.sharedSecrets.generate(
            for: .team(try scope.required()), by: call.actor)
        return .redirect(to: scope.path(teamPath), notice: "The team has a new secret.")
    }

    static let teamPath = "\(PortalSection.keys.path)/secret"

    private static func secret(
        of owner: SharedSecret.Owner, _ call: PortalCall
    ) async throws -> SharedSecret? {
        try await call.services.sharedSecrets.secret(of: owner, by: call.actor)
    }

    private static func page(
        of app: App, _ secret: SharedSecret?, _ call: PortalCall
    ) -> PortalPage {
        var page = PortalPage(
            app.name,
            contents(
                secret, "It opens the receipts of this app only.",
                action: "\(AppPages.path(app.id))/secret", [], call), in: .apps)
        page.kind = "App"
        page.badge = app.binaryState.badge.html
        page.trail = [.init("Apps", PortalSection.apps.path)]
        page.tabs = AppTabs.html(of: app, current: "/apps/{id}/secret", call)
        return page
    }

    private static func page(
        _ secret: SharedSecret?, _ scope: TeamScope, _ call: PortalCall
    ) -> PortalPage {
        var page = PortalPage(
            "Shared Secret",
            contents(
                secret, "It opens the receipts of all of the team’s apps.", action: teamPath,
                [scope.field], call), in: .keys)
        page.trail = [.init(PortalSection.keys.title, PortalSection.keys.path)]
        page.isNarrow = true
        return page
    }

    private static func contents(
        _ secret: SharedSecret?, _ reach: String, action: String, _ fields: [HTML],
        _ call: PortalCall
    ) -> [HTML] {
        let form = PortalForm(call)
        var parts: [HTML] = [
            .element(
                "p",
                "Your server sends the secret as password to /verifyReceipt, and hears what "
                    + "became of subscriptions. \(reach)")
        ]
        if let secret {
            parts.append(PortalSecret("Shared secret", secret.text).html)
            parts.append(PortalFacts([("Made", PortalFormatting.day(secret.date))]).html)
            parts.append(
                .element("p", "With a new one, servers that use the old one are refused at once."))
        }
        let button = secret == nil ? "Make a Secret" : "Make a New Secret"
        parts.append(
            form.html(
                action,
                fields + [form.actions(button, look: secret == nil ? .primary : .danger)],
                warnsUnsaved: false))
        return parts
    }
}
