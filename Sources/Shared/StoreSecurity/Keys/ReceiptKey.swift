import CStoreCrypto
import Foundation

/// An RSA private key that signs receipts.
///
/// Receipts are older than ECDSA in CMS: the code that apps bring along to check them
/// expects RSA.
package final class ReceiptKey: @unchecked Sendable {
    // Sendable: the key is never changed after `init`, and OpenSSL lets many threads
    // sign with one EVP_PKEY.
    let pointer: OpaquePointer

    private static let bits: UInt32 = 2048

    private init(pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    /// A fresh key of 2048 bits.
    package static func generate() throws -> ReceiptKey { try generate(primes: 2) }

    /// A fresh key of 2048 bits, for a store that lasts as long as a process: from three prime numbers
    /// (RFC 8017, multi-prime RSA), which are found in less than half of the time. Its public key is like
    /// any other.
    package static func generateForTests() throws -> ReceiptKey { try generate(primes: 3) }

    private static func generate(primes: Int32) throws -> ReceiptKey {
        OpenSSLLibrary.ready
        guard let pointer = cstore_generate_rsa(bits, primes) else {
            throw SecurityError.library("key generation")
        }
        return ReceiptKey(pointer: pointer)
    }

    /// Reads the first key of a PEM file (PKCS #8).
    ///
    /// - Throws: `malformed` for anything but an unencrypted RSA key of 2048 bits or more.
    package convenience init(pem: String) throws {
        let pointer = try PrivateKeyPEM.read(pem)
        guard Self.isUsable(pointer) else {
            EVP_PKEY_free(pointer)
            throw SecurityError(
                .malformed, "the private key is not an RSA key of \(Self.bits) bits or more")
        }
        self.init(pointer: pointer)
    }

    /// The key in PEM (PKCS #8), unencrypted.
    package func pem() throws -> String { try PrivateKeyPEM.write(pointer) }

    /// Whether receipts may be signed with a key, private or public.
    static func isUsable(_ key: OpaquePointer) -> Bool {
        EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA && EVP_PKEY_get_bits(key) >= Int32(bits)
    }
}
