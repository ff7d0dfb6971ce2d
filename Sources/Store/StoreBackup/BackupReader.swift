import CStoreArchive
import Foundation
import StoreSecurity

/// Reads a backup: a folder or an archive.
package struct BackupReader: Sendable {
    package let place: BackupLocation

    /// Finds the backup that a path means: an archive, the folder of a backup, or the newest one
    /// in a folder of several.
    ///
    /// - Throws: `BackupError` where there is none.
    package init(_ url: URL) throws {
        var status = stat()
        guard stat(url.path, &status) == 0 else { throw BackupError.system(url.path) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            place = .archive(url)
            return
        }
        let own = url.appendingPathComponent(BackupManifest.fileName)
        if access(own.path, F_OK) == 0 {
            place = .folder(url)
        } else if let newest = try Self.newest(in: url) {
            self = newest
        } else {
            throw BackupError(
                "\(url.path) holds no backup: there is no \(BackupManifest.fileName) in it, which "
                    + "is written last")
        }
    }

    private init(folder: URL) {
        place = .folder(folder)
    }

    /// The newest whole backup in a folder; nil where there is none.
    static func newest(in folder: URL) throws -> BackupReader? {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let newest = names.filter(BackupName.isOne).sorted().last {
            let manifest = "\(folder.path)/\($0)/\(BackupManifest.fileName)"
            return access(manifest, F_OK) == 0
        }
        return newest.map { BackupReader(folder: folder.appendingPathComponent($0)) }
    }

    package var path: String {
        switch place {
        case .archive(let url), .folder(let url): url.path
        }
    }

    /// A file of a backup that is a folder.
    func url(of path: String) -> URL? {
        guard case .folder(let url) = place else { return nil }
        return url.appendingPathComponent(path)
    }

    /// What the backup says it holds. Of an archive all is read.
    ///
    /// - Throws: `BackupError` where it says nothing: it was never finished.
    package func manifest() throws -> BackupManifest {
        var found: Data?
        try entries(only: BackupManifest.fileName) { path, source in
            guard path == BackupManifest.fileName else { return }
            found = try Self.data(source)
        }
        guard let found else {
            throw BackupError("\(path) has no manifest: it is no backup, or never became whole")
        }
        return try BackupManifest(json: found, at: path)
    }

    /// Brings all files into a folder and compares each with the manifest.
    ///
    /// - Parameters:
    ///   - folder: nil to compare only.
    ///   - report: hears of bytes that were read, and of how many there are, 0 for not yet known.
    /// - Returns: the manifest, which is what was read.
    /// - Throws: `BackupError` for anything that is missing, changed, or too much.
    package func unpack(
        into folder: URL?, report: (_ bytes: Int64, _ all: Int64) -> Void
    ) throws -> BackupManifest {
        var known: BackupManifest?
        if case .folder = place { known = try manifest() }
        let all = known?.bytes ?? Self.size(of: path)
        var found: [String: BackupManifest.File] = [:]
        try entries(only: nil) { path, source in
            if path == BackupManifest.fileName {
                known = try BackupManifest(json: Self.data(source), at: self.path)
                return
            }
            guard BackupPath.isAllowed(path), found[path] == nil else {
                throw BackupError(
                    "\(self.path) has a file \(path.debugDescription), which no backup has")
            }
            let digest =
                if let folder {
                    try BackupDisk.write(source, to: folder.appendingPathComponent(path)) {
                        report($0, all)
                    }
                } else {
                    try Self.digest(of: source) { report($0, all) }
                }
            found[path] = BackupManifest.File(path: path, size: source.size, sha256: digest)
        }
        guard let known else {
            throw BackupError("\(path) has no manifest: it is no backup, or never became whole")
        }
        for file in known.files {
            guard let there = found.removeValue(forKey: file.path) else {
                throw BackupError("\(path) is incomplete: \(file.path) is missing")
            }
            guard there == file else {
                throw BackupError(
                    "\(path) is damaged: \(file.path) is not what was backed up; take another "
                        + "backup")
            }
        }
        if let stranger = found.keys.min() {
            throw BackupError("\(path) has a file \(stranger) that its manifest does not name")
        }
        return known
    }

    private static func size(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    private static func digest(of source: BackupSource, report: (Int64) -> Void) throws -> String {
        let digest = SHA256Digest()
        try source.each {
            digest.update($0)
            report(Int64($0.count))
        }
        return SHA256Digest.hexadecimal(digest.finish())
    }

    private static func data(_ source: BackupSource) throws -> Data {
        guard source.size <= BackupManifest.sizeLimit else {
            throw BackupError("the manifest has \(source.size) bytes, which no backup's has")
        }
        var data = Data()
        try source.each { data.append(contentsOf: $0) }
        return data
    }

    // MARK: Files

    /// Goes through the files of the backup; those of a folder that its manifest names.
    private func entries(
        only wanted: String?, _ body: (String, BackupSource) throws -> Void
    ) throws {
        switch place {
        case .archive(let url):
            try ArchivedFiles.each(of: url, body)
        case .folder(let folder):
            if let wanted {
                if let source = try BackupSource.file(folder.appendingPathComponent(wanted).path) {
                    try body(wanted, source)
                }
                return
            }
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            for path in names.sorted() {
                var status = stat()
                let file = folder.appendingPathComponent(path).path
                guard lstat(file, &status) == 0 else { throw BackupError.system(file) }
                if status.st_mode & S_IFMT == S_IFDIR { continue }
                guard let source = try BackupSource.file(file) else { continue }
                try body(path, source)
            }
        }
    }
}

/// The files of a tar archive, as libarchive reads them. Nothing of it is believed.
private enum ArchivedFiles {
    static func each(
        of url: URL, _ body: (String, BackupSource) throws -> Void
    ) throws {
        guard let archive = archive_read_new() else {
            throw BackupError("libarchive could not be started")
        }
        defer { archive_read_free(archive) }
        func failure() -> BackupError {
            let reason = archive_error_string(archive).map { String(cString: $0) } ?? "unknown form"
            return BackupError("\(url.path) is damaged or no backup: \(reason)")
        }
        archive_read_support_format_tar(archive)
        guard archive_read_open_filename(archive, url.path, BackupSource.piece) == ARCHIVE_OK else {
            throw failure()
        }
        while true {
            var entry: OpaquePointer?
            let result = archive_read_next_header(archive, &entry)
            if result == ARCHIVE_EOF { return }
            guard result == ARCHIVE_OK, let entry else { throw failure() }
            guard cstore_is_regular(UInt32(archive_entry_filetype(entry))) == 1,
                archive_entry_hardlink(entry) == nil,
                let path = archive_entry_pathname(entry).map({ String(cString: $0) })
            else { throw BackupError("\(url.path) holds what no backup does; nothing is restored") }
            let source = BackupSource(size: archive_entry_size(entry)) { buffer in
                let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
                guard count >= 0 else { throw failure() }
                return count
            }
            try body(path, source)
        }
    }
}
