import Foundation
import StoreCore
import StoreModel
import StoreServer

/// A key as the commands show it.
private struct APIKeyRow: Encodable {
    let keyId: String
    let issuerId: String
    let team: String?
    let role: String
    let name: String
    let created: Date
    let revoked: Date?
    /// Where the private half was written, when the key was made.
    var file: String?

    init(_ key: APIKey, team: String?, file: String? = nil) {
        keyId = key.id.text
        issuerId = key.issuer.text
        self.team = team
        role = key.role.rawValue
        name = key.name
        created = key.created
        revoked = key.revoked
        self.file = file
    }
}

/// `openstore api-key create`
enum APIKeyCreate: Command {
    static let spec = CommandSpec(
        words: ["api-key", "create"], summary: "Make a key for the API.",
        discussion: """
            Writes AuthKey_<ID>.p8, the private half, which exists nowhere else; the store keeps
            the public one. Programs sign tokens with it as for App Store Connect.
            """,
        options: [
            .value("name", "NAME", "What the key is for."),
            .value("team", "NAME", "The team that it acts for; the operator unless given."),
            .value(
                "role", "ROLE",
                "\(ConnectRole.allCases.map(\.rawValue).joined(separator: ", ")); DEVELOPER unless "
                    + "given."),
            .value(
                "output", "DIR", "Where to write the key (-o); the current folder unless given."),
            StoreOpening.option, StoreOpening.database, .flag("json", "Write JSON for programs."),
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let name = try arguments.required("name")
        let role =
            try arguments.value("role", "one of \(ConnectRole.allCases.map(\.rawValue))") {
                ConnectRole(rawValue: $0.uppercased().replacing(scalar: "-", with: "_"))
            } ?? .developer
        let folder = ParsedArguments.url(arguments["output"] ?? ".")
        let teamName = arguments["team"]
        let row = try await StoreOpening.with(arguments, begins: true) { store in
            let team = try await store.database.read { repositories -> Team? in
                try teamName.flatMap { try repositories.catalog.team(named: $0) }
            }
            if let teamName, team == nil {
                throw UsageError(description: "--team: the store has no team \"\(teamName)\"")
            }
            let (key, file) = try await store.makeAPIKey(
                name: name, role: role, team: team?.id, in: folder)
            return APIKeyRow(key, team: teamName, file: file.url.path)
        }
        if arguments.has("json") { return try output.json(row) }
        output.line("\(row.file ?? ""): keep it, there is no second copy.")
        output.line("Key ID     \(row.keyId)")
        output.line("Issuer ID  \(row.issuerId)")
    }
}

/// `openstore api-key list`
enum APIKeyList: Command {
    static let spec = CommandSpec(
        words: ["api-key", "list"], summary: "List the keys of the API.",
        options: [
            StoreOpening.option, StoreOpening.database, .flag("json", "Write JSON for programs."),
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let rows = try await StoreOpening.with(arguments) { store in
            try await store.database.read { repositories in
                try repositories.apiKeys.keys().map { key in
                    APIKeyRow(
                        key, team: try key.team.flatMap { try repositories.catalog.team($0)?.name })
                }
            }
        }
        if arguments.has("json") { return try output.json(rows) }
        guard !rows.isEmpty else { return output.line("There are no keys.") }
        var table = Table(["KEY ID", "ISSUER ID", "TEAM", "ROLE", "NAME", "MADE", "REVOKED"])
        table.rows = rows.map { row in
            [
                row.keyId, row.issuerId, row.team ?? "(operator)", row.role, row.name,
                row.created.formatted(.iso8601), row.revoked?.formatted(.iso8601) ?? "-",
            ]
        }
        output.write(table.text(on: output))
    }
}

/// `openstore api-key revoke`
enum APIKeyRevoke: Command {
    static let spec = CommandSpec(
        words: ["api-key", "revoke"], summary: "Take a key's rights away, for good.",
        arguments: [.init(name: "ID", help: "The key, as openstore api-key list shows it.")],
        options: [StoreOpening.option, StoreOpening.database])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        guard let id = APIKeyID(arguments.argument(0)) else {
            throw UsageError(
                description: "\"\(arguments.argument(0))\" is not a key identifier, such as "
                    + "2X9R4HXF34")
        }
        let key = try await StoreOpening.with(arguments) { store in
            try await store.services.apiKeys.revoke(id)
        }
        output.line("\(key.id) is revoked.")
    }
}
