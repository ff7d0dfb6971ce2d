import Foundation
import StoreModel
import StoreWire

private let appColumns: [ConnectRenderer.Column] = [
    .id, .attribute("NAME", "name"), .attribute("BUNDLE ID", "bundleId"),
    .attribute("SKU", "sku"), .attribute("LANGUAGE", "primaryLocale"),
]

/// `openstore app list`
enum AppList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["app", "list"], summary: "List the apps that you see.",
        options: [
            .value("name", "NAME", "Only those with exactly this name."),
            .value("sku", "SKU", "Only the one with this SKU."), .limit,
        ])

    static func run(_ connect: ConnectContext) async throws {
        let query = connect.query(["name": "filter[name]", "sku": "filter[sku]"])
        if connect.show.isForPeople {
            let apps = try await connect.api.list(
                "/openstore/v1/apps", query, limit: connect.limit())
            return connect.show.list(
                apps,
                [
                    .id, .attribute("NAME", "name"), .attribute("BUNDLE ID", "bundleIdentifier"),
                    .attribute("SKU", "sku"), .attribute("LANGUAGE", "primaryLocale"),
                    .attribute("TEAM", "teamName"),
                ], empty: "There are no apps.")
        }
        let apps = try await connect.api.list("/v1/apps", query, limit: connect.limit())
        connect.show.list(apps, appColumns, empty: "There are no apps.")
    }
}

/// `openstore app show`
enum AppShow: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["app", "show"], summary: "Show an app.", arguments: [.app])

    static func run(_ connect: ConnectContext) async throws {
        let app = try await connect.app(connect.arguments.argument(0))
        connect.show.one(
            app,
            appColumns + [
                .attribute("CONTENT RIGHTS", "contentRightsDeclaration"),
                .attribute("MADE FOR KIDS", "isOrEverWasMadeForKids"),
                .attribute("NOTIFICATIONS", "subscriptionStatusUrl"),
                .attribute("IN THE SANDBOX", "subscriptionStatusUrlForSandbox"),
                .attribute("ACCESSIBILITY", "accessibilityUrl"),
            ])
    }
}

/// `openstore app create`
enum AppCreate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["app", "create"], summary: "Make an app from a bundle identifier.",
        options: [
            .value("bundle-id", "ID", "An explicit bundle identifier that has no app yet.")
                .asRequired,
            .value("name", "NAME", "What customers read.").asRequired,
            .value("sku", "SKU", "Your own number for it; the bundle identifier unless given."),
            .value("language", "LOCALE", "The primary language; en-US unless given."),
        ])

    static func run(_ connect: ConnectContext) async throws {
        let text = try connect.arguments.required("bundle-id")
        let name = try connect.arguments.required("name")
        let identifier = try await connect.bundleIdentifier(text)
        let app = try await connect.api.create(
            "apps", at: "/openstore/v1/apps",
            [
                "name": .string(name), "sku": .string(connect.arguments["sku"] ?? text),
                "primaryLocale": .string(connect.arguments["language"] ?? "en-US"),
            ], relationships: ["bundleId": ("bundleIds", identifier.id)])
        connect.show.done(app, "App \(app.id) is made: \(name), \(text).")
    }
}

/// `openstore app update`
enum AppUpdate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["app", "update"], summary: "Change an app.",
        discussion: "An empty value takes an address or a declaration away.",
        arguments: [.app],
        options: [
            .value("name", "NAME", "What customers read."),
            .value("language", "LOCALE", "The primary language."),
            .value("bundle-id", "ID", "Another bundle identifier, before the first submission."),
            .value(
                "content-rights", "none|others",
                "Whether the app shows content of others."),
            .value("notifications", "URL", "Where the store reports changes of purchases."),
            .value("sandbox-notifications", "URL", "The same for the sandbox."),
            .value("accessibility", "URL", "Where you write about accessibility."),
            .flag("made-for-kids", "Say that it is made for kids, for ever."),
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        var own: [String: JSONValue] = [:]
        if let name = arguments["name"] { own["name"] = .string(name) }
        if arguments.has("made-for-kids") { own["isOrEverWasMadeForKids"] = true }
        var described: [String: JSONValue] = [:]
        if let text = arguments["language"] { described["primaryLocale"] = .string(text) }
        if let text = arguments["bundle-id"] { described["bundleId"] = .string(text) }
        for (option, attribute) in [
            ("notifications", "subscriptionStatusUrl"),
            ("sandbox-notifications", "subscriptionStatusUrlForSandbox"),
            ("accessibility", "accessibilityUrl"),
        ] {
            if let text = arguments[option] {
                described[attribute] = text.isEmpty ? .null : .string(text)
            }
        }
        let rights = try arguments.value("content-rights", "none, others or empty") {
            Self.rights[$0]
        }
        if let rights { described["contentRightsDeclaration"] = rights }
        guard !own.isEmpty || !described.isEmpty else {
            throw UsageError(description: "there is nothing to change\nUsage: \(spec.usage)")
        }
        var app = try await connect.app(arguments.argument(0))
        if !described.isEmpty {
            app = try await connect.api.update("apps", at: "/v1/apps/\(app.id)", described)
        }
        if !own.isEmpty {
            app = try await connect.api.update("apps", at: "/openstore/v1/apps/\(app.id)", own)
        }
        connect.show.done(app, "App \(app.id) is changed.")
    }

    private static let rights: [String: JSONValue] = [
        "": .null, "none": "DOES_NOT_USE_THIRD_PARTY_CONTENT",
        "others": "USES_THIRD_PARTY_CONTENT",
    ]
}

/// `openstore app delete`
enum AppDelete: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["app", "delete"], summary: "Delete an app that never had products or a submission.",
        arguments: [.app])

    static func run(_ connect: ConnectContext) async throws {
        let app = try await connect.app(connect.arguments.argument(0))
        try await connect.api.delete("/openstore/v1/apps/\(app.id)")
        connect.show.done(id: app.id, "App \(app.id) is deleted.")
    }
}
