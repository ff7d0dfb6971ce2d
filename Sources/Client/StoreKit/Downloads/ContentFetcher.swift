import FoundationNetworking
import StoreDelivery
import StoreModel
import StoreSecurity
import StoreWire
import Synchronization

/// Fetches a version of content: the manifest, the tables of blobs, then the chunks that the device doesn't have,
/// several ranges at a time.
struct ContentFetcher: Sendable {
    /// So many ranges are on their way at once.
    static let connections = 4

    let folder: DownloadFolder
    let client: StoreClient
    let permits: DownloadPermits
    /// Folders with installed versions, which may have chunks already.
    let libraries: [String]
    let retry: RetryPolicy
    let log: @Sendable (String) -> Void
    /// Hears how many bytes are there, of how many.
    let report: @Sendable (Int64, Int64) -> Void

    /// Brings the content to its place in the folder.
    ///
    /// What was fetched stays for the next time, whatever happens.
    ///
    /// - Throws: what no further attempt helps against, or what none of them in a row has.
    func run() async throws {
        try folder.make()
        try await folder.whileAlone(retry) { try await fetch() }
    }

    /// The same for who holds the folder's lock.
    func fetch() async throws {
        let (delivery, outline) = try await trying { () async throws in
            let delivery = try await permits.ask()
            return (delivery, try await self.outline(of: delivery))
        }
        guard outline.contentIdentifier.text == delivery.contentIdentifier,
            outline.version == delivery.version
        else { throw DeliveryError.manifest("it is the manifest of other content") }
        let manifest = try await self.manifest(outline)
        // What was finished before is looked through again: the app may have changed it.
        try folder.takeContentBack()
        let assembly = try DeliveryAssembly(manifest: manifest, folder: folder.staging)
        try reuseInstalled(assembly)
        let total = manifest.chunksLength
        let report: @Sendable () -> Void = { [report] in report(assembly.presentLength, total) }
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
    }

    /// What the store has signed for, from the cache or fetched.
    private func outline(of delivery: DeliveryPayload) async throws -> DeliveryOutline {
        let digest = delivery.manifestDigest
        if let known = folder.manifest.outline(digest) {
            return try DeliveryOutline(encoded: known)
        }
        let data = try await withGrant { grant in
            try await client.content(
                digest, length: delivery.manifestLength, grant: grant)
        }
        guard Int64(data.count) == delivery.manifestLength,
            SHA256Digest.hex(data) == digest.text
        else { throw DeliveryError.damaged("The manifest of the content") }
        // Files of another version are of no use.
        try folder.clear()
        try folder.manifest.begin(data)
        return try DeliveryOutline(encoded: data)
    }

    /// The manifest, with the tables of its blobs: from the cache, from installed versions,
    /// or fetched.
    private func manifest(_ outline: DeliveryOutline) async throws -> DeliveryManifest {
        var tables: [ContentDigest: Data] = [:]
        let installed = InstalledContent.versions(of: outline.contentIdentifier, in: libraries)
        for blob in outline.blobs {
            if let known = folder.manifest.table(of: blob) {
                tables[blob.digest] = known
                continue
            }
            let table: Data
            if let known = installed.lazy.compactMap({ $0.manifestFolder.table(of: blob) }).first {
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
        let received = Mutex((table: Data(), skip: Int64(0)))
        try await withGrant { grant in
            try await client.content(
                blob.digest, bytes: blob.table, grant: grant,
                accept: { status in
                    guard status == 206 || status == 200 else {
                        throw StoreClient.transferFailure(status: status)
                    }
                    // What knows no ranges sends the whole blob, with the table at its end.
                    let skip = status == 200 ? blob.table.lowerBound : 0
                    received.withLock { $0 = (Data(), skip) }
                },
                sink: { data in
                    try received.withLock { received in
                        let wanted = data.dropFirst(Int(clamping: received.skip))
                        received.skip -= Int64(data.count - wanted.count)
                        guard Int64(received.table.count + wanted.count) <= blob.tableLength else {
                            throw URLError(.dataLengthExceedsMaximum)
                        }
                        received.table.append(wanted)
                    }
                })
        }
        let table = received.withLock { $0.table }
        guard SHA256Digest.hex(table) == blob.tableDigest.text else {
            throw DeliveryError.damaged("The table of \(blob.digest)")
        }
        return table
    }

    /// Does something with the store's permission; one that has ended is not used again.
    private func withGrant<Answer>(
        _ body: (String) async throws -> Answer
    ) async throws -> Answer {
        let grant = try await permits.current()
        do {
            return try await body(grant)
        } catch let error as WireError where error.code == .grantExpired {
            permits.forget(grant)
            throw error
        }
    }

    /// Takes what other versions of the content on the device have.
    private func reuseInstalled(_ assembly: DeliveryAssembly) throws {
        for older in InstalledContent.versions(
            of: assembly.manifest.contentIdentifier, in: libraries)
        {
            guard !assembly.missing.isEmpty else { return }
            guard let manifest = older.manifestFolder.load() else { continue }
            try assembly.reuse(manifest, in: older.folder)
        }
    }

    private func work(
        through plan: FetchPlan, for assembly: DeliveryAssembly,
        _ placed: @escaping @Sendable () -> Void
    ) async throws {
        while let segment = plan.take() {
            let receiver = SegmentReceiver(segment, for: assembly, placed: placed)
            try await trying(progress: { assembly.presentLength }) {
                try await fetch(receiver)
            }
        }
    }

    private func fetch(_ receiver: SegmentReceiver) async throws {
        guard let rest = receiver.rest else { return }
        do {
            try await withGrant { grant in
                try await client.content(
                    rest.blob, bytes: rest.offset..<rest.offset + rest.length, grant: grant,
                    accept: { try receiver.accept($0) }, sink: { try receiver.take($0) })
            }
        } catch is SegmentReceiver.EndOfSegment {}
        guard receiver.rest == nil else { throw URLError(.networkConnectionLost) }
    }

    /// Tries again where that can help: with progress, on whichever connection, for ever,
    /// without a few times more.
    private func trying<Outcome>(
        progress: () -> Int64 = { 0 }, _ body: () async throws -> Outcome
    ) async throws -> Outcome {
        try await retry.trying(progress: progress, log: log, body)
    }
}

extension RetryPolicy {
    /// Does a part of a download, again where that can help: with progress for ever, without a few
    /// times.
    package func trying<Outcome>(
        progress: () -> Int64 = { 0 }, log: (String) -> Void,
        isFinal: (any Error) -> Bool = Self.isFinal, _ body: () async throws -> Outcome
    ) async throws -> Outcome {
        var failures = 0
        var last = progress()
        while true {
            try Task.checkCancellation()
            do {
                return try await body()
            } catch let error where !isFinal(error) && !Task.isCancelled {
                let now = progress()
                if now != last { failures = 0 }
                last = now
                failures += 1
                guard failures < attempts else { throw error }
                log("A download was interrupted and goes on: \(error)")
                try await sleep(delay(after: failures - 1))
            }
        }
    }

    /// Whether trying again can't help.
    package static func isFinal(_ error: any Error) -> Bool {
        switch error {
        case let error as WireError:
            switch error.code {
            case .storeUnavailable, .internalError, .grantExpired, .notSignedIn: false
            default: true
            }
        case let error as URLError:
            error.code == .cancelled
        case DeliveryError.damaged: false
        default: true
        }
    }
}
