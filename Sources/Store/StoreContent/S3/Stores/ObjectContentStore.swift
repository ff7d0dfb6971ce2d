import Foundation
import StoreCore
import StoreKernel
import StoreModel
import StoreSecurity
import Synchronization

/// Content in an object store: one object for each digest, below a folder of its bucket.
///
/// An object is there when all of its bytes are, whoever is killed meanwhile. Bytes that are read
/// are brought into a file without a name first, ranges piece by piece (`window`); a whole is
/// compared with its digest.
package struct ObjectContentStore: ContentStore {
    /// Seconds that an address is good; who still fetches then goes on fetching.
    static let addressLifetime = 900
    /// Bytes of a range that are fetched at once.
    static let window: UInt64 = 8 << 20
    /// So many that are damaged are remembered.
    private static let damagedLimit = 10_000

    let client: ObjectClient
    let threads: BlockingPool
    let scratch: ScratchSpace
    /// Ends in a slash.
    let folder: String
    private let findings = Findings()

    /// What is known of objects.
    private final class Findings: Sendable {
        /// How long what lies under digests is, which never changes.
        let lengths = Cache<ContentDigest, UInt64>(limit: 10_000)
        /// Those that were found to have other bytes.
        let damaged = Mutex<Set<ContentDigest>>([])
    }

    init(client: ObjectClient, threads: BlockingPool, scratch: ScratchSpace, folder: String) {
        self.client = client
        self.threads = threads
        self.scratch = scratch
        self.folder = folder
    }

    package var answersAtOnce: Bool { false }
    package var window: UInt64? { Self.window }

    package func apart<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await threads.run(leavesWhenCancelled: false, work)
    }

    package func store(file: URL, digest: ContentDigest) throws {
        try store(file: file, digest: digest, proceed: {})
    }

    package func store(file: URL, digest: ContentDigest, proceed: () throws -> Void) throws {
        var status = stat()
        guard stat(file.path, &status) == 0 else { throw ObjectStoreError.system(file.path) }
        try store(length: UInt64(max(0, status.st_size)), digest: digest) { name in
            try client.store(file: file, as: name, digest: digest, proceed: proceed)
        }
        try FileManager.default.removeItem(at: file)
    }

    func store(_ data: Data, digest: ContentDigest) throws {
        try store(length: UInt64(data.count), digest: digest) { try client.store(data, as: $0) }
    }

    /// Stores bytes unless they are there.
    private func store(
        length: UInt64, digest: ContentDigest, send: (String) throws -> Void
    ) throws {
        let name = name(of: digest)
        let isDamaged = findings.damaged.withLock { $0.contains(digest) }
        let known = try isDamaged ? nil : client.length(of: name)
        // What is wanted again is as good as new to whoever collects what nobody wants.
        if known == length, try client.refresh(name) { return }
        forget(digest)
        do {
            try send(name)
        } catch let error as ObjectStoreError where error.code == .damaged && known != nil {
            // These bytes are the wrong ones; the first under a digest stay.
            guard try client.refresh(name) else { throw error }
        }
        findings.damaged.withLock { _ = $0.remove(digest) }
    }

    private func forget(_ digest: ContentDigest) {
        findings.lengths.removeValue(for: digest)
    }

    package func open(_ digest: ContentDigest) throws -> OpenContent? {
        guard let length = try length(of: digest) else { return nil }
        let file = try scratch.file(length: length)
        let whole = SHA256Digest()
        var count: UInt64 = 0
        let isThere = try client.read(name(of: digest)) { bytes in
            whole.update(bytes)
            count += UInt64(bytes.count)
            // More is another object, for which there is no room.
            if count <= length { try file.append(bytes) }
        }
        guard isThere else {
            forget(digest)
            return nil
        }
        guard SHA256Digest.hexadecimal(whole.finish()) == digest.text else {
            forget(digest)
            // The next who stores it does not take it for stored.
            findings.damaged.withLock { damaged in
                if damaged.count < Self.damagedLimit { damaged.insert(digest) }
            }
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
        let file = try scratch.file(length: UInt64(range.count))
        var count = 0
        let isThere =
            try range.isEmpty
            || client.read(name(of: digest), range) { bytes in
                count += bytes.count
                guard count <= range.count else {
                    throw ObjectStoreError(
                        .damaged, "The object store sends more of \(digest) than was asked for.")
                }
                try file.append(bytes)
            }
        guard isThere else {
            forget(digest)
            return nil
        }
        return OpenContent(descriptor: file.take(), length: length, origin: range.lowerBound)
    }

    private func length(of digest: ContentDigest) throws -> UInt64? {
        if let known = findings.lengths.value(for: digest) { return known }
        let length = try client.length(of: name(of: digest))
        if let length { findings.lengths.insert(length, for: digest) }
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
        try client.length(of: name(of: digest)) != nil
    }

    package func remove(_ digest: ContentDigest) throws {
        forget(digest)
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
