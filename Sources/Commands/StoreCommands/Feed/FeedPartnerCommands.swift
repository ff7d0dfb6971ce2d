import StoreModel
import StoreWire

private let type = "feedPartners"
private let path = "/openstore/v1/feedPartners"

extension CommandSpec.Argument {
    fileprivate static let partner = Self(
        name: "PARTNER", help: "The partner, by name, user name or number.")
}

extension [ConnectRenderer.Column] {
    fileprivate static var partners: [ConnectRenderer.Column] {
        [
            .id, .attribute("USER NAME", "userName"), .attribute("NAME", "name"),
            .attribute("ACTIVE", "active"), .attribute("MADE", "createdDate"),
            .attribute("LAST USE", "lastUseDate"),
        ]
    }
}

extension ConnectContext {
    /// The partner of the first argument.
    ///
    /// - Throws: `ConnectFailure`, with who may have been meant.
    fileprivate func partner() async throws -> JSONValue {
        let text = arguments.argument(0)
        let all = try await api.list(path)
        let found = all.first { partner in
            partner.id == text || partner.attribute("userName") == text
                || partner.attribute("name") == text
        }
        if let found { return found }
        throw NotFound.failure(
            "feed partner", text,
            in: all.flatMap { [$0.attribute("name"), $0.attribute("userName")] },
            command: "feed-partner list")
    }

    /// Shows a partner with the password that the store tells this once.
    fileprivate func show(_ partner: JSONValue) {
        show.one(partner, .partners + [.attribute("PASSWORD", "password")])
        guard show.isForPeople, !partner.attribute("password").isEmpty else { return }
        output.line("Pass the password on now: the store keeps only a hash of it.")
    }
}

/// `openstore feed-partner create`
enum FeedPartnerCreate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["feed-partner", "create"], summary: "Let somebody fetch the partner feed.",
        discussion: """
            The store makes the password and shows it once. The partner fetches
            /feeds/epf/v5/ with both (HTTP Basic).
            """,
        options: [
            .value("name", "NAME", "The partner's name.").asRequired,
            .value(
                "user-name", "NAME", "The name to sign in with; the store makes one unless given."),
        ])

    static func run(_ connect: ConnectContext) async throws {
        let made = try await connect.api.create(
            type, at: path,
            [
                "name": .string(try connect.arguments.required("name")),
                "userName": .text(connect.arguments["user-name"]),
            ])
        connect.show(made)
    }
}

/// `openstore feed-partner list`
enum FeedPartnerList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["feed-partner", "list"], summary: "List who may fetch the partner feed.",
        options: [.limit])

    static func run(_ connect: ConnectContext) async throws {
        let all = try await connect.api.list(path, limit: connect.limit())
        connect.show.list(
            all, .partners,
            empty: "There are no partners (openstore feed-partner create).")
    }
}

/// `openstore feed-partner update`
enum FeedPartnerUpdate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["feed-partner", "update"],
        summary: "Rename a partner, or switch its access to the feed off or on.",
        arguments: [.partner],
        options: [
            .value("name", "NAME", "The new name."),
            .value("active", "yes|no", "Whether it may fetch the feed."),
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        let isActive = try arguments.value("active", "yes or no") { text in
            ["yes": true, "no": false][text.lowercased()]
        }
        var attributes: [String: JSONValue] = [:]
        if let name = arguments["name"] { attributes["name"] = .string(name) }
        if let isActive { attributes["active"] = .bool(isActive) }
        guard !attributes.isEmpty else {
            throw UsageError(description: "nothing to change: give --name or --active")
        }
        let partner = try await connect.partner()
        connect.show(try await connect.api.update(type, at: "\(path)/\(partner.id)", attributes))
    }
}

/// `openstore feed-partner reset-password`
enum FeedPartnerResetPassword: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["feed-partner", "reset-password"],
        summary: "Give a partner a new password; the old one stops working.",
        arguments: [.partner])

    static func run(_ connect: ConnectContext) async throws {
        let partner = try await connect.partner()
        let made = try await connect.api.create(
            "feedPartnerPasswords", at: "/openstore/v1/feedPartnerPasswords", [:],
            relationships: ["partner": (type, partner.id)])
        var members = partner.members ?? [:]
        members["attributes"] = .object(
            (members["attributes"]?.members ?? [:]).merging(made["attributes"]?.members ?? [:]) {
                $1
            })
        connect.show(.object(members))
    }
}
