import Foundation
import StoreCore
import StoreSecurity
import Synchronization

/// An empty database and keys, made once in a process and copied for each store of a test.
package enum PreparedStoreFiles {
    /// In seconds. A store may begin with certificates that are up to this old.
    private static let keyLife: TimeInterval = 30 * 86_400

    private static let database: Result<Data, any Error> = Result {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("openstore-test-\(UUID().uuidString.lowercased())")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("store.sqlite")
        // The last connection to close writes everything into the one file.
        try SQLiteDatabase(path: file.path).close()
        return try Data(contentsOf: file)
    }
    /// Files of keys by the date of their certificates.
    private static let keys = Mutex<[Date: [(name: String, text: String)]]>([:])

    private static let madeReceiptKey = Result { try ReceiptKey.generateForTests() }

    /// The key for receipts of all stores of tests.
    static func receiptKey() throws -> ReceiptKey { try madeReceiptKey.get() }

    /// Puts a database into the folder of a store that is to be made.
    package static func installDatabase(into folder: URL) throws {
        let file = folder.appendingPathComponent("store.sqlite")
        try database.get().write(to: file)
        // As the store makes it.
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    /// Puts both into the folder of a store that is to be made.
    static func install(into folder: URL, at date: Date) throws {
        try installDatabase(into: folder)
        try KeyFolder.make(
            at: folder.appendingPathComponent("keys"), try keyFiles(at: date))
    }

    private static func keyFiles(at date: Date) throws -> [(name: String, text: String)] {
        let lives = (date.timeIntervalSince1970 / keyLife).rounded(.down)
        let beginning = Date(timeIntervalSince1970: lives * keyLife)
        return try keys.withLock { keys in
            if let files = keys[beginning] { return files }
            let files = try NewKeys.files(at: beginning, ocspAddress: nil)
            keys[beginning] = files
            return files
        }
    }
}
