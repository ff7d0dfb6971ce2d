import CStoreArchive
import Foundation

/// Writes an archive with libarchive.
final class ArchiveWriter {
    enum Format {
        /// Flat.
        case xar
        /// A tar archive of POSIX, compressed with zstd.
        case tarZstd
        case zip
    }

    private let format: Format
    private let archive: OpaquePointer

    /// - Throws: `PackageError`, as all methods do.
    init(_ format: Format = .xar, to file: URL) throws {
        guard let archive = archive_write_new() else {
            throw PackageError(.readable, "libarchive could not be started")
        }
        self.archive = archive
        self.format = format
        switch format {
        case .xar: try check(archive_write_set_format_xar(archive))
        case .tarZstd:
            try check(archive_write_set_format_pax_restricted(archive))
            try check(archive_write_add_filter_zstd(archive))
            try check(archive_write_set_bytes_in_last_block(archive, 1))
        case .zip: try check(archive_write_set_format_zip(archive))
        }
        try check(archive_write_open_filename(archive, file.path))
    }

    deinit { archive_write_free(archive) }

    /// Begins an entry, whose bytes follow.
    func begin(_ entry: PackageEntry, isExecutable: Bool = false) throws {
        let header = archive_entry_new()
        defer { archive_entry_free(header) }
        archive_entry_set_pathname_utf8(header, entry.path.text)
        // Times are left out so that the same folder gives the same bytes of content.
        switch entry.kind {
        case .file:
            archive_entry_set_filetype(header, cstore_regular())
            archive_entry_set_perm(header, isExecutable ? 0o755 : 0o644)
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
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while let base = rest.baseAddress, !rest.isEmpty {
            let written = archive_write_data(archive, base, rest.count)
            guard written > 0 else { return try check(ARCHIVE_FATAL) }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }

    func finish() throws {
        guard format == .xar else { return try check(archive_write_close(archive)) }
        // The table of contents goes through the same XML library as a reader's.
        try ArchiveReader.withTables { try check(archive_write_close(archive)) }
    }

    private func check(_ result: Int32) throws {
        guard result >= ARCHIVE_WARN else {
            let reason = archive_error_string(archive).map { String(cString: $0) } ?? "unknown"
            throw PackageError(.readable, "the package could not be written: \(reason)")
        }
    }
}
