import CStoreArchive
import Foundation
import StoreKernel
import StoreModel

/// Makes a content package from a folder with `ContentInfo.plist` and `Contents/`.
package struct PackageBuilder {
    private let folder: URL
    private let limits: PackageLimits

    package init(folder: URL, limits: PackageLimits = .store) {
        self.folder = folder
        self.limits = limits
    }

    /// Writes the package beside its final place and moves it there when it is whole.
    ///
    /// - Parameter progress: hears of the bytes packed so far and of all bytes.
    /// - Returns: what the package holds.
    /// - Throws: `PackageError` with all problems of the folder; nothing is written then.
    @discardableResult
    package func build(
        to file: URL, progress: (Int64, Int64) -> Void = { _, _ in }
    ) throws -> PackageReader.Summary {
        try build(to: file, information: nil, progress: progress, before: {})
    }

    /// Makes the package with the last number of the folder's `ContentVersion` raised,
    /// and raises it in the folder when the package is whole. Where anything fails, the
    /// folder is as before.
    @discardableResult
    package func buildNextVersion(
        to file: URL, progress: (Int64, Int64) -> Void = { _, _ in }
    ) throws -> PackageReader.Summary {
        let source = folder.appendingPathComponent(ContentInfo.fileName)
        guard let before = try? Data(contentsOf: source) else {
            throw PackageError(
                .information,
                "it is missing from \(folder.path); openstore content init makes one for a product",
                path: ContentInfo.fileName)
        }
        let raised = try ContentInfo.withNextVersion(propertyList: before)
        var isRaised = false
        do {
            return try build(to: file, information: raised, progress: progress) {
                try raised.write(to: source, options: .atomic)
                isRaised = true
            }
        } catch {
            if isRaised { try? before.write(to: source, options: .atomic) }
            throw error
        }
    }

    /// - Parameters:
    ///   - information: stands for the folder's own.
    ///   - before: is called when the package is whole, before it is moved to its place.
    private func build(
        to file: URL, information: Data?, progress: (Int64, Int64) -> Void,
        before: () throws -> Void
    ) throws -> PackageReader.Summary {
        let survey = FolderSurvey(folder: folder, limits: limits, information: information)
        let (info, entries) = try survey.run()
        let partial = file.deletingLastPathComponent()
            .appendingPathComponent(".\(file.lastPathComponent).partial")
        defer { unlink(partial.path) }
        try withUTF8Names {
            try write(entries, information: information, to: partial, progress: progress)
        }
        var status = stat()
        let size = lstat(partial.path, &status) == 0 ? Int64(status.st_size) : 0
        guard size <= limits.packedBytes else {
            throw PackageError(
                .limits,
                "the package has \(size) bytes; at most \(limits.packedBytes) are taken, so divide "
                    + "the content among several products")
        }
        try PackageError.onDisk { try DurableFile.synchronize(partial) }
        try before()
        try PackageError.onDisk { try DurableFile.move(partial, to: file) }
        return PackageReader.Summary(info: info, entries: entries, packedBytes: size)
    }

    private func write(
        _ entries: [PackageEntry], information: Data?, to file: URL,
        progress: (Int64, Int64) -> Void
    ) throws {
        let writer = try ArchiveWriter(to: file)
        let total = entries.reduce(0) { $0 + $1.size }
        var done: Int64 = 0
        for entry in entries {
            try writer.begin(entry)
            guard entry.kind == .file else { continue }
            if let information, entry.path.text == ContentInfo.fileName {
                try information.withUnsafeBytes { try writer.write($0) }
                done += entry.size
            } else {
                try FolderFile(entry, in: folder).forEachPiece { piece in
                    try writer.write(piece)
                    done += Int64(piece.count)
                    progress(done, total)
                }
            }
            progress(done, total)
        }
        try writer.finish()
    }
}
