import Foundation
import StoreModel
import StoreSecurity

/// What an unpacked piece of content consists of, and where its bytes lie in the blob.
///
/// Manifest and blob are immutable and named by their digests.
package struct DeliveryManifest: Codable, Sendable, Hashable {
    /// A piece of a file: `length` compressed bytes of the blob from `offset` on, which
    /// unpack to `unpackedLength` bytes with this digest.
    package struct Chunk: Codable, Sendable, Hashable {
        package var offset: Int64
        package var length: Int64
        package var unpackedLength: Int64
        package var digest: ContentDigest

        package init(offset: Int64, length: Int64, unpackedLength: Int64, digest: ContentDigest) {
            self.offset = offset
            self.length = length
            self.unpackedLength = unpackedLength
            self.digest = digest
        }
    }

    package struct Entry: Codable, Sendable, Hashable {
        package enum Kind: String, Codable, Sendable {
            case file
            case directory
            case link
        }

        package var path: ContentPath
        package var kind: Kind
        /// For files: all bytes of it, and their digest.
        package var length: Int64?
        package var digest: ContentDigest?
        /// For files: the chunks in order; none for an empty file.
        package var chunks: [Chunk]?
        /// For links: where they lead.
        package var target: String?
    }

    /// The number of this layout.
    package static let currentFormat = 1

    package var format: Int
    package var contentIdentifier: ProductID
    package var version: ContentVersion
    package var blobDigest: ContentDigest
    package var blobLength: Int64
    package var entries: [Entry]

    /// Bytes of all files together.
    package var unpackedLength: Int64 { entries.reduce(0) { $0 + ($1.length ?? 0) } }

    /// The JSON that the manifest's digest is made of: keys sorted, nothing between.
    package func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// Reads a manifest and checks that its parts agree with one another.
    ///
    /// - Throws: `DeliveryError.manifest`.
    package init(encoded data: Data) throws {
        do {
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch {
            throw DeliveryError.manifest("it is not a manifest: \(error)")
        }
        guard format == Self.currentFormat else {
            throw DeliveryError.manifest("it has the unknown format \(format)")
        }
        try checkStructure()
    }

    init(
        contentIdentifier: ProductID, version: ContentVersion, blobDigest: ContentDigest,
        blobLength: Int64, entries: [Entry]
    ) {
        self.format = Self.currentFormat
        self.contentIdentifier = contentIdentifier
        self.version = version
        self.blobDigest = blobDigest
        self.blobLength = blobLength
        self.entries = entries
    }

    private func checkStructure() throws {
        guard blobLength >= 0 else {
            throw DeliveryError.manifest("the length of its blob is negative")
        }
        var kinds: [ContentPath: Entry.Kind] = [:]
        var unpacked: Int64 = 0
        for entry in entries {
            guard kinds.updateValue(entry.kind, forKey: entry.path) == nil else {
                throw DeliveryError.manifest("\(entry.path) occurs twice")
            }
            switch entry.kind {
            case .directory: break
            case .link:
                guard let target = entry.target, entry.path.resolving(link: target) != nil else {
                    throw DeliveryError.manifest("the link \(entry.path) leads out of the content")
                }
            case .file:
                guard let length = entry.length, length >= 0, entry.digest != nil,
                    let chunks = entry.chunks
                else { throw DeliveryError.manifest("\(entry.path) lacks its length or digest") }
                try check(chunks, of: entry.path, length: length)
                let (sum, overflow) = unpacked.addingReportingOverflow(length)
                guard !overflow else {
                    throw DeliveryError.manifest("its files are larger than any disk")
                }
                unpacked = sum
            }
        }
        // What lies below a link would land where the link leads.
        var folders: Set<ContentPath> = []
        for entry in entries {
            var folder = entry.path.parent
            while let path = folder, folders.insert(path).inserted {
                guard kinds[path] ?? .directory == .directory else {
                    throw DeliveryError.manifest("\(entry.path) lies below a \(kinds[path]!)")
                }
                folder = path.parent
            }
        }
    }

    private func check(_ chunks: [Chunk], of path: ContentPath, length: Int64) throws {
        var total: Int64 = 0
        for chunk in chunks {
            guard chunk.offset >= 0, chunk.length > 0, chunk.unpackedLength > 0,
                chunk.offset <= blobLength, chunk.length <= blobLength - chunk.offset,
                chunk.unpackedLength <= length - total
            else { throw DeliveryError.manifest("a chunk of \(path) lies outside of the blob") }
            total += chunk.unpackedLength
        }
        guard total == length else {
            throw DeliveryError.manifest("the chunks of \(path) don't add up to its length")
        }
    }
}

/// Content that can't be made or put together.
package enum DeliveryError: Error, Sendable, CustomStringConvertible {
    /// The manifest is not one, or its parts disagree.
    case manifest(String)
    /// The bytes of the blob from this offset on are not those of the manifest.
    case damaged(path: String, offset: Int64)
    /// A file could not be written or read.
    case file(path: String, reason: String)
    /// libzstd refused to compress.
    case compression(String)

    package var description: String {
        switch self {
        case .manifest(let reason): "The manifest of the content is wrong: \(reason)."
        case .damaged(let path, let offset):
            "\(path) was damaged on its way, from byte \(offset) of the download on."
        case .file(let path, let reason): "\(path) can't be written: \(reason)."
        case .compression(let reason): "The content could not be compressed: \(reason)."
        }
    }
}
