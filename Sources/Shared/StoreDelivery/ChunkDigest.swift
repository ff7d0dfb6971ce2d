import Foundation
import StoreSecurity

/// The first 16 bytes of the SHA-256 of a chunk's unpacked bytes.
///
/// Nobody finds other bytes for a given digest of 128 bits. Whoever made two chunks with the
/// same one would be the publisher, and spoil their own content only: chunks are never
/// shared between products.
package struct ChunkDigest: Hashable, Sendable {
    package static let length = 16

    private let high: UInt64
    private let low: UInt64

    /// Of some bytes.
    package init(of bytes: UnsafeRawBufferPointer) {
        self = SHA256Digest.withDigest(of: bytes) { ChunkDigest(stored: $0) }
    }

    /// As it stands in a manifest; longer bytes are cut off.
    init(stored bytes: UnsafeRawBufferPointer) {
        high = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        low = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    }

    func append(to data: inout Data) {
        withUnsafeBytes(of: high) { data.append(contentsOf: $0) }
        withUnsafeBytes(of: low) { data.append(contentsOf: $0) }
    }
}
