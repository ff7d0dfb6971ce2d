import CStoreCrypto
import Foundation

/// A P-256 private key that signs.
package final class SigningKey: @unchecked Sendable {
    // Sendable: the key is never changed after `init`, and OpenSSL lets many threads
    // sign with one EVP_PKEY, each with a context of its own, which `contexts` sees to.
    let pointer: OpaquePointer
    private let contexts = SigningContexts()
    /// The longest signature in DER: two integers of at most 33 bytes, bytes.
    private static let derLimit = 80

    private init(pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    /// A fresh key.
    package static func generate() throws -> SigningKey {
        OpenSSLLibrary.ready
        guard let pointer = cstore_generate_p256() else {
            throw SecurityError.library("key generation")
        }
        return SigningKey(pointer: pointer)
    }

    /// Reads a key in PEM (PKCS #8).
    ///
    /// - Throws: `malformed` for anything but an unencrypted P-256 private key.
    package convenience init(pem: String) throws {
        let pointer = try PrivateKeyPEM.read(pem)
        guard isP256(pointer) else {
            EVP_PKEY_free(pointer)
            throw SecurityError(.malformed, "the private key is not on the curve P-256")
        }
        self.init(pointer: pointer)
    }

    /// The key in PEM (PKCS #8), unencrypted.
    package func pem() throws -> String { try PrivateKeyPEM.write(pointer) }

    /// ECDSA with SHA-256 as the 64 bytes `r || s` of RFC 7518, section 3.4.
    package func signature(for message: Data) throws -> Data {
        try message.withUnsafeBytes { bytes in
            try withSignature(for: bytes) { Data($0) }
        }
    }

    /// Calls `body` with the signature for some bytes.
    func withSignature<Result>(
        for message: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.derLimit) { der in
            let length = try SHA256Digest.withDigest(of: message) { digest in
                try contexts.sign(digest, by: pointer, into: der)
            }
            var position = UnsafePointer(der.baseAddress)
            guard let pair = d2i_ECDSA_SIG(nil, &position, length) else {
                throw SecurityError.library("signing")
            }
            defer { ECDSA_SIG_free(pair) }
            return try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { raw in
                guard let base = raw.baseAddress,
                    BN_bn2binpad(ECDSA_SIG_get0_r(pair), base, 32) == 32,
                    BN_bn2binpad(ECDSA_SIG_get0_s(pair), base + 32, 32) == 32
                else { throw SecurityError.library("signing") }
                return try body(UnsafeRawBufferPointer(raw))
            }
        }
    }
}

/// Answers OpenSSL's question for the password of an encrypted file with a refusal.
/// Without it, OpenSSL asks on the terminal and waits.
func noPassword(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32, _ isWriting: Int32,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    -1
}

/// Whether the key is an elliptic-curve key on P-256.
func isP256(_ key: OpaquePointer) -> Bool {
    var name = [CChar](repeating: 0, count: 64)
    var length = 0
    guard EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1 else { return false }
    let text = String(
        decoding: name.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text == "prime256v1" || text == "P-256"
}

/// A memory BIO that gives a text; the caller frees it.
///
/// It holds a copy. One over the caller's bytes (`BIO_new_mem_buf`) keeps nothing but their
/// address, and the optimizer frees an array at its last use, before the BIO is read.
func reader(of text: String) -> OpaquePointer? {
    guard let bio = BIO_new(BIO_s_mem()) else { return nil }
    var text = text
    let isWhole = text.withUTF8 { bytes in
        bytes.isEmpty || BIO_write(bio, bytes.baseAddress, Int32(bytes.count)) == bytes.count
    }
    guard isWhole else {
        BIO_free(bio)
        return nil
    }
    return bio
}

/// What was written to a memory BIO, as text.
func contents(of bio: OpaquePointer) -> String {
    var start: UnsafeMutablePointer<CChar>? = nil
    let length = cstore_bio_contents(bio, &start)
    guard let start, length > 0 else { return "" }
    return start.withMemoryRebound(to: UInt8.self, capacity: length) {
        String(decoding: UnsafeBufferPointer(start: $0, count: length), as: UTF8.self)
    }
}
