import StoreCore

extension PortalRouteTable {
    /// Whoever has the link is not signed in yet.
    static let invitations: [PortalRoute] = [
        .open(.get, "/invitations/{token}", InvitationPages.show),
        .open(.post, "/invitations/{token}", InvitationPages.accept),
    ]
}

/// The page behind an invitation's link.
enum InvitationPages {
    static func show(_ visit: PortalVisit) async throws -> PortalAnswer {
        .page(page(try await offer(visit), PortalForm(visit), visit))
    }

    static func accept(_ visit: PortalVisit) async throws -> PortalAnswer {
        let offer = try await offer(visit)
        return try await visit.submit {
            let people = visit.services.people
            let person = try await people.invitations.accept(
                token: visit.id, name: visit.form["name"], password: visit.form["password"],
                address: visit.request.clientAddress)
            let started = try await people.sessions.start(
                person, kind: .browser, client: visit.client)
            if let team = offer.invitation.team {
                _ = try await people.sessions.choose(team: team, token: started.token)
            }
            return .entering(
                session: started.token, to: PortalPath.start,
                notice: "Welcome to \(offer.teamName ?? "the store’s staff").")
        } again: { form in
            page(offer, form, visit)
        }
    }

    private static func offer(_ visit: PortalVisit) async throws -> InvitationOffer {
        guard let offer = try await visit.services.people.invitations.offer(token: visit.id)
        else {
            throw ConnectRefusal(
                .notFound, rule: "invitationUnknown", "This invitation does not work.",
                help: "It was accepted, revoked, or is too old; ask for another one.")
        }
        return offer
    }

    private static func page(
        _ offer: InvitationOffer, _ form: PortalForm, _ visit: PortalVisit
    ) -> PortalPage {
        let whom = offer.teamName ?? "the Store’s Staff"
        let asks =
            offer.isKnown
            ? [
                form.text(
                    "password", "Your password", as: .password,
                    hint: "You have an account already; type its password.", isRequired: true,
                    limit: PersonRules.longestPassword,
                    [.init("autocomplete", "current-password")])
            ]
            : [
                form.text(
                    "name", "Your name", isRequired: true, limit: PersonRules.longestName,
                    [.init("autocomplete", "name")]),
                form.text(
                    "password", "Password", as: .password,
                    hint: "At least \(PersonRules.shortestPassword) characters.",
                    isRequired: true, limit: PersonRules.longestPassword,
                    [.init("autocomplete", "new-password")]),
            ]
        var page = PortalPage(
            "Join \(whom)",
            [
                PortalFacts([
                    ("Email", .text(offer.invitation.email)),
                    ("Roles", .text(offer.invitation.roles.titles)),
                    ("Invited by", .text(offer.invitation.inviter)),
                ]).html,
                form.html(
                    "/connect/invitations/\(visit.id)",
                    [PortalForm.account(offer.invitation.email)] + asks + [form.actions("Join")],
                    warnsUnsaved: false),
            ])
        page.isNarrow = true
        return page
    }
}

/// The page that shows an invitation's link, this once.
enum InvitationLink {
    static func page(
        _ issued: IssuedInvitation, _ call: PortalCall, in section: PortalSection,
        trail: [PortalPage.Crumb], back: String
    ) -> PortalPage {
        let address = call.visit.browser.origin + issued.path
        var page = PortalPage(
            "Pass This Link On",
            [
                PortalSecret("Link for \(issued.invitation.email)", address).html,
                .element(
                    "p", [],
                    [
                        .text("It works once, until "),
                        PortalFormatting.time(issued.invitation.end),
                        .text("."),
                    ]),
                .element("p", [], [.buttonLink(back, "Done", isMeant: true)]),
            ], in: section)
        page.trail = trail
        page.isNarrow = true
        return page
    }
}
