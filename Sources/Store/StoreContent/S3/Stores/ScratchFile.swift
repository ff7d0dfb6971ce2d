import Foundation

/// A file without a name, which what comes from an object store is written to.
final class ScratchFile {
    private(set) var descriptor: Int32

    /// - Throws: `ObjectStoreError` with `disk`.
    init() throws {
        let folder = FileManager.default.temporaryDirectory
        var template = Array(folder.appendingPathComponent("openstore-XXXXXX").path.utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw ObjectStoreError.system(folder.path) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
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
