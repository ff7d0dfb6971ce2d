import Synchronization

/// The part of a blob that has arrived, in a file that grows at its end.
final class PartialBlob: Sendable {
    private struct Content {
        let handle: FileHandle
        var length: Int64
    }

    private let content: Mutex<Content>
    private let limit: Int64

    /// Opens the file; what is longer than the blob is no part of it and dropped.
    init(file: URL, limit: Int64) throws {
        let descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DurableFile.failure("can't be opened", file) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var length = Int64(try handle.seekToEnd())
        if length > limit {
            try handle.truncate(atOffset: 0)
            length = 0
        }
        self.limit = limit
        content = Mutex(Content(handle: handle, length: length))
    }

    /// Bytes that are there.
    var length: Int64 { content.withLock { $0.length } }

    /// Adds bytes.
    ///
    /// - Returns: the bytes that are there now.
    /// - Throws: where the store sends more than it announced, or the disk refuses.
    func append(_ data: Data) throws -> Int64 {
        try content.withLock { content in
            guard content.length + Int64(data.count) <= limit else {
                throw URLError(.dataLengthExceedsMaximum)
            }
            try content.handle.write(contentsOf: data)
            content.length += Int64(data.count)
            return content.length
        }
    }

    /// Drops what lies behind an offset.
    func truncate(to offset: Int64) throws {
        try content.withLock { content in
            try content.handle.truncate(atOffset: UInt64(offset))
            content.length = offset
        }
    }
}
