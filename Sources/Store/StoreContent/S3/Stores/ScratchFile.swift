import Foundation

/// A file without a name, which what comes from an object store is written to.
final class ScratchFile {
    private(set) var descriptor: Int32
    /// The name that it had for a moment, which no other file has.
    let name: String
    private let closed: (String) -> Void

    /// - Parameter closed: hears the file's name when it is closed without having been taken.
    /// - Throws: `ObjectStoreError` with `disk`.
    init(in folder: URL, closed: @escaping (String) -> Void = { _ in }) throws {
        name = "openstore-\(UUID().uuidString)"
        let path = folder.appendingPathComponent(name).path
        // mkstemp would let a process that is started between two calls have it.
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ObjectStoreError.system(folder.path) }
        unlink(path)
        self.closed = closed
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        closed(name)
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
