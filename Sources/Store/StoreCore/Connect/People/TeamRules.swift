/// What every step in a team begins with, and what a team is called.
package enum TeamRules {
    /// - Throws: `ConnectRefusal` with 404's meaning where the actor belongs to another team.
    package static func check(_ team: Int64, seenBy actor: ConnectActor) throws {
        guard actor.sees(team: team) else { throw ConnectRefusal.notFound("team", "\(team)") }
    }

    static func name(_ text: String) throws -> String { try PersonRules.name(text) }

    static func taken(_ name: String) -> ConnectRefusal {
        ConnectRefusal(
            .taken, rule: "teamNameTaken", field: "name", "There is a team \"\(name)\" already.",
            help: "Choose another name.")
    }
}
