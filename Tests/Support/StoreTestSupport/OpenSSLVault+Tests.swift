import StoreKernel
import StoreServer

extension OpenSSLVault {
    /// With cheap hashes, for which any number may wait: the tests of a run share the workers
    /// of their process, where each store of its own would have them to itself.
    package static let forTests = OpenSSLVault(logN: 10, threads: .passwordsOfTests)
}

extension BlockingPool {
    package static let passwordsOfTests = passwords(threads: 2, queueLimit: 1_000_000)
}
