import Foundation
import StoreServer
import StoreTestSupport

extension TemporaryFolder {
    /// Makes a store in which nobody sells yet. Stores that are made so share their keys.
    ///
    /// - Returns: its folder.
    func makeStore() async throws -> String {
        let directory = file("store")
        let empty = try await EmptyStore.prepared.value(for: true) {
            let folder = try TemporaryFolder()
            try await EmptyStore.prepareReceipts(in: folder.file("store"))
            return folder
        }
        try FileManager.default.copyItem(at: empty.file("store"), to: directory)
        return directory.path
    }
}

enum EmptyStore {
    fileprivate static let prepared = OnceEach<Bool, TemporaryFolder>()

    /// Makes a store's key for receipts, so that `openstore serve` does not take a tenth of a second to
    /// make it. Makes the store too if there is none.
    static func prepareReceipts(in directory: URL) async throws {
        // It waits for the disk.
        try await onThread {
            let store = try Store(directory: directory, log: .silent)
            defer { store.close() }
            try store.keys.prepareReceipts()
        }
    }
}
