import Foundation
import StoreCore

/// A database with the newest schema and nothing in it, with which test stores begin: making one
/// takes half a second of the processor, and a thousand stores are made in a run. Tests of the
/// schema, of the driver and of the program make their own.
package enum PreparedDatabase {
    private static let bytes: Result<Data, any Error> = Result {
        let folder = try TemporaryFolder()
        let file = folder.file("store.sqlite")
        try make(file)
        // The last connection to close has written everything into the one file.
        precondition(!FileManager.default.fileExists(atPath: file.path + "-wal"))
        return try withExtendedLifetime(folder) { try Data(contentsOf: file) }
    }

    private static func make(_ file: URL) throws {
        try SQLiteDatabase(path: file.path).close()
    }

    /// Puts a database into the folder of a store that is to be made; one that is there stays.
    package static func install(into folder: URL) throws {
        let file = folder.appendingPathComponent("store.sqlite")
        guard !FileManager.default.fileExists(atPath: file.path) else { return }
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try bytes.get().write(to: file)
        // As the store makes it.
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: file.path)
    }
}
