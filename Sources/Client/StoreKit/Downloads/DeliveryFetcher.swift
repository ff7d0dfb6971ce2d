import FoundationNetworking
import StoreDelivery
import StoreModel
import StoreSecurity
import StoreWire
import Synchronization

/// Fetches what the store delivers, a version of content or the build of an app: the manifest, the tables of
/// blobs, then the chunks that the device doesn't have, several ranges at a time.
///
/// What has arrived stays in the folder for the next time, until another manifest is fetched there.
package struct DeliveryFetcher: Sendable {
    /// Gets some bytes of a blob, or all with `nil`, piece by piece.
    ///
    /// `accept` sees the status of the answer; what it throws ends the transfer.
    package typealias Transfer =
        @Sendable (
            _ digest: ContentDigest, _ bytes: Range<Int64>?,
            _ accept: @escaping @Sendable (Int) throws -> Void,
            _ sink: @escaping @Sendable (Data) throws -> Void
        ) async throws -> Void

    /// A version on the device, whose chunks can be taken.
    package typealias Installed = (manifest: ManifestFolder, folder: URL)

    /// The most bytes of a manifest.
    package static let longestManifest: Int64 = 64 << 20
    /// How many ranges are fetched at the same time.
    static let connections = 4

    private let folder: DeliveryFolder
    private let retry: RetryPolicy
    private let isFinal: @Sendable (any Error) -> Bool
    private let log: @Sendable (String) -> Void
    private let progress: @Sendable (Int64, Int64) -> Void
    private let transfer: Transfer

    /// - Parameters:
    ///   - folder: where it is put together.
    ///   - isFinal: whether trying again after an error can't help.
    ///   - progress: hears how many bytes are there, of how many.
    package init(
        folder: DeliveryFolder, retry: RetryPolicy,
        isFinal: @escaping @Sendable (any Error) -> Bool = RetryPolicy.isFinal,
        log: @escaping @Sendable (String) -> Void = { _ in },
        progress: @escaping @Sendable (Int64, Int64) -> Void, transfer: @escaping Transfer
    ) {
        self.folder = folder
        self.retry = retry
        self.isFinal = isFinal
        self.log = log
        self.progress = progress
        self.transfer = transfer
    }

    /// What the store has signed for, from the folder or fetched, in one attempt.
    package func outline(
        _ digest: ContentDigest, length: Int64
    ) async throws -> DeliveryOutline {
        if let known = folder.manifest.outline(digest) {
            return try DeliveryOutline(encoded: known)
        }
        let data = try await bytes(of: digest, 0..<length, isWhole: true)
        guard SHA256Digest.hex(data) == digest.text else {
            throw DeliveryError.damaged("The manifest")
        }
        // Files of another version are of no use.
        try folder.clear()
        try folder.manifest.begin(data)
        return try DeliveryOutline(encoded: data)
    }

    /// Brings everything to the folder's `content`.
    ///
    /// - Throws: what no further attempt helps against, or what none of them in a row has.
    package func fetch(
        _ outline: DeliveryOutline, reusing installed: [Installed],
        allowsExecutables: Bool = false
    ) async throws -> DeliveryManifest {
        let manifest = try await manifest(outline, installed)
        // What was finished before is looked through again: the app may have changed it.
        try folder.takeContentBack()
        let assembly = try DeliveryAssembly(
            manifest: manifest, folder: folder.partial, allowsExecutables: allowsExecutables)
        for older in installed where !assembly.missing.isEmpty {
            if let known = older.manifest.load() { try assembly.reuse(known, in: older.folder) }
        }
        let total = manifest.chunksLength
        let report: @Sendable () -> Void = { [progress] in
            progress(assembly.presentLength, total)
        }
        report()
        let plan = FetchPlan(manifest, missing: assembly.missing)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.connections {
                group.addTask { try await work(through: plan, for: assembly, report) }
            }
            try await group.waitForAll()
        }
        try Task.checkCancellation()
        try assembly.finish(into: folder.content)
        return manifest
    }

    /// Tries again where that can help; progress on any connection counts.
    package func trying<Outcome>(
        progress: () -> Int64 = { 0 }, _ body: () async throws -> Outcome
    ) async throws -> Outcome {
        try await retry.trying(progress: progress, log: log, isFinal: isFinal, body)
    }

    // MARK: Parts

    /// The manifest, with the tables of its blobs: from the folder, from installed versions, or fetched.
    private func manifest(
        _ outline: DeliveryOutline, _ installed: [Installed]
    ) async throws -> DeliveryManifest {
        var tables: [ContentDigest: Data] = [:]
        for blob in outline.blobs {
            if let known = folder.manifest.table(of: blob) {
                tables[blob.digest] = known
                continue
            }
            let known = installed.lazy.compactMap { $0.manifest.table(of: blob) }.first
            let table: Data
            if let known {
                table = known
            } else {
                table = try await trying { try await self.table(of: blob) }
            }
            try folder.manifest.keep(table, of: blob)
            tables[blob.digest] = table
        }
        return try outline.manifest { tables[$0.digest] ?? Data() }
    }

    private func table(of blob: BlobReference) async throws -> Data {
        let table = try await bytes(of: blob.digest, blob.table, isWhole: false)
        guard SHA256Digest.hex(table) == blob.tableDigest.text else {
            throw DeliveryError.damaged("The table of \(blob.digest)")
        }
        return table
    }

    /// Some bytes of a blob, in memory.
    ///
    /// - Parameter isWhole: whether they are all that there is.
    private func bytes(
        of digest: ContentDigest, _ range: Range<Int64>, isWhole: Bool
    ) async throws -> Data {
        let received = Mutex((data: Data(), skip: Int64(0)))
        try await transfer(
            digest, isWhole ? nil : range,
            { status in
                guard status == 206 || status == 200 else {
                    throw StoreClient.transferFailure(status: status)
                }
                // What knows no ranges sends the whole blob.
                received.withLock { $0 = (Data(), status == 200 ? range.lowerBound : 0) }
            },
            { data in
                try received.withLock { received in
                    let wanted = data.dropFirst(Int(clamping: received.skip))
                    received.skip -= Int64(data.count - wanted.count)
                    guard received.data.count + wanted.count <= range.count else {
                        throw URLError(.dataLengthExceedsMaximum)
                    }
                    received.data.append(wanted)
                }
            })
        return received.withLock { $0.data }
    }

    private func work(
        through plan: FetchPlan, for assembly: DeliveryAssembly,
        _ placed: @escaping @Sendable () -> Void
    ) async throws {
        while let segment = plan.take() {
            let receiver = SegmentReceiver(segment, for: assembly, placed: placed)
            try await trying(progress: { assembly.presentLength }) { try await fetch(receiver) }
        }
    }

    private func fetch(_ receiver: SegmentReceiver) async throws {
        guard let rest = receiver.rest else { return }
        do {
            try await transfer(
                rest.blob, rest.offset..<rest.offset + rest.length, { try receiver.accept($0) },
                { try receiver.take($0) })
        } catch is SegmentReceiver.EndOfSegment {}
        guard receiver.rest == nil else { throw URLError(.networkConnectionLost) }
    }
}
