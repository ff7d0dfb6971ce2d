import Foundation
import StoreModel

/// Keeps bytes, here or on another machine, for which its methods wait.
package protocol ByteStore: Sendable {
    /// Runs work that calls the store where it may wait: apart from the threads of tasks, which
    /// are few. Inside of transactions, and on threads of one's own, it is called as it is.
    func apart<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value
}

extension ByteStore {
    /// At once: a disk of this machine is not waited for.
    package func apart<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try work()
    }
}

/// Where the bytes of content lie, by digest.
package protocol ContentStore: ByteStore {
    /// Takes over a file whose digest is known; a second time with the same digest changes
    /// nothing but when they came. When it returns, no loss of power takes the bytes away.
    func store(file: URL, digest: ContentDigest) throws
    /// The same, for large files on their way to another machine.
    ///
    /// - Parameter proceed: ends the work by an error.
    func store(file: URL, digest: ContentDigest, proceed: () throws -> Void) throws
    /// Opens the bytes for reading; nil where there are none with this digest. The
    /// caller closes the descriptor.
    func open(_ digest: ContentDigest) throws -> OpenContent?
    /// Whether opening waits for the disk of this machine only, which any thread may do.
    var answersAtOnce: Bool { get }
    /// So many bytes of a range that a client asks for are handed out at once, where they have to
    /// be fetched before; nil for all.
    var window: UInt64? { get }
    /// Opens some of the bytes for reading, or more of them; nil where there are none with this
    /// digest. The caller closes the descriptor.
    ///
    /// - Parameter wanted: hears how many bytes there are, and says which are to be read.
    func open(
        _ digest: ContentDigest, wanted: @escaping @Sendable (UInt64) -> Range<UInt64>
    ) throws -> OpenContent?
    /// Where somebody without any permission can fetch the bytes for a while, with ranges and
    /// without the store; nil where only the store hands them out. Waits for nothing, and does
    /// not look whether there are any.
    ///
    /// - Parameter method: `GET` or `HEAD`.
    func address(
        of digest: ContentDigest, for method: String, as presentation: ContentPresentation
    ) -> String?
    func exists(_ digest: ContentDigest) throws -> Bool
    /// Takes bytes away; whoever has them open reads on. Nothing happens where there are
    /// none.
    func remove(_ digest: ContentDigest) throws
    /// Everything that is there, in any order.
    func list() throws -> [StoredContent]
}

extension ContentStore {
    package var answersAtOnce: Bool { true }
    package var window: UInt64? { nil }

    package func store(file: URL, digest: ContentDigest, proceed: () throws -> Void) throws {
        try proceed()
        try store(file: file, digest: digest)
    }

    package func open(
        _ digest: ContentDigest, wanted: @escaping @Sendable (UInt64) -> Range<UInt64>
    ) throws -> OpenContent? {
        try open(digest)
    }

    package func address(
        of digest: ContentDigest, for method: String, as presentation: ContentPresentation
    ) -> String? {
        nil
    }
}

/// So many bytes are fetched at this moment that there is neither room nor a thread for more.
package struct ContentBusy: Error, Sendable, CustomStringConvertible {
    /// Seconds after which it is worth asking again.
    package static let retryDelay = 5

    package init() {}

    package var description: String { "too much content is fetched at once" }
}

/// What whoever fetches bytes hears about them.
package struct ContentPresentation: Sendable, Hashable {
    package var mediaType: String
    /// The name under which a browser saves them instead of showing them, as the value of
    /// `Content-Disposition`; nil to show them.
    package var disposition: String?

    package init(mediaType: String = "application/octet-stream", disposition: String? = nil) {
        self.mediaType = mediaType
        self.disposition = disposition
    }
}

/// Bytes of content, ready to be sent.
package struct OpenContent: Sendable {
    package let descriptor: Int32
    /// Bytes of the whole content.
    package let length: UInt64
    /// Which byte of the content the descriptor begins with.
    package let origin: UInt64

    package init(descriptor: Int32, length: UInt64, origin: UInt64 = 0) {
        self.descriptor = descriptor
        self.length = length
        self.origin = origin
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
