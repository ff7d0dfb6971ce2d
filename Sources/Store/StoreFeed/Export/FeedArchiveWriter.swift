import CStoreArchive
import Foundation

/// Writes a `.tbz`: a tar archive behind bzip2, with libarchive.
final class FeedArchiveWriter {
    private static let piece = 128 << 10

    private let archive: OpaquePointer
    private let url: URL
    private let date: Date

    /// - Parameter date: of all entries.
    /// - Throws: `FeedError`, as all methods do.
    init(at url: URL, date: Date) throws {
        guard let archive = archive_write_new() else {
            throw FeedError(.disk, "libarchive could not be started")
        }
        self.archive = archive
        self.url = url
        self.date = date
        try check(archive_write_add_filter_bzip2(archive))
        // With records of its own only where a table has more than 8 GiB.
        try check(archive_write_set_format_pax_restricted(archive))
        try check(archive_write_open_filename(archive, url.path))
    }

    deinit { archive_write_free(archive) }

    /// Adds a folder without what is in it.
    func addFolder(_ name: String) throws {
        try begin(name + "/", size: 0, type: cstore_directory(), permissions: 0o755)
    }

    /// Adds a file's bytes, in pieces.
    ///
    /// - Throws: also `CancellationError`.
    func add(_ file: URL, as name: String, size: Int64) async throws {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw FeedError.system(file.path) }
        defer { close(descriptor) }
        try begin(name, size: size, type: cstore_regular(), permissions: 0o644)
        var buffer = [UInt8](repeating: 0, count: Self.piece)
        var left = size
        while left > 0 {
            try Task.checkCancellation()
            let count = read(descriptor, &buffer, min(buffer.count, Int(clamping: left)))
            guard count > 0 else { throw FeedError.system(file.path) }
            try write(buffer, count: count)
            left -= Int64(count)
            // Packing takes a processor; others want it too.
            await Task.yield()
        }
    }

    func finish() throws { try check(archive_write_close(archive)) }

    private func begin(
        _ name: String, size: Int64, type: UInt32, permissions: mode_t
    ) throws {
        let entry = archive_entry_new()
        defer { archive_entry_free(entry) }
        archive_entry_set_pathname(entry, name)
        archive_entry_set_filetype(entry, type)
        archive_entry_set_perm(entry, permissions)
        archive_entry_set_size(entry, size)
        archive_entry_set_mtime(entry, time_t(date.timeIntervalSince1970), 0)
        try check(archive_write_header(archive, entry))
    }

    private func write(_ bytes: [UInt8], count: Int) throws {
        var done = 0
        while done < count {
            let written = bytes.withUnsafeBytes {
                archive_write_data(archive, $0.baseAddress! + done, count - done)
            }
            guard written > 0 else { return try check(ARCHIVE_FATAL) }
            done += written
        }
    }

    private func check(_ result: Int32) throws {
        guard result >= ARCHIVE_WARN else {
            let reason = archive_error_string(archive).map { String(cString: $0) } ?? "unknown"
            throw FeedError(.disk, "\(url.path) could not be written: \(reason)")
        }
    }
}
