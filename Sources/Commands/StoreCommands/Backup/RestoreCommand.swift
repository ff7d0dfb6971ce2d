import Foundation
import StoreBackup
import StoreKernel
import StoreServer

/// `openstore restore`
enum RestoreCommand: Command {
    static let spec = CommandSpec(
        words: ["restore"], summary: "Make a store of a backup.",
        discussion: """
            Into a new folder, and with --database into a database that has no shop in it. Everything
            is compared with the backup's manifest before anything takes its place, and the store
            is there with the last step or not at all. The store that was backed up must not run any
            more: both would renew subscriptions, and tell publishers' servers. With --check the
            backup is read and compared, and nothing is made.
            """,
        options: [
            .value(
                "from", "BACKUP",
                "A file or folder of openstore backup; the newest in a folder of several."
            ).asRequired,
            .flag("check", "Only look whether the backup is whole."),
            .json, StoreOpening.option, StoreOpening.database,
        ] + ContentOptions.options)

    private struct Result: Encodable {
        let backup: String
        /// Nil where nothing was made.
        let data: String?
        let date: Date
        let program: String
        let files: Int
        let bytes: Int64
        let contentPlace: String?
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let backup = try BackupReader(ParsedArguments.url(try arguments.required("from")))
        let paths = try StoreOpening.paths(arguments)
        let database = try StoreOpening.databaseAddress(arguments)
        let (isJSON, isCheck) = (arguments.has("json"), arguments.has("check"))
        let manifest = try await BlockingPool.commands.run {
            let line = BackupLine(output: output, isQuiet: isJSON)
            defer { line.clear() }
            guard isCheck else {
                return try BackupRestorer(paths, database: database)
                    .run(from: backup, now: Date(), report: line.show)
            }
            return try BackupRestorer(paths, database: nil).check(
                backup, in: FileManager.default.temporaryDirectory, report: line.show)
        }
        if isJSON {
            return try output.json(
                Result(
                    backup: backup.path, data: isCheck ? nil : paths.directory.path,
                    date: manifest.date, program: manifest.program,
                    files: manifest.files.count, bytes: manifest.bytes,
                    contentPlace: manifest.contentPlace))
        }
        let extent =
            "\(manifest.files.count) files, \(formattedBytes(manifest.bytes)), of "
            + manifest.date.formatted(.iso8601)
        guard !isCheck else {
            output.line("\(backup.path) is whole: \(extent)")
            if let place = manifest.contentPlace, paths.objects == nil {
                output.line("Its content is in \(place), which --content lets it look into.")
            }
            return
        }
        output.line("Restored \(extent), into \(paths.directory.path)")
        output.line(
            "Start it with openstore serve --data \(shellWord(paths.directory.path))"
                + (database.map { " --database \(shellWord($0.description))" } ?? "")
                + (arguments.setting("content").map {
                    " --content \(shellWord(HiddenSecrets.text($0)))"
                } ?? ""))
    }
}
