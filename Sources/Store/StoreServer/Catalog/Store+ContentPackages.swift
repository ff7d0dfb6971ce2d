import Foundation
import StoreCore
import StoreDelivery
import StoreModel
import StorePackage

extension Store {
    /// A version takes chunks from so many blobs of earlier ones.
    private static let knownBlobs = 24

    /// Checks a package and makes the delivery that devices fetch.
    ///
    /// The bytes are in the content store afterwards; whether a product gets them is
    /// decided by who writes the release into the catalog.
    ///
    /// - Parameters:
    ///   - earlier: releases of the product, whose blobs are used again.
    ///   - expectation: what the package has to be beyond being a good one.
    ///   - progress: hears how many bytes of the package were read.
    ///   - proceed: ends the work by an error.
    /// - Returns: what the package says about itself, and the release, ready to submit.
    /// - Throws: `UploadStoreError` where the disk has no room; `PackageError` with everything that is wrong with the package.
    package func accept(
        package file: URL, after earlier: [ContentRelease] = [],
        expecting expectation: PackageExpectation = PackageExpectation(),
        progress: @escaping (Int64) -> Void = { _ in }, proceed: () throws -> Void = {}
    ) throws -> (info: ContentInfo, release: ContentRelease) {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let blob = folder.appendingPathComponent("blob")
        let writer = try DeliveryWriter(
            blob: blob,
            known: knownChunks(of: earlier.filter { !$0.isRetired }.map(\.manifestDigest)))
        let summary = try PackageReader(file: file, expectation: expectation).read(
            progress: { done, _ in progress(done) }
        ) { entry, contents in
            switch entry.kind {
            case .file:
                try writer.addFile(entry.path) { add in
                    try contents.forEachPiece { piece in
                        try proceed()
                        try room.require(piece.count, in: folder)
                        try add(piece)
                    }
                }
            case .directory: writer.addDirectory(entry.path)
            case .link(let target): writer.addLink(entry.path, target: target)
            }
        }
        let delivery = try writer.finish(
            contentIdentifier: summary.info.productID, version: summary.info.version)
        try store(delivery, blob: blob, in: folder, proceed: proceed)
        let release = ContentRelease(
            version: summary.info.version, manifestDigest: delivery.manifestDigest,
            manifestLength: Int64(delivery.encodedManifest.count), blobs: delivery.contentBlobs,
            downloadLength: delivery.downloadLength,
            unpackedLength: delivery.manifest.unpackedLength, state: .readyToSubmit)
        return (summary.info, release)
    }

    /// Brings a delivery's new blob and its manifest into the content store.
    func store(_ delivery: Delivery, blob: URL, in folder: URL, proceed: () throws -> Void) throws {
        if let digest = delivery.newBlob {
            try content.store(file: blob, digest: digest, proceed: proceed)
        }
        let manifestFile = folder.appendingPathComponent("manifest")
        try delivery.encodedManifest.write(to: manifestFile)
        try content.store(file: manifestFile, digest: delivery.manifestDigest)
    }

    /// Whether two releases hold the same files and links, however their bytes are stored.
    package func isSameContent(_ one: ContentRelease, _ other: ContentRelease) -> Bool {
        if one.manifestDigest == other.manifestDigest { return true }
        guard let left = try? manifest(one.manifestDigest),
            let right = try? manifest(other.manifestDigest)
        else { return false }
        func contents(_ manifest: DeliveryManifest) -> [DeliveryManifest.Entry] {
            manifest.entries.map { entry in
                guard case .file(let length, let digest, _) = entry.kind else { return entry }
                var plain = entry
                plain.kind = .file(length: length, digest: digest, chunks: [])
                return plain
            }.sorted { $0.path < $1.path }
        }
        return contents(left) == contents(right)
    }

    /// The chunks of the largest blobs of earlier versions. Those of the others are stored
    /// again: each blob costs a request and a place in every permission to download.
    func knownChunks(of manifests: [ContentDigest]) -> KnownChunks {
        var references: [ContentDigest: BlobReference] = [:]
        for manifest in manifests {
            guard let data = try? bytes(of: manifest),
                let outline = try? DeliveryOutline(encoded: data)
            else { continue }
            for blob in outline.blobs { references[blob.digest] = blob }
        }
        let largest = references.values.sorted { one, other in
            (other.length, one.digest.text) < (one.length, other.digest.text)
        }
        // One that lacks its bytes is passed over.
        return KnownChunks(
            blobs: largest.prefix(Self.knownBlobs).compactMap { blob in
                guard let table = try? bytes(of: blob.digest, blob.table) else { return nil }
                return try? DeliveryManifest.Blob(reference: blob, table: table)
            })
    }

    private func manifest(_ digest: ContentDigest) throws -> DeliveryManifest {
        let outline = try DeliveryOutline(encoded: try bytes(of: digest))
        return try outline.manifest { try bytes(of: $0.digest, $0.table) }
    }

    /// Some bytes of content, or all; none where it is not there.
    private func bytes(of digest: ContentDigest, _ range: Range<Int64>? = nil) throws -> Data {
        let wanted = range.map { UInt64($0.lowerBound)..<UInt64($0.upperBound) }
        let found = try content.open(digest) { wanted?.clamped(to: 0..<$0) ?? 0..<$0 }
        guard let open = found else { return Data() }
        let handle = FileHandle(fileDescriptor: open.descriptor, closeOnDealloc: true)
        guard let range, let wanted else { return try handle.readToEnd() ?? Data() }
        try handle.seek(toOffset: wanted.lowerBound - min(open.origin, wanted.lowerBound))
        return try handle.read(upToCount: range.count) ?? Data()
    }
}

extension Delivery {
    /// Where its chunks lie.
    var contentBlobs: [ContentBlob] {
        manifest.blobs.map { ContentBlob(digest: $0.digest, length: $0.reference.length) }
    }
}
