import Foundation
import StoreCore
import StoreDelivery
import StoreModel
import StorePackage
import StoreSecurity

extension Store {
    /// Checks a package and makes the delivery that devices fetch.
    ///
    /// The bytes are in the content store afterwards; whether a product gets them is
    /// decided by who writes the release into the catalog.
    ///
    /// - Parameter progress: hears of the bytes of each piece, and ends the work by an error.
    /// - Returns: what the package says about itself, and the release, ready to submit.
    /// - Throws: `PackageError` with everything that is wrong with the package.
    package func accept(
        package file: URL, progress: (Int) throws -> Void = { _ in }
    ) throws -> (info: ContentInfo, release: ContentRelease) {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let blob = folder.appendingPathComponent("blob")
        let writer = try DeliveryWriter(blob: blob)
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
        let manifest = try writer.finish(
            contentIdentifier: summary.info.productID, version: summary.info.version)
        let encoded = try manifest.encoded()
        let manifestDigest = ContentDigest(SHA256Digest.hex(encoded))!
        let manifestFile = folder.appendingPathComponent("manifest")
        try encoded.write(to: manifestFile)
        try content.store(file: blob, digest: manifest.blobDigest)
        try content.store(file: manifestFile, digest: manifestDigest)
        let release = ContentRelease(
            version: summary.info.version, manifestDigest: manifestDigest,
            manifestLength: Int64(encoded.count),
            blobs: [ContentBlob(digest: manifest.blobDigest, length: manifest.blobLength)],
            downloadLength: Int64(encoded.count) + manifest.blobLength,
            unpackedLength: manifest.unpackedLength, state: .readyToSubmit)
        return (summary.info, release)
    }
}
