import StoreCore

/// Whom one acts for: one of one's teams, or the store.
enum TeamChoice {
    /// What stands for the store's staff in the form.
    private static let staff = "staff"

    static func show(
        _ visit: PortalVisit, _ visitor: ConnectVisitor
    ) async throws -> PortalAnswer {
        .page(page(PortalForm(visit), visitor))
    }

    static func choose(
        _ visit: PortalVisit, _ visitor: ConnectVisitor
    ) async throws -> PortalAnswer {
        let wanted = visit.form["team"]
        return try await visit.submit {
            guard wanted == staff || Int64(wanted) != nil else {
                throw ConnectRefusal(
                    .invalid, rule: "teamMissing", field: "team", "No team is chosen.",
                    help: "Choose one.")
            }
            let chosen = try await visit.services.people.sessions.choose(
                team: Int64(wanted), token: visit.token)
            return .redirect(
                to: PortalPath.start,
                notice: "You act for \(chosen.team?.name ?? "the store") now.")
        } again: { form in
            page(form, visitor)
        }
    }

    private static func page(_ form: PortalForm, _ visitor: ConnectVisitor) -> PortalPage {
        let options =
            visitor.teams.map { PortalOption(String($0.id), $0.name) }
            + (visitor.isStaff ? [PortalOption(staff, "Store Staff")] : [])
        guard !options.isEmpty else {
            return PortalPage(
                "No Team",
                [
                    .element(
                        "p",
                        "Your account belongs to no team. Ask the Account Holder or an Admin "
                            + "of a team to invite \(visitor.email).")
                ])
        }
        let current = visitor.actor.map { $0.team.map(String.init) ?? staff }
        var page = PortalPage(
            "Whom Do You Act For?",
            [
                form.html(
                    PortalPath.choose,
                    [
                        form.radios("team", "Team", options, chosen: current),
                        form.actions("Go On"),
                    ], warnsUnsaved: false)
            ])
        page.isNarrow = true
        return page
    }
}
