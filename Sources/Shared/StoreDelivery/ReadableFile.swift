import CStoreLinux
import Foundation

/// A file whose bytes may be those of chunks.
final class ReadableFile {
    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: ContentCutter.standardMaximum)
    /// Where data begins behind the last hole that was found.
    private var dataStart: Int64 = 0

    /// Nil where it can't be opened.
    init?(_ url: URL) {
        descriptor = open(url.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// Whether a chunk's bytes are at an offset.
    func holds(_ chunk: DeliveryManifest.Chunk, at offset: Int64) -> Bool {
        !isHole(offset, chunk.unpackedLength) && read(chunk, at: offset) { _ in }
    }

    /// Calls `body` with a chunk's bytes if they are at an offset.
    ///
    /// - Returns: whether they are.
    func read(
        _ chunk: DeliveryManifest.Chunk, at offset: Int64,
        _ body: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows -> Bool {
        let length = chunk.unpackedLength
        if buffer.count < length { buffer = [UInt8](repeating: 0, count: length) }
        return try buffer.withUnsafeMutableBytes { buffer in
            var done = 0
            while done < length {
                let count = pread(
                    descriptor, buffer.baseAddress! + done, length - done, Int(offset) + done)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<length])
            guard ChunkDigest(of: bytes) == chunk.digest else { return false }
            try body(bytes)
            return true
        }
    }

    /// Whether nothing was ever written there.
    private func isHole(_ offset: Int64, _ length: Int) -> Bool {
        if offset + Int64(length) <= dataStart { return true }
        guard offset >= dataStart else { return false }
        // Where the file system knows no holds, all is data.
        let next = Int64(lseek(descriptor, Int(offset), cstore_seek_data))
        if next < 0 {
            guard errno == ENXIO else { return false }
            dataStart = .max
            return true
        }
        guard next > offset else { return false }
        dataStart = next
        return next >= offset + Int64(length)
    }
}
