import CStoreCrypto
import Foundation

/// What binds a signed statement to one device: the SHA-384 over the nonce and then the device's
/// identifier, both in lower case.
package enum DeviceVerification {
    /// The 48 bytes of the digest.
    ///
    /// - Parameters:
    ///   - nonce: as the statement has it, a UUID.
    ///   - device: as requests name it, for the framework a UUID.
    package static func digest(nonce: UUID, device: String) -> Data {
        OpenSSLLibrary.ready
        let text = Data((nonce.uuidString + device).lowercased().utf8)
        var digest = Data(count: 48)
        text.withUnsafeBytes { text in
            digest.withUnsafeMutableBytes { digest in
                _ = SHA384(
                    text.bindMemory(to: UInt8.self).baseAddress, text.count,
                    digest.bindMemory(to: UInt8.self).baseAddress)
            }
        }
        return digest
    }
}
