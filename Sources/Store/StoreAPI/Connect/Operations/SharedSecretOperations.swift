import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    /// What publishers' servers show with receipts: one for an app, or for all of a team's.
    static let sharedSecrets = ResourceType(
        "sharedSecrets", at: "/openstore/v1/sharedSecrets", reading: .manageAppSecrets,
        shape: ResourceShape(["secret": .text(32...32), "createdDate": .dateTime]),
        relationships: [
            .one("app", to: "apps") { _, _ in nil },
            .one("team", to: "teams") { _, _ in nil },
        ])

    fileprivate static func secretApp(_ text: String) throws -> SharedSecret.Owner {
        guard let number = Int64(text), number > 0 else {
            throw ConnectRefusal.notFound("app", String(text.prefix(40)))
        }
        return .app(AppID(number: number))
    }
}

extension Resource {
    fileprivate init(_ secret: SharedSecret) {
        let attributes: [String: JSONValue] = [
            "secret": .string(secret.text), "createdDate": .time(secret.date),
        ]
        switch secret.owner {
        case .app(let app):
            let id = String(app.number)
            self.init(
                .sharedSecrets, id: "app-\(id)", attributes,
                links: ["app": [ResourceLink(type: "apps", id: id)]])
        case .team(let team):
            let id = String(team)
            self.init(
                .sharedSecrets, id: "team-\(id)", attributes,
                links: ["team": [ResourceLink(type: "teams", id: id)]])
        }
    }
}

extension ConnectOperation {
    static let sharedSecrets: [ConnectOperation] = [
        // The secret of the app, or of the team where no app is named; none where nobody has
        // made one, and none of the team for those who may see an app's only.
        .list(
            .sharedSecrets, .manageAppSecrets, filters: ["team": .teamFilter],
            searches: ["app": .text(1...20)]
        ) { call in
            let app = try call.query.one("app").map { try ResourceType.secretApp($0) }
            guard app != nil || call.actor.allows(.manageTeamSecrets) else {
                return try ListPage(of: [], call.page())
            }
            let owner = try app ?? .team(call.team())
            let secret = try await call.services.sharedSecrets.secret(of: owner, by: call.actor)
            return try ListPage(of: secret.map { [Resource($0)] } ?? [], call.page())
        },
        // Makes a secret, in the place of the one that there is.
        .create(.sharedSecrets, .manageAppSecrets, required: [], optional: ["app", "team"]) {
            call in
            let owner =
                try call.data.optionalOne("app").map { try ResourceType.secretApp($0) }
                ?? .team(try call.team())
            return Resource(
                try await call.services.sharedSecrets.generate(for: owner, by: call.actor))
        },
    ]
}
