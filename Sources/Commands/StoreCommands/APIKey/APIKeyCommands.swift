import Foundation
import StoreCore
import StoreWire

extension [ConnectRenderer.Column] {
    fileprivate static var keys: [ConnectRenderer.Column] {
        [
            .id, .attribute("NAME", "name"), .link("TEAM", "team"), .attribute("ROLE", "role"),
            .attribute("MADE", "createdDate"), .attribute("LAST USED", "lastUsedDate"),
            .attribute("REVOKED", "revokedDate"),
        ]
    }
}

/// `openstore api-key list`
enum APIKeyList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["api-key", "list"], summary: "List the keys for the API.",
        discussion: "Operators see the store's own and those of its only team, or of --team.",
        options: [.team, .limit])

    static func run(_ connect: ConnectContext) async throws {
        let (path, limit) = ("/openstore/v1/apiKeys", try connect.limit())
        var keys = try await connect.api.list(path, connect.teamFilter(), limit: limit)
        let teams =
            connect.arguments["team"] == nil
            ? try await connect.api.list("/openstore/v1/teams", limit: 2) : []
        // Of members these are the same.
        if teams.count == 1 {
            let known = Set(keys.map(\.id))
            keys += try await connect.api.list(path, ["filter[team]": teams[0].id], limit: limit)
                .filter { !known.contains($0.id) }
        }
        connect.show.list(
            limit.map { Array(keys.prefix($0)) } ?? keys, .keys,
            empty: "There are no keys; openstore api-key create makes one.")
    }
}

/// `openstore api-key create`
enum APIKeyCreate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["api-key", "create"], summary: "Make a key for the API.",
        discussion: """
            Writes AuthKey_<ID>.p8, the private half, which exists nowhere else; the store keeps the
            public one. Programs sign tokens with it as for App Store Connect. Operators name the
            team where there are several; with the role REVIEWER or OPERATOR, and no team, the key
            is the store's own.
            """,
        options: [
            .value("name", "NAME", "What the key is for.").asRequired,
            .value(
                "role", "ROLE",
                ConnectRole.allCases.map(\.rawValue).joined(separator: ", ")
                    + "; DEVELOPER unless given."),
            .value(
                "output", "DIR", "Where to write the key (-o); the current folder unless given."),
            .team,
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        let folder = ParsedArguments.url(arguments["output"] ?? ".")
        // A key that can't be written would be lost.
        guard FileManager.default.isWritableFile(atPath: folder.path) else {
            throw UsageError(option: "output", "\(folder.path) can't be written to")
        }
        var key = try await connect.api.create(
            "apiKeys", at: "/openstore/v1/apiKeys",
            [
                "name": .string(try arguments.required("name")),
                "role": .string(try RoleChoice.role(arguments["role"] ?? "DEVELOPER").rawValue),
            ], relationships: connect.teamLink())
        guard let id = APIKeyID(key.id) else {
            throw CommandFailure(description: "\(key.id) is no identifier of an API key")
        }
        let file = folder.appendingPathComponent(id.fileName)
        let text = key.attribute("privateKey")
        guard
            FileManager.default.createFile(
                atPath: file.path, contents: Data(text.utf8),
                attributes: [.posixPermissions: 0o600])
        else {
            throw CommandFailure(
                description: "\(file.path) can't be written; revoke the key \(key.id)",
                exitCode: .notCreated)
        }
        // The file has it; what is printed ends up in logs.
        if case .object(var members) = key, case .object(var attributes) = members["attributes"] {
            attributes["privateKey"] = nil
            attributes["file"] = .string(file.path)
            members["attributes"] = .object(attributes)
            key = .object(members)
        }
        connect.show.done(
            key,
            "\(file.path): keep it, there is no second copy.\nKey ID     \(key.id)\n"
                + "Issuer ID  \(key.attribute("issuerId"))\n"
                + "Commands use it with --key and --issuer.")
    }
}

/// `openstore api-key revoke`
enum APIKeyRevoke: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["api-key", "revoke"], summary: "Take a key's rights away, for good.",
        arguments: [.init(name: "ID", help: "The key, as openstore api-key list shows it.")])

    static func run(_ connect: ConnectContext) async throws {
        let id = connect.arguments.argument(0)
        try await connect.api.delete("/openstore/v1/apiKeys/\(id)")
        connect.show.done(id: id, "\(id) is revoked.")
    }
}
