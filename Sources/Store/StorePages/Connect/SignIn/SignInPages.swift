import StoreCore
import StoreHTTP

extension PortalRouteTable {
    static let signIn: [PortalRoute] = [
        .open(.get, "/sign-in", SignInPages.show),
        .open(.post, "/sign-in", SignInPages.signIn),
        .person(.post, "/sign-out", SignInPages.signOut),
        .person(.get, "/team", TeamChoice.show),
        .person(.post, "/team", TeamChoice.choose),
        .open(.get, "/first/{token}", FirstOperator.show),
        .open(.post, "/first/{token}", FirstOperator.create),
    ]
}

/// Signing in and out.
enum SignInPages {
    static func show(_ visit: PortalVisit) async throws -> PortalAnswer {
        guard try await visit.signedIn() == nil else {
            return .redirect(to: PortalLink.own(visit.query("next")) ?? PortalPath.start)
        }
        return .page(page(PortalForm(visit), next: visit.query("next")))
    }

    static func signIn(_ visit: PortalVisit) async throws -> PortalAnswer {
        try await visit.submit {
            let started = try await visit.services.people.sessions.signIn(
                email: visit.form["email"], password: visit.form["password"], kind: .browser,
                client: visit.client, address: visit.request.clientAddress,
                replacing: visit.browser.session)
            return .entering(
                session: started.token,
                to: PortalLink.own(visit.form["next"]) ?? PortalPath.start)
        } again: { form in
            page(form, next: visit.form["next"])
        }
    }

    static func signOut(
        _ visit: PortalVisit, _ visitor: ConnectVisitor
    ) async throws -> PortalAnswer {
        try await visit.services.people.sessions.signOut(token: visit.token)
        return .leaving(to: PortalPath.signIn)
    }

    private static func page(_ form: PortalForm, next: String?) -> PortalPage {
        var page = PortalPage(
            "Sign In",
            [
                form.html(
                    PortalPath.signIn,
                    [
                        form.text(
                            "email", "Email", isRequired: true,
                            PortalForm.address + [.init("autofocus")]),
                        form.text(
                            "password", "Password", as: .password, isRequired: true,
                            limit: PersonRules.longestPassword,
                            [.init("autocomplete", "current-password")]),
                        PortalLink.own(next).map { .hidden("next", $0) } ?? .nothing,
                        form.actions("Sign In"),
                    ], warnsUnsaved: false)
            ])
        page.lead = "For publishers, and for the store’s staff."
        return page
    }
}

extension PortalVisit {
    /// What the browser calls itself, for the list of sessions.
    package var client: String { request.headers["User-Agent"] ?? "" }
}
