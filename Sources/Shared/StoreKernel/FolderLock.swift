import Foundation

/// The lock of a folder, for one holder at a time among all processes. A download takes it for the
/// folder that it fetches into, a test's store for its own, and the content library for the versions of
/// a product. The kernel releases it when the
/// process ends, also when it is killed.
package final class FolderLock: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        // A child process that was started meanwhile may still have a copy.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Takes the lock; nil where somebody else holds it.
    ///
    /// - Throws: an error of the file system.
    package static func take(_ file: URL) throws -> FolderLock? {
        try take(file, LOCK_EX | LOCK_NB)
    }

    /// Takes the lock, once nobody else holds it.
    ///
    /// - Throws: an error of the file system.
    package static func wait(for file: URL) throws -> FolderLock {
        while true {
            if let lock = try take(file, LOCK_EX) { return lock }
        }
    }

    private static func take(_ file: URL, _ operation: Int32) throws -> FolderLock? {
        while true {
            let descriptor = DurableFile.open(file, O_RDWR | O_CREAT, mode: 0o600)
            guard descriptor >= 0 else { throw DurableFile.failure("can't be opened", file) }
            let lock = FolderLock(descriptor)
            guard flock(descriptor, operation) == 0 else {
                if errno == EINTR { continue }
                guard errno == EWOULDBLOCK else {
                    throw DurableFile.failure("can't be locked", file)
                }
                return nil
            }
            // The folder may have been removed and made anew meanwhile.
            var (held, named) = (stat(), stat())
            if fstat(descriptor, &held) == 0, stat(file.path, &named) == 0,
                held.st_ino == named.st_ino, held.st_dev == named.st_dev
            {
                return lock
            }
        }
    }
}
