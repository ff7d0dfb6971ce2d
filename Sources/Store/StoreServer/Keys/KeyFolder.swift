import Foundation
import StoreKernel

/// The folder of a store's keys: files that only their owner reads, and that are whole or not
/// there whoever is killed.
struct KeyFolder: Sendable {
    let url: URL

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    func has(_ name: String) -> Bool { access(file(name).path, F_OK) == 0 }

    /// The text of a file.
    ///
    /// - Throws: `StoreKeysError`, which names the file.
    func text(_ name: String) throws -> String {
        let file = file(name)
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw StoreKeysError(
                description: "the key file \(file.path) is missing or can't be read; restore it "
                    + "from a backup")
        }
        return text
    }

    /// The names of the files in a folder of it; none where there is no such folder.
    func names(in folder: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: file(folder).path)
        return (names ?? []).filter { !$0.hasPrefix(scalars: ".") }.sorted()
    }

    /// Writes a file or replaces it, at once and on disk. The lock must be held.
    func put(_ text: String, as name: String) throws {
        try Self.onDisk {
            try DurableFile.write(Data(text.utf8), to: file(name), mode: 0o600, isAlone: true)
        }
    }

    func remove(_ name: String) {
        unlink(file(name).path)
    }

    /// Lets one process and one thread at a time change the folder.
    ///
    /// The lock of the folder is that of earlier versions, and NFS has none for folders. A folder that
    /// can't be written to needs no other.
    func locked<Result>(_ body: () throws -> Result) throws -> Result {
        let descriptor = Glibc.open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StoreKeysError(
                description: "\(url.path) can't be opened: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                throw StoreKeysError(
                    description: "\(url.path) can't be locked: \(String(cString: strerror(errno)))")
            }
        }
        let file = try lockFile()
        defer { if let file { close(file) } }
        while let file, flock(file, LOCK_EX) != 0 {
            guard errno == EINTR else {
                throw StoreKeysError(
                    description: "\(url.path) can't be locked: \(String(cString: strerror(errno)))")
            }
        }
        return try body()
    }

    private static let lock = ".lock"

    /// The open file of the lock, which whoever owns the folder can open too; nil where nothing can be
    /// written.
    private func lockFile() throws -> Int32? {
        let file = file(Self.lock)
        let descriptor = DurableFile.open(file, O_RDWR | O_CREAT, mode: 0o600)
        guard descriptor >= 0 else {
            guard access(url.path, W_OK) != 0 else {
                throw StoreKeysError(
                    description: "\(file.path) can't be opened: \(String(cString: strerror(errno)))"
                )
            }
            return nil
        }
        var folder = stat()
        if geteuid() == 0, stat(url.path, &folder) == 0 {
            _ = fchown(descriptor, folder.st_uid, folder.st_gid)
        }
        return descriptor
    }

    /// Makes the folder with files in it, all or none: of two processes that make it at once
    /// one wins, and both go on with what it made.
    static func make(at url: URL, _ files: [(name: String, text: String)]) throws {
        let partial = url.deletingLastPathComponent()
            .appendingPathComponent(".keys-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: partial) }
        try FileManager.default.createDirectory(
            at: partial, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let folder = KeyFolder(url: partial)
        for file in files { try folder.put(file.text, as: file.name) }
        guard rename(partial.path, url.path) == 0 || errno == ENOTEMPTY || errno == EEXIST else {
            throw StoreKeysError(
                description: "\(url.path) can't be made: \(String(cString: strerror(errno)))")
        }
        try onDisk { try DurableFile.synchronize(folder: url.deletingLastPathComponent()) }
    }

    private static func onDisk(_ body: () throws -> Void) throws {
        do { try body() } catch let error as NSError {
            throw StoreKeysError(description: error.localizedDescription)
        }
    }
}

/// The keys can't be read, made or changed.
package struct StoreKeysError: Error, Sendable, CustomStringConvertible {
    package let description: String
}
