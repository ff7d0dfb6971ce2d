import Foundation
import StoreModel

/// Everything that a store keeps in one bucket, opened.
package struct ObjectStorage: Sendable {
    /// So many requests are under way at once; more wait their turn.
    private static let threadLimit = 32
    /// Says whose content lies beside it.
    private static let mark = "store-root"

    package let client: ObjectClient
    package let content: ObjectContentStore
    package let pictures: ObjectPictureFiles
    package let uploads: ObjectUploadStore

    /// - Parameter makeDigest: makes the SHA-256 of bytes that come piece by piece.
    package init(client: ObjectClient, makeDigest: @escaping @Sendable () -> any DigestStream) {
        let threads = WaitingThreads(limit: Self.threadLimit)
        self.client = client
        content = ObjectContentStore(client: client, threads: threads, folder: "content/")
        pictures = ObjectPictureFiles(
            client: client, threads: threads, folder: "assets/", makeDigest: makeDigest)
        uploads = ObjectUploadStore(client: client, threads: threads, folder: "uploads/")
    }

    /// Looks whether the bucket is there and the key is taken, and that no other store keeps its
    /// content in the same place: each would take away what the other one has.
    ///
    /// - Parameter store: tells stores apart, the digest of the root certificate.
    /// - Throws: `ObjectStoreError` with what is wrong.
    package func claim(for store: String) throws {
        // Also says whether there is such a bucket, which an object that is missing does not.
        _ = try client.page(["prefix": client.location.prefix], limit: 1)
        if let owner = try client.data(of: Self.mark, limit: 1024) {
            guard owner == Data(store.utf8) else {
                throw ObjectStoreError(
                    .foreign,
                    "Another store keeps its content in s3://\(client.location.bucket)/"
                        + "\(client.location.prefix). Choose another prefix, or give this store "
                        + "the keys of that one.")
            }
            return
        }
        try client.store(Data(store.utf8), as: Self.mark)
    }

    /// Looks whether the bucket answers.
    ///
    /// - Throws: `ObjectStoreError` with what is wrong.
    package func reach() throws {
        _ = try client.data(of: Self.mark, limit: 1024)
    }
}
