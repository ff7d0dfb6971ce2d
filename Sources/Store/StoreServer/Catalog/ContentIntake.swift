import Foundation
import StoreCore
import StoreDelivery
import StoreModel
import StorePackage

extension Store {
    /// So many earlier versions are looked into for chunks that a new one has too.
    private static let knownVersions = 16

    /// Checks a package and makes the delivery that devices fetch.
    ///
    /// The bytes are in the content store afterwards; whether a product gets them is
    /// decided by who writes the release into the catalog.
    ///
    /// - Parameters:
    ///   - earlier: releases of the product, whose blobs are used again.
    ///   - progress: hears of the bytes of each piece, and ends the work by an error.
    /// - Returns: what the package says about itself, and the release, ready to submit.
    /// - Throws: `PackageError` with everything that is wrong with the package.
    package func accept(
        package file: URL, after earlier: [ContentRelease] = [],
        progress: (Int) throws -> Void = { _ in }
    ) throws -> (info: ContentInfo, release: ContentRelease) {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let blob = folder.appendingPathComponent("blob")
        let writer = try DeliveryWriter(blob: blob, known: knownChunks(of: earlier))
        let summary = try PackageReader(file: file).read { entry, contents in
            switch entry.kind {
            case .file:
                try writer.addFile(entry.path) { add in
                    try contents.forEachPiece { piece in
                        try progress(piece.count)
                        try add(piece)
                    }
                }
            case .directory: writer.addDirectory(entry.path)
            case .link(let target): writer.addLink(entry.path, target: target)
            }
        }
        let delivery = try writer.finish(
            contentIdentifier: summary.info.productID, version: summary.info.version)
        if let digest = delivery.newBlob { try content.store(file: blob, digest: digest) }
        let manifestFile = folder.appendingPathComponent("manifest")
        try delivery.encodedManifest.write(to: manifestFile)
        try content.store(file: manifestFile, digest: delivery.manifestDigest)
        let release = ContentRelease(
            version: summary.info.version, manifestDigest: delivery.manifestDigest,
            manifestLength: Int64(delivery.encodedManifest.count),
            blobs: delivery.manifest.blobs.map {
                ContentBlob(digest: $0.digest, length: $0.length)
            },
            downloadLength: delivery.downloadLength,
            unpackedLength: delivery.manifest.unpackedLength, state: .readyToSubmit)
        return (summary.info, release)
    }

    /// The chunks of earlier releases, the newest first. A manifest that can't be read is
    /// passed over: its chunks are stored again.
    private func knownChunks(of releases: [ContentRelease]) -> KnownChunks {
        let newest = releases.filter { !$0.isRetired }.sorted { $0.version > $1.version }
        return KnownChunks(
            manifests: newest.prefix(Self.knownVersions).compactMap { release in
                guard let open = try? content.open(release.manifestDigest) else { return nil }
                let handle = FileHandle(fileDescriptor: open.descriptor, closeOnDealloc: true)
                guard let data = try? handle.readToEnd() else { return nil }
                return try? DeliveryManifest(encoded: data)
            })
    }
}
