import CStoreCrypto
import Foundation

/// Random bytes from the operating system through OpenSSL's generator.
package enum SecureRandom {
    /// `count` bytes that nobody can guess.
    ///
    /// - Throws: `SecurityError.Code.library` where the system has no entropy.
    package static func bytes(_ count: Int) throws -> Data {
        OpenSSLLibrary.ready
        var data = Data(count: count)
        let result = data.withUnsafeMutableBytes { buffer in
            RAND_bytes(buffer.bindMemory(to: UInt8.self).baseAddress, Int32(count))
        }
        guard result == 1 else { throw SecurityError.library("random number generation") }
        return data
    }
}
