import Foundation
import StoreKernel

/// The bytes of a package: an open file, or memory.
///
/// Several readers may read it at once; none moves a common position.
final class PackageFile: Sendable {
    private enum Storage {
        case file(URL, descriptor: Int32)
        case memory([UInt8])
    }

    private let storage: Storage
    let size: Int64

    /// Opens a file, which has to be a regular one: a named pipe would never end.
    ///
    /// - Throws: `PackageError` that says what stands there instead; a POSIX error where the system
    ///   fails, which is no fault of the package.
    init(opening url: URL) throws {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw DurableFile.failure("can't be opened", url) }
            throw PackageError(.readable, "there is no file \(url.path)")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw PackageError(.readable, "\(url.path) is not a file; a package is a single file")
        }
        storage = .file(url, descriptor: descriptor)
        size = Int64(status.st_size)
    }

    init(bytes: [UInt8]) {
        storage = .memory(bytes)
        size = Int64(bytes.count)
    }

    deinit {
        if case .file(_, let descriptor) = storage { close(descriptor) }
    }

    /// Reads what there is from `offset` on, and says how many bytes that were: fewer
    /// than asked for only at the end.
    ///
    /// - Throws: a POSIX error where the disk fails.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        switch storage {
        case .memory(let bytes):
            guard offset < size else { return 0 }
            let count = min(buffer.count, bytes.count - Int(offset))
            bytes.withUnsafeBytes { all in
                buffer.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: all[Int(offset)...].prefix(count)))
            }
            return count
        case .file(let url, let descriptor):
            var done = 0
            while done < buffer.count {
                let count = pread(
                    descriptor, buffer.baseAddress! + done, buffer.count - done,
                    off_t(offset) + off_t(done))
                if count == 0 { break }
                if count < 0 {
                    if errno == EINTR { continue }
                    throw DurableFile.failure("can't be read", url)
                }
                done += count
            }
            return done
        }
    }

    /// The bytes at `offset`, as many as there are.
    func bytes(at offset: Int64, count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = try bytes.withUnsafeMutableBytes { try self.read(at: offset, into: $0) }
        return Array(bytes.prefix(read))
    }
}
