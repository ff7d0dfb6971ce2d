import StoreModel

/// How builds are shown.
let buildColumns: [ConnectRenderer.Column] = [
    .id, .attribute("BUILD", "version"), .attribute("BYTES", "fileSize"),
    .attribute("FILE", "fileName"), .attribute("FORMAT", "fileFormat"),
    .attribute("ADDED", "uploadedDate"),
]

private let versionArgument = CommandSpec.Argument(
    name: "VERSION", help: "The version, for example 1.2, or its identifier.")

/// `openstore build list`
enum BuildList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["build", "list"], summary: "List the builds of a version, and which have their files.",
        arguments: [.app, versionArgument], options: [platformOption, .limit])

    static func run(_ connect: ConnectContext) async throws {
        let app = try await connect.app(connect.arguments.argument(0))
        let version = try await connect.version(connect.arguments.argument(1), of: app)
        let builds = try await connect.api.list(
            "/openstore/v1/appStoreVersions/\(version.id)/builds", limit: connect.limit())
        connect.show.list(builds, buildColumns, empty: "The version has no builds.")
    }
}

/// `openstore build show`
enum BuildShow: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["build", "show"], summary: "Show a build.",
        arguments: [
            .app, versionArgument,
            .init(name: "NUMBER", help: "The build number, or its identifier."),
        ], options: [platformOption])

    static func run(_ connect: ConnectContext) async throws {
        let app = try await connect.app(connect.arguments.argument(0))
        let version = try await connect.version(connect.arguments.argument(1), of: app)
        let wanted = connect.arguments.argument(2)
        let builds = try await connect.api.list(
            "/openstore/v1/appStoreVersions/\(version.id)/builds")
        let found = builds.first { $0.id == wanted || $0.attribute("version") == wanted }
        guard let found else {
            throw NotFound.failure(
                "build", wanted, of: "version \(version.attribute("versionString"))",
                in: builds.map { $0.attribute("version") },
                command: "build list \(app.attribute("bundleId")) "
                    + version.attribute("versionString"))
        }
        connect.show.one(
            found,
            buildColumns + [
                .attribute("SHA-256", "sha256"), .attribute("DOWNLOAD", "downloadSize"),
                .attribute("INSTALLED", "installedSize"),
            ])
    }
}
