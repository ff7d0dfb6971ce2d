import Foundation
import StoreModel

/// Where the bytes of pictures lie: by identifier while they arrive, by digest afterwards.
package protocol PictureFiles: ContentStore {
    /// Writes a part of a picture that is arriving.
    func write(_ bytes: Data, at offset: Int64, of id: AssetID) throws
    /// Moves what has arrived to its place by digest; nil where nothing has. When it returns,
    /// the bytes are on disk.
    func finish(_ id: AssetID) throws -> ArrivedPicture?
    /// Takes away what has arrived of a picture that nobody waits for any longer.
    func abandon(_ id: AssetID) throws
    /// Takes away what was begun before a date and never finished.
    func abandon(before date: Date) throws
    /// Bytes that are free where they lie.
    func freeBytes() throws -> Int64
}

extension PictureFiles {
    /// An object store has no end.
    package func freeBytes() throws -> Int64 { .max }
}

/// The bytes of a picture that have arrived.
package struct ArrivedPicture: Sendable, Hashable {
    package let digest: ContentDigest
    /// MD5, hexadecimal.
    package let checksum: String
    /// Bytes.
    package let size: Int64
    /// What they begin with says; nil where they are no picture.
    package let header: ImageHeader?

    package init(digest: ContentDigest, checksum: String, size: Int64, header: ImageHeader?) {
        self.digest = digest
        self.checksum = checksum
        self.size = size
        self.header = header
    }
}
