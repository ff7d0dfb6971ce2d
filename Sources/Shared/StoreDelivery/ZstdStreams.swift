import CStoreZstd
import Foundation

/// Compresses bytes piece by piece into one zstd frame after the other.
final class ZstdCompressor {
    private let context: OpaquePointer
    private var output = [UInt8](repeating: 0, count: ZSTD_CStreamOutSize())

    init(level: Int32) {
        guard let context = ZSTD_createCCtx() else { preconditionFailure("no memory for zstd") }
        self.context = context
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
    }

    deinit {
        ZSTD_freeCCtx(context)
    }

    /// Adds bytes to the frame; `isLast` ends it.
    func compress(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool,
        into sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        let mode = isLast ? ZSTD_e_end : ZSTD_e_continue
        while true {
            var left = 0
            let count = try output.withUnsafeMutableBytes { buffer in
                var out = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
                left = ZSTD_compressStream2(context, &out, &input, mode)
                guard ZSTD_isError(left) == 0 else {
                    throw DeliveryError.compression(String(cString: ZSTD_getErrorName(left)))
                }
                return out.pos
            }
            if count > 0 {
                try output.withUnsafeBytes {
                    try sink(UnsafeRawBufferPointer(rebasing: $0[..<count]))
                }
            }
            if isLast ? left == 0 : input.pos == input.size { return }
        }
    }
}

/// Unpacks one zstd frame that arrives piece by piece.
final class ZstdDecompressor {
    private let context: OpaquePointer
    private var output = [UInt8](repeating: 0, count: ZSTD_DStreamOutSize())
    /// Whether the frame came to its end.
    private(set) var isComplete = false

    init() {
        guard let context = ZSTD_createDCtx() else { preconditionFailure("no memory for zstd") }
        self.context = context
        // A frame that asks for more memory than this is refused (2^27 bytes).
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 27)
    }

    deinit {
        ZSTD_freeDCtx(context)
    }

    /// - Returns: false where the bytes are no zstd frame, or go on behind its end.
    func decompress(
        _ bytes: UnsafeRawBufferPointer, into sink: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows -> Bool {
        var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        while true {
            if isComplete { return input.pos == input.size }
            var result = 0
            var count = 0
            let capacity = output.count
            output.withUnsafeMutableBytes { buffer in
                var out = ZSTD_outBuffer(dst: buffer.baseAddress, size: capacity, pos: 0)
                result = ZSTD_decompressStream(context, &out, &input)
                count = out.pos
            }
            guard ZSTD_isError(result) == 0 else { return false }
            if count > 0 {
                try output.withUnsafeBytes {
                    try sink(UnsafeRawBufferPointer(rebasing: $0[..<count]))
                }
            }
            if result == 0 { isComplete = true }
            // A full output buffer may leave more behind even when all input is taken.
            if input.pos == input.size, count < capacity, !isComplete { return true }
        }
    }
}
