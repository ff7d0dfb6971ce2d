import Foundation
import StoreBackup
import StoreKernel
import StoreServer

/// `openstore backup`
enum BackupCommand: Command {
    static let spec = CommandSpec(
        words: ["backup"], summary: "Make a backup of a store while it runs.",
        discussion: """
            Takes a snapshot of the database, all content that it names, uploads that wait, and the
            keys: with one thing and another, everything that a store is. In a folder each backup
            gets a folder of its own, and shares files that have not changed with the one before. A
            backup is whole or not there. Whoever has it can be the store: keep it as you keep the
            keys. Not in it are exports of the partner feed and pictures in other sizes, which are
            made again, and the file of settings.
            """,
        options: [
            .value(
                "to", "DIR|FILE.tar", "A folder for many backups, or a new file for this one."
            ).asRequired,
            .flag(
                "with-content",
                "Also take content that lies in a bucket; it is left there unless given."),
            .json, StoreOpening.option, StoreOpening.database,
        ] + ContentOptions.options)

    private struct Result: Encodable {
        let backup: String
        let date: Date
        let files: Int
        let bytes: Int64
        let sharedBytes: Int64
        let contentPlace: String?
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let place = BackupLocation(ParsedArguments.url(try arguments.required("to")))
        let paths = try StoreOpening.paths(arguments)
        try StoreOpening.expectStore(arguments, in: paths.directory)
        let (isJSON, withContent) = (arguments.has("json"), arguments.has("with-content"))
        let outcome = try await BlockingPool.commands.run {
            let line = BackupLine(output: output, isQuiet: isJSON)
            defer { line.clear() }
            return try BackupBuilder(paths, program: CommandRunner.version)
                .run(to: place, withContent: withContent, report: line.show)
        }
        let manifest = outcome.manifest
        if isJSON {
            return try output.json(
                Result(
                    backup: outcome.place.path, date: manifest.date,
                    files: manifest.files.count, bytes: manifest.bytes,
                    sharedBytes: outcome.sharedBytes, contentPlace: manifest.contentPlace))
        }
        var text =
            "Backed up \(manifest.files.count) files, \(formattedBytes(manifest.bytes)), to "
            + outcome.place.path
        if outcome.sharedBytes > 0 {
            text += "; \(formattedBytes(outcome.sharedBytes)) of it were in the backup before"
        }
        output.line(text)
        if let bucket = manifest.contentPlace {
            output.line("Content stays in \(bucket), which has to be kept with it.")
        }
        output.line("Its keys are the store's: nobody else may have it.")
    }
}
