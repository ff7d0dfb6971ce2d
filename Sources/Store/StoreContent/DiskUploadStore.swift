import Foundation
import StoreCore
import StoreKernel
import StoreModel

/// Packages on their way in, in a folder: one folder for each upload with the file in it.
///
/// Locks of the file keep a part from being written while the whole is looked at, whichever
/// process does it; they end with the process that has them.
package struct DiskUploadStore: UploadStore {
    private let root: URL
    private let room: DiskRoom

    /// - Parameter root: made where it doesn't exist.
    package init(root: URL, room: DiskRoom = DiskRoom()) throws {
        self.root = root
        self.room = room
        try FileManager.default.createDirectory(
            at: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// The package itself. It ends in `.pkg`, as packages do.
    package func file(of id: UploadID) -> URL {
        folder(of: id).appendingPathComponent("content.pkg")
    }

    package func open(_ id: UploadID, isAlone: Bool) throws -> (any UploadFile)? {
        let url = file(of: id)
        try FileManager.default.createDirectory(
            at: folder(of: id), withIntermediateDirectories: true)
        let descriptor = Glibc.open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw UploadStoreError.system(at: url) }
        let file = DiskUploadFile(descriptor: descriptor, url: url, room: room)
        while flock(descriptor, isAlone ? LOCK_EX : LOCK_SH | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            if errno == EWOULDBLOCK { return nil }
            throw UploadStoreError.system(at: url)
        }
        return file
    }

    package func remove(_ id: UploadID) throws {
        let folder = folder(of: id)
        guard access(folder.path, F_OK) == 0 else { return }
        try FileManager.default.removeItem(at: folder)
    }

    package func list() throws -> [UploadID] {
        try FileManager.default.contentsOfDirectory(atPath: root.path).compactMap { UploadID($0) }
    }

    package func freeBytes() throws -> Int64 {
        guard let free = DiskSpace.free(at: root) else { throw UploadStoreError.system(at: root) }
        return free
    }

    /// Its own file, which nobody writes to once it was handed over.
    package func wholeFile(
        of id: UploadID, digest: ContentDigest, in folder: URL, proceed: () throws -> Void
    ) -> URL {
        file(of: id)
    }

    private func folder(of id: UploadID) -> URL { root.appendingPathComponent(id.text) }
}

/// An open file; closing it ends its lock.
private final class DiskUploadFile: UploadFile {
    private let descriptor: Int32
    private let url: URL
    private let room: DiskRoom

    init(descriptor: Int32, url: URL, room: DiskRoom) {
        self.descriptor = descriptor
        self.url = url
        self.room = room
    }

    deinit {
        // A program that was just started has the file too, until it becomes another one.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    func write(_ bytes: Data, at offset: Int64) throws {
        // Its room was there when the upload began; others may have filled the disk since.
        try room.require(bytes.count, in: url.deletingLastPathComponent())
        do {
            try bytes.withUnsafeBytes {
                try DurableFile.append($0, to: descriptor, at: offset, of: url)
            }
        } catch let error as NSError {
            throw UploadStoreError(
                description: error.localizedDescription,
                isDiskFull: [Int(ENOSPC), Int(EDQUOT)].contains(error.code))
        }
    }

    func read(_ range: Range<Int64>) throws -> Data {
        var data = Data(count: range.count)
        let length = try data.withUnsafeMutableBytes { buffer in
            var done = 0
            while done < buffer.count {
                let count = pread(
                    descriptor, buffer.baseAddress! + done, buffer.count - done,
                    off_t(range.lowerBound) + off_t(done))
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw UploadStoreError.system(at: url) }
                if count == 0 { break }
                done += count
            }
            return done
        }
        return data.prefix(length)
    }

    func synchronize() throws {
        guard fsync(descriptor) == 0 else { throw UploadStoreError.system(at: url) }
    }
}

extension UploadStoreError {
    /// What the system said last.
    fileprivate static func system(at url: URL) -> UploadStoreError {
        let code = errno
        return UploadStoreError(
            description: "\(url.path): \(String(cString: strerror(code)))",
            isDiskFull: code == ENOSPC || code == EDQUOT)
    }
}
