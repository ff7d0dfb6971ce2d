import Foundation
import StoreModel

/// What an unpacked version of content consists of, and where its bytes lie.
///
/// The bytes are chunks, compressed one by one, in blobs. A version's new chunks make one
/// blob; those that an earlier version had already stay in that one's. A table at the end
/// of each blob says what it holds, so a device that has the blob's table from an earlier
/// version does not fetch it again. Manifest and blobs are immutable and named by their
/// digests.
package struct DeliveryManifest: Sendable, Hashable {
    /// `length` compressed bytes of a blob from `offset` on, which unpack to
    /// `unpackedLength` bytes with this digest.
    package struct Chunk: Sendable, Hashable {
        package var digest: ChunkDigest
        package var offset: Int64
        package var length: Int
        package var unpackedLength: Int
    }

    /// A blob and all its chunks, by offset; a version may need some of them only.
    package struct Blob: Sendable, Hashable {
        package var reference: BlobReference
        package var chunks: [Chunk]

        package var digest: ContentDigest { reference.digest }

        /// - Parameter table: its bytes, as they lie at the blob's end.
        /// - Throws: `DeliveryError.manifest`.
        package init(reference: BlobReference, table: Data) throws {
            self.init(
                reference: reference,
                chunks: try ChunkTable.chunks(
                    encoded: table, space: reference.table.lowerBound))
        }

        package init(reference: BlobReference, chunks: [Chunk]) {
            self.reference = reference
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
        /// Whether it is a program: files of apps only, never of content.
        package var isExecutable = false
    }

    /// No chunk unpacks to more bytes.
    package static let largestChunk = 1 << 20

    package var contentIdentifier: ProductID
    package var version: ContentVersion
    package var blobs: [Blob]
    package var entries: [Entry]

    /// Bytes of all files together.
    package var unpackedLength: Int64 {
        entries.reduce(0) { sum, entry in
            guard case .file(let length, _, _) = entry.kind else { return sum }
            return sum + length
        }
    }

    /// For each chunk of all blobs whether a file consists of it.
    package var isNeeded: [Bool] {
        var needed = [Bool](repeating: false, count: blobs.reduce(0) { $0 + $1.chunks.count })
        for entry in entries {
            guard case .file(_, _, let ranges) = entry.kind else { continue }
            for chunk in ranges.joined() { needed[chunk] = true }
        }
        return needed
    }

    /// Bytes, as they lie in the blobs, of all chunks that files consist of.
    package var chunksLength: Int64 {
        zip(blobs.flatMap(\.chunks), isNeeded).reduce(0) { sum, chunk in
            chunk.1 ? sum + Int64(chunk.0.length) : sum
        }
    }

    /// Bytes of the tables of all blobs.
    package var tablesLength: Int64 { blobs.reduce(0) { $0 + $1.reference.tableLength } }
}

/// A blob as a manifest names it.
package struct BlobReference: Codable, Sendable, Hashable {
    package var digest: ContentDigest
    /// Bytes, the table included.
    package var length: Int64
    /// Bytes of the table at the end.
    package var tableLength: Int64
    /// The SHA-256 of the table's bytes.
    package var tableDigest: ContentDigest

    /// Where the table lies.
    package var table: Range<Int64> { length - tableLength..<length }
}
