import CStoreZstd
import Foundation

/// Compresses pieces of bytes into one zstd frame each.
///
/// Not for use by two threads at once.
final class ChunkCompressor {
    private let context: OpaquePointer
    private var output: [UInt8] = []

    /// - Parameter level: zstd's, 1 (fast) to 19 (small).
    init(level: Int32) {
        guard let context = ZSTD_createCCtx() else { preconditionFailure("no memory for zstd") }
        self.context = context
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
    }

    deinit {
        ZSTD_freeCCtx(context)
    }

    /// Calls `body` with the frame.
    ///
    /// - Throws: `DeliveryError.compression`.
    func compress<Result>(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        let bound = ZSTD_compressBound(bytes.count)
        if output.count < bound { output = [UInt8](repeating: 0, count: bound) }
        return try output.withUnsafeMutableBytes { buffer in
            let length = ZSTD_compress2(
                context, buffer.baseAddress, buffer.count, bytes.baseAddress, bytes.count)
            guard ZSTD_isError(length) == 0 else {
                throw DeliveryError.compression(String(cString: ZSTD_getErrorName(length)))
            }
            return try body(UnsafeRawBufferPointer(rebasing: buffer[..<length]))
        }
    }
}

/// Unpacks chunks, one zstd frame each.
///
/// Not for use by two threads at once.
final class ChunkDecompressor {
    private let context: OpaquePointer
    private var output = [UInt8](repeating: 0, count: ContentCutter.standardMaximum)

    init() {
        guard let context = ZSTD_createDCtx() else { preconditionFailure("no memory for zstd") }
        self.context = context
        // No frame of a chunk looks back further than a chunk is long.
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 21)
    }

    deinit {
        ZSTD_freeDCtx(context)
    }

    /// Calls `body` with the unpacked bytes, or with nil where the frame is damaged or holds
    /// another number of bytes.
    func decompress<Result>(
        _ frame: UnsafeRawBufferPointer, length: Int,
        _ body: (UnsafeRawBufferPointer?) throws -> Result
    ) rethrows -> Result {
        if output.count < length { output = [UInt8](repeating: 0, count: length) }
        return try output.withUnsafeMutableBytes { buffer in
            let count = ZSTD_decompressDCtx(
                context, buffer.baseAddress, length, frame.baseAddress, frame.count)
            guard ZSTD_isError(count) == 0, count == length else { return try body(nil) }
            return try body(UnsafeRawBufferPointer(rebasing: buffer[..<length]))
        }
    }
}

/// The bytes of one frame, at most so many.
///
/// - Throws: `DeliveryError.manifest`.
func unpacked(_ frame: UnsafeRawBufferPointer, limit: Int) throws -> Data {
    guard let context = ZSTD_createDCtx() else { preconditionFailure("no memory for zstd") }
    defer { ZSTD_freeDCtx(context) }
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 27)
    var input = ZSTD_inBuffer(src: frame.baseAddress, size: frame.count, pos: 0)
    var plain = Data()
    var buffer = [UInt8](repeating: 0, count: ZSTD_DStreamOutSize())
    while true {
        let (left, count) = buffer.withUnsafeMutableBytes { bytes in
            var output = ZSTD_outBuffer(dst: bytes.baseAddress, size: bytes.count, pos: 0)
            return (ZSTD_decompressStream(context, &output, &input), output.pos)
        }
        guard ZSTD_isError(left) == 0 else {
            throw DeliveryError.manifest("it is not compressed as manifests are")
        }
        plain.append(contentsOf: buffer[..<count])
        guard plain.count <= limit else {
            throw DeliveryError.manifest("it unpacks to more than \(limit) bytes")
        }
        if left == 0 { break }
        guard count > 0 || input.pos < input.size else {
            throw DeliveryError.manifest("it ends in the middle")
        }
    }
    guard input.pos == input.size else {
        throw DeliveryError.manifest("bytes follow behind its end")
    }
    return plain
}
