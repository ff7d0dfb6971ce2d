import Foundation
import StoreModel

/// Where the bytes of content lie, by digest.
package protocol ContentStore: Sendable {
    /// Takes over a file whose digest is known; a second time with the same digest
    /// changes nothing. When it returns, the bytes are on disk.
    func store(file: URL, digest: ContentDigest) throws
    /// Opens the bytes for reading; nil where there are none with this digest. The
    /// caller closes the descriptor.
    func open(_ digest: ContentDigest) throws -> OpenContent?
}

/// Bytes of content, ready to be sent.
package struct OpenContent: Sendable {
    package let descriptor: Int32
    package let length: UInt64

    package init(descriptor: Int32, length: UInt64) {
        self.descriptor = descriptor
        self.length = length
    }
}
