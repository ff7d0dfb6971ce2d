/// The team that something new is made for.
package enum TeamChoice {
    /// The actor's own team; for staff the one that was said, or the only one of the store.
    ///
    /// - Throws: `ConnectRefusal` with the rule `teamMissing`, or `notFound`.
    package static func team(
        _ wanted: Int64?, for actor: ConnectActor, _ repositories: StoreRepositories
    ) throws -> Int64 {
        if let wanted {
            guard actor.sees(team: wanted), try repositories.catalog.team(wanted) != nil else {
                throw ConnectRefusal.notFound("team", String(wanted))
            }
            return wanted
        }
        if let team = actor.team { return team }
        if let only = try repositories.catalog.onlyTeam() { return only.id }
        let teams = try repositories.people.teams(
            matching: nil, after: nil, limit: shownTeams + 1)
        throw refusal(teams.map(\.name))
    }

    /// As many teams are named.
    private static let shownTeams = 10

    private static func refusal(_ teams: [String]) -> ConnectRefusal {
        guard !teams.isEmpty else {
            return ConnectRefusal(
                .invalid, rule: "teamMissing", field: "team", "The store has no team yet.",
                help: "Make one (openstore team create), or import a catalog (openstore catalog "
                    + "import).")
        }
        let names = teams.prefix(shownTeams).joined(separator: ", ")
        return ConnectRefusal(
            .invalid, rule: "teamMissing", field: "team",
            "The store has several teams, and it isn't said for which one this is: \(names)"
                + (teams.count > shownTeams ? " and others." : "."),
            help: "Name the team (--team NAME), sign in for it (openstore login --team NAME), or "
                + "use a key of it.")
    }
}
