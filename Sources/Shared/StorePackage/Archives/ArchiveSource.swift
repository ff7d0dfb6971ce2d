import Foundation

/// Where an archive's bytes come from, in order.
class ArchiveSource {
    /// The next bytes, which are valid until the next call; none at the end.
    func next() throws -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Passes over bytes without reading them, and says over how many; 0 where it can't.
    func skip(_ count: Int64) -> Int64 { 0 }

    /// Whether bytes can be had in any order.
    var canSeek: Bool { false }

    /// Goes to an offset, and says where that is; below 0 where it can't.
    ///
    /// - Parameter origin: `SEEK_SET`, `SEEK_CUR` or `SEEK_END`.
    func seek(to offset: Int64, from origin: Int32) -> Int64 { -1 }
}

/// The bytes of an archive that is an entry of another one.
final class EntrySource: ArchiveSource {
    private let outer: ArchiveReader

    /// - Parameter outer: stands at the entry.
    init(_ outer: ArchiveReader) {
        self.outer = outer
    }

    override func next() throws -> UnsafeRawBufferPointer {
        try outer.nextBlock()?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Reads what the archive's reader left.
    func finish() throws {
        while try !next().isEmpty {}
    }
}

/// The bytes of a package's file.
final class FileSource: ArchiveSource {
    static let pieceSize: Int64 = 1 << 17
    private let file: PackageFile
    /// What stands for the first bytes of the file.
    private let head: [UInt8]
    private let isSeekable: Bool
    private let buffer: UnsafeMutableRawBufferPointer
    /// Bytes handed out or passed over.
    private(set) var position: Int64 = 0

    /// - Parameter canSeek: whether the archive is read in another order than its bytes'.
    init(_ file: PackageFile, head: [UInt8] = [], canSeek: Bool = false) {
        self.file = file
        self.head = head
        isSeekable = canSeek
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

    override var canSeek: Bool { isSeekable }

    override func seek(to offset: Int64, from origin: Int32) -> Int64 {
        let base: Int64
        switch origin {
        case SEEK_SET: base = 0
        case SEEK_CUR: base = position
        case SEEK_END: base = file.size
        default: return -1
        }
        let (place, isTooFar) = base.addingReportingOverflow(offset)
        guard !isTooFar, place >= 0, place <= file.size else { return -1 }
        position = place
        return place
    }
}
