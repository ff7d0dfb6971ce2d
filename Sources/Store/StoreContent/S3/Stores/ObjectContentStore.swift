import Foundation
import StoreCore
import StoreModel
import StoreSecurity
import Synchronization

/// Content in an object store: one object for each digest, below a folder of its bucket.
///
/// An object is there when all of its bytes are, whoever is killed meanwhile. Bytes that are read
/// are brought into a file without a name first; a whole is compared with its digest.
package struct ObjectContentStore: ContentStore {
    /// Seconds that an address is good; who still fetches then goes on fetching.
    static let addressLifetime = 900
    private static let lengthLimit = 10_000

    let client: ObjectClient
    let threads: WaitingThreads
    /// Ends in a slash.
    let folder: String
    private let lengths = Lengths()

    /// How long what lies under digests is, which never changes.
    private final class Lengths: Sendable {
        let known = Mutex<[ContentDigest: UInt64]>([:])
    }

    init(client: ObjectClient, threads: WaitingThreads, folder: String) {
        self.client = client
        self.threads = threads
        self.folder = folder
    }

    package var answersAtOnce: Bool { false }

    package func apart<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await threads.run(work)
    }

    package func store(file: URL, digest: ContentDigest) throws {
        let name = name(of: digest)
        // What is wanted again is as good as new to whoever collects what nobody wants.
        if try client.length(of: name) == nil || !client.refresh(name) {
            try client.store(file: file, as: name, digest: digest)
        }
        try FileManager.default.removeItem(at: file)
    }

    package func open(_ digest: ContentDigest) throws -> OpenContent? {
        let file = try ScratchFile()
        let whole = SHA256Digest()
        var count: UInt64 = 0
        let isThere = try client.read(name(of: digest)) { bytes in
            whole.update(bytes)
            try file.append(bytes)
            count += UInt64(bytes.count)
        }
        guard isThere else { return nil }
        guard SHA256Digest.hexadecimal(whole.finish()) == digest.text else {
            throw ObjectStoreError(
                .damaged, "The object store has other bytes under \(digest) than its name says.")
        }
        return OpenContent(descriptor: file.take(), length: count)
    }

    package func open(
        _ digest: ContentDigest, wanted: @escaping @Sendable (UInt64) -> Range<UInt64>
    ) throws -> OpenContent? {
        guard let length = try length(of: digest) else { return nil }
        let range = wanted(length).clamped(to: 0..<length)
        // All of it is compared with the digest.
        if range == 0..<length, length > 0 { return try open(digest) }
        let file = try ScratchFile()
        guard
            try range.isEmpty
                || client.read(name(of: digest), range, into: { try file.append($0) })
        else {
            lengths.known.withLock { $0[digest] = nil }
            return nil
        }
        return OpenContent(descriptor: file.take(), length: length, origin: range.lowerBound)
    }

    private func length(of digest: ContentDigest) throws -> UInt64? {
        if let known = lengths.known.withLock({ $0[digest] }) { return known }
        let length = try client.length(of: name(of: digest))
        lengths.known.withLock { known in
            if known.count >= Self.lengthLimit { known.removeAll() }
            known[digest] = length
        }
        return length
    }

    package func address(
        of digest: ContentDigest, for method: String, as presentation: ContentPresentation
    ) -> String? {
        guard client.location.redirects else { return nil }
        var query = [("response-content-type", presentation.mediaType)]
        if let disposition = presentation.disposition {
            query.append(("response-content-disposition", disposition))
        }
        return client.address(
            method, name(of: digest), query: query, lifetime: Self.addressLifetime)
    }

    package func exists(_ digest: ContentDigest) throws -> Bool {
        try client.length(of: name(of: digest), isUrgent: true) != nil
    }

    package func remove(_ digest: ContentDigest) throws {
        lengths.known.withLock { $0[digest] = nil }
        try client.remove(name(of: digest), isUrgent: true)
    }

    package func list() throws -> [StoredContent] {
        var found: [StoredContent] = []
        try client.list(folder) { object in
            guard let digest = ContentDigest(String(object.name.dropFirst(folder.count))) else {
                return
            }
            found.append(
                StoredContent(digest: digest, length: object.length, date: object.date))
        }
        return found
    }

    private func name(of digest: ContentDigest) -> String { folder + digest.text }
}
