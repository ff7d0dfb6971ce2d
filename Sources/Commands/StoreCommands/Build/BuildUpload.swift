import CStoreLinux
import Foundation
import StoreModel
import StorePackage
import StoreWire

/// `openstore build upload`
enum BuildUpload: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["build", "upload"], summary: "Bring an app's file into a store, as a build of a version.",
        discussion: """
            Checks the file by the rules of the store, adds a build for it where no build of the
            version was recorded with it, sends it in parts, and waits until it can be delivered.
            Run the same command again after an interruption: it sends only what is missing. The
            first build of a version is chosen at once.
            """,
        arguments: [
            .init(
                name: "FILE",
                help: "An AppImage, a Flatpak bundle, a Debian package, or a .tar.zst or .zip of a "
                    + "folder.")
        ],
        options: [
            .value("app", "ID", "The bundle identifier of the app.").asRequired,
            .value(
                "version", "NUMBER",
                "The version that it is a build of; the one that customers have not got yet "
                    + "unless given."),
            .value("number", "NUMBER", "The build number; the next one unless given."),
            platformOption,
            .flag("choose", "Have this build reviewed and sold."),
        ])

    /// What became of the file, for programs.
    private struct Result: Encodable {
        let buildId: String
        let number: String
        let version: String
        let uploadId: String
        /// `COMPLETE`, or `FAILED`.
        let state: String
        /// Bytes that this call has sent.
        let sentBytes: Int64
        let problems: [UploadAttributes.Problem]
    }

    static func run(_ connect: ConnectContext) async throws {
        cstore_keep_memory_small()
        let arguments = connect.arguments
        let url = ParsedArguments.url(arguments.argument(0))
        let name = try arguments.required("app")
        guard let bundleID = BundleID(name) else {
            throw UsageError(option: "app", "\"\(name)\" is not a bundle identifier")
        }
        let app = try await connect.app(name)
        let version = try await version(of: app, connect)
        let number = version.attribute("versionString")
        try check(url, of: bundleID, version: number, connect)
        let file = try UploadSource(url)
        let digest = try file.digest()
        let build = try await build(
            of: version, size: file.size, digest: digest, connect)
        let creation = UploadCreation(
            bundleId: bundleID, buildId: build.id, fileName: url.lastPathComponent,
            fileSize: file.size, sha256: digest)
        let isQuiet = arguments.has("json") || arguments.has("quiet")
        let display = UploadDisplay(output: connect.output, isQuiet: isQuiet)
        let (upload, sentBytes) = try await PackageUploader(
            session: ConnectRetryClient(
                address: connect.api.address, credential: connect.api.credential,
                transport: connect.api.transport, retrying: { display.retrying($0) }),
            file: file, creation: creation, sent: { display.sent($0, of: $1, before: $2) },
            processed: { display.processed($0, of: file.size) }
        ).run()
        display.end()
        let attributes = upload.attributes
        if arguments.has("json") {
            try connect.output.json(
                Result(
                    buildId: build.id, number: build.attribute("version"), version: number,
                    uploadId: upload.id, state: attributes.state, sentBytes: sentBytes,
                    problems: attributes.problems))
        }
        guard attributes.state == "COMPLETE" else {
            if arguments.has("json") { throw ReportedFailure(exitCode: .refused) }
            throw RefusedPackage(problems: attributes.problems)
        }
        if arguments.has("choose") {
            _ = try await connect.api.update(
                "appStoreVersions", at: "/openstore/v1/appStoreVersions/\(version.id)", [:],
                relationships: ["build": ("builds", build.id)])
        }
        if arguments.has("quiet") { return connect.output.line(build.id) }
        guard !isQuiet else { return }
        connect.output.line(
            "Build \(build.attribute("version")) of version \(number) has its file and can be "
                + "delivered. openstore submission create --app \(name) --version \(number) sends "
                + "the version to review.")
    }

    /// What the store would refuse is refused before bytes are sent.
    private static func check(
        _ url: URL, of app: BundleID, version: String, _ connect: ConnectContext
    ) throws {
        let isQuiet = connect.arguments.has("json") || connect.arguments.has("quiet")
        let progress = ContentProgress("Checking", output: connect.output, isQuiet: isQuiet)
        let expectation = AppPackageExpectation(
            bundleID: app, version: ContentVersion(version), fileName: url.lastPathComponent)
        _ = try AppPackageReader(file: url, expectation: expectation)
            .summary(progress: progress.show)
        if !isQuiet { progress.clear() }
    }

    /// The version that is named, or the one on its way to customers.
    private static func version(
        of app: JSONValue, _ connect: ConnectContext
    ) async throws -> JSONValue {
        if let text = connect.arguments["version"] {
            return try await connect.version(text, of: app)
        }
        let platform = try connect.platform()
        let found = try await connect.api.list(
            "/openstore/v1/appStoreVersions", ["filter[app]": app.id]
        ).first { version in
            version.attribute("platform") == platform
                && ["PREPARE_FOR_SUBMISSION", "REJECTED", "DEVELOPER_REJECTED"].contains(
                    version.attribute("appStoreState"))
        }
        guard let found else {
            throw ConnectFailure.notFound(
                "\(app.attribute("name")) has no version for \(platform) that takes a build. Begin "
                    + "one (openstore app version create \(app.attribute("bundleId")) NUMBER), or "
                    + "name one with --version.")
        }
        return found
    }

    /// The build that was recorded with the file, or a new one.
    private static func build(
        of version: JSONValue, size: Int64, digest: ContentDigest, _ connect: ConnectContext
    ) async throws -> JSONValue {
        let builds = try await connect.api.list(
            "/openstore/v1/appStoreVersions/\(version.id)/builds")
        let number = connect.arguments["number"]
        let known = builds.first { build in
            build.attribute("sha256") == digest.text
                && (number == nil || build.attribute("version") == number)
        }
        if let known { return known }
        let newest = builds.compactMap { ContentVersion($0.attribute("version")) }.max()
        let first = newest?.text.split(scalar: ".").first.flatMap { Int64($0) } ?? 0
        return try await connect.api.create(
            "builds", at: "/openstore/v1/builds",
            [
                "version": .string(number ?? String(first.clampedSum(1))),
                "fileSize": .integer(size), "sha256": .string(digest.text),
            ], relationships: ["appStoreVersion": ("appStoreVersions", version.id)])
    }
}
