import StoreCore
import StoreServer

/// `openstore content clean-up`
enum ContentCleanUp: Command {
    static let spec = CommandSpec(
        words: ["content", "clean-up"],
        summary: "Delete content that nobody needs any more.",
        discussion: """
            Deletes versions that new buyers no longer get, when nobody has downloaded them for
            --keep-days, with the bytes that no other version needs; also what abandoned uploads
            and interrupted work have left. A running store does this every day. Nothing is
            deleted while the clock can't be trusted (openstore doctor).

            A restored store deletes nothing from its bucket until you say once, with --take-over,
            that the store from which the backup was made does not run any more: otherwise what
            that store has added since would be deleted.
            """,
        options: [
            .flag("dry-run", "List what would be deleted, and delete nothing."),
            .flag("take-over", "Let this restored store delete from its bucket from now on."),
            .value(
                "keep-days", "N", "How long a version is kept after its last use; 30 unless given."),
            StoreOpening.option, StoreOpening.database, .json,
        ])

    private struct Result: Encodable {
        struct Version: Encodable {
            let bundleId: String
            let productId: String
            let version: String
        }
        let isDryRun: Bool
        let versions: [Version]
        let builds: Int
        let files: Int
        let bytes: Int64
        let uploads: Int
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let days =
            try arguments.value("keep-days", "a number of days from 0 to 36500") { text in
                Int(text).flatMap { (0...36_500).contains($0) ? $0 : nil }
            } ?? 30
        let keeping = ContentRetentionPolicy(days: days)
        let isDryRun = arguments.has("dry-run")
        let takesOver = arguments.has("take-over") && !isDryRun
        let report = try await StoreOpening.with(arguments) { store in
            if takesOver { try await store.takeOverContent() }
            return isDryRun
                ? try await store.collectable(keeping)
                : try await store.collect(keeping, at: try await store.believedTime())
        }
        if arguments.has("json") {
            return try output.json(
                Result(
                    isDryRun: isDryRun,
                    versions: report.versions.map {
                        Result.Version(
                            bundleId: $0.app.text, productId: $0.product.text,
                            version: $0.version.text)
                    }, builds: report.builds, files: report.files, bytes: report.bytes,
                    uploads: report.uploads))
        }
        for version in report.versions {
            output.line("\(version.product) \(version.version) (\(version.app))")
        }
        output.line(
            "\(isDryRun ? "Would give back" : "Gave back") \(formattedBytes(report.bytes)) in "
                + "\(report.files) files, \(report.builds) builds, and \(report.uploads) uploads.")
    }
}
