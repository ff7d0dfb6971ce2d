import Foundation

/// A file without a name, which what comes from an object store is written to.
final class ScratchFile {
    private(set) var descriptor: Int32
    /// Tells it from other files that are open; nil where the system does not say.
    let number: UInt64?
    private let closed: (UInt64?) -> Void

    /// - Parameter closed: hears the file's number when it is closed without having been taken.
    /// - Throws: `ObjectStoreError` with `disk`.
    init(in folder: URL, closed: @escaping (UInt64?) -> Void = { _ in }) throws {
        let path = folder.appendingPathComponent("openstore-\(UUID().uuidString)").path
        // mkstemp would let a process that is started between two calls have it.
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ObjectStoreError.system(folder.path) }
        unlink(path)
        var status = stat()
        number = fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : nil
        self.closed = closed
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        closed(number)
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws {
        var done = 0
        while done < bytes.count {
            let count = write(descriptor, bytes.baseAddress! + done, bytes.count - done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw ObjectStoreError.system("a temporary file") }
            done += count
        }
    }

    /// Hands the descriptor over, which reads from the file's beginning.
    func take() -> Int32 {
        lseek(descriptor, 0, SEEK_SET)
        defer { descriptor = -1 }
        return descriptor
    }
}
