import CStoreCrypto
import Foundation

/// The signature of a transaction's receipt, with the certificates that lead to the root:
///
/// - one byte: the version, 3;
/// - 256 bytes: the signature (RSA, PKCS #1 version 1.5, SHA-256) over the version's byte and
///   the purchase information;
/// - for each certificate, the signer's first: its length in four bytes, big-endian, and its
///   DER.
///
/// Apple's version 2 is the same with 128 bytes, SHA-1 and one certificate.
struct TransactionReceiptSignature {
    private static let version: UInt8 = 3
    private static let length = 256
    private static let certificateLimit = 4
    private static let certificateSizeLimit = 16 << 10

    private let signature: Data
    /// Leaf first; nothing of them is to be believed yet.
    let certificates: [Certificate]

    // MARK: Signing

    init(of information: Data, by key: ReceiptKey, chain: [Certificate]) throws {
        OpenSSLLibrary.ready
        let failure = "signing a receipt"
        guard let context = EVP_MD_CTX_new() else { throw SecurityError.library(failure) }
        defer { EVP_MD_CTX_free(context) }
        let message = Data([Self.version]) + information
        var length = Int(EVP_PKEY_get_size(key.pointer))
        var signature = Data(count: length)
        let result = message.withUnsafeBytes { message in
            signature.withUnsafeMutableBytes { signature -> Int32 in
                guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key.pointer) == 1 else {
                    return 0
                }
                return EVP_DigestSign(
                    context, signature.bindMemory(to: UInt8.self).baseAddress, &length,
                    message.bindMemory(to: UInt8.self).baseAddress, message.count)
            }
        }
        guard result == 1, length == Self.length else { throw SecurityError.library(failure) }
        self.signature = signature
        self.certificates = chain
    }

    func encoded() throws -> Data {
        var data = Data([Self.version]) + signature
        for certificate in certificates {
            let der = try certificate.der()
            withUnsafeBytes(of: UInt32(der.count).bigEndian) { data.append(contentsOf: $0) }
            data += der
        }
        return data
    }

    // MARK: Checking

    /// - Throws: `SecurityError.Code.malformed`.
    init(encoded: Data) throws {
        var rest = Data(encoded)[...]
        func take(_ count: Int) throws -> Data {
            guard rest.count >= count else { throw Self.malformed }
            defer { rest = rest.dropFirst(count) }
            return Data(rest.prefix(count))
        }
        guard try take(1) == Data([Self.version]) else { throw Self.malformed }
        signature = try take(Self.length)
        var certificates: [Certificate] = []
        while !rest.isEmpty {
            let length = try take(4).reduce(0) { $0 << 8 | Int($1) }
            guard certificates.count < Self.certificateLimit,
                (1...Self.certificateSizeLimit).contains(length)
            else { throw Self.malformed }
            certificates.append(try Certificate(der: try take(length)))
        }
        guard !certificates.isEmpty else { throw Self.malformed }
        self.certificates = certificates
    }

    /// Checks that the leaf's key has signed the purchase information; nothing about the leaf.
    ///
    /// - Throws: `SecurityError` with `untrusted` for another kind of key, or `badSignature`.
    func check(of information: Data) throws {
        guard let key = X509_get0_pubkey(certificates[0].pointer), ReceiptKey.isUsable(key) else {
            throw SecurityError(.untrusted, "the key of the receipt is not an RSA key")
        }
        guard let context = EVP_MD_CTX_new() else {
            throw SecurityError.library("checking a receipt")
        }
        defer { EVP_MD_CTX_free(context) }
        let message = Data([Self.version]) + information
        let result = message.withUnsafeBytes { message in
            signature.withUnsafeBytes { signature -> Int32 in
                guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else {
                    return 0
                }
                return EVP_DigestVerify(
                    context, signature.bindMemory(to: UInt8.self).baseAddress, signature.count,
                    message.bindMemory(to: UInt8.self).baseAddress, message.count)
            }
        }
        guard result == 1 else {
            ERR_clear_error()
            throw SecurityError(.badSignature, "the signature does not belong to the receipt")
        }
    }

    private static var malformed: SecurityError {
        SecurityError(.malformed, "the receipt's signature has a wrong form")
    }
}
