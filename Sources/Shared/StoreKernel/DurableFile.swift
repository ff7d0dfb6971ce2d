import Foundation

/// Files that are either the old or the new ones, whoever is killed and whenever power fails.
///
/// Bytes are written to a temporary file beside the place, brought to disk (`fsync`), renamed to it,
/// and then the name is brought to disk, too: the folder. A temporary file that a killed process
/// leaves has a name that begins with a dot.
///
/// What fails is thrown as the system says it: an `NSError` of `NSPOSIXErrorDomain` with a sentence
/// that names the file.
package enum DurableFile {
    /// Writes a file, and makes the folders above it where they don't exist.
    ///
    /// - Parameters:
    ///   - mode: for whom; folders that are made are for the owner.
    ///   - replaces: whether a file that is there is replaced; else it is an error (`EEXIST`).
    ///   - isAlone: whether nobody else writes the same file meanwhile. Then the temporary file
    ///     always has the same name, and what a killed process left of it is overwritten.
    package static func write(
        _ data: Data, to url: URL, mode: mode_t, replaces: Bool = true, isAlone: Bool = false
    ) throws {
        let folder = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let partial = folder.appendingPathComponent(
            ".\(url.lastPathComponent).\(isAlone ? "partial" : UUID().uuidString)")
        if isAlone { unlink(partial.path) }
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
        guard descriptor >= 0 else { throw failure("can't be made", partial) }
        do {
            defer { close(descriptor) }
            try data.withUnsafeBytes { try append($0, to: descriptor, of: partial) }
            guard fsync(descriptor) == 0 else { throw failure("can't be brought to disk", partial) }
            if replaces {
                guard rename(partial.path, url.path) == 0 else {
                    throw failure("can't be made", url)
                }
            } else {
                guard link(partial.path, url.path) == 0 else { throw failure("can't be made", url) }
                unlink(partial.path)
            }
        } catch {
            unlink(partial.path)
            throw error
        }
        try synchronize(folder: folder)
    }

    /// Gives a finished file or folder its place in one step, in the place of a file that is there.
    /// Its own bytes must be on disk already.
    package static func move(_ url: URL, to place: URL) throws {
        guard rename(url.path, place.path) == 0 else { throw failure("can't be made", place) }
        let (from, to) = (url.deletingLastPathComponent(), place.deletingLastPathComponent())
        try synchronize(folder: to)
        if from.path != to.path { try synchronize(folder: from) }
    }

    /// Brings a file's bytes to disk.
    package static func synchronize(_ url: URL) throws {
        try synchronize(url, O_NOFOLLOW)
    }

    /// Brings the names in a folder to disk.
    package static func synchronize(folder: URL) throws {
        try synchronize(folder, O_DIRECTORY)
    }

    private static func synchronize(_ url: URL, _ flags: Int32) throws {
        let descriptor = Glibc.open(url.path, O_RDONLY | O_CLOEXEC | flags)
        guard descriptor >= 0 else { throw failure("can't be opened", url) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("can't be brought to disk", url) }
    }

    /// Writes all bytes, however many calls it takes.
    ///
    /// - Parameters:
    ///   - offset: where in the file; `nil` to write where the descriptor stands.
    ///   - url: the file's, for the error.
    package static func append(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64? = nil, of url: URL
    ) throws {
        var rest = bytes
        while !rest.isEmpty {
            let count =
                if let offset {
                    pwrite(
                        descriptor, rest.baseAddress, rest.count,
                        off_t(offset) + off_t(bytes.count - rest.count))
                } else {
                    Glibc.write(descriptor, rest.baseAddress, rest.count)
                }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("can't be written", url) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
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

    /// Opens a file for writing, never in the place of a standard stream that is closed: what a
    /// program writes to its standard error must not get into a journal.
    ///
    /// - Returns: a descriptor that no program inherits; negative where `errno` says why not.
    package static func open(_ url: URL, _ flags: Int32, mode: mode_t) -> Int32 {
        let descriptor = Glibc.open(url.path, flags | O_CLOEXEC, mode)
        guard (0...STDERR_FILENO).contains(descriptor) else { return descriptor }
        defer { close(descriptor) }
        return fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    }

    /// What the system has just said about a file.
    package static func failure(_ what: String, _ url: URL) -> NSError {
        let code = errno
        return NSError(
            domain: NSPOSIXErrorDomain, code: Int(code),
            userInfo: [
                NSLocalizedDescriptionKey:
                    "\(url.path) \(what): \(String(cString: strerror(code)))"
            ])
    }
}
