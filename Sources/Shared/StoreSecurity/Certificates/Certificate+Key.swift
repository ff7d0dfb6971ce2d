import CStoreCrypto

extension Certificate {
    /// Whether a private key is the certificate's.
    ///
    /// - Parameter pem: the key in PEM, of any kind, without a password.
    /// - Throws: `malformed` for what is no key, or has a password.
    package func belongs(toKey pem: String) throws -> Bool {
        let key = try PrivateKeyPEM.read(pem)
        defer { EVP_PKEY_free(key) }
        defer { ERR_clear_error() }
        return X509_check_private_key(pointer, key) == 1
    }
}
