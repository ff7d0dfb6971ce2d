import StoreServer

extension OpenSSLVault {
    /// With cheap hashes, for which any number may wait: the tests of a run share the workers
    /// of their process, where each store of its own would have them to itself.
    package static let forTests = OpenSSLVault(logN: 10, workers: .forTests)
}

extension PasswordWorkers {
    package static let forTests = PasswordWorkers(count: 2, waiting: 1_000_000)
}
