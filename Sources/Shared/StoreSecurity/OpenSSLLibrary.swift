import CStoreCrypto

/// The cryptographic library of this process.
package enum OpenSSLLibrary {
    /// Touched before OpenSSL is used for anything.
    ///
    /// OpenSSL frees its tables when `main` returns (`atexit`), while other threads of a
    /// program that ends may still be verifying something, and then read freed memory. So
    /// it is told not to; the system frees them a moment later. It counts only if it is the
    /// first thing that the process asks of OpenSSL, so libcurl is started behind it.
    package static let ready: Void = {
        let result = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
        precondition(result == 1, "OpenSSL can't be started")
    }()
}
