import Foundation
import FoundationNetworking
import StoreCore
import StoreDelivery
@testable import StoreKit
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

/// What is asked for, and how often.
struct Fetching {
    private static let noise = 3_000_000

    /// The manifest of the chapter's only version, as it lies in the store.
    private func manifest(_ store: TestStore) async throws -> DeliveryManifest {
        let catalog = try await store.store.services.catalog.catalog(of: SampleShop.bundleID)
        let release = try #require(
            catalog?.products[ProductID(SampleShop.chapter)!]?.releases.first)
        func bytes(_ digest: ContentDigest) throws -> Data {
            let content = try #require(try store.store.content.open(digest))
            return try FileHandle(fileDescriptor: content.descriptor, closeOnDealloc: true)
                .readToEnd() ?? Data()
        }
        let outline = try DeliveryOutline(encoded: try bytes(release.manifestDigest))
        return try outline.manifest { try bytes($0.digest).suffix(Int($0.tableLength)) }
    }

    private func download(
        _ store: TestStore, _ transport: BreakingTransport
    ) async throws -> SKDownload {
        let device = try await TestDevice(store, transport: transport)
        let bought = try await device.buy(SampleShop.chapter)
        device.queue.start(bought.downloads)
        let finished = try await device.recorder.download(.finished)
        let file = try #require(finished.contentURL)
            .appendingPathComponent("Contents/pictures/noise.bin")
        #expect(try Data(contentsOf: file) == SampleShop.noise(Self.noise, seed: 7))
        return finished
    }

    @Test(arguments: [7, 50_001, 111_111])
    func `each chunk arrives once, however often connections break`(_ bytes: Int) async throws {
        let store = try await TestStore(noiseBytes: Self.noise)
        let transport = BreakingTransport(after: bytes)
        _ = try await download(store, transport)
        let chunks = try await manifest(store).blobs.flatMap(\.chunks)
        #expect(chunks.count > 50)
        var arrivals = [Int](repeating: 0, count: chunks.count)
        for stream in transport.streams.withLock({ $0 }) {
            let arrived = stream.start..<stream.start + Int64(stream.received)
            for (index, chunk) in chunks.enumerated()
            where chunk.offset >= arrived.lowerBound
                && chunk.offset + Int64(chunk.length) <= arrived.upperBound
            {
                arrivals[index] += 1
            }
        }
        #expect(arrivals.allSatisfy { $0 == 1 }, "\(arrivals)")
        #expect(transport.streams.withLock { $0.count } > 20)
    }

    @Test func `four ranges are on their way at once`() async throws {
        let store = try await TestStore(noiseBytes: Self.noise)
        // Each waits for the others before it goes on its way, however slow those are.
        let starts = try await manifest(store).blobs.flatMap(\.chunks).map(\.offset)
        let transport = BreakingTransport(after: .max, together: Set(starts))
        _ = try await download(store, transport)
        #expect(transport.most.withLock { $0 } == DeliveryFetcher.connections)
    }

    /// Some proxies know no ranges.
    @Test func `an answer with the whole blob will do`() async throws {
        let store = try await TestStore(noiseBytes: Self.noise)
        _ = try await download(store, BreakingTransport(after: .max, dropsRanges: true))
    }

    @Test func `segments cover what is missing, and nothing else`() async throws {
        let store = try await TestStore(noiseBytes: Self.noise)
        let manifest = try await manifest(store)
        let blob = try #require(manifest.blobs.first)
        let chunks = blob.chunks
        let missing = chunks.indices.filter { $0 % 7 != 3 }
        let plan = FetchPlan(manifest, missing: Array(missing))
        var seen: [Int] = []
        while let segment = plan.take() {
            let parts = segment.chunks.map { chunks[$0] }
            #expect(segment.blob == blob.digest)
            #expect(segment.offset == parts.first?.offset)
            #expect(segment.length == parts.reduce(0) { $0 + Int64($1.length) })
            #expect(segment.length <= 4 << 20)
            seen += segment.chunks
        }
        #expect(seen == missing)
        #expect(plan.take() == nil)
    }
}

/// The real transport, on which each stream of content breaks after so many bytes.
private final class BreakingTransport: RequestTransport {
    struct Stream {
        let start: Int64
        var received = 0
    }

    let streams = Mutex<[Stream]>([])
    let most = Mutex(0)
    private let running = Mutex(0)
    private let inner = HTTPTransport()
    private let limit: Int
    private let dropsRanges: Bool
    private let together: Set<Int64>
    private let gate = Gate()

    /// - Parameter together: where the streams begin of which none goes on before there are as many
    ///   as are expected at once.
    init(after limit: Int, dropsRanges: Bool = false, together: Set<Int64> = []) {
        self.limit = limit
        self.dropsRanges = dropsRanges
        self.together = together
    }

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        try await inner.send(request)
    }

    func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        // The manifest comes as a whole.
        guard let range = request.value(forHTTPHeaderField: "Range") else {
            return try await inner.stream(request, accept: accept, sink: sink)
        }
        var request = request
        let start = Int64(range.dropFirst("bytes=".count).prefix { $0 != "-" }) ?? 0
        if dropsRanges { request.setValue(nil, forHTTPHeaderField: "Range") }
        let number = streams.withLock { streams in
            streams.append(Stream(start: start))
            return streams.count - 1
        }
        let now = running.withLock { running in
            running += 1
            return running
        }
        most.withLock { $0 = max($0, now) }
        defer { running.withLock { $0 -= 1 } }
        if together.contains(start) {
            if now == DeliveryFetcher.connections { gate.open() }
            await gate.passes()
        }
        // What comes after a chunk lets the next attempt go on; what comes before, doesn't. Of three
        // streams that begin one after the other, two bring a chunk.
        let limit = max(self.limit, 140_000 * ((number + 1) % 3))
        try await inner.stream(request, accept: accept) { [self] data in
            let before = streams.withLock { $0[number].received }
            let part = data.prefix(max(0, limit - before))
            streams.withLock { $0[number].received += part.count }
            try sink(part)
            if part.count < data.count { throw URLError(.networkConnectionLost) }
        }
    }
}
