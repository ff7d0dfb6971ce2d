import Foundation
import StoreKernel
import StoreModel

/// Makes the package of an app, a `.tar.zst` or a `.zip`, from its folder.
///
/// The same folder always gives the same bytes: entries are sorted, and times and owners left out.
package struct AppFolderBuilder {
    private let folder: URL
    private let expectation: AppPackageExpectation

    /// - Parameter folder: what it holds is the top of the package, as in `usr/bin/lamp`.
    package init(folder: URL, expectation: AppPackageExpectation = AppPackageExpectation()) {
        self.folder = folder
        self.expectation = expectation
    }

    /// Writes the package beside its place, checks it as the store will, and moves it there.
    ///
    /// - Parameter format: `tarZstd` or `zip`.
    /// - Returns: what the package holds.
    /// - Throws: `PackageError` with all problems; nothing is left of the package then.
    @discardableResult
    package func build(
        _ format: AppPackageFormat = .tarZstd, to file: URL
    ) throws -> AppPackageSummary {
        precondition(format == .tarZstd || format == .zip, "a folder becomes a .tar.zst or a .zip")
        let partial = file.deletingLastPathComponent()
            .appendingPathComponent(".\(file.lastPathComponent).partial")
        defer { unlink(partial.path) }
        try withUTF8Names { try write(to: partial, format == .zip ? .zip : .tarZstd) }
        let summary = try AppPackageReader(file: partial, expectation: expectation).summary()
        try PackageError.onDisk { try DurableFile.synchronize(partial) }
        try PackageError.onDisk { try DurableFile.move(partial, to: file) }
        return summary
    }

    private func write(to file: URL, _ format: ArchiveWriter.Format) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder),
            isFolder.boolValue
        else { throw PackageError(.readable, "there is no folder \(folder.path)") }
        let writer = try ArchiveWriter(format, to: file)
        // An enumerator does not follow links.
        var paths: [String] = []
        for case let path as String in FileManager.default.enumerator(atPath: folder.path)
            ?? .init()
        { paths.append(path) }
        for path in paths.sorted() {
            let (entry, isExecutable) = try entry(path)
            try writer.begin(entry, isExecutable: isExecutable)
            guard entry.kind == .file else { continue }
            try FolderFile(entry, in: folder).forEachPiece { try writer.write($0) }
        }
        try writer.finish()
    }

    private func entry(_ text: String) throws -> (PackageEntry, isExecutable: Bool) {
        let url = folder.appendingPathComponent(text)
        var status = stat()
        guard lstat(url.path, &status) == 0, let path = ContentPath(text) else {
            throw PackageError(.readable, "it can't be read", path: text)
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return (PackageEntry(path: path, kind: .directory, size: 0), false)
        case S_IFREG:
            let entry = PackageEntry(path: path, kind: .file, size: Int64(status.st_size))
            return (entry, status.st_mode & 0o111 != 0)
        case S_IFLNK:
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: url.path)
            return (PackageEntry(path: path, kind: .link(target: target), size: 0), false)
        default:
            throw PackageError(
                .kinds, "only files, folders and symbolic links are taken", path: text)
        }
    }
}
