import Foundation

/// The three parts of a JWS in compact form, nothing of them verified.
package struct JWSParts: Sendable {
    /// `nil` if the part is not in Base64, here and below.
    package let header: Data?
    package let payload: Data?
    /// R and S, 64 bytes if it is one of ES256.
    package let signature: Data?
    /// The bytes that the signature is for.
    package let signedBytes: Data

    /// `nil` if the text does not have three parts.
    package init?(_ jws: String) {
        let parts = jws.utf8
            .split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
            .map { Substring($0) }
        guard parts.count == 3 else { return nil }
        header = Base64URL.decode(parts[0])
        payload = Base64URL.decode(parts[1])
        signature = Base64URL.decode(parts[2])
        signedBytes = Data("\(parts[0]).\(parts[1])".utf8)
    }
}
