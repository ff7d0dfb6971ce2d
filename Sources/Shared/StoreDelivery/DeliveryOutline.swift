import Foundation
import StoreModel

/// A manifest as it is stored and fetched: without the tables of its blobs.
package struct DeliveryOutline: Sendable {
    /// The number of this layout.
    package static let currentFormat = 2
    /// An outline that unpacks to more bytes is refused.
    package static let sizeLimit = 128 << 20
    /// No disk holds a blob of more bytes.
    private static let blobLimit: Int64 = 1 << 48
    /// All tables together, which a device has in memory while it makes a manifest of them.
    private static let tablesLimit: Int64 = 1 << 30

    private let stored: StoredManifest

    /// - Throws: `DeliveryError.manifest`.
    package init(encoded data: Data) throws {
        stored = try decompressed(data, "it", limit: Self.sizeLimit)
        guard stored.format == Self.currentFormat else {
            throw DeliveryError.manifest("it has the unknown format \(stored.format)")
        }
        var left = Self.tablesLimit
        for blob in stored.blobs {
            guard blob.tableLength > 0, blob.tableLength <= blob.length,
                blob.length <= Self.blobLimit
            else { throw DeliveryError.manifest("the table of a blob lies outside of it") }
            // Counted down: a sum of what comes from outside might not fit.
            left -= blob.tableLength
            guard left >= 0 else {
                throw DeliveryError.manifest(
                    "the tables of its blobs have more than \(Self.tablesLimit) bytes")
            }
        }
    }

    /// The product that the content belongs to.
    package var contentIdentifier: ProductID { stored.contentIdentifier }
    package var version: ContentVersion { stored.version }
    /// The blobs whose tables it takes to make a manifest of it.
    package var blobs: [BlobReference] { stored.blobs }

    /// Files, folders and links, without the tables that say where their bytes lie.
    ///
    /// - Throws: `DeliveryError.manifest`.
    package func entries() throws -> [DeliveryManifest.Entry] {
        try stored.entries.map { try $0.entry() }
    }

    /// The manifest, once all its parts agree with one another.
    ///
    /// - Parameter tables: the bytes of the table of each blob, as often as they are given.
    /// - Throws: `DeliveryError.manifest`.
    package func manifest(tables: (BlobReference) throws -> Data) throws -> DeliveryManifest {
        let blobs = try stored.blobs.map { reference in
            try DeliveryManifest.Blob(reference: reference, table: try tables(reference))
        }
        let manifest = DeliveryManifest(
            contentIdentifier: stored.contentIdentifier, version: stored.version, blobs: blobs,
            entries: try stored.entries.map { try $0.entry() })
        try manifest.checkStructure()
        return manifest
    }
}

extension DeliveryManifest {
    /// The bytes that the manifest's digest is made of: JSON with sorted keys, compressed
    /// with zstd. The same manifest always gives the same bytes.
    package func encoded() throws -> Data {
        try compressed(StoredManifest(self))
    }
}

/// What is written down.
private struct StoredManifest: Codable, Sendable {
    struct Entry: Codable, Sendable {
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
        /// Absent where it is not.
        var executable: Bool?
    }

    var format: Int
    var contentIdentifier: ProductID
    var version: ContentVersion
    var blobs: [BlobReference]
    var entries: [Entry]

    init(_ manifest: DeliveryManifest) {
        format = DeliveryOutline.currentFormat
        contentIdentifier = manifest.contentIdentifier
        version = manifest.version
        blobs = manifest.blobs.map(\.reference)
        entries = manifest.entries.map { entry in
            switch entry.kind {
            case .directory: Entry(path: entry.path, kind: .directory)
            case .link(let target): Entry(path: entry.path, kind: .link, target: target)
            case .file(let length, let digest, let chunks):
                Entry(
                    path: entry.path, kind: .file, length: length, digest: digest,
                    chunks: chunks.flatMap { [$0.lowerBound, $0.count] },
                    executable: entry.isExecutable ? true : nil)
            }
        }
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
                path: path, kind: .file(length: length, digest: digest, chunks: ranges),
                isExecutable: executable ?? false)
        }
    }
}
