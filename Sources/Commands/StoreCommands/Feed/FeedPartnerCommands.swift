import Foundation
import StoreCore
import StoreServer

/// A partner as the commands show it.
private struct FeedPartnerRow: Encodable {
    let id: Int64
    let name: String
    let userName: String
    let isActive: Bool
    let created: Date
    let lastUse: Date?
    /// Only when it was made.
    var password: String?

    init(_ partner: FeedPartner, password: String? = nil) {
        id = partner.id
        name = partner.name
        userName = partner.userName
        isActive = partner.isActive
        created = partner.created
        lastUse = partner.lastUse
        self.password = password
    }

    func show(_ arguments: ParsedArguments, _ output: Output) throws {
        if arguments.has("json") { return try output.json(self) }
        output.line("Partner    \(id) \(name), \(isActive ? "active" : "not active")")
        output.line("User name  \(userName)")
        guard let password else { return }
        output.line("Password   \(password)")
        output.line("Pass it on now: the store keeps only a hash of it.")
    }
}

extension CommandSpec.Argument {
    fileprivate static let partner = Self(
        name: "ID", help: "The partner, as openstore feed-partner list shows it.")
}

extension ParsedArguments {
    fileprivate func partner() throws -> Int64 {
        guard let id = Int64(argument(0)), id > 0 else {
            throw UsageError(
                description: "\"\(argument(0))\" is not a partner's number; openstore feed-partner "
                    + "list shows them")
        }
        return id
    }
}

/// `openstore feed-partner create`
enum FeedPartnerCreate: Command {
    static let spec = CommandSpec(
        words: ["feed-partner", "create"], summary: "Let somebody fetch the partner feed.",
        discussion: """
            The store makes the password and shows it once. The partner fetches
            /feeds/epf/v5/ with both (HTTP Basic).
            """,
        options: [
            .value("name", "NAME", "The partner's name.").asRequired,
            .value(
                "user-name", "NAME", "The name to sign in with; the store makes one unless given."),
            StoreOpening.option, StoreOpening.database, .json,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let name = try arguments.required("name")
        let (partner, password) = try await StoreOpening.with(arguments) { store in
            try await store.services.feedPartners.create(
                name: name, userName: arguments["user-name"], by: .machine)
        }
        try FeedPartnerRow(partner, password: password).show(arguments, output)
    }
}

/// `openstore feed-partner list`
enum FeedPartnerList: Command {
    static let spec = CommandSpec(
        words: ["feed-partner", "list"], summary: "List who may fetch the partner feed.",
        options: [
            StoreOpening.option, StoreOpening.database, .json,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let rows = try await StoreOpening.with(arguments) { store in
            var rows: [FeedPartnerRow] = []
            var cursor: String?
            repeat {
                let page = try await store.services.feedPartners.page(
                    PageRequest(limit: 200, cursor: cursor), by: .machine)
                rows += page.items.map { FeedPartnerRow($0) }
                cursor = page.next
            } while cursor != nil
            return rows
        }
        if arguments.has("json") { return try output.json(rows) }
        guard !rows.isEmpty else { return output.line("There are no partners.") }
        var table = Table(["ID", "USER NAME", "NAME", "ACTIVE", "MADE", "LAST USE"])
        table.rows = rows.map { row in
            [
                String(row.id), row.userName, row.name, row.isActive ? "yes" : "no",
                row.created.formatted(.iso8601), row.lastUse?.formatted(.iso8601) ?? "-",
            ]
        }
        output.write(table.text(on: output))
    }
}

/// `openstore feed-partner update`
enum FeedPartnerUpdate: Command {
    static let spec = CommandSpec(
        words: ["feed-partner", "update"],
        summary: "Rename a partner, or take the feed from it, or give it back.",
        arguments: [.partner],
        options: [
            .value("name", "NAME", "The new name."),
            .value("active", "YES|NO", "Whether it may fetch the feed."),
            StoreOpening.option, StoreOpening.database, .json,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let id = try arguments.partner()
        let isActive = try arguments.value("active", "yes or no") { text in
            ["yes": true, "no": false][text.lowercased()]
        }
        guard isActive != nil || arguments["name"] != nil else {
            throw UsageError(description: "nothing to change: give --name or --active")
        }
        let partner = try await StoreOpening.with(arguments) { store in
            try await store.services.feedPartners.change(
                id, name: arguments["name"], isActive: isActive, by: .machine)
        }
        try FeedPartnerRow(partner).show(arguments, output)
    }
}

/// `openstore feed-partner reset-password`
enum FeedPartnerResetPassword: Command {
    static let spec = CommandSpec(
        words: ["feed-partner", "reset-password"],
        summary: "Give a partner another password; the old one is worth nothing any more.",
        arguments: [.partner],
        options: [
            StoreOpening.option, StoreOpening.database, .json,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let id = try arguments.partner()
        let (partner, password) = try await StoreOpening.with(arguments) { store in
            try await store.services.feedPartners.renewPassword(of: id, by: .machine)
        }
        try FeedPartnerRow(partner, password: password).show(arguments, output)
    }
}
