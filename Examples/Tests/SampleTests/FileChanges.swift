import Foundation

/// Waits for what programs do to files, by inotify.
enum FileChanges {
    /// Returns once a condition holds, which is looked at whenever something in a folder
    /// changes.
    ///
    /// - Throws: where the folder can't be watched, or nothing changes for a minute.
    static func wait(
        in folder: URL, until condition: @escaping @Sendable () -> Bool
    ) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try block(folder, condition) })
            }
        }
    }

    private static func block(_ folder: URL, _ condition: () -> Bool) throws {
        let queue = inotify_init1(Int32(O_CLOEXEC))
        defer { close(queue) }
        let events = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)
        guard queue >= 0, inotify_add_watch(queue, folder.path, events) >= 0 else {
            throw Failure("\(folder.path) can't be watched: \(String(cString: strerror(errno)))")
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !condition() {
            var waiting = pollfd(fd: queue, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 60_000) == 1 else { throw Failure("nothing has changed") }
            _ = read(queue, &buffer, buffer.count)
        }
    }
}
