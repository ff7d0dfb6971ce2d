/// The team that something new is made for.
package enum TeamChoice {
    /// The actor's own team; for staff the one that was said, or the only one of the store.
    ///
    /// - Throws: `ConnectRefusal` with the rule `teamMissing`, or `notFound`.
    package static func team(
        _ wanted: Int64?, for actor: ConnectActor, _ repositories: any StoreRepositories
    ) throws -> Int64 {
        if let wanted {
            guard actor.sees(team: wanted), try repositories.catalog.team(wanted) != nil else {
                throw ConnectRefusal.notFound("team", String(wanted))
            }
            return wanted
        }
        if let team = actor.team { return team }
        if let only = try repositories.catalog.onlyTeam() { return only.id }
        throw ConnectRefusal(
            .invalid, rule: "teamMissing", field: "team",
            "It isn't said for which team this is.",
            help: "Say the team, or use a key of the team.")
    }
}
