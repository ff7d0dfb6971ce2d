import Foundation
import StoreModel

/// What an unpacked version of content consists of, and where its bytes lie.
///
/// The bytes are chunks, compressed one by one, in blobs. A version's new chunks make one
/// blob; those that an earlier version had already stay in that one's. Manifest and blobs
/// are immutable and named by their digests.
package struct DeliveryManifest: Sendable, Hashable {
    /// `length` compressed bytes of a blob from `offset` on, which unpack to
    /// `unpackedLength` bytes with this digest.
    package struct Chunk: Sendable, Hashable {
        package var digest: ChunkDigest
        package var offset: Int64
        package var length: Int
        package var unpackedLength: Int

        package init(digest: ChunkDigest, offset: Int64, length: Int, unpackedLength: Int) {
            self.digest = digest
            self.offset = offset
            self.length = length
            self.unpackedLength = unpackedLength
        }
    }

    /// A blob, and its chunks that this version consists of, by offset.
    package struct Blob: Sendable, Hashable {
        package var digest: ContentDigest
        package var length: Int64
        package var chunks: [Chunk]

        package init(digest: ContentDigest, length: Int64, chunks: [Chunk]) {
            self.digest = digest
            self.length = length
            self.chunks = chunks
        }
    }

    package struct Entry: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            /// All bytes, their SHA-256, and the chunks that they are, in order: ranges of
            /// the chunks of all blobs, counted through.
            case file(length: Int64, digest: ContentDigest, chunks: [Range<Int>])
            case directory
            /// A symbolic link and where it leads.
            case link(target: String)
        }

        package var path: ContentPath
        package var kind: Kind

        package init(path: ContentPath, kind: Kind) {
            self.path = path
            self.kind = kind
        }
    }

    /// No chunk unpacks to more bytes.
    package static let largestChunk = 1 << 20

    package var contentIdentifier: ProductID
    package var version: ContentVersion
    package var blobs: [Blob]
    package var entries: [Entry]

    package init(
        contentIdentifier: ProductID, version: ContentVersion, blobs: [Blob], entries: [Entry]
    ) {
        self.contentIdentifier = contentIdentifier
        self.version = version
        self.blobs = blobs
        self.entries = entries
    }

    /// Bytes of all files together.
    package var unpackedLength: Int64 {
        entries.reduce(0) { sum, entry in
            guard case .file(let length, _, _) = entry.kind else { return sum }
            return sum + length
        }
    }

    /// Bytes of all chunks as they lie in the blobs.
    package var chunksLength: Int64 {
        blobs.reduce(0) { sum, blob in blob.chunks.reduce(sum) { $0 + Int64($1.length) } }
    }

    package var chunkCount: Int { blobs.reduce(0) { $0 + $1.chunks.count } }
}
