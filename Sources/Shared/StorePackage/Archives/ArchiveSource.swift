/// Where an archive's bytes come from, in order.
class ArchiveSource {
    /// The next bytes, which are valid until the next call; none at the end.
    func next() throws -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Passes over bytes without reading them, and says over how many; 0 where it can't.
    func skip(_ count: Int64) -> Int64 { 0 }
}

/// The bytes of a package's file.
final class FileSource: ArchiveSource {
    static let pieceSize: Int64 = 1 << 17
    private let file: PackageFile
    /// What stands for the first bytes of the file.
    private let head: [UInt8]
    private let buffer: UnsafeMutableRawBufferPointer
    /// Bytes handed out or passed over.
    private(set) var position: Int64 = 0

    init(_ file: PackageFile, head: [UInt8] = []) {
        self.file = file
        self.head = head
        buffer = .allocate(byteCount: Int(Self.pieceSize), alignment: 16)
    }

    deinit { buffer.deallocate() }

    override func next() throws -> UnsafeRawBufferPointer {
        let count: Int
        if position < head.count {
            buffer.copyBytes(from: head[Int(position)...])
            count = head.count - Int(position)
        } else {
            count = try file.read(at: position, into: buffer)
        }
        position += Int64(count)
        return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }

    /// Passing over what lies behind the end succeeds within reason, so that only the
    /// entry with this extent is damaged and not all that follow. Beyond that libarchive
    /// would call a thousand million times.
    override func skip(_ count: Int64) -> Int64 {
        guard position >= head.count, count > 0, count < (1 << 36) - position else { return 0 }
        position += count
        return count
    }
}
