/// Unpacks chunks of one assembly, compares them with their digests, and writes them. Not for
/// two threads at once: each thread has its own.
package final class ChunkUnpacker {
    private let decompressor = ChunkDecompressor()
    let files = OpenFiles()

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
