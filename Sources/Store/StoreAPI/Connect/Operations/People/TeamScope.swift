import StoreCore
import StoreWire

extension ConnectCall {
    /// The team that a request is about: the one that it names as a relationship or filter,
    /// or the one that the caller acts for; nil where neither is, which only the store's staff
    /// can mean.
    func namedTeam() throws -> Int64? {
        guard let text = try data.optionalOne("team") ?? query.one("team") else {
            return actor.team
        }
        return try Self.teamNumber(text)
    }

    /// As `namedTeam`, where there must be one.
    func team() throws -> Int64 {
        guard let team = try namedTeam() else {
            guard request.method != "GET" else {
                throw JSONAPIErrors.parameter(
                    "filter[team]",
                    "The store's staff acts for no team of its own; name one that "
                        + "openstore team list or GET /openstore/v1/teams shows: --team NAME.")
            }
            throw ConnectRefusal(
                .invalid, rule: "teamMissing", field: "team",
                "The store's staff acts for no team of its own.",
                help: "Name one of openstore team list: --team NAME, or over the API the "
                    + "relationship team.")
        }
        return team
    }

    /// - Throws: `ConnectRefusal.notFound` for text that is no identifier.
    static func teamNumber(_ text: String) throws -> Int64 {
        guard let number = Int64(text), number > 0 else {
            throw ConnectRefusal.notFound("team", text)
        }
        return number
    }

    /// The two parts of an identifier such as `12-34`: a team, and something in it.
    ///
    /// - Throws: `ConnectRefusal.notFound` for text that is no such identifier.
    static func scoped(_ id: String, _ what: String) throws -> (team: Int64, rest: String) {
        let parts = id.split(
            scalar: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let team = Int64(parts[0]), team > 0 else {
            throw ConnectRefusal.notFound(what, id)
        }
        return (team, String(parts[1]))
    }
}

extension AttributeForm {
    /// A team's identifier, as filters take it.
    static let teamFilter: AttributeForm = .text(1...20)
    /// Names of roles.
    static let roles: AttributeForm = .list(.choice(ConnectRole.allCases.map(\.rawValue)))
}

extension RequestResource {
    /// The roles that were sent; none where there are none.
    var roles: Set<ConnectRole> {
        Set((texts("roles") ?? []).compactMap(ConnectRole.init(rawValue:)))
    }
}

extension JSONValue {
    /// Names of roles, the same each time.
    static func roles(_ roles: Set<ConnectRole>) -> JSONValue {
        .texts(ConnectRole.allCases.filter(roles.contains).map(\.rawValue))
    }
}

extension ResourceRelationship {
    /// The team that a resource belongs to.
    ///
    /// - Parameter number: nil for what belongs to the store.
    static func team(
        _ number: @escaping @Sendable (ConnectCall, String) async throws -> Int64?
    ) -> ResourceRelationship {
        .one("team", to: "teams") { call, wanted in
            guard let team = try await number(call, wanted.id) else { return nil }
            return Resource(try await call.services.people.teams.team(team, by: call.actor))
        }
    }
}
