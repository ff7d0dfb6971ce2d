import CStoreLinux
import Foundation
import StoreKernel
import StoreSecurity

/// Files and folders of backups, which nobody else reads.
package enum BackupDisk {
    package static func makeFolder(_ url: URL) throws {
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Writes a new file, with the folders above it.
    ///
    /// - Parameter report: hears of bytes that were written.
    /// - Returns: their SHA-256, hexadecimal.
    package static func write(
        _ source: BackupSource, to url: URL, report: (Int64) -> Void = { _ in }
    ) throws -> String {
        try makeFolder(url.deletingLastPathComponent())
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BackupError.system(url.path) }
        defer { close(descriptor) }
        let digest = SHA256Digest()
        try source.each { bytes in
            digest.update(bytes)
            do { try DurableFile.append(bytes, to: descriptor, of: url) } catch let error as NSError
            {
                throw BackupError(error.localizedDescription)
            }
            report(Int64(bytes.count))
        }
        return SHA256Digest.hexadecimal(digest.finish())
    }

    /// Brings everything on the file system of a folder to disk.
    package static func synchronize(_ folder: URL) throws {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BackupError.system(folder.path) }
        defer { close(descriptor) }
        guard syncfs(descriptor) == 0 else { throw BackupError.system(folder.path) }
    }

    /// Gives something its name, which nothing has yet.
    package static func rename(_ from: URL, to: URL) throws {
        guard
            renameat2(AT_FDCWD, from.path, AT_FDCWD, to.path, cstore_no_replace) == 0
        else { throw BackupError.system(to.path) }
        try synchronize(to.deletingLastPathComponent())
    }

    /// The SHA-256 of a file, hexadecimal; nil where there is none.
    package static func digest(of url: URL, report: (Int64) -> Void = { _ in }) throws -> String? {
        guard let source = try BackupSource.file(url.path) else { return nil }
        let digest = SHA256Digest()
        try source.each {
            digest.update($0)
            report(Int64($0.count))
        }
        return SHA256Digest.hexadecimal(digest.finish())
    }
}

/// A folder in which something is made, beside where it will stand. What a killed process leaves
/// there is taken away by the next one: each holds a lock on its own.
package final class BackupStagingFolder {
    private static let prefix = ".openstore-backup-"

    package let url: URL
    private let descriptor: Int32

    /// - Parameter folder: where the result will stand; made where it doesn't exist.
    package init(in folder: URL) throws {
        try BackupDisk.makeFolder(folder)
        Self.clear(folder)
        url = folder.appendingPathComponent(Self.prefix + UUID().uuidString)
        try BackupDisk.makeFolder(url)
        descriptor = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw BackupError.system(url.path)
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
        guard descriptor >= 0 else { return }
        // A program that was just started has the file too, until it becomes another one.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Takes away what nobody holds.
    private static func clear(_ folder: URL) {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        for name in names ?? [] where name.utf8.starts(with: prefix.utf8) {
            let url = folder.appendingPathComponent(name)
            let descriptor = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                try? FileManager.default.removeItem(at: url)
            }
            close(descriptor)
        }
    }
}
