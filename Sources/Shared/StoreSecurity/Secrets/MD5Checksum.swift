import CStoreCrypto
import Foundation

/// MD5, which App Store Connect's API tells files by that were changed on their way. It protects
/// from nobody.
package enum MD5Checksum {
    /// The checksum as 32 lower-case hexadecimal digits.
    package static func hex(_ data: Data) -> String {
        var rest: Data? = data
        return hex {
            defer { rest = nil }
            return rest
        }
    }

    /// The checksum of bytes that come piece by piece; nil, or no bytes, is their end.
    package static func hex(pieces next: () throws -> Data?) rethrows -> String {
        OpenSSLLibrary.ready
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("OpenSSL has no memory") }
        defer { EVP_MD_CTX_free(context) }
        var isDone = EVP_DigestInit_ex(context, EVP_md5(), nil) == 1
        while let piece = try next(), !piece.isEmpty {
            isDone =
                piece.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) } == 1
                && isDone
        }
        var digest = Data(count: 16)
        isDone =
            digest.withUnsafeMutableBytes { digest in
                EVP_DigestFinal_ex(
                    context, digest.bindMemory(to: UInt8.self).baseAddress, nil) == 1
            } && isDone
        precondition(isDone, "OpenSSL offers no MD5")
        return SHA256Digest.hexadecimal(digest)
    }
}
