import CStoreZlib

/// Inflates a stream of zlib or gzip with zlib.
final class Inflater {
    enum Form: Int32 {
        /// RFC 1950.
        case zlib = 15
        /// RFC 1952.
        case gzip = 31
    }

    private var stream = z_stream()
    private(set) var isAtEnd = false

    init(_ form: Form) {
        let result = cstore_inflate_init(&stream, form.rawValue)
        precondition(result == Z_OK, "zlib can't be started: out of memory")
    }

    deinit { inflateEnd(&stream) }

    /// Inflates as much as fits, and says how many bytes were taken and made; nil where
    /// the stream is damaged.
    func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> (taken: Int, made: Int)? {
        guard !isAtEnd else { return (0, 0) }
        stream.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.avail_out = UInt32(output.count)
        switch CStoreZlib.inflate(&stream, Z_NO_FLUSH) {
        case Z_STREAM_END: isAtEnd = true
        case Z_OK, Z_BUF_ERROR: break
        default: return nil
        }
        return (input.count - Int(stream.avail_in), output.count - Int(stream.avail_out))
    }

    /// Makes ready for another stream behind the one that ended.
    func restart() {
        inflateReset(&stream)
        isAtEnd = false
    }
}
