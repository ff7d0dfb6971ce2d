extension UnitOfWork {
    /// - Throws: `ConnectRefusal.notFound`, also for what the actor does not see.
    func team(_ id: Int64) throws -> Team {
        guard actor.sees(team: id), let team = try catalog.team(id) else {
            throw ConnectRefusal.notFound("team", String(id))
        }
        return team
    }

    /// The team that something new is made for: the actor's own; for staff the one that was said, or
    /// the only one of the store.
    ///
    /// - Throws: `ConnectRefusal` with the rule `teamMissing`, or `notFound`.
    func team(for wanted: Int64?) throws -> Int64 {
        if let wanted { return try team(wanted).id }
        if let team = actor.team { return team }
        if let only = try catalog.onlyTeam() { return only.id }
        let teams = try people.teams(matching: nil, after: nil, limit: Self.shownTeams + 1)
        throw Self.teamMissing(teams.map(\.name))
    }

    /// As many teams are named.
    private static let shownTeams = 10

    private static func teamMissing(_ teams: [String]) -> ConnectRefusal {
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
