import Foundation

/// Bytes on their way into a backup or out of one, piece by piece.
package final class BackupSource {
    /// Bytes that are taken at once.
    package static let piece = 1 << 18

    package let size: Int64
    private let take: (UnsafeMutableRawBufferPointer) throws -> Int

    /// - Parameters:
    ///   - size: how many bytes there are.
    ///   - take: fills the buffer from its beginning, and says how far; 0 at the end.
    package init(size: Int64, take: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
        (self.size, self.take) = (size, take)
    }

    /// Bytes that are in memory.
    package convenience init(_ data: Data) {
        var rest = data[...]
        self.init(size: Int64(data.count)) { buffer in
            let some = rest.prefix(buffer.count)
            some.copyBytes(to: buffer)
            rest = rest.dropFirst(some.count)
            return some.count
        }
    }

    /// The bytes of an open file, from where it stands; it is closed with the source.
    package convenience init(descriptor: Int32, size: Int64, name: String) {
        let file = OpenFile(descriptor)
        self.init(size: size) { buffer in
            while true {
                let count = read(file.descriptor, buffer.baseAddress, buffer.count)
                if count >= 0 { return count }
                guard errno == EINTR else { throw BackupError.system(name) }
            }
        }
    }

    /// The bytes of a file.
    ///
    /// - Returns: nil where there is none.
    package static func file(_ path: String) throws -> BackupSource? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw BackupError.system(path)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw BackupError("\(path) is no plain file")
        }
        return BackupSource(descriptor: descriptor, size: Int64(status.st_size), name: path)
    }

    /// Gives all bytes, piece by piece.
    ///
    /// - Throws: `BackupError` where there are more or fewer than were announced.
    package func each(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        try withUnsafeTemporaryAllocation(byteCount: Self.piece, alignment: 16) { buffer in
            var left = size
            while true {
                let count = try take(buffer)
                guard count > 0 else { break }
                left -= Int64(count)
                guard left >= 0 else { break }
                try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
            guard left == 0 else {
                throw BackupError("there are not \(size) bytes where there were; try again")
            }
        }
    }

    /// Closes a descriptor with its last user.
    private final class OpenFile {
        let descriptor: Int32
        init(_ descriptor: Int32) { self.descriptor = descriptor }
        deinit { close(descriptor) }
    }
}
