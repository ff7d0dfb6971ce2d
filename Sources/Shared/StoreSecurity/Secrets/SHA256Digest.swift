import CStoreCrypto
import Foundation

/// SHA-256 over bytes that arrive piece by piece.
///
/// Not for use by two threads at once.
package final class SHA256Digest {
    private let context: OpaquePointer

    package init() {
        OpenSSLLibrary.ready
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
        else { preconditionFailure("OpenSSL offers no SHA-256") }
        self.context = context
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    package func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, bytes.count > 0 else { return }
        EVP_DigestUpdate(context, base, bytes.count)
    }

    package func update(_ data: Data) {
        data.withUnsafeBytes { update($0) }
    }

    /// The digest of all that was added, as 32 bytes. Call once.
    package func finish() -> Data {
        var digest = Data(count: 32)
        digest.withUnsafeMutableBytes { buffer in
            _ = EVP_DigestFinal_ex(
                context, buffer.bindMemory(to: UInt8.self).baseAddress, nil)
        }
        return digest
    }

    /// The 32 bytes of SHA-256 over some bytes.
    package static func of(_ data: Data) -> Data {
        let digest = SHA256Digest()
        digest.update(data)
        return digest.finish()
    }

    /// Calls `body` with the 32 bytes of SHA-256 over some bytes.
    package static func withDigest<Result>(
        of bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        OpenSSLLibrary.ready
        return try withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { digest in
            SHA256(
                bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count,
                digest.bindMemory(to: UInt8.self).baseAddress)
            return try body(UnsafeRawBufferPointer(digest))
        }
    }

    /// The `ETag` of an answer with this body: whoever gets both sees whether they belong together.
    package static func entityTag(of body: Data) -> String { "\"\(hex(body).prefix(32))\"" }

    /// The digest as 64 lower-case hexadecimal digits.
    package static func hex(_ data: Data) -> String {
        hexadecimal(of(data))
    }

    /// Bytes as lower-case hexadecimal digits.
    package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
