import Foundation
import StoreCore
import StoreFeed
import StoreModel
import StoreServer
import Synchronization

/// `openstore feed export`
enum FeedExportCommand: Command {
    static let spec = CommandSpec(
        words: ["feed", "export"], summary: "Write the partner feed into a folder.",
        discussion: """
            Writes DIR/YYYYMMDD/ (the week's Wednesday) with itunes, match, popularity and pricing
            as .tbz and .md5; with --incremental what has changed since the last export in DIR,
            below that. Links begin with --store. A store that runs and has partners does both by itself, into its own
            folder feeds.
            """,
        arguments: [.init(name: "DIR", help: "The folder; made where there is none.")],
        options: [
            .flag("incremental", "Only what has changed since the last export in DIR."),
            StoreAddress.option(),
            StoreOpening.option, StoreOpening.database, .json,
        ])

    private struct Result: Encodable {
        struct Archive: Encodable {
            let feed: String
            let file: String
            let size: UInt64
            let md5: String
            let tables: [String: Int64]
        }
        let mode: String
        let date: Date
        let records: Int64
        let archives: [Archive]
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let folder = FeedFolder(root: ParsedArguments.url(arguments.argument(0)))
        let address = try StoreAddress.named(arguments) ?? StoreAddress.standard
        let isJSON = arguments.has("json")
        let progress = FeedProgressLine(output: output, isQuiet: isJSON)
        let report = try await StoreOpening.with(arguments) { store in
            try await store.feed.export(
                arguments.has("incremental") ? .incremental : .full, to: folder,
                links: StorefrontLinks(base: address), progress: { progress.show($0) })
        }
        progress.clear()
        if isJSON {
            return try output.json(
                Result(
                    mode: report.mode.rawValue, date: report.base.date, records: report.records,
                    archives: report.archives.map { archive in
                        Result.Archive(
                            feed: archive.feed.rawValue, file: archive.file, size: archive.size,
                            md5: archive.md5,
                            tables: Dictionary(
                                uniqueKeysWithValues: archive.tables.map { ($0.name, $0.records) }))
                    }))
        }
        var table = Table(["FILE", "TABLES", "RECORDS", "SIZE", "MD5"], rightAligned: [1, 2, 3])
        table.rows = report.archives.map { archive in
            [
                archive.file, "\(archive.tables.count)",
                "\(archive.tables.reduce(0) { $0 + $1.records })",
                formattedBytes(Int64(clamping: archive.size)), archive.md5,
            ]
        }
        output.write(table.text(on: output))
    }
}

/// One line that says which feed is being written, some times a second.
private final class FeedProgressLine: Sendable {
    private let output: Output
    private let isQuiet: Bool
    private let shown = Mutex<ContinuousClock.Instant?>(nil)

    init(output: Output, isQuiet: Bool) {
        self.output = output
        self.isQuiet = isQuiet || !output.isTerminal
    }

    func show(_ progress: FeedProgress) {
        guard !isQuiet else { return }
        shown.withLock { shown in
            let now = ContinuousClock.now
            if let last = shown, now - last < .milliseconds(100), !progress.isPacking { return }
            shown = now
            output.replaceLine(
                "\(progress.feed.rawValue): \(progress.records) records"
                    + (progress.isPacking ? ", packing" : ""))
        }
    }

    func clear() {
        if !isQuiet { output.replaceLine() }
    }
}
