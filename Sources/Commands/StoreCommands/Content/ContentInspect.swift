import Foundation
import StorePackage

/// `openstore content inspect`
enum ContentInspect: Command {
    static let spec = CommandSpec(
        words: ["content", "inspect"], summary: "Show what a content package holds.",
        discussion:
            "Checks the package by the rules of the store and lists everything that breaks one.",
        arguments: [.init(name: "FILE.pkg", help: "The package.")],
        options: [.json])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let file = ParsedArguments.url(arguments.argument(0))
        let progress = ContentProgress(
            "Reading", output: output, isQuiet: arguments.has("json") || !output.isTerminal)
        let summary = try PackageReader(file: file).summary(progress: progress.show)
        progress.clear()
        let description = PackageDescription(summary)
        if arguments.has("json") {
            try output.json(description)
            return
        }
        output.line("Type     In-App Purchase Content")
        output.line("Product  \(description.productId)")
        output.line("Version  \(description.version)")
        output.line(
            "Size     \(formattedBytes(description.packedBytes)) packed, "
                + "\(formattedBytes(description.unpackedBytes)) unpacked")
        output.line()
        var table = Table(["PATH", "KIND", "SIZE"], rightAligned: [2])
        table.rows = description.entries.map { entry in
            [
                entry.target.map { "\(entry.path) -> \($0)" } ?? entry.path, entry.kind,
                entry.kind == "file" ? formattedBytes(entry.size) : "-",
            ]
        }
        output.write(table.text(on: output))
    }
}
