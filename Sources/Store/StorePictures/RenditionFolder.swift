import Foundation
import StoreCore
import StoreKernel
import StoreModel
import Synchronization

/// Pictures that were made, in a folder, so that they need not be made again.
///
/// Several processes may share it: a file is written beside its place and renamed, and whoever
/// reads one that is taken away reads on. When it has become too large, those go that nobody has
/// asked for the longest: the time of a file's last change says when somebody did.
package final class RenditionFolder: Sendable {
    private let root: URL
    private let limit: Int64
    private let free: @Sendable (URL) -> Int64?
    private let now: @Sendable () -> Date
    /// What this process has added since it last looked at the whole, and what was there then.
    private let state = Mutex(State())

    private struct State {
        var isKnown = false
        var size: Int64 = 0
        var added: Int64 = 0
    }

    /// - Parameters:
    ///   - root: made where it doesn't exist.
    ///   - limit: bytes; each process may go beyond it by an eighth before it looks again.
    ///   - free: bytes that are free where a folder is; nil where nobody knows.
    package init(
        root: URL, limit: Int64, free: @escaping @Sendable (URL) -> Int64? = DiskSpace.free(at:),
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        self.root = root
        self.limit = limit
        self.free = free
        self.now = now
        try FileManager.default.createDirectory(
            at: root, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    /// Opens one that was made; the caller closes the descriptor.
    package func open(_ size: PictureSize, of digest: ContentDigest) -> OpenContent? {
        let descriptor = Glibc.open(path(size, digest).path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size > 0 else {
            close(descriptor)
            return nil
        }
        // Once a minute is enough to tell what is in use, and spares the disk the others.
        if Double(status.st_mtim.tv_sec) < now().timeIntervalSince1970 - 60 {
            touch(descriptor)
        }
        return OpenContent(descriptor: descriptor, length: UInt64(status.st_size))
    }

    private func touch(_ descriptor: Int32) {
        let seconds = time_t(now().timeIntervalSince1970)
        let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        _ = futimens(descriptor, times)
    }

    /// Keeps one. When it returns, the bytes are on disk.
    ///
    /// - Throws: `PictureFolderError`, also where the disk has little room left.
    package func store(_ bytes: Data, _ size: PictureSize, of digest: ContentDigest) throws {
        if let free = free(root), free < UploadRules.store.reserve {
            throw PictureFolderError(description: "\(root.path): the disk is nearly full")
        }
        let target = path(size, digest)
        let folder = target.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let arriving = folder.appendingPathComponent(".\(UUID().uuidString)")
        let descriptor = Glibc.open(
            arriving.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(at: arriving) }
        var isMoved = false
        defer {
            close(descriptor)
            if !isMoved { unlink(arriving.path) }
        }
        do {
            try bytes.withUnsafeBytes { try DurableFile.append($0, to: descriptor, of: arriving) }
        } catch let error as NSError {
            throw PictureFolderError(description: error.localizedDescription)
        }
        touch(descriptor)
        // Without it, a machine that loses power may have the name and none of the bytes.
        guard fdatasync(descriptor) == 0, rename(arriving.path, target.path) == 0 else {
            throw failure(at: target)
        }
        isMoved = true
        if grew(by: Int64(bytes.count)) { evict() }
    }

    /// - Returns: whether somebody should look at the whole.
    private func grew(by count: Int64) -> Bool {
        state.withLock { state in
            state.size += count
            state.added += count
            guard !state.isKnown || state.size > limit || state.added > limit / 8 else {
                return false
            }
            // Only one of those who come at the same time looks.
            state = State(isKnown: true, size: 0, added: 0)
            return true
        }
    }

    /// Takes away what was asked for the longest ago, down to nine tenths of the limit.
    private func evict() {
        var (found, total) = files()
        if total > limit {
            found.sort { $0.date < $1.date }
            for file in found {
                guard total > limit / 10 * 9 else { break }
                // Another process may have been faster.
                unlink(file.url.path)
                total -= file.size
            }
        }
        state.withLock { $0.size += total }
    }

    private struct StoredFile {
        let url: URL
        let size: Int64
        let date: Date
    }

    private func files() -> (files: [StoredFile], total: Int64) {
        var (found, total): ([StoredFile], Int64) = ([], 0)
        let manager = FileManager.default
        for name in (try? manager.contentsOfDirectory(atPath: root.path)) ?? [] {
            let folder = root.appendingPathComponent(name)
            for name in (try? manager.contentsOfDirectory(atPath: folder.path)) ?? [] {
                let url = folder.appendingPathComponent(name)
                var status = stat()
                guard lstat(url.path, &status) == 0 else { continue }
                let date = Date(timeIntervalSince1970: TimeInterval(status.st_mtim.tv_sec))
                if name.hasPrefix(scalars: ".") {
                    // Left behind by a process that was ended.
                    if date < now().addingTimeInterval(-3600) { unlink(url.path) }
                    continue
                }
                found.append(StoredFile(url: url, size: Int64(status.st_size), date: date))
                total += Int64(status.st_size)
            }
        }
        return (found, total)
    }

    private func path(_ size: PictureSize, _ digest: ContentDigest) -> URL {
        root.appendingPathComponent(String(digest.text.prefix(2))).appendingPathComponent(
            "\(digest.text)-\(size.width)x\(size.height)\(size.fit.rawValue).\(size.format)")
    }

    private func failure(at url: URL) -> PictureFolderError {
        PictureFolderError(description: "\(url.path): \(String(cString: strerror(errno)))")
    }
}

/// The disk refused.
package struct PictureFolderError: Error, Sendable, CustomStringConvertible {
    package let description: String
}
