import StoreServer
import StoreTestSupport

/// A store on disk that nobody serves.
func openStore(in folder: TemporaryFolder) async throws -> Store {
    let directory = folder.file("store")
    try PreparedDatabase.install(into: directory)
    try await PreparedKeys.install(into: directory, clock: SystemClock())
    return try Store(directory: directory, vault: OpenSSLVault.forTests, log: .silent)
}
