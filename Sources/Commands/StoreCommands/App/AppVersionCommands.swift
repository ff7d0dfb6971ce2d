import StoreCore
import StoreModel
import StoreWire

private let versionColumns: [ConnectRenderer.Column] = [
    .id, .attribute("VERSION", "versionString"), .attribute("PLATFORM", "platform"),
    .attribute("STATE", "appStoreState"), .attribute("RELEASE", "releaseType"),
    .link("BUILD", "build"),
]

private let versionArgument = CommandSpec.Argument(
    name: "VERSION", help: "The version, for example 1.2, or its identifier.")

let platformOption = CommandSpec.Option.value(
    "platform", "linux|ios|mac-os|tv-os|vision-os", "What it runs on; linux unless given.")

extension ConnectContext {
    /// The platform of `--platform`, as the API spells it.
    func platform() throws -> String {
        try arguments.value("platform", "linux, ios, mac-os, tv-os or vision-os") { text in
            AppPlatform(rawValue: text.uppercased().replacing(scalar: "-", with: "_"))?.rawValue
        } ?? AppPlatform.linux.rawValue
    }

    /// The version of an app that is named by number and platform, or by identifier.
    func version(_ text: String, of app: JSONValue) async throws -> JSONValue {
        let platform = try platform()
        let all = try await api.list("/openstore/v1/appStoreVersions", ["filter[app]": app.id])
        let found = all.first { version in
            version.id == text
                || version.attribute("versionString") == text
                    && version.attribute("platform") == platform
        }
        guard let found else {
            let here = all.filter { $0.attribute("platform") == platform }
            guard let other = all.first(where: { $0.attribute("versionString") == text }) else {
                throw NotFound.failure(
                    "version for \(platform)", text, of: app.attribute("name"),
                    in: here.map { $0.attribute("versionString") },
                    command: "app version list \(app.attribute("bundleId"))")
            }
            throw ConnectFailure.notFound(
                "\(app.attribute("name")) has no version \(text) for \(platform), but one for "
                    + "\(other.attribute("platform")): name it with --platform.")
        }
        return found
    }

    /// The version that the first two arguments name.
    fileprivate func version() async throws -> JSONValue {
        try await version(arguments.argument(1), of: app(arguments.argument(0)))
    }

    /// Lets a version take a step outside of review.
    fileprivate func take(_ change: String, _ words: String) async throws {
        let version = try await version()
        let done = try await api.create(
            "appStoreVersionSaleChanges", at: "/openstore/v1/appStoreVersionSaleChanges",
            ["change": .string(change)],
            relationships: ["appStoreVersion": ("appStoreVersions", version.id)])
        show.done(
            done,
            "Version \(version.attribute("versionString")) is \(words): "
                + "\(done.attribute("appStoreState")).")
    }
}

/// `openstore app version list`
enum AppVersionList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["app", "version", "list"], summary: "List the versions of an app.",
        arguments: [.app], options: [.limit])

    static func run(_ connect: ConnectContext) async throws {
        let app = try await connect.app(connect.arguments.argument(0))
        let versions = try await connect.api.list(
            "/openstore/v1/appStoreVersions", ["filter[app]": app.id], limit: connect.limit())
        connect.show.list(versions, versionColumns, empty: "The app has no versions.")
    }
}

/// `openstore app version show`
enum AppVersionShow: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["app", "version", "show"], summary: "Show a version and its builds.",
        arguments: [.app, versionArgument], options: [platformOption])

    static func run(_ connect: ConnectContext) async throws {
        let version = try await connect.version()
        connect.show.one(
            version,
            versionColumns + [
                .attribute("WHAT'S NEW", "whatsNew"), .attribute("REVIEW NOTE", "reviewNote"),
                .attribute("SUBMITTED", "submittedDate"), .attribute("RELEASED", "releasedDate"),
            ])
        guard connect.show.isForPeople else { return }
        let builds = try await connect.api.list(
            "/openstore/v1/appStoreVersions/\(version.id)/builds")
        connect.output.line()
        connect.show.list(builds, buildColumns, empty: "It has no builds.")
    }
}

