import Foundation
import StoreBackup
import StoreCore

/// The folder in a store's folder that a backup is unpacked into. As long as it is there, there is
/// no store: whoever ended the restore, it can begin again.
final class RestoringFolder {
    static let name = ".restoring"
    /// What a restore puts into the folder of a store.
    private static let parts = [
        "assets", "content", "keys", "store.sqlite", "store.sqlite-shm", "store.sqlite-wal",
        "uploads",
    ]

    private let directory: URL
    private let descriptor: Int32
    /// What is unpacked.
    let store: URL
    var url: URL { directory.appendingPathComponent(Self.name) }

    /// - Throws: `BackupError` where a restore was begun and not finished.
    static func requireNone(in directory: URL) throws {
        guard access(directory.appendingPathComponent(name).path, F_OK) == 0 else { return }
        throw BackupError(
            "\(directory.path) holds a part of a backup: openstore restore was broken off there, or "
                + "is at work; run it again")
    }

    /// Takes a folder that is empty, or in which a restore was broken off.
    ///
    /// - Throws: `BackupError` where there is anything else.
    init(in directory: URL) throws {
        self.directory = directory
        try BackupDisk.makeFolder(directory)
        let url = directory.appendingPathComponent(Self.name)
        let wasBegun = access(url.path, F_OK) == 0
        if !wasBegun { try Self.requireEmpty(directory) }
        try BackupDisk.makeFolder(url)
        let descriptor = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            if descriptor >= 0 { close(descriptor) }
            throw BackupError("another restore is at work in \(directory.path)")
        }
        self.descriptor = descriptor
        store = url.appendingPathComponent("store")
        if wasBegun {
            for name in try FileManager.default.contentsOfDirectory(atPath: directory.path)
            where Self.parts.contains(name) || name.hasPrefix(scalars: APIKeyID.filePrefix) {
                try FileManager.default.removeItem(at: directory.appendingPathComponent(name))
            }
            for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
                try FileManager.default.removeItem(at: url.appendingPathComponent(name))
            }
            try Self.requireEmpty(directory)
        }
    }

    deinit {
        // A program that was just started has the file too, until it becomes another one.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func requireEmpty(_ directory: URL) throws {
        // A file system of its own has a folder of its own.
        let others = [name, "lost+found"]
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        guard names.allSatisfy({ others.contains($0) }) else {
            let isStore = names.contains("keys") || names.contains("store.sqlite")
            throw BackupError(
                "\(directory.path) "
                    + (isStore ? "has a store in it already" : "is not empty")
                    + "; a backup is restored into a new folder")
        }
    }

    /// Brings all to disk and to its place. From then on there is a store.
    func finish() throws {
        try BackupDisk.synchronize(directory)
        for name in try FileManager.default.contentsOfDirectory(atPath: store.path) {
            let (from, to) = (
                store.appendingPathComponent(name), directory.appendingPathComponent(name)
            )
            guard rename(from.path, to.path) == 0 else {
                throw BackupError("\(to.path): \(String(cString: strerror(errno)))")
            }
        }
        try BackupDisk.synchronize(directory)
        try FileManager.default.removeItem(at: url)
        try BackupDisk.synchronize(directory)
    }

    /// Leaves the folder as it was found.
    func abandon() { try? FileManager.default.removeItem(at: url) }
}
