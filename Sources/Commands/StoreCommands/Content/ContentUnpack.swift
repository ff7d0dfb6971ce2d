import Foundation
import StorePackage

/// `openstore content unpack`
enum ContentUnpack: Command {
    static let spec = CommandSpec(
        words: ["content", "unpack"], summary: "Unpack a content package into a new folder.",
        discussion: """
            The package is checked by the rules of the store. The folder appears when all of it is
            there, and must not exist before.
            """,
        arguments: [
            .init(name: "FILE.pkg", help: "The package."),
            .init(name: "DIR", help: "The folder to make."),
        ],
        options: [.json])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let file = ParsedArguments.url(arguments.argument(0))
        let folder = ParsedArguments.url(arguments.argument(1))
        let isQuiet = arguments.has("json")
        let progress = ContentProgress("Unpacking", output: output, isQuiet: isQuiet)
        let summary = try PackageUnpacker(file: file)
            .unpack(to: folder, progress: progress.show)
        if isQuiet {
            try output.json(PackageDescription(summary))
            return
        }
        progress.finish(summary.unpackedBytes)
        output.line(
            "\(folder.path): \(summary.info.productID) \(summary.info.version), "
                + "\(summary.entries.count) entries, \(formattedBytes(summary.unpackedBytes))")
    }
}
