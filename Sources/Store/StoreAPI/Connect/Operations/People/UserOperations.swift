import StoreCore
import StoreWire

extension ResourceType {
    /// Members of teams.
    static let users = ResourceType(
        "users", at: "/openstore/v1/users", reading: .viewUsers,
        shape: ResourceShape([
            "email": .text(1...EmailAddress.longest), "name": .text(1...400), "roles": .roles,
            "memberSince": .dateTime, "disabled": .flag,
        ]),
        find: { call, id in
            let (team, person) = try user(id)
            return Resource(
                try await call.services.people.members.member(person, of: team, by: call.actor))
        },
        relationships: [.team { _, id in try user(id).team }])

    static let invitations = ResourceType(
        "userInvitations", at: "/openstore/v1/userInvitations", reading: .viewUsers,
        shape: ResourceShape([
            "email": .text(1...EmailAddress.longest), "roles": .roles,
            "inviter": .text(1...EmailAddress.longest),
            "createdDate": .dateTime, "expirationDate": .dateTime, "url": .url,
        ]),
        find: { call, id in
            Resource(try await call.services.people.invitations.invitation(id, by: call.actor))
        },
        relationships: [
            .team { call, id in
                try await call.services.people.invitations.invitation(id, by: call.actor).team
            }
        ])

    /// Who works for the store.
    static let staff = ResourceType(
        "staffMembers", at: "/openstore/v1/staffMembers", reading: .operate,
        shape: ResourceShape([
            "email": .text(1...EmailAddress.longest), "name": .text(1...400),
            "role": .optional(.choice(["REVIEWER", "OPERATOR"])), "disabled": .flag,
        ]))

    fileprivate static func user(_ id: String) throws -> (team: Int64, person: PersonID) {
        let (team, rest) = try ConnectCall.scoped(id, "user")
        guard let person = Int64(rest), person > 0 else {
            throw ConnectRefusal.notFound("user", id)
        }
        return (team, PersonID(number: person))
    }

    fileprivate static func person(_ id: String) throws -> PersonID {
        guard let number = Int64(id), number > 0 else {
            throw ConnectRefusal.notFound("person", id)
        }
        return PersonID(number: number)
    }
}

extension Resource {
    fileprivate init(_ member: Member) {
        self.init(
            .users, id: "\(member.team)-\(member.person.id.number)",
            [
                "email": .string(member.person.email), "name": .string(member.person.name),
                "roles": .roles(member.roles), "memberSince": .time(member.since),
                "disabled": .bool(member.person.disabled != nil),
            ], links: ["team": [ResourceLink(type: "teams", id: String(member.team))]])
    }

    fileprivate init(_ invitation: Invitation, url: String? = nil) {
        self.init(
            .invitations, id: invitation.id,
            [
                "email": .string(invitation.email), "roles": .roles(invitation.roles),
                "inviter": .string(invitation.inviter),
                "createdDate": .time(invitation.created),
                "expirationDate": .time(invitation.end), "url": .text(url),
            ],
            links: invitation.team.map { team in
                ["team": [ResourceLink(type: "teams", id: String(team))]]
            } ?? [:])
    }

    fileprivate init(_ person: Person) {
        self.init(
            .staff, id: String(person.id.number),
            [
                "email": .string(person.email), "name": .string(person.name),
                "role": .text(person.staffRole?.rawValue),
                "disabled": .bool(person.disabled != nil),
            ])
    }
}

extension ConnectOperation {
    static let users: [ConnectOperation] =
        reading(.users) + [
            .list(.users, .viewUsers, filters: ["team": .teamFilter]) { call in
                let page = try call.page()
                let found = try await call.services.people.members.members(
                    of: try call.team(), after: page.cursor, limit: page.limit + 1,
                    by: call.actor)
                return ListPage(
                    keyed: found.members, total: found.total, limit: page.limit,
                    key: \.person.email
                ).map { Resource($0) }
            },
            // The role ACCOUNT_HOLDER among them hands it over.
            .update(.users, .manageUsers, changing: ["roles"]) { call in
                let (team, person) = try ResourceType.user(call.id)
                let members = call.services.people.members
                guard call.data.has("roles") else {
                    return Resource(try await members.member(person, of: team, by: call.actor))
                }
                let roles = call.data.roles
                if roles == [.accountHolder] {
                    return Resource(
                        try await members.handOver(team, to: person, by: call.actor))
                }
                return Resource(
                    try await members.setRoles(roles, of: person, in: team, by: call.actor))
            },
            .delete(.users, .manageUsers) { call in
                let (team, person) = try ResourceType.user(call.id)
                try await call.services.people.members.remove(person, from: team, by: call.actor)
            },
        ]

    static let invitations: [ConnectOperation] =
        reading(.invitations) + [
            .list(.invitations, .viewUsers, filters: ["team": .teamFilter]) { call in
                let found = try await call.services.people.invitations.invitations(
                    to: try call.namedTeam(), by: call.actor)
                return try ListPage(of: found, call.page()).map { Resource($0) }
            },
            .create(
                .invitations, .manageUsers, required: ["email", "roles"], optional: ["team"]
            ) { call in
                let issued = try await call.services.people.invitations.invite(
                    email: try call.data.text("email"), roles: call.data.roles,
                    to: try call.namedTeam(), by: call.actor)
                return Resource(issued.invitation, url: call.link(issued))
            },
            .delete(.invitations, .manageUsers) { call in
                try await call.services.people.invitations.revoke(call.id, by: call.actor)
            },
        ]

    static let staff: [ConnectOperation] = [
        .list(.staff, .operate) { call in
            let staff = try await call.services.people.staff.staff(by: call.actor)
            return try ListPage(of: staff, call.page()).map { Resource($0) }
        },
        .update(.staff, .operate, changing: ["role", "disabled"]) { call in
            let person = try ResourceType.person(call.id)
            let role = call.data.change("role").map { text in
                text.flatMap(ConnectRole.init(rawValue:))
            }
            return Resource(
                try await call.services.people.staff.update(
                    person, role: role, isDisabled: call.data.flag("disabled"),
                    by: call.actor))
        },
    ]
}
