import CStoreCrypto
import Foundation

/// MD5, which App Store Connect's API tells files by that were changed on their way. It protects
/// from nobody.
package enum MD5Checksum {
    /// The checksum as 32 lower-case hexadecimal digits.
    package static func hex(_ data: Data) -> String {
        OpenSSLLibrary.ready
        var digest = Data(count: 16)
        let isDone = digest.withUnsafeMutableBytes { digest in
            data.withUnsafeBytes { bytes in
                EVP_Digest(
                    bytes.baseAddress, bytes.count,
                    digest.bindMemory(to: UInt8.self).baseAddress, nil, EVP_md5(), nil) == 1
            }
        }
        precondition(isDone, "OpenSSL offers no MD5")
        return SHA256Digest.hexadecimal(digest)
    }
}
