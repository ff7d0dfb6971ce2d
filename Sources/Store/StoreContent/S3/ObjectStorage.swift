import Foundation
import StoreCore
import StoreKernel
import StoreModel

/// Everything that a store keeps in one bucket, opened.
package struct ObjectStorage: Sendable {
    /// So many requests are under way at once; more wait their turn.
    private static let threadLimit = 32
    /// The same for pictures and media, which people ask for whom nobody knows.
    private static let pictureThreadLimit = 16
    /// More than so many don't wait.
    private static let queueLimit = 512
    /// Says whose content lies beside it.
    private static let mark = "store-root"
    /// Says which of the databases that have been the store's decides what is deleted.
    private static let keeper = "store-keeper"
    /// Stands there until the first database comes to a bucket to which content was moved.
    private static let anyKeeper = Data("any".utf8)

    package let client: ObjectClient
    package let content: ObjectContentStore
    package let pictures: ObjectPictureFiles
    package let uploads: ObjectUploadStore
    private let room: DiskRoom
    private let makeDigest: @Sendable () -> any DigestStream

    /// - Parameters:
    ///   - scratch: a folder for bytes on their way; made when it is first needed.
    ///   - room: of the disk with that folder.
    ///   - makeDigest: makes the SHA-256 of bytes that come piece by piece.
    package init(
        client: ObjectClient, scratch: URL = FileManager.default.temporaryDirectory,
        room: DiskRoom = DiskRoom(), makeDigest: @escaping @Sendable () -> any DigestStream
    ) {
        let threads = Self.pool(threads: Self.threadLimit)
        let space = ScratchSpace(folder: scratch, share: 2)
        self.client = client
        self.room = room
        self.makeDigest = makeDigest
        content = ObjectContentStore(
            client: client, threads: threads, scratch: space, folder: "content/")
        pictures = ObjectPictureFiles(
            client: client,
            threads: Self.pool(threads: Self.pictureThreadLimit),
            scratch: ScratchSpace(folder: scratch, share: 4), folder: "assets/",
            room: room, makeDigest: makeDigest)
        uploads = ObjectUploadStore(
            client: client, threads: threads, scratch: space, folder: "uploads/")
    }

    /// Threads that may wait for another machine.
    private static func pool(threads: Int) -> BlockingPool {
        BlockingPool(
            "object store", threads: threads, queueLimit: queueLimit, full: ContentBusy())
    }

    /// The same with another folder for bytes on their way.
    package func withScratch(_ folder: URL) -> ObjectStorage {
        ObjectStorage(client: client, scratch: folder, room: room, makeDigest: makeDigest)
    }

    /// Looks whether the bucket is there and the key is taken, and that no other store keeps its
    /// content in the same place: each would take away what the other one has.
    ///
    /// Writes down whose the place is. Of two stores that come at once, one is refused.
    ///
    /// - Parameter store: tells stores apart, the digest of the root certificate.
    /// - Returns: whether nobody's content was there.
    /// - Throws: `ObjectStoreError` with what is wrong.
    @discardableResult
    package func claim(for store: String) throws -> Bool {
        // Also says whether there is such a bucket, which an object that is missing does not.
        _ = try client.page(["prefix": client.location.prefix], limit: 1)
        if try Self.isOwned(by: store, client) { return false }
        try client.storeFirst(Data(store.utf8), as: Self.mark)
        guard try Self.isOwned(by: store, client) else {
            throw ObjectStoreError(.answer, "The object store lost \(Self.mark) at once.")
        }
        return true
    }

    /// Has it looked, before the first request, that no other store keeps its content there, and
    /// writes nothing. What does not touch content works while the object store does not.
    package func expect(owner store: String) {
        // Its own requests wait for nothing.
        let plain = ObjectClient(
            client.location, credentials: client.signature.credentials,
            retryPolicy: client.retryPolicy)
        client.require { _ = try Self.isOwned(by: store, plain) }
    }

    /// Whether a database decides what is deleted from the bucket. A copy that was restored beside the live
    /// store does not know what came after its backup, and would delete it.
    ///
    /// - Parameters:
    ///   - database: tells the store's databases apart; 0 for one that was never restored.
    ///   - takesOver: whether it decides from now on.
    package func isKeeper(_ database: Int64, takesOver: Bool = false) throws -> Bool {
        let name = Data(String(database).utf8)
        if takesOver { try client.store(name, as: Self.keeper) }
        let known = try client.data(of: Self.keeper, limit: 64)
        if known == Self.anyKeeper {
            try client.store(name, as: Self.keeper)
            return true
        }
        if let known { return known == name }
        guard database == 0 else { return false }
        try client.storeFirst(name, as: Self.keeper)
        return try client.data(of: Self.keeper, limit: 64) == name
    }

    /// Has the first database that comes to the bucket decide: its content was brought there just now.
    package func awaitKeeper() throws { try client.store(Self.anyKeeper, as: Self.keeper) }

    /// - Returns: false where nobody's content lies there.
    /// - Throws: `ObjectStoreError` with `foreign` where somebody else's does.
    private static func isOwned(by store: String, _ client: ObjectClient) throws -> Bool {
        guard let owner = try client.data(of: mark, limit: 1024) else { return false }
        guard owner == Data(store.utf8) else {
            throw ObjectStoreError(
                .foreign,
                "Another store keeps its content in s3://\(client.location.bucket)/"
                    + "\(client.location.prefix). Choose another prefix, or give this store "
                    + "the keys of that one.")
        }
        return true
    }

    /// Looks whether the bucket answers.
    ///
    /// - Throws: `ObjectStoreError` with what is wrong.
    package func reach() throws {
        _ = try client.data(of: Self.mark, limit: 1024)
    }
}
