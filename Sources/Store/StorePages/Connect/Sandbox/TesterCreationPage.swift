import StoreCore
import StoreModel

/// The form that makes a tester.
enum TesterCreationPage {
    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        call.actor.team == nil ? needsTeam : .page(page(PortalForm(call)))
    }

    /// The store's staff acts for no team that a tester could belong to.
    private static let needsTeam = PortalAnswer.redirect(
        to: PortalSection.sandbox.path,
        notice: "A tester belongs to a team: switch to the team first.")

    static func create(_ call: PortalCall) async throws -> PortalAnswer {
        guard call.actor.team != nil else { return needsTeam }
        return try await call.submit {
            let form = call.form
            guard let territory = Storefront.named(form["territory"]) else {
                throw ConnectRefusal(
                    .invalid, rule: "territoryUnknown", field: "territory",
                    "There is no such territory.", help: "Choose one from the list.")
            }
            guard form["password"] == form["passwordAgain"] else {
                throw ConnectRefusal(
                    .invalid, rule: "passwordsDiffer", field: "passwordAgain",
                    "The two passwords differ.", help: "Type the same one twice.")
            }
            let draft = TesterDraft(
                firstName: form["firstName"], lastName: form["lastName"],
                email: form["email"], password: form["password"],
                secretQuestion: form["secretQuestion"], secretAnswer: form["secretAnswer"],
                territory: territory)
            try TesterRules.requireWhole(draft)
            let tester = try await call.services.testers.create(draft, by: call.actor)
            return .redirect(
                to: TesterStrings.path(tester.account),
                notice: "\(tester.email) can sign in to the sandbox now.")
        } again: { form in
            page(form)
        }
    }

    private static func page(_ form: PortalForm) -> PortalPage {
        let limit = TesterRules.textLimit
        var page = PortalPage(
            "Add Tester",
            [
                form.html(
                    nil,
                    [
                        form.group(
                            "Person",
                            [
                                form.text(
                                    "firstName", "First name", isRequired: true, limit: limit),
                                form.text(
                                    "lastName", "Last name", isRequired: true, limit: limit),
                            ]),
                        form.group(
                            "Sign-in",
                            [
                                form.text(
                                    "email", "Email", as: .email,
                                    hint:
                                        "One that was never a tester's, and that nobody signs in to "
                                        + "the production store with. It can't be changed.",
                                    isRequired: true, [.init("autocomplete", "off")]),
                                form.text(
                                    "password", "Password", as: .password,
                                    hint: "At least \(CustomerPassword.shortest) characters.",
                                    isRequired: true,
                                    [.init("autocomplete", "new-password")]),
                                form.text(
                                    "passwordAgain", "The same password again", as: .password,
                                    isRequired: true, [.init("autocomplete", "new-password")]),
                                form.text(
                                    "secretQuestion", "Secret question", isRequired: true,
                                    limit: limit),
                                form.text(
                                    "secretAnswer", "Answer to it", isRequired: true,
                                    limit: limit, [.init("autocomplete", "off")]),
                            ]),
                        form.group(
                            "Store",
                            [
                                form.select(
                                    "territory", "Territory", TesterStrings.territories,
                                    chosen: "USA",
                                    hint:
                                        "It sets the currency of prices and the language of texts.",
                                    isRequired: true)
                            ]),
                        form.actions("Add Tester", cancel: PortalSection.sandbox.path),
                    ])
            ], in: .sandbox)
        page.isNarrow = true
        page.trail = [.init("Sandbox Testers", PortalSection.sandbox.path)]
        return page
    }
}
