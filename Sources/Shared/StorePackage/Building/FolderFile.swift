import Foundation

/// A file of the folder that a package is made of.
struct FolderFile {
    private let entry: PackageEntry
    private let url: URL

    init(_ entry: PackageEntry, in folder: URL) {
        self.entry = entry
        url = folder.appendingPathComponent(entry.path.text)
    }

    /// Calls `body` with each piece of as many bytes as the file had when it was checked.
    ///
    /// - Throws: `PackageError` where the file is another one now; whatever `body` throws.
    func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw changed(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size == entry.size
        else { throw changed("it was changed meanwhile") }
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        var left = entry.size
        while left > 0 {
            let count = read(descriptor, buffer.baseAddress, Int(min(left, Int64(buffer.count))))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw changed(count == 0 ? "it became shorter" : String(cString: strerror(errno)))
            }
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            left -= Int64(count)
        }
    }

    private func changed(_ reason: String) -> PackageError {
        PackageError(
            .readable, "it can't be read (\(reason)); build the package again",
            path: entry.path.text)
    }
}
