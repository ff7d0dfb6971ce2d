import CStoreCrypto
import Foundation

/// ECDSA on P-256 with SHA-256, in the form of RFC 7518, section 3.4.
enum ES256 {
    /// Checks the 64 bytes `r || s` over a message.
    ///
    /// - Throws: `SecurityError` with `untrusted` for a key on another curve, else
    ///   `badSignature`.
    static func check(_ signature: Data, of message: Data, by key: OpaquePointer) throws {
        guard isP256(key) else {
            throw SecurityError(.untrusted, "the signing key is not on the curve P-256")
        }
        guard signature.count == 64 else {
            throw SecurityError(.badSignature, "the signature does not have 64 bytes")
        }
        guard let pair = ECDSA_SIG_new() else { throw SecurityError.library("signature check") }
        defer { ECDSA_SIG_free(pair) }
        let numbers = signature.withUnsafeBytes { bytes in
            let base = bytes.bindMemory(to: UInt8.self).baseAddress!
            return (BN_bin2bn(base, 32, nil), BN_bin2bn(base + 32, 32, nil))
        }
        ECDSA_SIG_set0(pair, numbers.0, numbers.1)
        var der: UnsafeMutablePointer<UInt8>? = nil
        let length = i2d_ECDSA_SIG(pair, &der)
        guard length > 0, let der else { throw SecurityError.library("signature check") }
        defer { CRYPTO_free(der, #file, #line) }
        try check(der: UnsafeBufferPointer(start: der, count: Int(length)), of: message, by: key)
    }

    /// Checks a signature in DER, the form of X.509, over a message.
    ///
    /// - Throws: `SecurityError` with `badSignature`.
    static func check(
        der: UnsafeBufferPointer<UInt8>, of message: Data, by key: OpaquePointer
    ) throws {
        guard let context = EVP_MD_CTX_new() else { throw SecurityError.library("signature check") }
        defer { EVP_MD_CTX_free(context) }
        let result = message.withUnsafeBytes { bytes -> Int32 in
            guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else {
                return 0
            }
            return EVP_DigestVerify(
                context, der.baseAddress, der.count,
                bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
        }
        guard result == 1 else {
            ERR_clear_error()
            throw SecurityError(.badSignature, "the signature does not belong to the statement")
        }
    }
}
