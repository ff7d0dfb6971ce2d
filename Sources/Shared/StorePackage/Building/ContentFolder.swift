import Foundation
import StoreModel

/// The folder that a publisher keeps a product's content in.
package enum ContentFolder {
    /// Makes `ContentInfo.plist` with version 1.0, and an empty `Contents/`.
    ///
    /// - Throws: `PackageError` where something is there already, or it can't be written.
    package static func create(at folder: URL, for productID: ProductID) throws {
        let manager = FileManager.default
        let present = try? manager.contentsOfDirectory(atPath: folder.path)
        guard present?.isEmpty ?? !manager.fileExists(atPath: folder.path) else {
            throw PackageError(
                .readable, "\(folder.path) exists already; name a folder that doesn't")
        }
        let list = try PropertyListSerialization.data(
            fromPropertyList: [
                "ContentVersion": "1.0", "IAPProductIdentifier": productID.text,
            ], format: .xml, options: 0)
        do {
            try manager.createDirectory(
                at: folder.appendingPathComponent("Contents"), withIntermediateDirectories: true)
            try list.write(
                to: folder.appendingPathComponent(ContentInfo.fileName),
                options: .withoutOverwriting)
        } catch {
            throw PackageError(
                .readable, "\(folder.path) can't be made: \(error.localizedDescription)")
        }
    }
}
