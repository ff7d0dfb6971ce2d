import StoreCore
import StoreModel
import StoreWire

private let identifierArgument = CommandSpec.Argument(
    name: "ID", help: "The bundle identifier, or its ten characters in Connect.")

extension [ConnectRenderer.Column] {
    fileprivate static var bundleIdentifiers: [ConnectRenderer.Column] {
        [
            .id, .attribute("IDENTIFIER", "identifier"), .attribute("NAME", "name"),
            .attribute("PLATFORM", "platform"), .attribute("PREFIX", "seedId"),
        ]
    }
}

extension ConnectContext {
    /// A bundle identifier of the team, by its text or its ten characters.
    func bundleIdentifier(_ text: String) async throws -> JSONValue {
        for filter in ["filter[identifier]", "filter[id]"] {
            let found = try await api.list("/v1/bundleIds", [filter: text], limit: 1)
            if let identifier = found.first { return identifier }
        }
        let all = try await api.list("/v1/bundleIds", limit: NotFound.limit)
        throw NotFound.failure(
            "bundle identifier", text, in: all.map { $0.attribute("identifier") },
            command: "bundle-id list")
    }

    fileprivate func bundleIdentifier() async throws -> JSONValue {
        try await bundleIdentifier(arguments.argument(0))
    }
}

/// `openstore bundle-id list`
enum BundleIdentifierList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["bundle-id", "list"], summary: "List the bundle identifiers of the team.",
        options: [.limit])

    static func run(_ connect: ConnectContext) async throws {
        let all = try await connect.api.list(
            "/v1/bundleIds", ["sort": "identifier"], limit: connect.limit())
        connect.show.list(all, .bundleIdentifiers, empty: "There are no bundle identifiers.")
    }
}

/// `openstore bundle-id show`
enum BundleIdentifierShow: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["bundle-id", "show"], summary: "Show a bundle identifier and what it may use.",
        arguments: [identifierArgument])

    static func run(_ connect: ConnectContext) async throws {
        let identifier = try await connect.bundleIdentifier()
        let capabilities = try await connect.api.list(
            "/v1/bundleIds/\(identifier.id)/bundleIdCapabilities")
        let names = capabilities.map { $0.attribute("capabilityType") }.joined(separator: ", ")
        connect.show.one(
            identifier, .bundleIdentifiers + [.init("CAPABILITIES") { _ in names }])
    }
}

/// `openstore bundle-id create`
enum BundleIdentifierCreate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["bundle-id", "create"], summary: "Register a bundle identifier.",
        discussion: """
            Explicit ones (com.example.app) are for apps that sell; wildcards (com.example.*) for
            development without in-app purchase.
            """,
        arguments: [.init(name: "ID", help: "The bundle identifier.")],
        options: [
            .value("name", "NAME", "What you call it; the identifier unless given."),
            .value(
                "platform", "linux|universal|ios|mac-os|services",
                "What it is for; linux unless given."), .team,
        ])

    static func run(_ connect: ConnectContext) async throws {
        let text = connect.arguments.argument(0)
        let platform = try connect.arguments.value(
            "platform", "linux, universal, ios, mac-os or services"
        ) { BundleIdentifierPlatform(rawValue: $0.uppercased().replacing(scalar: "-", with: "_")) }
        // App Store Connect's own operation knows the caller's team only.
        let team = try await connect.teamLink()
        let made = try await connect.api.create(
            "bundleIds", at: team.isEmpty ? "/v1/bundleIds" : "/openstore/v1/bundleIds",
            [
                "identifier": .string(text),
                "name": .string(connect.arguments["name"] ?? text),
                "platform": .string((platform ?? .linux).rawValue),
            ], relationships: team)
        connect.show.done(made, "\(text) is registered as \(made.id).")
    }
}

/// `openstore bundle-id update`
enum BundleIdentifierUpdate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["bundle-id", "update"], summary: "Rename a bundle identifier, or change what it may use.",
        discussion: """
            Switching IN_APP_PURCHASE makes profiles out of date that were made before.
            """,
        arguments: [identifierArgument],
        options: [
            .value("name", "NAME", "What you call it."),
            .value("enable", "CAPABILITY", "Switch on, for example IN_APP_PURCHASE."),
            .value("disable", "CAPABILITY", "Switch off."),
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        guard ["name", "enable", "disable"].contains(where: { arguments[$0] != nil }) else {
            throw UsageError(description: "there is nothing to change\nUsage: \(spec.usage)")
        }
        var identifier = try await connect.bundleIdentifier()
        if let name = arguments["name"] {
            identifier = try await connect.api.update(
                "bundleIds", at: "/v1/bundleIds/\(identifier.id)", ["name": .string(name)])
        }
        if let type = arguments["enable"] {
            _ = try await connect.api.create(
                "bundleIdCapabilities", at: "/v1/bundleIdCapabilities",
                ["capabilityType": .string(type.uppercased())],
                relationships: ["bundleId": ("bundleIds", identifier.id)])
        }
        if let type = arguments["disable"] {
            try await connect.api.delete(
                "/v1/bundleIdCapabilities/\(identifier.id)_\(type.uppercased())")
        }
        connect.show.done(identifier, "\(identifier.attribute("identifier")) is changed.")
    }
}

/// `openstore bundle-id delete`
enum BundleIdentifierDelete: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["bundle-id", "delete"], summary: "Delete a bundle identifier that nothing uses.",
        arguments: [identifierArgument])

    static func run(_ connect: ConnectContext) async throws {
        let identifier = try await connect.bundleIdentifier()
        try await connect.api.delete("/v1/bundleIds/\(identifier.id)")
        connect.show.done(
            id: identifier.id, "\(identifier.attribute("identifier")) is deleted.")
    }
}
