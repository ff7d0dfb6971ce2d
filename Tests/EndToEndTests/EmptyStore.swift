import StoreServer
import StoreTestSupport

extension TemporaryFolder {
    /// Makes a store in which nobody sells yet.
    ///
    /// - Returns: its folder.
    func makeStore() throws -> String {
        let directory = file("store")
        try Store(directory: directory, log: .silent).close()
        return directory.path
    }
}
