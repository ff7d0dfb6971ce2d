import StoreServer
import StoreTestSupport

extension TemporaryFolder {
    /// Makes a store in which nobody sells yet.
    ///
    /// - Returns: its folder.
    func makeStore() async throws -> String {
        let directory = file("store")
        // It waits for the disk.
        try await onThread { try Store(directory: directory, log: .silent).close() }
        return directory.path
    }
}
