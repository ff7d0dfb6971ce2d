import Foundation
import StoreCore
import StoreKernel
import StoreModel
import StoreSecurity

/// Pictures and media in an object store: one object for each part that arrives, then one by
/// digest.
package struct ObjectPictureFiles: PictureFiles {
    /// What arrives in parts is put together in memory, and has at most so many bytes.
    private static let limit: Int64 = 256 << 20

    private let store: ObjectContentStore
    private let arriving: String
    private let room: DiskRoom
    private let makeDigest: @Sendable () -> any DigestStream

    /// - Parameters:
    ///   - folder: ends in a slash.
    ///   - room: of the disk that media lie on until all of them was read.
    ///   - makeDigest: makes the SHA-256 of bytes that come piece by piece.
    init(
        client: ObjectClient, threads: BlockingPool, scratch: ScratchSpace, folder: String,
        room: DiskRoom, makeDigest: @escaping @Sendable () -> any DigestStream
    ) {
        store = ObjectContentStore(
            client: client, threads: threads, scratch: scratch, folder: folder + "kept/")
        arriving = folder + "arriving/"
        self.room = room
        self.makeDigest = makeDigest
    }

    package var answersAtOnce: Bool { store.answersAtOnce }
    package var window: UInt64? { store.window }

    package func apart<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await store.apart(work)
    }

    package func write(_ bytes: Data, at offset: Int64, of id: AssetID) throws {
        try store.client.store(bytes, as: "\(arriving)\(id.text)/\(offset)")
    }

    package func finish(_ id: AssetID) throws -> ArrivedPicture? {
        let folder = "\(arriving)\(id.text)/"
        var parts: [(offset: Int64, name: String, end: Int64)] = []
        try store.client.list(folder) { object in
            guard let offset = Int64(object.name.dropFirst(folder.count)), offset >= 0,
                object.length <= Self.limit, offset <= Self.limit - object.length
            else {
                throw ObjectStoreError(.answer, "\(object.name) is no part of a picture.")
            }
            parts.append((offset, object.name, offset + object.length))
        }
        guard let size = parts.map(\.end).max() else { return nil }
        parts.sort { $0.offset < $1.offset }
        // Nothing stands for bytes that have not arrived.
        var end: Int64 = 0
        for part in parts {
            guard part.offset <= end else { return nil }
            end = max(end, part.end)
        }
        var bytes = Data(count: Int(size))
        for part in parts {
            let length = Int(part.end - part.offset)
            guard let data = try store.client.data(of: part.name, limit: length),
                data.count == length
            else { return nil }
            let start = Int(part.offset)
            bytes.replaceSubrange(start..<start + data.count, with: data)
        }
        let digest = SHA256Digest.hex(bytes)
        guard let digest = ContentDigest(digest) else { return nil }
        try store.store(bytes, digest: digest)
        // The picture is there. The first part goes first, so that those that a fault leaves are
        // never taken for a picture; `abandon` finds them.
        for part in parts {
            guard (try? store.client.remove(part.name)) != nil else { break }
        }
        return ArrivedPicture(
            digest: digest, checksum: MD5Checksum.hex(bytes), size: size,
            header: ImageHeader(of: bytes))
    }

    package func abandon(_ id: AssetID) throws {
        var names: [String] = []
        try store.client.list("\(arriving)\(id.text)/") { names.append($0.name) }
        for name in names { try store.client.remove(name) }
    }

    package func abandon(before date: Date) throws {
        var old: [String] = []
        try store.client.list(arriving) { if $0.date < date { old.append($0.name) } }
        for name in old { try store.client.remove(name) }
    }

    // MARK: What has arrived

    package func store(file: URL, digest: ContentDigest) throws {
        try store.store(file: file, digest: digest)
    }

    package func store(file: URL, digest: ContentDigest, proceed: () throws -> Void) throws {
        try store.store(file: file, digest: digest, proceed: proceed)
    }

    package func open(_ digest: ContentDigest) throws -> OpenContent? { try store.open(digest) }

    package func open(
        _ digest: ContentDigest, wanted: @escaping @Sendable (UInt64) -> Range<UInt64>
    ) throws -> OpenContent? {
        try store.open(digest, wanted: wanted)
    }

    package func address(
        of digest: ContentDigest, for method: String, as presentation: ContentPresentation
    ) -> String? {
        store.address(of: digest, for: method, as: presentation)
    }

    package func exists(_ digest: ContentDigest) throws -> Bool { try store.exists(digest) }
    package func remove(_ digest: ContentDigest) throws { try store.remove(digest) }
    package func list() throws -> [StoredContent] { try store.list() }
}

extension ObjectPictureFiles: MediaFiles {
    package func take<Checked: Sendable>(
        _ file: URL, limit: Int64, check: @escaping @Sendable (Data) throws -> Checked
    ) async throws -> (TakenFile, Checked) {
        try await apart {
            // Its digest, which is its name, is known when all of it was read; and what was read
            // is what has to be stored, whoever writes to the file meanwhile.
            try FileManager.default.createDirectory(
                at: store.scratch.folder, withIntermediateDirectories: true)
            let copy = store.scratch.folder.appendingPathComponent(
                "openstore-\(UUID().uuidString)")
            defer { unlink(copy.path) }
            let (taken, checked) = try MediaSpool.copy(
                file, to: copy, limit: limit, room: room, digest: makeDigest(), check: check)
            try store.store(file: copy, digest: taken.digest)
            return (taken, checked)
        }
    }
}
