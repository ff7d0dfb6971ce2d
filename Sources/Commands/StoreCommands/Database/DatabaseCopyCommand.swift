import Foundation
import StoreKernel
import StoreModel
import StoreServer

/// `openstore database copy`
enum DatabaseCopyCommand: Command {
    static let spec = CommandSpec(
        words: ["database", "copy"], summary: "Copy a running store to another database.",
        discussion: """
            Copies everything while the store runs, then pauses writes for some seconds, copies what
            has changed, compares all tables, and marks the old database: programs stop writing to
            it, and are told the new address when they open it. The new database has to be empty.
            An interrupted copy changes nothing in the old database. Content, keys and pictures
            stay in the store's folder. Afterwards start the store with --database and the new
            address.
            """,
        options: [
            .value("from", "ADDRESS", "The database of the store: sqlite:FILE or postgres://…")
                .asRequired,
            .value("to", "ADDRESS", "The empty one: postgres://user@host/name or sqlite:FILE")
                .asRequired,
            .json,
        ])

    private struct Result: Encodable {
        struct Table: Encodable {
            let name: String
            let rows: Int
            let checksum: String
        }
        let from: String
        let to: String
        let tables: [Table]
        let rows: Int
        let bytes: Int
        let changedRows: Int
        let pauseMilliseconds: Int
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let source = try StoreOpening.address(
            ofDatabase: arguments.required("from"), option: "from")
        let target = try StoreOpening.address(
            ofDatabase: arguments.required("to"), option: "to")
        let isQuiet = arguments.has("json")
        let report = try await BlockingPool.commands.run {
            let line = DatabaseCopyLine(output: output, isQuiet: isQuiet)
            defer { line.clear() }
            var copy = try DatabaseCopy(from: source, to: target, report: line.show)
            return try copy.run(now: { Date() })
        }
        let pause = report.pause.components
        let milliseconds = Int(pause.seconds * 1000 + pause.attoseconds / 1_000_000_000_000_000)
        let rows = report.tables.reduce(0) { $0 + $1.rows }
        if isQuiet {
            return try output.json(
                Result(
                    from: source.description, to: target.description,
                    tables: report.tables.map {
                        Result.Table(name: $0.name, rows: $0.rows, checksum: $0.checksum)
                    }, rows: rows, bytes: report.bytes, changedRows: report.changedRows,
                    pauseMilliseconds: milliseconds))
        }
        output.line(
            "Copied \(rows) rows in \(report.tables.count) tables, "
                + "\(formattedBytes(Int64(report.bytes))); \(report.changedRows) of them had changed "
                + "meanwhile. The store paused for \(milliseconds) ms.")
        output.line("All tables are the same in both databases. Start the store with")
        output.line("  --database \(target)")
    }
}

/// One line on a terminal that shows how far a copy is: rows, size, speed, what remains.
private final class DatabaseCopyLine {
    private let output: Output
    private let isQuiet: Bool
    private let start = ContinuousClock.now
    private var shown: ContinuousClock.Instant?

    init(output: Output, isQuiet: Bool) {
        (self.output, self.isQuiet) = (output, isQuiet)
    }

    func show(_ progress: DatabaseCopy.Progress) {
        guard !isQuiet, output.isTerminal else { return }
        let now = ContinuousClock.now
        if let shown, now - shown < .milliseconds(100) { return }
        shown = now
        let seconds = (now - start) / .seconds(1)
        var text =
            "\(progress.phase.rawValue) \(progress.table): \(progress.rows) of \(progress.allRows) "
            + "rows, \(formattedBytes(Int64(progress.bytes)))"
        if progress.phase == .copying, seconds > 0.5, progress.rows > 0 {
            let left = Double(max(0, progress.allRows - progress.rows)) / Double(progress.rows)
            text +=
                ", \(formattedBytes(Int64(Double(progress.bytes) / seconds)))/s, "
                + "\(Int(clamping: (left * seconds).rounded(.up))) s left"
        }
        output.replaceLine(text)
    }

    func clear() {
        if !isQuiet { output.replaceLine() }
    }
}
