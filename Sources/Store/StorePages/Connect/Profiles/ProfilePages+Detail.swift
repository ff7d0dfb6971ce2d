import Foundation
import StoreCore
import StoreModel

/// The page of one profile: what it says, whether it is in force, its file.
extension ProfilePages {
    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await detail(call))
    }

    /// The file that goes into the app.
    static func download(_ call: PortalCall) async throws -> PortalAnswer {
        let profile = try await call.services.profiles.profile(id(call), by: call.actor)
        return .download(
            Data((profile.content + "\n").utf8), type: "application/jose",
            name: "embedded.storeprofile")
    }

    static func renew(_ call: PortalCall) async throws -> PortalAnswer {
        let id = try id(call)
        _ = try await call.services.profiles.renew(
            id, uuid: UUID(), address: call.profileAddress, by: call.actor)
        return .redirect(
            to: path(id), notice: "The profile is renewed. Put its new file into the app.")
    }

    static func confirmDeletion(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await deletion(call, PortalForm(call)))
    }

    static func delete(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            try await call.services.profiles.delete(try id(call), by: call.actor)
            return .redirect(to: PortalSection.profiles.path, notice: "The profile is deleted.")
        } again: {
            try await deletion(call, $0)
        }
    }

    private static func deletion(_ call: PortalCall, _ form: PortalForm) async throws -> PortalPage
    {
        let profile = try await call.services.profiles.profile(id(call), by: call.actor)
        var page = PortalConfirmation(
            "Delete the profile \(profile.name)?",
            ["Apps that carry its file go on with it until it expires."], button: "Delete"
        ).page(
            form, action: "\(path(profile.id))/delete", cancel: path(profile.id), in: .profiles)
        page.trail = [
            .init("Profiles", PortalSection.profiles.path), .init(profile.name, path(profile.id)),
        ]
        return page
    }

    private static func id(_ call: PortalCall) throws -> ProfileID {
        guard let id = ProfileID(call.id) else { throw ConnectRefusal.notFound("profile", call.id) }
        return id
    }

    private static func detail(_ call: PortalCall) async throws -> PortalPage {
        let profile = try await call.services.profiles.profile(id(call), by: call.actor)
        let now = call.services.clock.now()
        let mayChange = call.actor.allows(profile.type.permission)
        var page = PortalPage(
            profile.name,
            [
                flaw(profile, at: now, mayChange: mayChange, PortalForm(call)),
                PortalPanel("Profile", [facts(profile)]).html,
                PortalPanel(
                    "Using it",
                    [
                        .element(
                            "p",
                            "Put the file beside the app’s executable as embedded.storeprofile, or "
                                + "name it in the environment variable OPENSTORE_PROFILE.")
                    ]
                ).html,
            ], in: .profiles)
        page.kind = profile.type.title
        page.badge = badge(profile, at: now).html
        page.trail = [.init("Profiles", PortalSection.profiles.path)]
        page.actions =
            mayChange ? [.buttonLink("\(path(profile.id))/delete", "Delete…")] : []
        page.actions.append(
            .buttonLink("\(path(profile.id))/file", "Download", isMeant: true))
        return page
    }

    private static func facts(_ profile: Profile) -> HTML {
        PortalFacts([
            (
                "Identifier",
                profile.bundleIdentifier.map {
                    .link(
                        IdentifierPages.path($0),
                        [.element("code", profile.identifier.text)])
                } ?? .element("code", profile.identifier.text)
            ),
            ("Environment", .text(profile.type.environment.rawValue)),
            ("UUID", .element("code", profile.uuid)),
            ("Made", PortalFormatting.time(profile.created)),
            ("Expires", PortalFormatting.time(profile.expires)),
        ]).html
    }

    private static func flaw(
        _ profile: Profile, at date: Date, mayChange: Bool, _ form: PortalForm
    ) -> HTML {
        guard let flaw = profile.flaw(at: date) else { return .nothing }
        let mending: HTML =
            if !flaw.isMendable {
                .element("p", "Make a profile for another identifier instead.")
            } else if mayChange {
                form.button("Make Anew", to: "\(path(profile.id))/renew", look: .primary)
            } else {
                .element("p", "Somebody with another role has to make it anew.")
            }
        return PortalNotice(
            .warn,
            [
                .element(
                    "p", "\(flaw.message) Apps that carry it get no products from the store."),
                mending,
            ]
        ).html
    }
}
