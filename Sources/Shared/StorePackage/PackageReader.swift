import CStoreArchive
import Foundation
import StoreModel

/// Reads a content package, a flat xar archive, from front to back.
///
/// Nothing of the package is trusted. A visitor sees only entries that keep the rules,
/// and must not act on what it saw before `read` has returned: a later entry can still
/// turn out to break them.
package struct PackageReader {
    private let file: URL
    private let limits: PackageLimits

    package init(file: URL, limits: PackageLimits = .store) {
        self.file = file
        self.limits = limits
    }

    /// What a package holds.
    package struct Summary: Sendable {
        package let info: ContentInfo
        package let entries: [PackageEntry]
        package let packedBytes: Int64

        /// Bytes of all files together.
        package var unpackedBytes: Int64 { entries.reduce(0) { $0 + $1.size } }
    }

    /// The package's information and list of entries.
    package func summary() throws -> Summary {
        try read { _, _ in }
    }

    /// Visits each entry in order; for files, `contents` gives the bytes piece by piece.
    ///
    /// - Returns: what the package holds, once all of it proved right.
    /// - Throws: `PackageError` with all problems found; whatever `visit` throws.
    @discardableResult
    package func read(
        _ visit: (PackageEntry, _ contents: PackageContents) throws -> Void
    ) throws -> Summary {
        try withUTF8Names { try readEntries(visit) }
    }

    private func readEntries(
        _ visit: (PackageEntry, _ contents: PackageContents) throws -> Void
    ) throws -> Summary {
        let packed = try packedSize()
        guard let archive = archive_read_new() else {
            throw PackageError(.readable, "libarchive could not be started")
        }
        defer { archive_read_free(archive) }
        archive_read_support_format_xar(archive)
        guard archive_read_open_filename(archive, file.path, 1 << 16) == ARCHIVE_OK else {
            throw unreadable(archive)
        }
        let rules = PackageRules(limits: limits)
        var entries: [PackageEntry] = []
        var information: Data?
        while let header = try nextHeader(archive) {
            let raw = RawHeader(header)
            let admitted = try rules.admit(
                path: raw.path, kind: raw.kind, mode: raw.mode, size: 0)
            guard let admitted else { continue }
            let contents = PackageContents(archive: archive, path: admitted.path, rules: rules)
            if admitted.path.text == ContentInfo.fileName {
                information = try contents.all(limit: ContentInfo.sizeLimit)
                entries.append(
                    PackageEntry(
                        path: admitted.path, kind: .file, size: Int64(information?.count ?? 0)))
                try visit(entries[entries.count - 1], .bytes(information ?? Data()))
            } else {
                try visit(admitted, contents)
                let size = admitted.kind == .file ? try contents.finish() : 0
                entries.append(
                    PackageEntry(path: admitted.path, kind: admitted.kind, size: size))
            }
        }
        var info: ContentInfo?
        if let information {
            do { info = try ContentInfo(propertyList: information) } catch let error as PackageError
            {
                rules.report(error)
            }
        } else {
            rules.report(
                ContentInfo.fileName, .information, "it is missing from the top of the package")
        }
        // What stands in its place has been named already.
        if rules.problems.isEmpty, !entries.contains(where: { $0.path.components[0] == "Contents" })
        {
            rules.report("Contents", .paths, "the folder is missing from the package")
        }
        guard rules.problems.isEmpty, let info else { throw PackageError(rules.problems) }
        return Summary(info: info, entries: entries, packedBytes: packed)
    }

    private func packedSize() throws -> Int64 {
        let values = try? FileManager.default.attributesOfItem(atPath: file.path)
        guard let size = (values?[.size] as? NSNumber)?.int64Value else {
            throw PackageError(.readable, "there is no file \(file.path)")
        }
        guard size <= limits.packedBytes else {
            throw PackageError(
                .limits, "the package has \(size) bytes; at most \(limits.packedBytes) are taken")
        }
        return size
    }

    private func nextHeader(_ archive: OpaquePointer) throws -> OpaquePointer? {
        var entry: OpaquePointer?
        switch archive_read_next_header(archive, &entry) {
        case ARCHIVE_OK, ARCHIVE_WARN: return entry
        case ARCHIVE_EOF: return nil
        default: throw unreadable(archive)
        }
    }
}

