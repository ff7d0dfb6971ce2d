import StoreCore
import StoreModel

extension PortalRouteTable {
    static let passwords: [PortalRoute] = [
        .get("/passwords", .operate, PasswordPages.show),
        .post("/passwords", .operate, PasswordPages.makeLink),
        // Whoever has the link can't sign in.
        .open(.get, "/passwords/{token}", PasswordLinkPages.show),
        .open(.post, "/passwords/{token}", PasswordLinkPages.set),
    ]
}

/// Where an operator makes the link by which somebody sets a new password.
enum PasswordPages {
    static let path = "/connect/passwords"
    private static let connect = "connect"

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(page(PortalForm(call)))
    }

    static func makeLink(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let place = call.form["place"]
            let environment = StoreEnvironment(word: place)
            guard environment != nil || place == connect else {
                throw ConnectRefusal(
                    .invalid, rule: "placeMissing", field: "place",
                    "No kind of account is chosen.", help: "Choose one.")
            }
            let issued = try await call.services.people.passwordResets.issue(
                email: call.form["email"], in: environment, by: call.actor)
            var page = PortalPage(
                "Pass This Link On",
                [
                    PortalSecret(
                        "Link for \(issued.email)", call.visit.browser.origin + issued.path
                    ).html,
                    .element(
                        "p", [],
                        [
                            .text("It works once, until "), PortalFormatting.time(issued.end),
                            .text(". Whoever has it sets the password: give it to nobody else."),
                        ]),
                    .element(
                        "p", [], [.buttonLink(PortalSection.staff.path, "Done", isMeant: true)]),
                ], in: .staff)
            page.trail = trail
            page.isNarrow = true
            return .page(page)
        } again: { form in
            page(form)
        }
    }

    private static let trail = [
        PortalPage.Crumb(PortalSection.staff.title, PortalSection.staff.path)
    ]

    private static func page(_ form: PortalForm) -> PortalPage {
        var page = PortalPage(
            "Reset a Password",
            [
                form.html(
                    path,
                    [
                        form.radios(
                            "place", "Used by",
                            [
                                PortalOption(connect, "A publisher or the store’s staff"),
                                PortalOption(
                                    StoreEnvironment.production.word, "A customer"),
                                PortalOption(StoreEnvironment.sandbox.word, "A tester"),
                            ], chosen: nil),
                        form.text("email", "Email", as: .email, isRequired: true),
                        form.actions("Make the Link", cancel: PortalSection.staff.path),
                    ])
            ], in: .staff)
        page.trail = trail
        page.isNarrow = true
        page.lead =
            "You get a link by which its owner sets a new password, once, within an hour. Make sure "
            + "who asks you for it: the activity log names you."
        return page
    }
}

/// The page behind such a link.
enum PasswordLinkPages {
    static func show(_ visit: PortalVisit) async throws -> PortalAnswer {
        .page(page(try await email(visit), PortalForm(visit), visit))
    }

    static func set(_ visit: PortalVisit) async throws -> PortalAnswer {
        let email = try await email(visit)
        return try await visit.submit {
            let owner = try await visit.services.people.passwordResets.set(
                visit.form["password"], token: visit.id, address: visit.request.clientAddress)
            var page = PortalPage(
                "Your Password Is Set",
                [
                    PortalNotice(.good, "All sessions of \(email) have ended.").html,
                    .element("p", "Sign in with the new password."),
                ])
            if case .person = owner {
                page.content.append(
                    .element("p", [], [.buttonLink(PortalPath.signIn, "Sign In", isMeant: true)]))
            }
            page.isNarrow = true
            return .page(page)
        } again: { form in
            page(email, form, visit)
        }
    }

    private static func email(_ visit: PortalVisit) async throws -> String {
        try await visit.services.people.passwordResets.email(
            token: visit.id, address: visit.request.clientAddress)
    }

    private static func page(
        _ email: String, _ form: PortalForm, _ visit: PortalVisit
    ) -> PortalPage {
        var page = PortalPage(
            "Set a New Password",
            [
                PortalFacts([("Email", .text(email))]).html,
                form.html(
                    "\(PasswordPages.path)/\(visit.id)",
                    [
                        PortalForm.account(email),
                        form.text(
                            "password", "New password", as: .password, isRequired: true,
                            limit: PersonRules.longestPassword,
                            [.init("autocomplete", "new-password"), .init("autofocus")]),
                        form.actions("Set Password"),
                    ], warnsUnsaved: false),
            ])
        page.lead = "All other sessions end."
        page.isNarrow = true
        return page
    }
}
