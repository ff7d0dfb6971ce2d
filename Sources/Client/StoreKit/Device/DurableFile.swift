/// Files that are either the old or the new ones, whatever happens in between.
enum DurableFile {
    /// Writes beside the final place, brings it to disk, and renames.
    static func write(_ data: Data, to url: URL, mode: mode_t) throws {
        let folder = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let partial = folder.appendingPathComponent(
            ".\(url.lastPathComponent).\(UUID().uuidString)")
        let descriptor = open(partial.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
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

    /// Brings the names in a folder to disk.
    static func synchronize(folder: URL) throws {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("can't be opened", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("can't be brought to disk", folder) }
    }

    static func failure(_ what: String, _ url: URL) -> NSError {
        let reason = String(cString: strerror(errno))
        return NSError(
            domain: NSPOSIXErrorDomain, code: Int(errno),
            userInfo: [NSLocalizedDescriptionKey: "\(url.path) \(what): \(reason)"])
    }
}
