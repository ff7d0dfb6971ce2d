import Foundation
import StoreModel

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
        let target = file(name)
        let folder = target.deletingLastPathComponent()
        if folder != url {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        // Under one name, so that what a killed process leaves is overwritten by the next.
        let partial = folder.appendingPathComponent(".\(target.lastPathComponent).partial")
        try Self.write(text, to: partial)
        guard rename(partial.path, target.path) == 0 else {
            throw StoreKeysError(
                description: "\(target.path) can't be written: \(String(cString: strerror(errno)))")
        }
        try Self.synchronize(folder)
    }

    func remove(_ name: String) {
        unlink(file(name).path)
    }

    /// Lets one process and one thread at a time change the folder.
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
        return try body()
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
        try synchronize(url.deletingLastPathComponent())
    }

    /// Writes a file that only its owner can read, and brings it to disk.
    static func write(_ text: String, to file: URL) throws {
        let isWritten = FileManager.default.createFile(
            atPath: file.path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        guard isWritten, let handle = FileHandle(forWritingAtPath: file.path) else {
            throw StoreKeysError(
                description: "\(file.path) can't be written: \(String(cString: strerror(errno)))")
        }
        try handle.synchronize()
        try handle.close()
    }

    /// Brings the names in a folder to disk.
    private static func synchronize(_ folder: URL) throws {
        let descriptor = Glibc.open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            throw StoreKeysError(
                description: "\(folder.path) can't be brought to disk: "
                    + String(cString: strerror(errno)))
        }
    }
}

/// The keys can't be read, made or changed.
package struct StoreKeysError: Error, Sendable, CustomStringConvertible {
    package let description: String
}
