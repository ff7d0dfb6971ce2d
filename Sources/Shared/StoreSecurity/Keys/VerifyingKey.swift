import CStoreCrypto
import Foundation

/// A P-256 public key that checks signatures.
package final class VerifyingKey: @unchecked Sendable {
    // Sendable: the key is never changed after `init`, and OpenSSL lets many threads
    // verify with one EVP_PKEY, each with a context of its own.
    let pointer: OpaquePointer

    /// Reads a key in PEM (SubjectPublicKeyInfo).
    ///
    /// - Throws: `malformed` for anything but a P-256 public key.
    package init(pem: String) throws {
        OpenSSLLibrary.ready
        guard let bio = reader(of: pem) else { throw SecurityError.library("reading a key") }
        defer { BIO_free(bio) }
        guard let pointer = PEM_read_bio_PUBKEY(bio, nil, noPassword, nil) else {
            ERR_clear_error()
            throw SecurityError(.malformed, "there is no public key in PEM form")
        }
        guard isP256(pointer) else {
            EVP_PKEY_free(pointer)
            throw SecurityError(.malformed, "the public key is not on the curve P-256")
        }
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    /// Checks a signature in the form that a JWS has: `r || s`, 64 bytes.
    ///
    /// - Throws: `SecurityError` with `badSignature`.
    package func check(_ signature: Data, of message: Data) throws {
        try ES256.check(signature, of: message, by: pointer)
    }

    /// Checks a signature in DER.
    ///
    /// - Throws: `SecurityError` with `badSignature`.
    package func check(der signature: Data, of message: Data) throws {
        try signature.withUnsafeBytes {
            try ES256.check(der: $0.bindMemory(to: UInt8.self), of: message, by: pointer)
        }
    }
}

extension SigningKey {
    /// The public half in PEM (SubjectPublicKeyInfo).
    package func publicPEM() throws -> String {
        guard let bio = BIO_new(BIO_s_mem()) else { throw SecurityError.library("writing a key") }
        defer { BIO_free(bio) }
        guard PEM_write_bio_PUBKEY(bio, pointer) == 1 else {
            throw SecurityError.library("writing a key")
        }
        return contents(of: bio)
    }
}
