/// Files that are either the old or the new ones, whatever happens in between.
package enum DurableFile {
    /// Writes beside the final place, brings it to disk, and renames.
    package static func write(_ data: Data, to url: URL, mode: mode_t) throws {
        let folder = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let partial = folder.appendingPathComponent(
            ".\(url.lastPathComponent).\(UUID().uuidString)")
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
        guard descriptor >= 0 else { throw failure("can't be made", partial) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: data)
            try handle.synchronize()
            try handle.close()
            guard rename(partial.path, url.path) == 0 else { throw failure("can't be made", url) }
            try synchronize(folder: folder)
        } catch {
            unlink(partial.path)
            throw error
        }
    }

    /// Does something while nobody else does it for the same file, in this process or another.
    package static func whileLocked<Answer>(
        _ file: URL, _ body: () throws -> Answer
    ) throws -> Answer {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let lock = file.appendingPathExtension("lock")
        let descriptor = open(lock, O_RDWR | O_CREAT, mode: 0o600)
        guard descriptor >= 0 else { throw failure("can't be opened", lock) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure("can't be locked", lock) }
        }
        return try body()
    }

    /// Opens a file for writing, never in the place of a standard stream that is closed: what the
    /// app writes to its standard error must not get into a journal.
    ///
    /// - Returns: a descriptor that no program inherits; negative where `errno` says why not.
    static func open(_ url: URL, _ flags: Int32, mode: mode_t) -> Int32 {
        let descriptor = Glibc.open(url.path, flags | O_CLOEXEC, mode)
        guard (0...STDERR_FILENO).contains(descriptor) else { return descriptor }
        defer { close(descriptor) }
        return fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    }

    /// Brings the names in a folder to disk.
    package static func synchronize(folder: URL) throws {
        let descriptor = Glibc.open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("can't be opened", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("can't be brought to disk", folder) }
    }

    package static func failure(_ what: String, _ url: URL) -> NSError {
        let reason = String(cString: strerror(errno))
        return NSError(
            domain: NSPOSIXErrorDomain, code: Int(errno),
            userInfo: [NSLocalizedDescriptionKey: "\(url.path) \(what): \(reason)"])
    }
}
