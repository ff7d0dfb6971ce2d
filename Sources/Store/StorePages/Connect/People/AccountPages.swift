import StoreCore

extension PortalRouteTable {
    static let account: [PortalRoute] = [
        .get("/account", .useConnect, AccountPages.show),
        .post("/account/name", .useConnect, AccountPages.rename),
        .post("/account/password", .useConnect, AccountPages.changePassword),
        .post("/account/sessions/{id}/end", .useConnect, AccountPages.endSession),
    ]
}

/// One's own name, password and sessions.
enum AccountPages {
    private static let root = "/connect/account"

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await page(call))
    }

    static func rename(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            _ = try await call.services.people.persons.rename(
                to: call.form["name"], by: call.actor)
            return .redirect(to: root, notice: "Your name is changed.")
        } again: { form in
            try await page(call, naming: form)
        }
    }

    static func changePassword(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            try await call.services.people.persons.changePassword(
                from: call.form["currentPassword"], to: call.form["newPassword"],
                token: call.visit.token, address: call.request.clientAddress, by: call.actor)
            return .redirect(
                to: root, notice: "Your password is changed. All other sessions have ended.")
        } again: { form in
            try await page(call, locking: form)
        }
    }

    static func endSession(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.services.people.sessions.end(call.id, by: call.actor)
        return .redirect(to: root, notice: "The session has ended.")
    }

    private static func page(
        _ call: PortalCall, naming: PortalForm? = nil, locking: PortalForm? = nil
    ) async throws -> PortalPage {
        let people = call.services.people
        let person = try await people.persons.me(by: call.actor)
        let own = try await people.sessions.opened(call.visit.token)?.session.id
        let sessions = try await people.sessions.sessions(by: call.actor)
        let plain = PortalForm(call)
        let name = naming ?? plain
        let lock = locking ?? plain
        var page = PortalPage(
            "Your Account",
            [
                PortalPanel(
                    "Name",
                    [
                        name.html(
                            "\(root)/name",
                            [
                                name.text(
                                    "name", "Name", person.name, isRequired: true,
                                    limit: PersonRules.longestName,
                                    [.init("autocomplete", "name")]),
                                name.actions("Save Name"),
                            ])
                    ]
                ).html,
                PortalPanel("Password", [password(lock, of: person)]).html,
                PortalPanel("Sessions", [list(sessions, own, plain)]).html,
            ])
        page.lead = person.email
        return page
    }

    private static func password(_ form: PortalForm, of person: Person) -> HTML {
        form.html(
            "\(root)/password",
            [
                PortalForm.account(person.email),
                form.text(
                    "currentPassword", "Current password", as: .password, isRequired: true,
                    limit: PersonRules.longestPassword,
                    [.init("autocomplete", "current-password")]),
                form.text(
                    "newPassword", "New password", as: .password,
                    hint: "At least \(PersonRules.shortestPassword) characters.",
                    isRequired: true, limit: PersonRules.longestPassword,
                    [.init("autocomplete", "new-password")]),
                form.actions("Change Password"),
            ])
    }

    private static func list(
        _ sessions: [ConnectSession], _ own: String?, _ form: PortalForm
    ) -> HTML {
        PortalTable(
            "Sessions",
            columns: [.init("Where"), .init("Kind"), .init("Last used"), .init("End")],
            rows: sessions.map { session in
                [
                    .foreign(session.client.isEmpty ? "Unknown" : session.client),
                    .text(session.kind == .browser ? "Browser" : "Command"),
                    PortalFormatting.time(session.lastUse),
                    session.id == own
                        ? PortalBadge("This one", .good).html
                        : form.button("End", to: "\(root)/sessions/\(session.id)/end"),
                ]
            }, none: ("No sessions", "You are not signed in anywhere.")
        ).html()
    }
}
