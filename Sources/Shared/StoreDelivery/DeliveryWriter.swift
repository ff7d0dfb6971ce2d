import Foundation
import StoreModel
import StoreSecurity

/// Makes a delivery, a manifest and a blob of new chunks, from entries that arrive in order.
///
/// The same content after the same earlier versions always gives the same bytes. Memory does
/// not grow with the content but for the list of chunks. Not for use by two threads at once.
package final class DeliveryWriter {
    /// So many bytes are cut before their chunks are compressed, on all processors.
    private static let batchLength = 2 << 20

    private let cutter: ContentCutter
    private let output: BlobFile
    private let known: KnownChunks
    private let chunks: ChunkBatch
    private var entries: [DeliveryManifest.Entry] = []
    /// The chunks of each entry, by their number in `chunks`.
    private var parts: [[Int]] = []
    private let buffer: UnsafeMutableRawBufferPointer
    private var filled = 0
    private var cut = 0

    /// - Parameters:
    ///   - blob: where new chunks are written; a file there is replaced.
    ///   - known: what earlier versions have already.
    ///   - level: zstd's, 1 (fast) to 19 (small).
    package init(
        blob: URL, known: KnownChunks = KnownChunks(), cutter: ContentCutter = .standard,
        level: Int32 = 6
    ) throws {
        self.cutter = cutter
        self.known = known
        output = try BlobFile(file: blob)
        chunks = ChunkBatch(
            level: level, workers: ProcessInfo.processInfo.activeProcessorCount)
        buffer = .allocate(byteCount: Self.batchLength + cutter.maximum, alignment: 16)
    }

    deinit {
        buffer.deallocate()
    }

    package func addDirectory(_ path: ContentPath) {
        add(path, .directory)
    }

    package func addLink(_ path: ContentPath, target: String) {
        add(path, .link(target: target))
    }

    /// Adds a file whose bytes `pieces` hands over one after the other.
    package func addFile(
        _ path: ContentPath, isExecutable: Bool = false,
        pieces: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws {
        let digest = SHA256Digest()
        var length: Int64 = 0
        let number = entries.count
        add(path, .directory)
        try pieces { piece in
            digest.update(piece)
            length += Int64(piece.count)
            try take(piece, of: number)
        }
        try cutRest(of: number)
        let sum = ContentDigest(SHA256Digest.hexadecimal(digest.finish()))!
        entries[number].kind = .file(length: length, digest: sum, chunks: [])
        entries[number].isExecutable = isExecutable
    }

    /// Ends the blob, on disk, and gives what was made.
    package func finish(contentIdentifier: ProductID, version: ContentVersion) throws -> Delivery {
        try flush()
        chunks.forgetDigests()
        let fresh = chunks.locations.compactMap { $0.blob == nil ? $0.chunk : nil }
        let new = try output.finish(fresh)
        let order = ChunkOrder(chunks.locations, known: known.blobs, new: new, chunks: fresh)
        for index in entries.indices {
            guard case .file(let length, let digest, _) = entries[index].kind else { continue }
            entries[index].kind = .file(
                length: length, digest: digest, chunks: order.ranges(of: parts[index]))
        }
        let manifest = DeliveryManifest(
            contentIdentifier: contentIdentifier, version: version, blobs: order.blobs,
            entries: entries)
        let encoded = try manifest.encoded()
        return Delivery(
            manifest: manifest, encodedManifest: encoded,
            manifestDigest: ContentDigest(SHA256Digest.hex(encoded))!, newBlob: new?.digest)
    }

    private func add(_ path: ContentPath, _ kind: DeliveryManifest.Entry.Kind) {
        entries.append(DeliveryManifest.Entry(path: path, kind: kind))
        parts.append([])
    }

    private func take(_ piece: UnsafeRawBufferPointer, of entry: Int) throws {
        var rest = piece
        while !rest.isEmpty {
            let count = min(rest.count, buffer.count - filled)
            UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
            filled += count
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            while filled - cut >= cutter.maximum { cutChunk(of: entry) }
            if filled == buffer.count { try flush() }
        }
    }

    private func cutRest(of entry: Int) throws {
        while cut < filled { cutChunk(of: entry) }
    }

    private func cutChunk(of entry: Int) {
        let length = cutter.firstChunk(
            of: UnsafeRawBufferPointer(rebasing: buffer[cut..<filled]))
        chunks.add(cut..<cut + length, of: entry)
        cut += length
    }

    /// Compresses and writes what was cut, and makes room.
    private func flush() throws {
        try chunks.process(
            UnsafeRawBufferPointer(buffer), known: known, into: output
        ) { number, entry in
            parts[entry].append(number)
        }
        let rest = filled - cut
        if rest > 0 {
            // The places may overlap.
            memmove(buffer.baseAddress!, buffer.baseAddress! + cut, rest)
        }
        filled = rest
        cut = 0
    }
}

/// A version of content as devices fetch it.
package struct Delivery: Sendable {
    package let manifest: DeliveryManifest
    /// The bytes of the manifest, which its digest is made of.
    package let encodedManifest: Data
    package let manifestDigest: ContentDigest
    /// The blob that was written; nil where no chunk is new, and the file is empty.
    package let newBlob: ContentDigest?

    /// Bytes that a device fetches which has none of it.
    package var downloadLength: Int64 {
        Int64(encodedManifest.count) + manifest.tablesLength + manifest.chunksLength
    }
}
