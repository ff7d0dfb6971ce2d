import CStoreArchive
import Foundation
import StoreSecurity

/// Writes files one behind the other into a tar archive, with libarchive.
final class BackupArchiveWriter {
    private let archive: OpaquePointer
    private let url: URL

    /// - Throws: `BackupError`, as all methods do.
    init(at url: URL) throws {
        guard let archive = archive_write_new() else {
            throw BackupError("libarchive could not be started")
        }
        self.archive = archive
        self.url = url
        let file = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw BackupError.system(url.path) }
        close(file)
        // With records of its own only where a file has more than 8 GiB.
        try check(archive_write_set_format_pax_restricted(archive))
        try check(archive_write_open_filename(archive, url.path))
    }

    deinit { archive_write_free(archive) }

    /// - Returns: the SHA-256 of the bytes, hexadecimal.
    func add(
        _ source: BackupSource, as path: String, report: (Int64) -> Void
    ) throws -> String {
        let entry = archive_entry_new()
        defer { archive_entry_free(entry) }
        archive_entry_set_pathname(entry, path)
        archive_entry_set_filetype(entry, cstore_regular())
        archive_entry_set_perm(entry, 0o600)
        archive_entry_set_size(entry, source.size)
        try check(archive_write_header(archive, entry))
        let digest = SHA256Digest()
        try source.each { bytes in
            digest.update(bytes)
            var done = 0
            while done < bytes.count {
                let count = archive_write_data(
                    archive, bytes.baseAddress! + done, bytes.count - done)
                guard count > 0 else { return try check(ARCHIVE_FATAL) }
                done += count
            }
            report(Int64(bytes.count))
        }
        return SHA256Digest.hexadecimal(digest.finish())
    }

    func finish() throws { try check(archive_write_close(archive)) }

    private func check(_ result: Int32) throws {
        guard result >= ARCHIVE_WARN else {
            let reason = archive_error_string(archive).map { String(cString: $0) } ?? "unknown"
            throw BackupError("\(url.path) could not be written: \(reason)")
        }
    }
}
