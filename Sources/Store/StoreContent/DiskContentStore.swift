import Foundation
import StoreCore
import StoreKernel
import StoreModel

/// Content in a folder: one file for each digest, in subfolders by its first two digits.
package struct DiskContentStore: ContentStore {
    private let root: URL

    /// - Parameter root: made where it doesn't exist.
    package init(root: URL) throws {
        self.root = root
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    /// Moves the file to its place; it must lie on the same file system.
    package func store(file: URL, digest: ContentDigest) throws {
        let target = path(of: digest)
        let folder = target.deletingLastPathComponent()
        // What is wanted again is as good as new to whoever collects what nobody wants.
        let isThere = utimensat(AT_FDCWD, target.path, nil, 0) == 0
        if isThere {
            // Another process may have put it there a moment ago, and may end before it is on disk.
            try onDisk { try DurableFile.synchronize(target) }
        } else {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try onDisk { try DurableFile.synchronize(file) }
            guard rename(file.path, target.path) == 0 else { throw failure(at: target) }
        }
        try onDisk {
            try DurableFile.synchronize(folder: folder)
            try DurableFile.synchronize(folder: root)
        }
        if isThere { try FileManager.default.removeItem(at: file) }
    }

    package func open(_ digest: ContentDigest) throws -> OpenContent? {
        let file = path(of: digest)
        let descriptor = Glibc.open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(at: file)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let error = failure(at: file)
            close(descriptor)
            throw error
        }
        return OpenContent(descriptor: descriptor, length: UInt64(status.st_size))
    }

    package func exists(_ digest: ContentDigest) throws -> Bool {
        let file = path(of: digest)
        guard access(file.path, F_OK) != 0 else { return true }
        guard errno == ENOENT else { throw failure(at: file) }
        return false
    }

    package func remove(_ digest: ContentDigest) throws {
        let file = path(of: digest)
        guard unlink(file.path) == 0 || errno == ENOENT else { throw failure(at: file) }
    }

    package func list() throws -> [StoredContent] {
        var found: [StoredContent] = []
        let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
        for folder in try FileManager.default.contentsOfDirectory(
            at: root, includingPropertiesForKeys: nil)
        where folder.hasDirectoryPath {
            for file in try FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: Array(keys))
            {
                guard let digest = ContentDigest(file.lastPathComponent),
                    let values = try? file.resourceValues(forKeys: keys)
                else { continue }
                found.append(
                    StoredContent(
                        digest: digest, length: Int64(values.fileSize ?? 0),
                        date: values.contentModificationDate ?? .distantFuture))
            }
        }
        return found
    }

    private func path(of digest: ContentDigest) -> URL {
        root.appendingPathComponent(String(digest.text.prefix(2)))
            .appendingPathComponent(digest.text)
    }

    private func onDisk(_ body: () throws -> Void) throws {
        do { try body() } catch let error as NSError {
            throw ContentStoreError(description: error.localizedDescription)
        }
    }

    private func failure(at url: URL) -> ContentStoreError {
        .system(at: url)
    }
}

/// The disk refused.
package struct ContentStoreError: Error, Sendable, CustomStringConvertible {
    package let description: String

    /// What the system said last.
    static func system(at url: URL) -> ContentStoreError {
        ContentStoreError(description: "\(url.path): \(String(cString: strerror(errno)))")
    }
}
