/// `openstore team list`
enum TeamList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["team", "list"], summary: "List the teams that you see.",
        options: [.value("name", "TEXT", "Only those whose name contains it."), .limit])

    static func run(_ connect: ConnectContext) async throws {
        let teams = try await connect.api.list(
            "/openstore/v1/teams", connect.query(["name": "filter[name]"]),
            limit: connect.limit())
        connect.show.list(
            teams,
            [.id, .attribute("NAME", "name"), .attribute("SELLS", "hasPaidAgreement")],
            empty: "There are no teams.")
    }
}

/// `openstore team create`
enum TeamCreate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["team", "create"], summary: "Make a team (operators).",
        discussion: """
            The account holder becomes a member at once where that is you; somebody else gets an
            invitation, whose link you pass on.
            """,
        arguments: [.init(name: "NAME", help: "The team's name.")],
        options: [.value("account-holder", "ADDRESS", "Who signs for the team.")])

    static func run(_ connect: ConnectContext) async throws {
        let team = try await connect.api.create(
            "teams", at: "/openstore/v1/teams",
            [
                "name": .string(connect.arguments.argument(0)),
                "accountHolder": .text(connect.arguments["account-holder"]),
            ])
        let link = team.attribute("invitationUrl")
        connect.show.done(
            team,
            "The team \(team.attribute("name")) is made."
                + (link.isEmpty ? "" : " Pass this link on to its account holder:\n\(link)"))
    }
}

/// `openstore team update`
enum TeamUpdate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["team", "update"], summary: "Give a team another name (operators).",
        arguments: [.init(name: "TEAM", help: "The team's name or identifier.")],
        options: [.value("name", "NAME", "The new name.").asRequired])

    static func run(_ connect: ConnectContext) async throws {
        let name = try connect.arguments.required("name")
        let id = try await connect.team(connect.arguments.argument(0))
        let team = try await connect.api.update(
            "teams", at: "/openstore/v1/teams/\(id)", id: id, ["name": .string(name)])
        connect.show.done(team, "The team's name is \(team.attribute("name")).")
    }
}
