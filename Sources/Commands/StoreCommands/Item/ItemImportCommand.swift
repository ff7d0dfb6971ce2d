import Foundation
import StoreCore
import StoreServer

/// `openstore item import`
enum ItemImportCommand: Command {
    static let spec = CommandSpec(
        words: ["item", "import"], summary: "Import items of the storefront from JSON lines.",
        discussion: """
            Each line is an object with the fields of the search API's results (kind, trackId,
            trackName, artistName, collectionId, price, ...), and ours: priceTier, prices and
            storefronts, translations, artwork, screenshots, previews and download (files beside
            FILE). An item of a known number is changed. Lines are written 500 at a time, all of
            them or none; wrong ones are named. See Documentation/Publishers/ItemImport.md.
            """,
        arguments: [.init(name: "FILE", help: "JSON lines.")],
        options: [
            .value(
                "team", "NAME",
                "Whose items they are; the only team of the store unless given. A store without one "
                    + "gets it."),
            .flag("create-store", "Make a store in the folder where there is none."),
            StoreOpening.option, StoreOpening.database,
            .json,
        ])

    private struct Result: Encodable {
        struct Problem: Encodable {
            let line: Int
            let field: String?
            let rule: String
            let problem: String
            let help: String
        }
        let lines: Int
        let created: Int
        let changed: Int
        let unchanged: Int
        let artists: Int
        let media: Int
        let problems: [Problem]

        init(_ progress: ItemImportProgress) {
            lines = progress.lines
            created = progress.outcome.created
            changed = progress.outcome.changed
            unchanged = progress.outcome.unchanged
            artists = progress.outcome.artists
            media = progress.outcome.media
            problems = progress.problems.map {
                Problem(
                    line: $0.line, field: $0.refusal.field, rule: $0.refusal.rule,
                    problem: $0.refusal.problem, help: $0.refusal.help)
            }
        }
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let file = ParsedArguments.url(arguments.argument(0))
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory),
            !isDirectory.boolValue, FileManager.default.isReadableFile(atPath: file.path)
        else { throw UsageError(description: "\(file.path) can't be read") }
        let isJSON = arguments.has("json")
        let bar = ProgressBar("Importing", output: output)
        let progress = try await StoreOpening.with(
            arguments, begins: arguments.has("create-store")
        ) { store in
            do {
                return try await store.importItems(file, teamName: arguments["team"]) { progress in
                    guard !isJSON, output.isTerminal else { return }
                    bar.show(progress.bytes, of: progress.size, remaining: -1)
                }
            } catch let refusal as ConnectRefusal where refusal.rule == "teamMissing" {
                throw UsageError(
                    option: "team",
                    "the store has several teams; say whose items they are (openstore team list)")
            }
        }
        if isJSON {
            try output.json(Result(progress))
        } else {
            if output.isTerminal { bar.finish(progress.size) }
            show(progress, output)
        }
        if !progress.problems.isEmpty { throw ReportedFailure() }
    }

    private static func show(_ progress: ItemImportProgress, _ output: Output) {
        let outcome = progress.outcome
        output.line(
            "\(progress.lines) lines: \(outcome.created) items new, \(outcome.changed) changed, "
                + "\(outcome.unchanged) as they were, \(outcome.artists) artists new, "
                + "\(outcome.media) files.")
        for problem in progress.problems { output.error(problem.description) }
        guard !progress.problems.isEmpty else { return }
        output.error(
            "nothing was written of the batches of \(ItemImport.batchSize) lines around these"
                + (progress.isGivenUp ? "; the lines behind them were not read" : ""))
    }
}
