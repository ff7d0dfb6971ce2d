import Foundation
import StoreMetadata

/// A file with products on this machine.
struct ProductMetadataFile: Sendable {
    /// The file itself, also where its folder was named.
    let url: URL
    /// What a metadata file says of its app; nil for other files.
    let header: MetadataHeader?
    /// Products that name a review screenshot, by identifier.
    let screenshots: [(productID: String, file: MetadataAttachment)]
    /// Products that name a package of content.
    let packages: [(productID: String, file: MetadataAttachment)]

    /// Reads a file, and keeps nothing of its products but the files that they name.
    ///
    /// - Throws: `UsageError` for one that can't be read, `ProductMetadataProblems` for what is
    ///   wrong in it.
    init(_ named: URL) throws {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: named.path, isDirectory: &isFolder)
        url = isFolder.boolValue ? named.appendingPathComponent("metadata.xml") : named
        guard let file = try? FileHandle(forReadingFrom: url) else {
            throw UsageError(description: "\(url.path) can't be read")
        }
        defer { try? file.close() }
        guard url.pathExtension != "storekit" else {
            (header, screenshots, packages) = (nil, [], [])
            return
        }
        var reader = ProductMetadataReader(MarkupReader(file: file))
        var screenshots: [(productID: String, file: MetadataAttachment)] = []
        var packages: [(productID: String, file: MetadataAttachment)] = []
        while let product = try reader.next() {
            if let file = product.reviewScreenshot {
                screenshots.append((product.productID.text, file))
            }
            if let file = product.content { packages.append((product.productID.text, file)) }
        }
        guard reader.problems.isEmpty else {
            throw ProductMetadataProblems(file: url.lastPathComponent, problems: reader.problems)
        }
        header = reader.header
        self.screenshots = screenshots
        self.packages = packages
    }
}

/// What is wrong in a metadata file, with the lines.
struct ProductMetadataProblems: ExitCoded, CustomStringConvertible {
    let file: String
    let problems: [MetadataProblem]

    /// As for what the store refuses.
    var exitCode: ExitCode { .refused }

    var description: String {
        "\(file) can't be imported:\n"
            + problems.map { "  \(file):\($0.line): \($0.problem)" }.joined(separator: "\n")
    }
}