/// libarchive's reason why a package can't be read.
private func unreadable(_ archive: OpaquePointer) -> PackageError {
    let reason = archive_error_string(archive).map { String(cString: $0) } ?? "unknown format"
    return PackageError(
        .readable,
        "the package is damaged or not a xar archive (\(reason.printable)); build it again")
}

/// An entry's header as it stands in the archive.
private struct RawHeader {
    let path: String
    let kind: PackageRules.RawKind
    let mode: UInt32

    init(_ entry: OpaquePointer) {
        path =
            (archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry))
            .map { String(cString: $0) } ?? ""
        mode = UInt32(archive_entry_perm(entry))
        let type = archive_entry_filetype(entry)
        if let target = archive_entry_hardlink(entry) {
            kind = .hardLink(target: String(cString: target))
        } else if cstore_is_regular(UInt32(type)) == 1 {
            kind = .file
        } else if cstore_is_directory(UInt32(type)) == 1 {
            kind = .directory
        } else if cstore_is_symlink(UInt32(type)) == 1 {
            let target = archive_entry_symlink_utf8(entry) ?? archive_entry_symlink(entry)
            kind = .link(target: target.map { String(cString: $0) } ?? "")
        } else {
            kind = .special
        }
    }
}

/// The bytes of one file of a package, in order.
package final class PackageContents {
    private let archive: OpaquePointer?
    private let path: ContentPath?
    private let fixed: Data?
    private var size: Int64 = 0
    /// The first bytes, which may arrive one at a time.
    private var start = Data()
    private var isDone = false
    private let rules: PackageRules?

    fileprivate init(archive: OpaquePointer, path: ContentPath, rules: PackageRules) {
        self.archive = archive
        self.path = path
        self.rules = rules
        self.fixed = nil
    }

    private init(fixed: Data) {
        self.archive = nil
        self.path = nil
        self.rules = nil
        self.fixed = fixed
    }

    /// Contents that were read already.
    fileprivate static func bytes(_ data: Data) -> PackageContents {
        PackageContents(fixed: data)
    }

    /// Calls `body` with each piece until the end of the file.
    package func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        if let fixed {
            try fixed.withUnsafeBytes(body)
            return
        }
        guard let archive, let path, !isDone else { return }
        isDone = true
        var pointer: UnsafeRawPointer?
        var count = 0
        var offset: Int64 = 0
        while true {
            let result = archive_read_data_block(archive, &pointer, &count, &offset)
            if result == ARCHIVE_EOF {
                rules?.inspect(start: start, of: path)
                return
            }
            guard result == ARCHIVE_OK || result == ARCHIVE_WARN else { throw unreadable(archive) }
            guard count > 0 else { continue }
            guard offset == size else {
                throw PackageError(
                    .readable, "the file has holes; build the package again", path: path.text)
            }
            let piece = UnsafeRawBufferPointer(start: pointer, count: count)
            start.append(contentsOf: piece.prefix(8 - start.count))
            size += Int64(count)
            try rules?.count(bytes: Int64(count))
            try body(piece)
        }
    }

    /// All bytes of a small file.
    fileprivate func all(limit: Int) throws -> Data {
        var data = Data()
        try forEachPiece { piece in
            guard data.count + piece.count <= limit else {
                throw PackageError(
                    .limits, "it has more than \(limit) bytes", path: path?.text ?? "")
            }
            data.append(contentsOf: piece)
        }
        return data
    }

    /// Reads what the visitor left, and gives the size of the file.
    fileprivate func finish() throws -> Int64 {
        try forEachPiece { _ in }
        return size
    }
}
