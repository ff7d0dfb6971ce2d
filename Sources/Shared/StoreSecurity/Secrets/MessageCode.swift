import CStoreCrypto
import Foundation

/// HMAC-SHA256 (RFC 2104): shows that who made a message knows the key.
package enum MessageCode {
    /// The 32 bytes for a message.
    package static func of(_ message: Data, key: Data) -> Data {
        OpenSSLLibrary.ready
        var result = Data(count: 32)
        var length: UInt32 = 0
        key.withUnsafeBytes { key in
            message.withUnsafeBytes { bytes in
                result.withUnsafeMutableBytes { result in
                    _ = HMAC(
                        EVP_sha256(), key.baseAddress, Int32(key.count),
                        bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count,
                        result.bindMemory(to: UInt8.self).baseAddress, &length)
                }
            }
        }
        precondition(length == 32, "HMAC-SHA256 is missing from OpenSSL")
        return result
    }
}
