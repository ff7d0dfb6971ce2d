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
    func exists(_ digest: ContentDigest) throws -> Bool
    /// Takes bytes away; whoever has them open reads on. Nothing happens where there are
    /// none.
    func remove(_ digest: ContentDigest) throws
    /// Everything that is there, in any order.
    func list() throws -> [StoredContent]
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

/// Bytes that lie in a content store.
package struct StoredContent: Sendable, Hashable {
    package let digest: ContentDigest
    package let length: Int64
    /// When they were last handed to the store.
    package let date: Date

    package init(digest: ContentDigest, length: Int64, date: Date) {
        self.digest = digest
        self.length = length
        self.date = date
    }
}
