import StoreCore
import StoreModel
import StoreWire

/// How commands take roles.
enum RoleChoice {
    static let option: CommandSpec.Option = .value(
        "roles", "ROLE,…",
        "Roles with commas between them: "
            + ConnectRole.allCases.map(\.rawValue).joined(separator: ", ") + "."
    ).asRequired

    /// The roles of an option that must be there.
    static func roles(_ arguments: ParsedArguments, _ option: String = "roles") throws
        -> JSONValue
    {
        let text = try arguments.required(option)
        return .texts(
            try text.split(scalar: ",").map { try role(String($0), option).rawValue })
    }

    static func role(_ text: String, _ option: String = "role") throws -> ConnectRole {
        let name = text.trimmingPrefix(" ").uppercased().replacing(scalar: "-", with: "_")
        guard let role = ConnectRole(rawValue: name) else {
            throw UsageError(
                option: option,
                "\"\(text)\" is no role; there are "
                    + ConnectRole.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return role
    }
}

extension [ConnectRenderer.Column] {
    fileprivate static var users: [ConnectRenderer.Column] {
        [
            .id, .attribute("EMAIL", "email"), .attribute("NAME", "name"),
            .attribute("ROLES", "roles"), .attribute("SINCE", "memberSince"),
        ]
    }
    fileprivate static var invitations: [ConnectRenderer.Column] {
        [
            .id, .attribute("EMAIL", "email"), .attribute("ROLES", "roles"),
            .attribute("BY", "inviter"), .attribute("UNTIL", "expirationDate"),
        ]
    }
}

extension ConnectContext {
    /// A member named by address or identifier.
    fileprivate func user(_ text: String) async throws -> JSONValue {
        guard text.contains(scalar: "@") else {
            return try await api.show("/openstore/v1/users/\(text)")
        }
        let users = try await api.list("/openstore/v1/users", teamFilter())
        guard let user = users.first(where: { $0.attribute("email") == text.lowercased() }) else {
            throw NotFound.failure(
                "member with the address", text, of: "The team",
                in: users.map { $0.attribute("email") }, command: "user list")
        }
        return user
    }

    /// The filter for the team of `--team`.
    func teamFilter() async throws -> [String: String] {
        try await team().map { ["filter[team]": $0] } ?? [:]
    }

    /// The relationship to the team of `--team`.
    func teamLink() async throws -> [String: (type: String, id: String)] {
        try await team().map { ["team": ("teams", $0)] } ?? [:]
    }
}

/// `openstore user list`
enum UserList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["user", "list"], summary: "List the members of a team.", options: [.team, .limit])

    static func run(_ connect: ConnectContext) async throws {
        let users = try await connect.api.list(
            "/openstore/v1/users", connect.teamFilter(), limit: connect.limit())
        connect.show.list(users, .users, empty: "The team has no members yet.")
    }
}

/// `openstore user invite`
enum UserInvite: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["user", "invite"], summary: "Invite somebody into a team, or among the store's staff.",
        discussion: """
            The store sends no mail: pass the link on. It works once, for seven days. Operators
            who name no team invite a REVIEWER or an OPERATOR.
            """,
        arguments: [.init(name: "ADDRESS", help: "Whom.")], options: [RoleChoice.option, .team])

    static func run(_ connect: ConnectContext) async throws {
        let roles = try RoleChoice.roles(connect.arguments)
        let invitation = try await connect.api.create(
            "userInvitations", at: "/openstore/v1/userInvitations",
            ["email": .string(connect.arguments.argument(0)), "roles": roles],
            relationships: connect.teamLink())
        connect.show.done(
            invitation,
            "Pass this link on to \(invitation.attribute("email")):\n"
                + invitation.attribute("url"))
    }
}

/// `openstore user update`
enum UserUpdate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["user", "update"], summary: "Give a member other roles.",
        discussion: "The role ACCOUNT_HOLDER alone hands it over; the earlier one remains Admin.",
        arguments: [.init(name: "USER", help: "The member's address or identifier.")],
        options: [RoleChoice.option, .team])

    static func run(_ connect: ConnectContext) async throws {
        let roles = try RoleChoice.roles(connect.arguments)
        let user = try await connect.user(connect.arguments.argument(0))
        let changed = try await connect.api.update(
            "users", at: "/openstore/v1/users/\(user.id)", ["roles": roles])
        connect.show.done(
            changed, "\(changed.attribute("email")): \(changed.attribute("roles"))")
    }
}

/// `openstore user delete`
enum UserDelete: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["user", "delete"], summary: "Take somebody out of a team; the sessions in it end.",
        arguments: [.init(name: "USER", help: "The member's address or identifier.")],
        options: [.team])

    static func run(_ connect: ConnectContext) async throws {
        let user = try await connect.user(connect.arguments.argument(0))
        try await connect.api.delete("/openstore/v1/users/\(user.id)")
        connect.show.done(id: user.id, "\(user.attribute("email")) is no member any longer.")
    }
}

/// `openstore invitation list`
enum InvitationList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["invitation", "list"], summary: "List invitations that nobody has accepted yet.",
        options: [.team, .limit])

    static func run(_ connect: ConnectContext) async throws {
        let invitations = try await connect.api.list(
            "/openstore/v1/userInvitations", connect.teamFilter(), limit: connect.limit())
        connect.show.list(invitations, .invitations, empty: "No invitation is open.")
    }
}

/// `openstore invitation revoke`
enum InvitationRevoke: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["invitation", "revoke"], summary: "Let an invitation's link work no longer.",
        arguments: [.init(name: "ID", help: "The invitation.")])

    static func run(_ connect: ConnectContext) async throws {
        let id = connect.arguments.argument(0)
        try await connect.api.delete("/openstore/v1/userInvitations/\(id)")
        connect.show.done(id: id, "The invitation is revoked.")
    }
}
