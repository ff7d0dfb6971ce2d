import Foundation
import StoreCore
import StoreKernel
import StoreModel

/// Pictures, and items' media, in a folder: those that are arriving in `arriving`, the others
/// as `DiskContentStore` keeps them.
package struct DiskPictureFiles: PictureFiles {
    private let store: DiskContentStore
    let arriving: URL
    let room: DiskRoom
    private let digest: @Sendable (Data) -> ContentDigest?
    private let checksum: @Sendable (Data) -> String
    let makeDigest: @Sendable () -> any DigestStream

    package func freeBytes() throws -> Int64 { DiskSpace.free(at: arriving) ?? .max }

    /// - Parameters:
    ///   - root: made where it doesn't exist.
    ///   - digest: makes the SHA-256 of bytes.
    ///   - checksum: makes the MD5 of bytes, hexadecimal.
    ///   - makeDigest: makes the SHA-256 of bytes that come piece by piece.
    package init(
        root: URL, digest: @escaping @Sendable (Data) -> ContentDigest?,
        checksum: @escaping @Sendable (Data) -> String,
        makeDigest: @escaping @Sendable () -> any DigestStream, room: DiskRoom = DiskRoom()
    ) throws {
        arriving = root.appendingPathComponent("arriving")
        store = try DiskContentStore(root: root.appendingPathComponent("kept"))
        self.digest = digest
        self.checksum = checksum
        self.makeDigest = makeDigest
        self.room = room
        try FileManager.default.createDirectory(
            at: arriving, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    package func write(_ bytes: Data, at offset: Int64, of id: AssetID) throws {
        try room.check(Int64(bytes.count), in: arriving)
        let url = file(of: id)
        let descriptor = Glibc.open(url.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(at: url) }
        defer { close(descriptor) }
        try bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let count = pwrite(
                    descriptor, buffer.baseAddress! + done, buffer.count - done,
                    off_t(offset) + off_t(done))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw failure(at: url) }
                done += count
            }
        }
    }

    package func finish(_ id: AssetID) throws -> ArrivedPicture? {
        let url = file(of: id)
        guard access(url.path, F_OK) == 0 else { return nil }
        let bytes = try Data(contentsOf: url)
        guard let digest = digest(bytes) else { return nil }
        // A part may still be written to that file, so what was looked at is kept as another one.
        let whole = arriving.appendingPathComponent(UUID().uuidString)
        try room.check(Int64(bytes.count), in: arriving)
        try DurableFile.write(bytes, to: whole, mode: 0o600, replaces: false)
        do { try store.store(file: whole, digest: digest) } catch {
            unlink(whole.path)
            throw error
        }
        unlink(url.path)
        return ArrivedPicture(
            digest: digest, checksum: checksum(bytes), size: Int64(bytes.count),
            header: ImageHeader(of: bytes))
    }

    package func abandon(_ id: AssetID) throws {
        let url = file(of: id)
        guard unlink(url.path) == 0 || errno == ENOENT else { throw failure(at: url) }
    }

    package func abandon(before date: Date) throws {
        let keys: Set<URLResourceKey> = [.contentModificationDateKey]
        for file in try FileManager.default.contentsOfDirectory(
            at: arriving, includingPropertiesForKeys: Array(keys))
        {
            let changed = try? file.resourceValues(forKeys: keys).contentModificationDate
            guard let changed, changed < date else { continue }
            try? FileManager.default.removeItem(at: file)
        }
    }

    // MARK: What has arrived

    package func store(file: URL, digest: ContentDigest) throws {
        try store.store(file: file, digest: digest)
    }

    package func open(_ digest: ContentDigest) throws -> OpenContent? { try store.open(digest) }
    package func exists(_ digest: ContentDigest) throws -> Bool { try store.exists(digest) }
    package func remove(_ digest: ContentDigest) throws { try store.remove(digest) }
    package func list() throws -> [StoredContent] { try store.list() }

    private func file(of id: AssetID) -> URL { arriving.appendingPathComponent(id.text) }

    private func failure(at url: URL) -> ContentStoreError { .system(at: url) }
}
