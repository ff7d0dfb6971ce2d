import StoreCore

/// The page behind the link that a new store prints: whoever opens it becomes the operator.
enum FirstOperator {
    static func show(_ visit: PortalVisit) async throws -> PortalAnswer {
        guard try await visit.services.people.firstOperator.isOpen(token: visit.id) else {
            throw ConnectRefusal(
                .notFound, rule: "firstLinkUnknown", "This link does not work.",
                help: "It works once, until the store starts again; the store prints a new one "
                    + "then.")
        }
        return .page(page(PortalForm(visit), visit))
    }

    static func create(_ visit: PortalVisit) async throws -> PortalAnswer {
        try await visit.submit {
            let people = visit.services.people
            let person = try await people.firstOperator.create(
                token: visit.id, email: visit.form["email"], name: visit.form["name"],
                password: visit.form["password"])
            let started = try await people.sessions.start(
                person, kind: .browser, client: visit.client)
            return .entering(
                session: started.token, to: PortalPath.start,
                notice: "Welcome. The next step is a team that sells.")
        } again: { form in
            page(form, visit)
        }
    }

    private static func page(_ form: PortalForm, _ visit: PortalVisit) -> PortalPage {
        var page = PortalPage(
            "Set Up This Store",
            [
                form.html(
                    "\(PortalPath.first)/\(visit.id)",
                    [
                        form.text(
                            "name", "Your name", isRequired: true, limit: PersonRules.longestName,
                            [.init("autocomplete", "name"), .init("autofocus")]),
                        form.text(
                            "email", "Email", isRequired: true,
                            PortalForm.address),
                        form.text(
                            "password", "Password", as: .password,
                            hint: "At least \(PersonRules.shortestPassword) characters.",
                            isRequired: true,
                            limit: PersonRules.longestPassword,
                            [.init("autocomplete", "new-password")]),
                        form.actions("Become the Operator"),
                    ], warnsUnsaved: false)
            ])
        page.lead =
            "This store has no operator yet. The operator creates teams and staff, and "
            + "can do everything in the store."
        return page
    }
}
