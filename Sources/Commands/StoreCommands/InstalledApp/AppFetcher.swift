import Foundation
import FoundationNetworking
import StoreDelivery
import StoreKernel
import StoreKit
import StoreModel
import StoreSecurity
import StoreWire
import Synchronization

/// Fetches a build of an app: the manifest, the tables of blobs, then the chunks that no installed
/// version has, several ranges at a time. What has arrived stays for the next time.
struct AppFetcher: Sendable {
    /// So many ranges are on their way at once.
    private static let connections = 4

    let api: CustomerAPI
    let delivery: AppDeliveryPayload
    let grant: AppGrant
    /// Where it is put together, for this manifest alone.
    let folder: URL
    /// Versions whose chunks can be taken.
    let installed: [InstalledApp]
    let retry: RetryPolicy
    /// Hears of the bytes that are there, and of all.
    let progress: @Sendable (Int64, Int64) -> Void

    var manifestFolder: ManifestFolder {
        ManifestFolder(url: folder.appendingPathComponent("manifest"))
    }
    private var staging: URL { folder.appendingPathComponent("files") }
    /// What is finished.
    var content: URL { folder.appendingPathComponent("version") }

    /// Brings the build to `content`.
    ///
    /// - Throws: what no further attempt helps against, or what none of them in a row has.
    func run() async throws -> DeliveryManifest {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let outline = try await trying { try await self.outline() }
        guard outline.contentIdentifier.text == delivery.bundleId,
            outline.version == delivery.version
        else { throw DeliveryError.manifest("it is the manifest of another app") }
        let manifest = try await manifest(outline)
        try takeBack()
        let assembly = try DeliveryAssembly(
            manifest: manifest, folder: staging, allowsExecutables: true)
        for older in installed where !assembly.missing.isEmpty {
            if let known = older.manifestFolder.load() {
                try assembly.reuse(known, in: older.folder)
            }
        }
        let total = manifest.chunksLength
        let report: @Sendable () -> Void = { [progress] in progress(assembly.presentLength, total) }
        report()
        let plan = FetchPlan(manifest, missing: assembly.missing)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.connections {
                group.addTask { try await work(through: plan, for: assembly, report) }
            }
            try await group.waitForAll()
        }
        try Task.checkCancellation()
        try assembly.finish(into: content)
        return manifest
    }

    /// What was finished and not moved is looked through again.
    private func takeBack() throws {
        guard access(content.path, F_OK) == 0 else { return }
        if access(staging.path, F_OK) == 0 { try FileManager.default.removeItem(at: staging) }
        guard rename(content.path, staging.path) == 0 else {
            throw DurableFile.failure("can't be moved", content)
        }
    }

    private func outline() async throws -> DeliveryOutline {
        let digest = delivery.manifestDigest
        if let known = manifestFolder.outline(digest) { return try DeliveryOutline(encoded: known) }
        let data = try await bytes(of: digest, 0..<delivery.manifestLength, isWhole: true)
        guard SHA256Digest.hex(data) == digest.text else {
            throw DeliveryError.damaged("The manifest of the app")
        }
        try manifestFolder.begin(data)
        return try DeliveryOutline(encoded: data)
    }

    private func manifest(_ outline: DeliveryOutline) async throws -> DeliveryManifest {
        var tables: [ContentDigest: Data] = [:]
        for blob in outline.blobs {
            let known =
                manifestFolder.table(of: blob)
                ?? installed.lazy.compactMap { $0.manifestFolder.table(of: blob) }.first
            let table: Data
            if let known {
                table = known
            } else {
                table = try await trying {
                    let table = try await bytes(of: blob.digest, blob.table, isWhole: false)
                    guard SHA256Digest.hex(table) == blob.tableDigest.text else {
                        throw DeliveryError.damaged("The table of \(blob.digest)")
                    }
                    return table
                }
            }
            try manifestFolder.keep(table, of: blob)
            tables[blob.digest] = table
        }
        return try outline.manifest { tables[$0.digest] ?? Data() }
    }

    /// Some bytes of content, in memory.
    ///
    /// - Parameter isWhole: whether they are all that there is.
    private func bytes(
        of digest: ContentDigest, _ range: Range<Int64>, isWhole: Bool
    ) async throws -> Data {
        let received = Mutex((data: Data(), skip: Int64(0)))
        try await withGrant { grant in
            try await api.content(
                digest, bytes: isWhole ? nil : range, grant: grant,
                accept: { status in
                    guard status == 206 || status == 200 else {
                        throw StoreClient.transferFailure(status: status)
                    }
                    // What knows no ranges sends everything.
                    received.withLock { $0 = (Data(), status == 200 ? range.lowerBound : 0) }
                },
                sink: { data in
                    try received.withLock { received in
                        let wanted = data.dropFirst(Int(clamping: received.skip))
                        received.skip -= Int64(data.count - wanted.count)
                        guard received.data.count + wanted.count <= range.count else {
                            throw URLError(.dataLengthExceedsMaximum)
                        }
                        received.data.append(wanted)
                    }
                })
        }
        return received.withLock { $0.data }
    }

    private func work(
        through plan: FetchPlan, for assembly: DeliveryAssembly,
        _ report: @escaping @Sendable () -> Void
    ) async throws {
        while let segment = plan.take() {
            let receiver = SegmentReceiver(segment, for: assembly, placed: report)
            try await trying(progress: { assembly.presentLength }) { try await fetch(receiver) }
        }
    }

    private func fetch(_ receiver: SegmentReceiver) async throws {
        guard let rest = receiver.rest else { return }
        do {
            try await withGrant { grant in
                try await api.content(
                    rest.blob, bytes: rest.offset..<rest.offset + rest.length, grant: grant,
                    accept: { try receiver.accept($0) }, sink: { try receiver.take($0) })
            }
        } catch is SegmentReceiver.EndOfSegment {}
        guard receiver.rest == nil else { throw URLError(.networkConnectionLost) }
    }

    /// Does something with the store's permission, and asks for another one when it has ended.
    private func withGrant(_ body: (String) async throws -> Void) async throws {
        let used = grant.current
        do { try await body(used) } catch let error as WireError where error.code == .grantExpired {
            try await grant.renew(used)
            throw error
        }
    }

    private func trying<Outcome>(
        progress: () -> Int64 = { 0 }, _ body: () async throws -> Outcome
    ) async throws -> Outcome {
        try await retry.trying(progress: progress, log: { _ in }, isFinal: Self.isFinal, body)
    }

    /// Whether trying again can't help: nobody signs in meanwhile.
    private static func isFinal(_ error: any Error) -> Bool {
        RetryPolicy.isFinal(error) || (error as? WireError)?.code == .notSignedIn
    }
}

/// The store's permission to fetch a build, asked for anew when it ends.
final class AppGrant: Sendable {
    private let grant: Mutex<String>
    private let ask: @Sendable () async throws -> String

    init(_ grant: String, ask: @escaping @Sendable () async throws -> String) {
        self.grant = Mutex(grant)
        self.ask = ask
    }

    var current: String { grant.withLock { $0 } }

    /// Takes another one in the place of one that has ended, once for all that have used it.
    func renew(_ used: String) async throws {
        guard current == used else { return }
        let new = try await ask()
        grant.withLock { $0 = new }
    }
}
