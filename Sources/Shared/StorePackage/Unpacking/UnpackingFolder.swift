import CStoreLinux
import Foundation
import StoreKernel
import StoreModel
import Synchronization

/// The folder that a package is unpacked into, hidden beside its final place until it is
/// complete.
///
/// It is new and nobody else's, and symbolic links are made when all files are written:
/// so no path leads through a link.
final class UnpackingFolder: Sendable {
    private let target: URL
    private let partial: URL
    private let descriptor: Int32
    private let links: Mutex<[(path: ContentPath, target: String)]>
    private let isFinished = Mutex(false)

    /// - Throws: `PackageError` where the target exists, or somebody else unpacks to it.
    init(for target: URL) throws {
        var status = stat()
        guard lstat(target.path, &status) != 0 else {
            throw PackageError(
                .readable, "\(target.path) exists already; name a folder that doesn't, or remove it"
            )
        }
        self.target = target
        partial = target.deletingLastPathComponent()
            .appendingPathComponent(".\(target.lastPathComponent).partial")
        guard mkdir(partial.path, 0o700) == 0 || errno == EEXIST else {
            throw PackageError.system(target)
        }
        descriptor = open(partial.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw PackageError.system(target) }
        links = Mutex([])
        // The lock goes with the process, so that what a killed one left can be taken over.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            isFinished.withLock { $0 = true }
            throw PackageError(.readable, "\(target.path) is being unpacked to by another process")
        }
        try clear()
    }

    deinit {
        if !isFinished.withLock({ $0 }) { try? FileManager.default.removeItem(at: partial) }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Removes all that was unpacked so far.
    func clear() throws {
        links.withLock { $0 = [] }
        for name in try FileManager.default.contentsOfDirectory(atPath: partial.path) {
            try FileManager.default.removeItem(at: partial.appendingPathComponent(name))
        }
    }

    /// Adds an entry; for a file, `fill` gets a function that appends bytes.
    ///
    /// - Throws: `UnpackingError` where it can't be written; whatever `fill` throws.
    func add(
        _ entry: PackageEntry,
        fill: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws {
        switch entry.kind {
        case .directory: try makeFolder(entry.path.text)
        case .link(let target): links.withLock { $0.append((entry.path, target)) }
        case .file:
            let file = try create(entry.path)
            defer { close(file) }
            try fill { bytes in try write(bytes, to: file, of: entry.path) }
            // Begins to write to the disk, so that there is less to wait for at the end.
            sync_file_range(file, 0, 0, cstore_begin_writing)
        }
    }

    /// Makes the links and moves the folder to its place, in one step.
    func finish() throws {
        for (path, target) in links.withLock({ $0 }) {
            if symlinkat(target, descriptor, path.text) != 0 {
                guard errno == ENOENT else { throw failure(path.text).reason }
                try makeFolders(above: path)
                guard symlinkat(target, descriptor, path.text) == 0 else {
                    throw failure(path.text).reason
                }
            }
        }
        let mask = umask(0)
        umask(mask)
        guard fchmod(descriptor, 0o755 & ~mask) == 0, syncfs(descriptor) == 0 else {
            throw PackageError.system(target)
        }
        guard
            renameat2(AT_FDCWD, partial.path, AT_FDCWD, target.path, cstore_no_replace) == 0
        else { throw PackageError.system(target) }
        isFinished.withLock { $0 = true }
        try PackageError.onDisk {
            try DurableFile.synchronize(folder: target.deletingLastPathComponent())
        }
    }

    private func create(_ path: ContentPath) throws -> Int32 {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        var file = openat(descriptor, path.text, flags, 0o644)
        if file < 0, errno == ENOENT {
            try makeFolders(above: path)
            file = openat(descriptor, path.text, flags, 0o644)
        }
        guard file >= 0 else { throw failure(path.text) }
        return file
    }

    private func makeFolders(above path: ContentPath) throws {
        var above: [ContentPath] = []
        var folder = path.parent
        while let next = folder {
            above.append(next)
            folder = next.parent
        }
        for folder in above.reversed() { try makeFolder(folder.text) }
    }

    private func makeFolder(_ path: String) throws {
        if mkdirat(descriptor, path, 0o755) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let path = ContentPath(path), path.parent != nil else {
            throw failure(path)
        }
        try makeFolders(above: path)
        guard mkdirat(descriptor, path.text, 0o755) == 0 || errno == EEXIST else {
            throw failure(path.text)
        }
    }

    private func write(
        _ bytes: UnsafeRawBufferPointer, to file: Int32, of path: ContentPath
    ) throws {
        var rest = bytes
        while let base = rest.baseAddress, !rest.isEmpty {
            let count = Foundation.write(file, base, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(path.text)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    private func failure(_ path: String) -> UnpackingError {
        let reason = String(cString: strerror(errno))
        return UnpackingError(
            reason: PackageError(.readable, "it can't be unpacked: \(reason)", path: path))
    }
}

/// A folder that can't be written, which is no problem of the package.
struct UnpackingError: Error {
    let reason: PackageError
}
