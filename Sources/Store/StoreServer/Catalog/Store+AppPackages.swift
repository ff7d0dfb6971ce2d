import Foundation
import StoreCore
import StoreDelivery
import StoreModel
import StorePackage

extension Store {
    /// Checks the file of a build, and makes the delivery that devices fetch.
    ///
    /// The bytes, and the file itself for whoever downloads it on a page, are in the content store
    /// afterwards; whether the build gets them is decided by who writes the delivery down.
    ///
    /// - Parameters:
    ///   - digest: the file's.
    ///   - earlier: manifests of the app's other builds, whose blobs are used again.
    ///   - proceed: ends the work by an error.
    /// - Throws: `UploadStoreError` where the disk has no room; `PackageError` with everything that is wrong with the file.
    package func accept(
        app file: URL, named name: String, digest: ContentDigest, of app: BundleID,
        version: ContentVersion, after earlier: [ContentDigest], at date: Date,
        progress: @escaping (Int64) -> Void, proceed: () throws -> Void
    ) throws -> BuildDelivery {
        guard let identifier = ProductID(app.text) else {
            throw PackageError(.product, "the app's identifier can't name a delivery")
        }
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let blob = folder.appendingPathComponent("blob")
        let writer = try DeliveryWriter(blob: blob, known: knownChunks(of: earlier))
        let expectation = AppPackageExpectation(bundleID: app, version: version, fileName: name)
        let summary = try AppPackageReader(file: file, expectation: expectation).read(
            progress: { done, _ in progress(done) }
        ) { entry, contents in
            switch entry.kind {
            case .file:
                try writer.addFile(entry.path, isExecutable: entry.isExecutable) { add in
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
        let delivery = try writer.finish(contentIdentifier: identifier, version: version)
        try store(delivery, blob: blob, in: folder, proceed: proceed)
        // The upload keeps its name for the file until the build has it: processing may begin anew.
        let original = folder.appendingPathComponent("original")
        if link(file.path, original.path) != 0 {
            try FileManager.default.copyItem(at: file, to: original)
        }
        try content.store(file: original, digest: digest, proceed: proceed)
        return BuildDelivery(
            format: summary.format, fileName: name, manifestDigest: delivery.manifestDigest,
            manifestLength: Int64(delivery.encodedManifest.count), blobs: delivery.contentBlobs,
            downloadLength: delivery.downloadLength,
            unpackedLength: delivery.manifest.unpackedLength, created: date)
    }
}
