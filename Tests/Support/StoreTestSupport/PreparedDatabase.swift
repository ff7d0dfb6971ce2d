import Foundation
import StoreServer

/// A database with the newest schema and nothing in it, with which test stores begin: making one
/// takes half a second of the processor, and a thousand stores are made in a run. Tests of the
/// schema, of the driver and of the program make their own.
package enum PreparedDatabase {
    /// Puts a database into the folder of a store that is to be made; one that is there stays.
    package static func install(into folder: URL) throws {
        let file = folder.appendingPathComponent("store.sqlite")
        guard !FileManager.default.fileExists(atPath: file.path) else { return }
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try PreparedStoreFiles.installDatabase(into: folder)
    }
}
