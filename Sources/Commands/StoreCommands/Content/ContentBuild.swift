import Foundation
import StorePackage

/// `openstore content build`
enum ContentBuild: Command {
    static let spec = CommandSpec(
        words: ["content", "build"], summary: "Make a content package from a folder.",
        discussion: """
            The folder holds ContentInfo.plist and Contents/. The package is a xar archive, as
            Apple's tools make it. Everything in the folder that breaks a rule is told at once.
            """,
        arguments: [
            .init(name: "FOLDER", help: "The folder with ContentInfo.plist and Contents/.")
        ],
        options: [
            .value("output", "FILE.pkg", "The package to write (-o).").asRequired,
            .flag(
                "bump",
                "Raise the last number of ContentVersion in the folder's ContentInfo.plist first."),
            .json,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let folder = ParsedArguments.url(arguments.argument(0))
        let file = ParsedArguments.url(try arguments.required("output"))
        guard PackageExpectation.isPackageName(file.lastPathComponent) else {
            throw UsageError(description: "a content package is named .pkg: \(file.path)")
        }
        let isQuiet = arguments.has("json")
        let progress = ContentProgress("Packing", output: output, isQuiet: isQuiet)
        let builder = PackageBuilder(folder: folder)
        let summary =
            try arguments.has("bump")
            ? builder.buildNextVersion(to: file, progress: progress.show)
            : builder.build(to: file, progress: progress.show)
        if isQuiet {
            try output.json(PackageDescription(summary))
            return
        }
        progress.finish(summary.unpackedBytes)
        output.line(
            "\(file.path): \(summary.info.productID) \(summary.info.version), "
                + "\(summary.entries.count) entries, \(formattedBytes(summary.packedBytes))")
    }
}