/// `openstore app version create`
enum AppVersionCreate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["app", "version", "create"], summary: "Begin the next version of an app.",
        arguments: [.app, .init(name: "VERSION", help: "Its number, for example 1.2.")],
        options: [platformOption] + changes)

    /// What can be said about a version.
    static let changes: [CommandSpec.Option] = [
        .value("whats-new", "TEXT", "What customers read about it."),
        .value("review-note", "TEXT", "What reviewers read about it."),
        .value("release", "manual|after-approval", "When it goes on sale."),
    ]

    static func run(_ connect: ConnectContext) async throws {
        let app = try await connect.app(connect.arguments.argument(0))
        var attributes = try attributes(connect.arguments)
        attributes["versionString"] = .string(connect.arguments.argument(1))
        attributes["platform"] = .string(try connect.platform())
        let version = try await connect.api.create(
            "appStoreVersions", at: "/openstore/v1/appStoreVersions", attributes,
            relationships: ["app": ("apps", app.id)])
        connect.show.done(
            version, "Version \(version.attribute("versionString")) is begun.")
    }

    static func attributes(_ arguments: ParsedArguments) throws -> [String: JSONValue] {
        let release = try arguments.value("release", "manual or after-approval") { text in
            AppReleaseType(rawValue: text.uppercased().replacing(scalar: "-", with: "_"))?.rawValue
        }
        let all: [String: JSONValue] = [
            "whatsNew": .text(arguments["whats-new"]),
            "reviewNote": .text(arguments["review-note"]), "releaseType": .text(release),
        ]
        return all.filter { $0.value != .null }
    }
}

/// `openstore app version update`
enum AppVersionUpdate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["app", "version", "update"], summary: "Change a version, or choose its build.",
        arguments: [.app, versionArgument],
        options: [
            platformOption, .value("number", "VERSION", "Another number."),
            .value("build", "ID", "The build that is reviewed and sold."),
        ] + AppVersionCreate.changes)

    static func run(_ connect: ConnectContext) async throws {
        var attributes = try AppVersionCreate.attributes(connect.arguments)
        if let number = connect.arguments["number"] {
            attributes["versionString"] = .string(number)
        }
        let build = connect.arguments["build"]
        guard !attributes.isEmpty || build != nil else {
            throw UsageError(description: "there is nothing to change\nUsage: \(spec.usage)")
        }
        let version = try await connect.version()
        let changed = try await connect.api.update(
            "appStoreVersions", at: "/openstore/v1/appStoreVersions/\(version.id)", attributes,
            relationships: build.map { ["build": ("builds", $0)] } ?? [:])
        connect.show.done(
            changed, "Version \(changed.attribute("versionString")) is changed.")
    }
}

/// `openstore app version delete`
enum AppVersionDelete: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["app", "version", "delete"], summary: "Delete a version that is in preparation.",
        arguments: [.app, versionArgument], options: [platformOption])

    static func run(_ connect: ConnectContext) async throws {
        let version = try await connect.version()
        try await connect.api.delete("/openstore/v1/appStoreVersions/\(version.id)")
        connect.show.done(
            id: version.id, "Version \(version.attribute("versionString")) is deleted.")
    }
}

/// `openstore app version release`
enum AppVersionRelease: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["app", "version", "release"], summary: "Put an approved version on sale.",
        arguments: [.app, versionArgument], options: [platformOption])

    static func run(_ connect: ConnectContext) async throws {
        try await connect.take("RELEASE", "released")
    }
}

/// `openstore app version remove`
enum AppVersionRemove: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["app", "version", "remove"], summary: "Take a version from sale.",
        arguments: [.app, versionArgument],
        options: [platformOption, .flag("take-down", "For the store (operators).")])

    static func run(_ connect: ConnectContext) async throws {
        let isStore = connect.arguments.has("take-down")
        try await connect.take(
            isStore ? "TAKE_DOWN" : "REMOVE_FROM_SALE", isStore ? "taken down" : "removed")
    }
}

/// `openstore app version return`
enum AppVersionReturn: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["app", "version", "return"], summary: "Put a version on sale again.",
        arguments: [.app, versionArgument],
        options: [
            platformOption, .flag("reinstate", "One that the store took down (operators)."),
        ])

    static func run(_ connect: ConnectContext) async throws {
        let isStore = connect.arguments.has("reinstate")
        try await connect.take(isStore ? "REINSTATE" : "RETURN_TO_SALE", "on sale again")
    }
}
