import CStoreCrypto

/// Private keys in PEM (PKCS #8), unencrypted.
enum PrivateKeyPEM {
    /// Reads the first key of a file. The caller owns it.
    ///
    /// - Throws: `malformed` where there is none, or it is encrypted.
    static func read(_ pem: String) throws -> OpaquePointer {
        OpenSSLLibrary.ready
        guard let bio = reader(of: pem) else { throw SecurityError.library("reading a key") }
        defer { BIO_free(bio) }
        guard let pointer = PEM_read_bio_PrivateKey(bio, nil, noPassword, nil) else {
            ERR_clear_error()
            throw SecurityError(.malformed, "the file holds no private key in PEM form")
        }
        return pointer
    }

    static func write(_ key: OpaquePointer) throws -> String {
        guard let bio = BIO_new(BIO_s_mem()) else { throw SecurityError.library("writing a key") }
        defer { BIO_free(bio) }
        guard PEM_write_bio_PKCS8PrivateKey(bio, key, nil, nil, 0, nil, nil) == 1 else {
            throw SecurityError.library("writing a key")
        }
        return contents(of: bio)
    }
}
