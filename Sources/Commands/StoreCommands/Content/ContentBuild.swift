import Foundation
import StorePackage

/// `openstore content build`
enum ContentBuild: Command {
    static let spec = CommandSpec(
        words: ["content", "build"], summary: "Make a content package from a folder.",
        discussion: """
            The folder holds ContentInfo.plist and Contents/. The package is a xar archive, as
            Apple's tools make it.
            """,
        arguments: [
            .init(name: "FOLDER", help: "The folder with ContentInfo.plist and Contents/.")
        ],
        options: [
            .value("output", "FILE.pkg", "The package to write (-o)."),
            .flag("json", "Write JSON for programs."),
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let folder = ParsedArguments.url(arguments.argument(0))
        let file = ParsedArguments.url(try arguments.required("output"))
        guard file.pathExtension == "pkg" else {
            throw UsageError(description: "a content package is named .pkg: \(file.path)")
        }
        let isQuiet = arguments.has("json")
        let bar = ProgressBar("Packing", output: output)
        let summary = try PackageBuilder(folder: folder).build(to: file) { done, total in
            if !isQuiet { bar.show(done, of: total, remaining: -1) }
        }
        if isQuiet {
            try output.json(PackageDescription(summary))
            return
        }
        bar.finish(summary.unpackedBytes)
        output.line(
            "\(file.path): \(summary.info.productID) \(summary.info.version), "
                + "\(summary.entries.count) entries, \(formattedBytes(summary.packedBytes))")
    }
}

/// What a package holds, for programs.
struct PackageDescription: Encodable {
    struct Entry: Encodable {
        let path: String
        let kind: String
        let size: Int64
        let target: String?
    }

    let productId: String
    let version: String
    let packedBytes: Int64
    let unpackedBytes: Int64
    let entries: [Entry]

    init(_ summary: PackageReader.Summary) {
        productId = summary.info.productID.text
        version = summary.info.version.text
        packedBytes = summary.packedBytes
        unpackedBytes = summary.unpackedBytes
        entries = summary.entries.map { entry in
            switch entry.kind {
            case .file: Entry(path: entry.path.text, kind: "file", size: entry.size, target: nil)
            case .directory: Entry(path: entry.path.text, kind: "folder", size: 0, target: nil)
            case .link(let target):
                Entry(path: entry.path.text, kind: "link", size: 0, target: target)
            }
        }
    }
}
