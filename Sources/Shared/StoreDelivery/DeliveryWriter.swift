import Foundation
import StoreModel
import StoreSecurity

/// Makes a delivery, manifest and blob, from entries that arrive in order.
///
/// Each file becomes one chunk.
package final class DeliveryWriter {
    private let handle: FileHandle
    private let level: Int32
    private let blobDigest = SHA256Digest()
    private var blobLength: Int64 = 0
    private var entries: [DeliveryManifest.Entry] = []

    /// - Parameters:
    ///   - blob: where the blob is written; a file there is replaced.
    ///   - level: zstd's, 1 (fast) to 19 (small).
    package init(blob: URL, level: Int32 = 6) throws {
        guard FileManager.default.createFile(atPath: blob.path, contents: nil) else {
            throw DeliveryError.file(
                path: blob.path, reason: String(cString: strerror(errno)))
        }
        self.handle = try FileHandle(forWritingTo: blob)
        self.level = level
    }

    deinit {
        try? handle.close()
    }

    package func addDirectory(_ path: ContentPath) {
        entries.append(DeliveryManifest.Entry(path: path, kind: .directory))
    }

    package func addLink(_ path: ContentPath, target: String) {
        entries.append(DeliveryManifest.Entry(path: path, kind: .link, target: target))
    }

    /// Adds a file whose bytes `pieces` hands over one after the other.
    package func addFile(
        _ path: ContentPath, pieces: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws {
        let compressor = ZstdCompressor(level: level)
        let digest = SHA256Digest()
        let offset = blobLength
        var length: Int64 = 0
        try pieces { piece in
            digest.update(piece)
            length += Int64(piece.count)
            try compressor.compress(piece, isLast: false, into: append)
        }
        let sum = ContentDigest(SHA256Digest.hexadecimal(digest.finish()))!
        var chunks: [DeliveryManifest.Chunk] = []
        if length > 0 {
            try compressor.compress(
                UnsafeRawBufferPointer(start: nil, count: 0), isLast: true, into: append)
            chunks.append(
                DeliveryManifest.Chunk(
                    offset: offset, length: blobLength - offset, unpackedLength: length,
                    digest: sum))
        }
        entries.append(
            DeliveryManifest.Entry(
                path: path, kind: .file, length: length, digest: sum, chunks: chunks))
    }

    /// Ends the blob, on disk, and gives the manifest.
    package func finish(
        contentIdentifier: ProductID, version: ContentVersion
    ) throws -> DeliveryManifest {
        try handle.synchronize()
        try handle.close()
        return DeliveryManifest(
            contentIdentifier: contentIdentifier, version: version,
            blobDigest: ContentDigest(SHA256Digest.hexadecimal(blobDigest.finish()))!,
            blobLength: blobLength, entries: entries)
    }

    private func append(_ bytes: UnsafeRawBufferPointer) throws {
        blobDigest.update(bytes)
        try handle.write(contentsOf: Data(bytes))
        blobLength += Int64(bytes.count)
    }
}
