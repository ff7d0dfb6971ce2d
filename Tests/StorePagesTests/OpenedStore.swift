import StoreServer
import StoreTestSupport

/// A store on disk that nobody serves.
func openStore(in folder: TemporaryFolder) throws -> Store {
    try PreparedDatabase.install(into: folder.file("store"))
    return try Store(directory: folder.file("store"), vault: OpenSSLVault.forTests, log: .silent)
}
