import Foundation
import StoreWire

extension [ConnectRenderer.Column] {
    fileprivate static var keys: [ConnectRenderer.Column] {
        [
            .id, .attribute("NAME", "name"), .attribute("ROLE", "role"),
            .attribute("MADE", "createdDate"), .attribute("LAST USED", "lastUsedDate"),
            .attribute("REVOKED", "revokedDate"),
        ]
    }
}

/// `openstore key list`
enum KeyList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["key", "list"], summary: "List the keys of a team.", options: [.team, .limit])

    static func run(_ connect: ConnectContext) async throws {
        let keys = try await connect.api.list(
            "/openstore/v1/apiKeys", connect.teamFilter(), limit: connect.limit())
        connect.show.list(keys, .keys, empty: "There are no keys.")
    }
}

/// `openstore key create`
enum KeyCreate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["key", "create"], summary: "Make a key of a team for the API.",
        discussion: """
            Writes AuthKey_<ID>.p8, the private half, which exists nowhere else. Operators who
            name no team make a key of the store, with the role REVIEWER or OPERATOR.
            """,
        options: [
            .value("name", "NAME", "What the key is for."),
            .value("role", "ROLE", "What it may do; DEVELOPER unless given."),
            .value(
                "output", "DIR", "Where to write the key (-o); the current folder unless given."),
            .team,
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        let folder = ParsedArguments.url(arguments["output"] ?? ".")
        // A key that can't be written would be lost.
        guard FileManager.default.isWritableFile(atPath: folder.path) else {
            throw UsageError(description: "--output: \(folder.path) can't be written to")
        }
        var key = try await connect.api.create(
            "apiKeys", at: "/openstore/v1/apiKeys",
            [
                "name": .string(try arguments.required("name")),
                "role": .string(try RoleChoice.role(arguments["role"] ?? "DEVELOPER").rawValue),
            ], relationships: connect.teamLink())
        let file = folder.appendingPathComponent("AuthKey_\(key.id).p8")
        let text = key.attribute("privateKey")
        guard
            FileManager.default.createFile(
                atPath: file.path, contents: Data(text.utf8),
                attributes: [.posixPermissions: 0o600])
        else {
            throw CommandFailure(
                description: "\(file.path) can't be written; revoke the key \(key.id)")
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
                + "Issuer ID  \(key.attribute("issuerId"))")
    }
}

/// `openstore key revoke`
enum KeyRevoke: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["key", "revoke"], summary: "Take a key's rights away, for good.",
        arguments: [.init(name: "ID", help: "The key, as openstore key list shows it.")])

    static func run(_ connect: ConnectContext) async throws {
        let id = connect.arguments.argument(0)
        try await connect.api.delete("/openstore/v1/apiKeys/\(id)")
        connect.show.done(id: id, "\(id) is revoked.")
    }
}

/// `openstore audit list`
enum AuditList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["audit", "list"], summary: "Tell who changed what, the newest first.",
        options: [.team, .limit])

    static func run(_ connect: ConnectContext) async throws {
        let entries = try await connect.api.list(
            "/openstore/v1/auditEntries", connect.teamFilter(), limit: connect.limit())
        connect.show.list(
            entries,
            [
                .attribute("DATE", "date"), .attribute("WHO", "actor"),
                .attribute("WHAT", "action"), .attribute("ON", "subject"),
                .attribute("BEFORE", "before"), .attribute("AFTER", "after"),
            ], empty: "Nothing was changed yet.")
    }
}
