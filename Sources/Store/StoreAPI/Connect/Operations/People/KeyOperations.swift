import StoreCore
import StoreWire

extension ResourceType {
    /// Keys of a team, or of the store. There are no keys of single people.
    static let apiKeys = ResourceType(
        "apiKeys", at: "/openstore/v1/apiKeys", reading: .manageKeys,
        shape: ResourceShape([
            "name": .text(1...400), "role": .choice(ConnectRole.allCases.map(\.rawValue)),
            "issuerId": .text(36...36), "createdDate": .dateTime, "revokedDate": .dateTime,
            "lastUsedDate": .dateTime, "fileName": .text(1...100),
            "privateKey": .text(1...4000),
        ]),
        find: { call, id in
            Resource(try await call.services.people.keys.key(apiKey(id), by: call.actor))
        },
        relationships: [
            .team { call, id in
                try await call.services.people.keys.key(apiKey(id), by: call.actor).team
            }
        ])

    static let auditEntries = ResourceType(
        "auditEntries", at: "/openstore/v1/auditEntries", reading: .viewAudit,
        shape: ResourceShape([
            "date": .dateTime, "actor": .text(1...400), "action": .text(1...100),
            "subject": .text(0...4000), "before": .text(0...4000), "after": .text(0...4000),
        ]))

    fileprivate static func apiKey(_ id: String) throws -> APIKeyID {
        guard let id = APIKeyID(id) else { throw ConnectRefusal.notFound("key", id) }
        return id
    }
}

extension Resource {
    fileprivate init(_ key: APIKey, more: [String: JSONValue] = [:]) {
        let attributes: [String: JSONValue] = [
            "name": .string(key.name), "role": .string(key.role.rawValue),
            "issuerId": .string(key.issuer.text), "createdDate": .time(key.created),
            "revokedDate": .time(key.revoked), "lastUsedDate": .time(key.lastUse),
        ]
        self.init(
            .apiKeys, id: key.id.text, attributes.merging(more) { $1 },
            links: key.team.map { team in
                ["team": [ResourceLink(type: "teams", id: String(team))]]
            } ?? [:])
    }

    fileprivate init(_ record: AuditRecord) {
        let entry = record.entry
        self.init(
            .auditEntries, id: String(record.number),
            [
                "date": .time(record.date), "actor": .string(entry.actor),
                "action": .string(entry.action), "subject": .string(entry.subject),
                "before": .text(entry.before), "after": .text(entry.after),
            ])
    }
}

extension ConnectOperation {
    static let apiKeys: [ConnectOperation] =
        reading(.apiKeys) + [
            .list(.apiKeys, .manageKeys, filters: ["team": .teamFilter]) { call in
                let keys = try await call.services.people.keys.keys(
                    of: try call.namedTeam(), by: call.actor
                ).keys
                return try ListPage(of: keys, call.page()).map { Resource($0) }
            },
            .create(
                .apiKeys, .manageKeys, required: ["name", "role"], optional: ["team"]
            ) { call in
                let issued = try await call.services.people.keys.create(
                    name: try call.data.text("name"),
                    role: try call.data.value("role", "a role", ConnectRole.init(rawValue:)),
                    team: try call.namedTeam(), by: call.actor)
                return Resource(
                    issued.key,
                    more: [
                        "privateKey": .string(issued.privateKey),
                        "fileName": .string(issued.key.id.fileName),
                    ])
            },
            // Revokes it; it stays in the list.
            .delete(.apiKeys, .manageKeys) { call in
                _ = try await call.services.people.keys.revoke(
                    ResourceType.apiKey(call.id), by: call.actor)
            },
        ]

    static let audit: [ConnectOperation] = [
        .list(.auditEntries, .viewAudit, filters: ["team": .teamFilter]) { call in
            let page = try call.page()
            let entries = try await call.services.people.audit.entries(
                of: try call.namedTeam(), before: try page.key(), limit: page.limit + 1,
                by: call.actor)
            return ListPage(
                keyed: entries, total: nil, limit: page.limit, key: { String($0.number) }
            ).map { Resource($0) }
        }
    ]
}
