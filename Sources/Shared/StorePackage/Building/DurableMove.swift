import Foundation

/// Puts a finished file or folder in its place in one step, so that it survives a loss
/// of power whole or not at all.
enum DurableMove {
    /// Waits until a file's or folder's bytes are on the disk.
    static func sync(_ url: URL) throws {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, fsync(descriptor) == 0 else { throw failure(url) }
    }

    static func move(_ url: URL, to place: URL) throws {
        guard rename(url.path, place.path) == 0 else { throw failure(place) }
        try sync(place.deletingLastPathComponent())
    }

    /// The last error of the C library, as it concerns a file that is written.
    static func failure(_ url: URL) -> PackageError {
        PackageError(
            .readable, "\(url.path) can't be written: \(String(cString: strerror(errno)))")
    }
}
