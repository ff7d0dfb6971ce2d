import CStoreArchive
import Foundation
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
        let (info, entries) = try survey()
        let partial = file.deletingLastPathComponent()
            .appendingPathComponent(".\(file.lastPathComponent).partial")
        defer { try? FileManager.default.removeItem(at: partial) }
        try withUTF8Names { try write(entries, to: partial, progress: progress) }
        let size =
            (try FileManager.default.attributesOfItem(atPath: partial.path)[.size] as? NSNumber)?
            .int64Value ?? 0
        guard size <= limits.packedBytes else {
            throw PackageError(
                .limits, "the package has \(size) bytes; at most \(limits.packedBytes) are taken")
        }
        guard rename(partial.path, file.path) == 0 else {
            throw PackageError(
                .readable, "\(file.path) can't be written: \(String(cString: strerror(errno)))")
        }
        return PackageReader.Summary(info: info, entries: entries, packedBytes: size)
    }

    /// The folder's information and entries, checked by the rules of the store.
    private func survey() throws -> (ContentInfo, [PackageEntry]) {
        let rules = PackageRules(limits: limits)
        var entries: [PackageEntry] = []
        var info: ContentInfo?
        for path in try paths() {
            let url = folder.appendingPathComponent(path)
            var status = stat()
            guard lstat(url.path, &status) == 0 else {
                throw PackageError(
                    .readable, "it can't be read: \(String(cString: strerror(errno)))", path: path)
            }
            let kind = rawKind(of: status, at: url)
            let size: Int64 = if case .file = kind { Int64(status.st_size) } else { 0 }
            let entry = try rules.admit(
                path: path, kind: kind, mode: UInt32(status.st_mode & 0o777), size: size)
            guard let entry else { continue }
            entries.append(entry)
            guard entry.kind == .file else { continue }
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            let isInformation = path == ContentInfo.fileName
            let start =
                try handle.read(upToCount: isInformation ? ContentInfo.sizeLimit : 8) ?? Data()
            rules.inspect(start: start.prefix(8), of: entry.path)
            if isInformation {
                do { info = try ContentInfo(propertyList: start) } catch let error as PackageError {
                    rules.report(error)
                }
            }
        }
        if !entries.contains(where: { $0.path.text == ContentInfo.fileName }) {
            rules.report(
                ContentInfo.fileName, .information, "it is missing from \(folder.path)")
        }
        guard rules.problems.isEmpty, let info else { throw PackageError(rules.problems) }
        return (info, entries)
    }

    /// `ContentInfo.plist`, `Contents` and all below it, sorted, so that the same folder
    /// always gives the same order.
    private func paths() throws -> [String] {
        let manager = FileManager.default
        var isDirectory: ObjCBool = false
        guard manager.fileExists(atPath: folder.path, isDirectory: &isDirectory),
            isDirectory.boolValue
        else { throw PackageError(.readable, "there is no folder \(folder.path)") }
        let top = try manager.contentsOfDirectory(atPath: folder.path)
            .filter { $0 == ContentInfo.fileName || $0 == "Contents" }
        guard top.contains("Contents") else {
            throw PackageError(.paths, "the folder Contents is missing from \(folder.path)")
        }
        let below = try manager.subpathsOfDirectory(
            atPath: folder.appendingPathComponent("Contents").path)
        return top.sorted() + below.sorted().map { "Contents/\($0)" }
    }

    private func rawKind(of status: stat, at url: URL) -> PackageRules.RawKind {
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .directory
        case S_IFLNK:
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)
            return .link(target: target ?? "")
        default: return .special
        }
    }

    private func write(
        _ entries: [PackageEntry], to file: URL, progress: (Int64, Int64) -> Void
    ) throws {
        guard let archive = archive_write_new() else {
            throw PackageError(.readable, "libarchive could not be started")
        }
        defer { archive_write_free(archive) }
        func check(_ result: Int32) throws {
            guard result >= ARCHIVE_WARN else {
                let reason = archive_error_string(archive).map { String(cString: $0) } ?? "unknown"
                throw PackageError(.readable, "the package could not be written: \(reason)")
            }
        }
        try check(archive_write_set_format_xar(archive))
        try check(archive_write_open_filename(archive, file.path))
        let total = entries.reduce(0) { $0 + $1.size }
        var done: Int64 = 0
        for entry in entries {
            let header = archive_entry_new()
            defer { archive_entry_free(header) }
            archive_entry_set_pathname_utf8(header, entry.path.text)
            // Times are left out so that the same folder gives the same bytes of content.
            switch entry.kind {
            case .file:
                archive_entry_set_filetype(header, cstore_regular())
                archive_entry_set_perm(header, 0o644)
                archive_entry_set_size(header, entry.size)
            case .directory:
                archive_entry_set_filetype(header, cstore_directory())
                archive_entry_set_perm(header, 0o755)
            case .link(let target):
                archive_entry_set_filetype(header, cstore_symlink())
                archive_entry_set_perm(header, 0o777)
                archive_entry_set_symlink_utf8(header, target)
            }
            try check(archive_write_header(archive, header))
            guard entry.kind == .file else { continue }
            let handle = try FileHandle(
                forReadingFrom: folder.appendingPathComponent(entry.path.text))
            defer { try? handle.close() }
            var left = entry.size
            while left > 0 {
                guard let piece = try handle.read(upToCount: Int(min(left, 1 << 20))),
                    !piece.isEmpty
                else {
                    throw PackageError(
                        .readable, "it became shorter while it was read", path: entry.path.text)
                }
                let written = piece.withUnsafeBytes { bytes in
                    archive_write_data(archive, bytes.baseAddress, bytes.count)
                }
                try check(written == piece.count ? ARCHIVE_OK : ARCHIVE_FATAL)
                left -= Int64(piece.count)
                done += Int64(piece.count)
                progress(done, total)
            }
        }
        try check(archive_write_close(archive))
    }
}
