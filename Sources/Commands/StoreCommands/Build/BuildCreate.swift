import Foundation
import StoreSecurity
import StoreWire

/// `openstore build create`
enum BuildCreate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["build", "create"], summary: "Record a binary of an app's version.",
        discussion: """
            The store keeps the number, the size and the checksum of the file, not the file itself:
            openstore build upload brings that too, and the version can go on sale then. The first
            build of a version is chosen at once.
            """,
        arguments: [
            .app, .init(name: "VERSION", help: "The version that it is a build of."),
            .init(name: "FILE", help: "The binary."),
        ],
        options: [
            .value("number", "NUMBER", "The build number, higher with each build.").asRequired,
            .value(
                "platform", "linux|ios|mac-os|tv-os|vision-os",
                "The version's; linux unless given."),
            .flag("choose", "Have this build reviewed and sold."),
        ])

    static func run(_ connect: ConnectContext) async throws {
        let number = try connect.arguments.required("number")
        let (size, digest) = try measure(ParsedArguments.url(connect.arguments.argument(2)))
        let app = try await connect.app(connect.arguments.argument(0))
        let version = try await connect.version(connect.arguments.argument(1), of: app)
        let build = try await connect.api.create(
            "builds", at: "/openstore/v1/builds",
            [
                "version": .string(number), "fileSize": .integer(size),
                "sha256": .string(digest),
            ], relationships: ["appStoreVersion": ("appStoreVersions", version.id)])
        if connect.arguments.has("choose") {
            _ = try await connect.api.update(
                "appStoreVersions", at: "/openstore/v1/appStoreVersions/\(version.id)", [:],
                relationships: ["build": ("builds", build.id)])
        }
        connect.show.done(
            build,
            "Build \(number) of version \(version.attribute("versionString")) is recorded.")
    }

    /// Size and SHA-256 of a file, which is read in pieces.
    static func measure(_ url: URL) throws -> (size: Int64, digest: String) {
        try InputFile.expect(url)
        guard let handle = try? FileHandle(forReadingFrom: url) else {
            throw UsageError(description: "\(url.path) can't be read")
        }
        defer { try? handle.close() }
        let digest = SHA256Digest()
        var size: Int64 = 0
        while let bytes = try handle.read(upToCount: 1 << 20), !bytes.isEmpty {
            digest.update(bytes)
            size += Int64(bytes.count)
        }
        return (size, SHA256Digest.hexadecimal(digest.finish()))
    }
}
