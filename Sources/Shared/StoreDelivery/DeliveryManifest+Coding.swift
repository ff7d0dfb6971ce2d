import Foundation
import StoreModel

extension DeliveryManifest {
    /// The number of this layout.
    package static let currentFormat = 2
    /// A manifest that unpacks to more bytes is refused.
    package static let sizeLimit = 128 << 20

    /// The bytes that the manifest's digest is made of: JSON with sorted keys, compressed
    /// with zstd. The same manifest always gives the same bytes.
    package func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let plain = try encoder.encode(StoredManifest(self))
        return try plain.withUnsafeBytes { bytes in
            try ChunkCompressor(level: 12).compress(bytes) { Data($0) }
        }
    }

    /// Reads a manifest and checks that its parts agree with one another.
    ///
    /// - Throws: `DeliveryError.manifest`.
    package init(encoded data: Data) throws {
        let plain = try data.withUnsafeBytes { bytes in
            try unpacked(bytes, limit: Self.sizeLimit)
        }
        let stored: StoredManifest
        do {
            stored = try JSONDecoder().decode(StoredManifest.self, from: plain)
        } catch {
            throw DeliveryError.manifest("it is not a manifest: \(error)")
        }
        guard stored.format == Self.currentFormat else {
            throw DeliveryError.manifest("it has the unknown format \(stored.format)")
        }
        self = try stored.manifest()
        try checkStructure()
    }
}

/// A manifest as it is written down: what numbers chunks share is a list for all of them.
private struct StoredManifest: Codable {
    struct Chunks: Codable {
        /// 16 bytes for each.
        var digests: Data
        /// Bytes of the blob between the chunk before, or the start, and this one.
        var skips: [Int64]
        var lengths: [Int]
        var unpackedLengths: [Int]
    }

    struct Blob: Codable {
        var digest: ContentDigest
        var length: Int64
        var chunks: Chunks
    }

    struct Entry: Codable {
        enum Kind: String, Codable {
            case file
            case directory
            case link
        }

        var path: ContentPath
        var kind: Kind
        var length: Int64?
        var digest: ContentDigest?
        /// First chunk and number of chunks, in turn.
        var chunks: [Int]?
        var target: String?
    }

    var format: Int
    var contentIdentifier: ProductID
    var version: ContentVersion
    var blobs: [Blob]
    var entries: [Entry]

    init(_ manifest: DeliveryManifest) {
        format = DeliveryManifest.currentFormat
        contentIdentifier = manifest.contentIdentifier
        version = manifest.version
        blobs = manifest.blobs.map { blob in
            var chunks = Chunks(digests: Data(), skips: [], lengths: [], unpackedLengths: [])
            var end: Int64 = 0
            for chunk in blob.chunks {
                chunk.digest.append(to: &chunks.digests)
                chunks.skips.append(chunk.offset - end)
                chunks.lengths.append(chunk.length)
                chunks.unpackedLengths.append(chunk.unpackedLength)
                end = chunk.offset + Int64(chunk.length)
            }
            return Blob(digest: blob.digest, length: blob.length, chunks: chunks)
        }
        entries = manifest.entries.map { entry in
            switch entry.kind {
            case .directory: Entry(path: entry.path, kind: .directory)
            case .link(let target): Entry(path: entry.path, kind: .link, target: target)
            case .file(let length, let digest, let chunks):
                Entry(
                    path: entry.path, kind: .file, length: length, digest: digest,
                    chunks: chunks.flatMap { [$0.lowerBound, $0.count] })
            }
        }
    }

    func manifest() throws -> DeliveryManifest {
        DeliveryManifest(
            contentIdentifier: contentIdentifier, version: version,
            blobs: try blobs.map { try $0.blob() }, entries: try entries.map { try $0.entry() })
    }
}

extension StoredManifest.Blob {
    fileprivate func blob() throws -> DeliveryManifest.Blob {
        let count = chunks.lengths.count
        guard chunks.skips.count == count, chunks.unpackedLengths.count == count,
            chunks.digests.count == count * ChunkDigest.length
        else { throw DeliveryError.manifest("a blob does not say as much of each chunk") }
        var list: [DeliveryManifest.Chunk] = []
        list.reserveCapacity(count)
        var end: Int64 = 0
        try chunks.digests.withUnsafeBytes { digests in
            for index in 0..<count {
                let (offset, isTooFar) = end.addingReportingOverflow(chunks.skips[index])
                let (next, isTooLong) = offset.addingReportingOverflow(
                    Int64(chunks.lengths[index]))
                guard !isTooFar, !isTooLong, chunks.skips[index] >= 0 else {
                    throw DeliveryError.manifest("a chunk lies outside of its blob")
                }
                let start = index * ChunkDigest.length
                list.append(
                    DeliveryManifest.Chunk(
                        digest: ChunkDigest(
                            stored: UnsafeRawBufferPointer(
                                rebasing: digests[start..<start + ChunkDigest.length])),
                        offset: offset, length: chunks.lengths[index],
                        unpackedLength: chunks.unpackedLengths[index]))
                end = next
            }
        }
        return DeliveryManifest.Blob(digest: digest, length: length, chunks: list)
    }
}

extension StoredManifest.Entry {
    fileprivate func entry() throws -> DeliveryManifest.Entry {
        switch kind {
        case .directory:
            return DeliveryManifest.Entry(path: path, kind: .directory)
        case .link:
            guard let target else {
                throw DeliveryError.manifest("the link \(path) leads nowhere")
            }
            return DeliveryManifest.Entry(path: path, kind: .link(target: target))
        case .file:
            guard let length, let digest, let chunks, chunks.count % 2 == 0 else {
                throw DeliveryError.manifest("\(path) lacks its length, digest or chunks")
            }
            let ranges = try stride(from: 0, to: chunks.count, by: 2).map { index in
                let (first, count) = (chunks[index], chunks[index + 1])
                let (end, isTooFar) = first.addingReportingOverflow(count)
                guard first >= 0, count > 0, !isTooFar else {
                    throw DeliveryError.manifest("\(path) consists of chunks that there are not")
                }
                return first..<end
            }
            return DeliveryManifest.Entry(
                path: path, kind: .file(length: length, digest: digest, chunks: ranges))
        }
    }
}
