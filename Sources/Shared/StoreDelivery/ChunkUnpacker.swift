/// Unpacks chunks and compares them with their digests. Not for two threads at once.
package final class ChunkUnpacker {
    private let decompressor = ChunkDecompressor()

    package init() {}

    /// Calls `body` with the bytes of the chunk; with nil where these are not its bytes.
    func unpack<Result>(
        _ frame: UnsafeRawBufferPointer, as chunk: DeliveryManifest.Chunk,
        _ body: (UnsafeRawBufferPointer?) throws -> Result
    ) rethrows -> Result {
        try decompressor.decompress(frame, length: chunk.unpackedLength) { bytes in
            guard let bytes, ChunkDigest(of: bytes) == chunk.digest else { return try body(nil) }
            return try body(bytes)
        }
    }
}
