import Foundation
import StoreCore
import StoreModel
import StoreSecurity

/// Pictures and media in an object store: one object for each part that arrives, then one by
/// digest.
package struct ObjectPictureFiles: PictureFiles {
    /// What arrives in parts is put together in memory, and has at most so many bytes.
    private static let limit: Int64 = 256 << 20

    private let store: ObjectContentStore
    private let arriving: String
    private let makeDigest: @Sendable () -> any DigestStream

    /// - Parameters:
    ///   - folder: ends in a slash.
    ///   - makeDigest: makes the SHA-256 of bytes that come piece by piece.
    init(
        client: ObjectClient, threads: WaitingThreads, folder: String,
        makeDigest: @escaping @Sendable () -> any DigestStream
    ) {
        store = ObjectContentStore(client: client, threads: threads, folder: folder + "kept/")
        arriving = folder + "arriving/"
        self.makeDigest = makeDigest
    }

    package var answersAtOnce: Bool { false }

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
        var bytes = Data(count: Int(size))
        for part in parts.sorted(by: { $0.offset < $1.offset }) {
            guard
                let data = try store.client.data(of: part.name, limit: Int(part.end - part.offset))
            else { return nil }
            let start = Int(part.offset)
            bytes.replaceSubrange(start..<start + data.count, with: data)
        }
        let digest = SHA256Digest.hex(bytes)
        guard let digest = ContentDigest(digest) else { return nil }
        let file = Self.scratch()
        defer { unlink(file.path) }
        try bytes.write(to: file)
        try store.store(file: file, digest: digest)
        for part in parts { try store.client.remove(part.name) }
        return ArrivedPicture(
            digest: digest, checksum: MD5Checksum.hex(bytes), size: size,
            header: ImageHeader(of: bytes))
    }

    package func abandon(before date: Date) throws {
        var old: [String] = []
        try store.client.list(arriving) { if $0.date < date { old.append($0.name) } }
        for name in old { try store.client.remove(name) }
    }

    /// A name in the folder for temporary files.
    private static func scratch() -> URL {
        FileManager.default.temporaryDirectory
            .appendingPathComponent("openstore-\(UUID().uuidString)")
    }

    // MARK: What has arrived

    package func store(file: URL, digest: ContentDigest) throws {
        try store.store(file: file, digest: digest)
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
            let copy = Self.scratch()
            defer { unlink(copy.path) }
            let (taken, checked) = try MediaSpool.copy(
                file, to: copy, limit: limit, digest: makeDigest(), check: check)
            try store.store(file: copy, digest: taken.digest)
            return (taken, checked)
        }
    }
}
