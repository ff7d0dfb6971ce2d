import CStoreArchive
import Foundation
import Synchronization

/// Reads an archive with libarchive, entry by entry.
final class ArchiveReader {
    enum Format {
        case xar
        case cpio
        /// With the modes and links that stand in the table at its end.
        case zip
        /// Plain, or compressed with gzip, bzip2, xz or zstd.
        case tar
        /// The outer archive of a Debian package.
        case ar
    }

    /// What comes next.
    enum Step {
        case entry(ArchiveHeader)
        /// An entry whose contents can't be had; the ones behind it can.
        case damaged(ArchiveHeader, reason: String)
        case end
    }

    /// libarchive frees what its XML library holds for all threads after each table of
    /// contents, so that two must never be read at the same time.
    private static let tables = Mutex(())

    private let archive: OpaquePointer
    private let source: ArchiveSource
    private let format: Format
    private var sourceError: (any Error)?
    private var hasBegun = false
    /// Blocks in a row that brought nothing.
    private var idle = 0

    /// - Throws: `PackageError`.
    init(_ format: Format, source: ArchiveSource) throws {
        guard let archive = archive_read_new() else {
            throw PackageError(.readable, "libarchive could not be started")
        }
        self.archive = archive
        self.source = source
        self.format = format
        switch format {
        case .xar: archive_read_support_format_xar(archive)
        case .cpio: archive_read_support_format_cpio(archive)
        case .zip: archive_read_support_format_zip_seekable(archive)
        case .tar:
            archive_read_support_format_tar(archive)
            archive_read_support_filter_gzip(archive)
            archive_read_support_filter_bzip2(archive)
            archive_read_support_filter_xz(archive)
            archive_read_support_filter_zstd(archive)
        case .ar: archive_read_support_format_ar(archive)
        }
        archive_read_set_read_callback(archive) { _, context, place in
            let reader = Unmanaged<ArchiveReader>.fromOpaque(context!).takeUnretainedValue()
            do {
                let bytes = try reader.source.next()
                place?.pointee = bytes.baseAddress
                return bytes.count
            } catch {
                reader.sourceError = error
                return -1
            }
        }
        archive_read_set_skip_callback(archive) { _, context, count in
            let reader = Unmanaged<ArchiveReader>.fromOpaque(context!).takeUnretainedValue()
            return reader.source.skip(count)
        }
        if source.canSeek {
            archive_read_set_seek_callback(archive) { _, context, offset, origin in
                let reader = Unmanaged<ArchiveReader>.fromOpaque(context!).takeUnretainedValue()
                return reader.source.seek(to: offset, from: origin)
            }
        }
        archive_read_set_callback_data(archive, Unmanaged.passUnretained(self).toOpaque())
        guard archive_read_open1(archive) == ARCHIVE_OK else { throw failure() }
    }

    deinit { archive_read_free(archive) }

    /// The next entry; what is left of the one before is passed over.
    ///
    /// Contents must be read to their end, or until they turn out to be damaged, or not
    /// at all: libarchive 3.6 counts the last piece of others twice, and then reads all
    /// that follows from a wrong place.
    ///
    /// - Throws: `PackageError` where nothing more can be read.
    func next() throws -> Step {
        idle = 0
        var entry: OpaquePointer?
        let result: Int32
        if hasBegun {
            result = archive_read_next_header(archive, &entry)
        } else {
            hasBegun = true
            result = Self.withTables { archive_read_next_header(archive, &entry) }
        }
        switch result {
        case ARCHIVE_OK, ARCHIVE_WARN:
            guard let entry else { throw failure() }
            return .entry(ArchiveHeader(entry))
        case ARCHIVE_EOF: return .end
        case ARCHIVE_FAILED:
            guard let entry else { throw failure() }
            return .damaged(ArchiveHeader(entry), reason: reason)
        default: throw failure()
        }
    }

    /// The next bytes of the entry, valid until the next call, and where in the entry
    /// they belong; nil at its end.
    ///
    /// - Throws: `PackageError` where they can't be had.
    func nextBlock() throws -> (bytes: UnsafeRawBufferPointer, offset: Int64)? {
        while true {
            var pointer: UnsafeRawPointer?
            var count = 0
            var offset: Int64 = 0
            switch archive_read_data_block(archive, &pointer, &count, &offset) {
            case ARCHIVE_EOF: return nil
            case ARCHIVE_OK, ARCHIVE_WARN:
                if count > 0 {
                    idle = 0
                    return (UnsafeRawBufferPointer(start: pointer, count: count), offset)
                }
                // Bytes behind the end of compressed contents are asked for for ever.
                idle += 1
                guard idle < 64 else {
                    throw damage("contents with trailing bytes")
                }
            default: throw failure()
            }
        }
    }

    /// Runs `body` while nobody else in the process has to do with a table of contents.
    static func withTables<Result>(_ body: () throws -> Result) rethrows -> Result {
        try tables.withLock { _ in try body() }
    }

    /// libarchive's own words for what is wrong.
    private var reason: String {
        archive_error_string(archive).map { String(cString: $0) } ?? "unknown format"
    }

    private func failure() -> any Error {
        sourceError ?? damage(reason)
    }

    private func damage(_ reason: String) -> PackageError {
        switch format {
        case .xar, .cpio: PackageError(.readable, Self.advice(reason))
        case .zip, .tar, .ar:
            PackageError(
                .readable, "the package is damaged (\(reason.printable)); build it again")
        }
    }

    static func advice(_ reason: String) -> String {
        "the package is damaged or not a xar archive (\(reason.printable)); build it again"
    }
}

/// An entry's header as it stands in an archive; nothing of it is to be believed.
struct ArchiveHeader {
    enum Kind {
        case file
        case directory
        case link(target: String)
        case hardLink(target: String)
        /// A device, a pipe or a socket.
        case special
    }

    let path: String
    /// Whether the path was valid UTF-8; where not, `path` is as near as it gets.
    let isText: Bool
    let kind: Kind
    /// Permissions with the bits for setuid and setgid.
    let mode: UInt32
    /// Bytes of the contents, as announced.
    let size: Int64

    fileprivate init(_ entry: OpaquePointer) {
        let name = archive_entry_pathname_utf8(entry)
        let text = name.flatMap { String(validatingCString: $0) }
        let bytes = name ?? archive_entry_pathname(entry)
        // No name at all is an empty one.
        isText = text != nil || bytes == nil
        path = text ?? bytes.map { String(cString: $0) } ?? ""
        mode = UInt32(archive_entry_perm(entry))
        size = max(0, archive_entry_size(entry))
        let type = UInt32(archive_entry_filetype(entry))
        if let target = archive_entry_hardlink(entry) {
            kind = .hardLink(target: String(cString: target))
        } else if cstore_is_regular(type) == 1 {
            kind = .file
        } else if cstore_is_directory(type) == 1 {
            kind = .directory
        } else if cstore_is_symlink(type) == 1 {
            let target = archive_entry_symlink_utf8(entry) ?? archive_entry_symlink(entry)
            kind = .link(target: target.map { String(cString: $0) } ?? "")
        } else {
            kind = .special
        }
    }

    init(path: String, kind: Kind, mode: UInt32, size: Int64, isText: Bool = true) {
        self.path = path
        self.kind = kind
        self.mode = mode
        self.size = size
        self.isText = isText
    }

    /// The same entry under another path.
    func renamed(_ path: String) -> ArchiveHeader {
        ArchiveHeader(path: path, kind: kind, mode: mode, size: size, isText: isText)
    }
}
