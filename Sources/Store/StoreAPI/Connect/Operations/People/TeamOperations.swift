import StoreCore
import StoreWire

extension ResourceType {
    static let teams = ResourceType(
        "teams", at: "/openstore/v1/teams", reading: .useConnect,
        shape: ResourceShape([
            "name": .text(1...400), "hasPaidAgreement": .flag,
            "accountHolder": .text(1...EmailAddress.longest), "invitationUrl": .url,
        ]),
        find: { call, id in
            Resource(
                try await call.services.people.teams.team(
                    ConnectCall.teamNumber(id), by: call.actor))
        })
}

extension Resource {
    init(_ team: Team, more: [String: JSONValue] = [:]) {
        let attributes: [String: JSONValue] = [
            "name": .string(team.name), "hasPaidAgreement": .bool(team.hasPaidAgreement),
        ]
        self.init(.teams, id: String(team.id), attributes.merging(more) { $1 })
    }
}

extension ConnectOperation {
    static let teams: [ConnectOperation] =
        reading(.teams) + [
            .list(.teams, .useConnect, searches: ["name": .text(1...400)]) { call in
                let page = try call.page()
                let found = try await call.services.people.teams.teams(
                    matching: try call.query.one("name"), after: page.cursor,
                    limit: page.limit + 1, by: call.actor)
                return ListPage(
                    keyed: found.teams, total: found.total, limit: page.limit, key: \.name
                ).map { Resource($0) }
            },
            .create(.teams, .operate, required: ["name"], optional: ["accountHolder"]) { call in
                let made = try await call.services.people.teams.create(
                    name: try call.data.text("name"),
                    accountHolder: call.data.optionalText("accountHolder"), by: call.actor)
                return Resource(
                    made.team,
                    more: ["invitationUrl": .text(made.invitation.map(call.link))])
            },
            .update(.teams, .operate, changing: ["name"]) { call in
                let id = try ConnectCall.teamNumber(call.id)
                guard let name = call.data.optionalText("name") else {
                    return Resource(
                        try await call.services.people.teams.team(id, by: call.actor))
                }
                return Resource(
                    try await call.services.people.teams.rename(id, to: name, by: call.actor))
            },
        ]
}

extension ConnectCall {
    /// The address of the page on which an invitation is accepted.
    func link(_ invitation: IssuedInvitation) -> String {
        request.origin + invitation.path
    }
}

extension ListPage {
    /// A page of a list that goes on behind a key.
    ///
    /// - Parameter found: one more than the page has, where there are more.
    init(
        keyed found: [Item], total: Int?, limit: Int, key: (Item) -> String
    ) {
        let items = Array(found.prefix(limit))
        self.init(
            items: items, total: total,
            next: found.count > limit ? items.last.map(key) : nil)
    }
}
