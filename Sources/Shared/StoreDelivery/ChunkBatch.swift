@preconcurrency import Dispatch
import Foundation
import Synchronization

/// Chunks that were cut, on their way into the blob: digests and compression on all
/// processors, the rest in order.
final class ChunkBatch {
    /// Where a chunk of this delivery lies.
    struct LocatedChunk: Sendable {
        /// Where in a known blob; nil for the new one.
        let blob: KnownChunks.Location?
        let chunk: DeliveryManifest.Chunk
    }

    /// Every chunk of the delivery once, in the order in which it was first met.
    private(set) var locations: [LocatedChunk] = []
    private var numbers: [ChunkDigest: Int] = [:]
    private var waiting: [(range: Range<Int>, entry: Int)] = []
    private let compressors: [ChunkCompressor]

    init(level: Int32, workers: Int) {
        compressors = (0..<max(1, workers)).map { _ in ChunkCompressor(level: level) }
    }

    /// Gives back the memory that chunks are recognized by: none will come any more.
    func forgetDigests() {
        numbers = [:]
    }

    /// Adds a chunk of an entry, by its location in the buffer.
    func add(_ range: Range<Int>, of entry: Int) {
        waiting.append((range, entry))
    }

    /// Writes what is new of the chunks that wait; `body` hears of each one's number and
    /// entry, in order.
    func process(
        _ buffer: UnsafeRawBufferPointer, known: KnownChunks, into blob: BlobFile,
        _ body: (_ number: Int, _ entry: Int) -> Void
    ) throws {
        let chunks = waiting.map { UnsafeRawBufferPointer(rebasing: buffer[$0.range]) }
        let digests = try each(of: chunks) { _, chunk in ChunkDigest(of: chunk) }
        var new: [Int] = []
        for (index, digest) in digests.enumerated() where numbers[digest] == nil {
            numbers[digest] = locations.count
            if let location = known[digest] {
                locations.append(LocatedChunk(blob: location, chunk: known.chunk(at: location)))
            } else {
                new.append(index)
                locations.append(
                    LocatedChunk(
                        blob: nil,
                        chunk: DeliveryManifest.Chunk(
                            digest: digest, offset: 0, length: 0,
                            unpackedLength: chunks[index].count)))
            }
        }
        let frames = try each(of: new.map { chunks[$0] }) { compressor, chunk in
            try compressor.compress(chunk) { Data($0) }
        }
        for (index, frame) in zip(new, frames) {
            let number = numbers[digests[index]]!
            var chunk = locations[number].chunk
            chunk.offset = blob.length
            chunk.length = frame.count
            locations[number] = LocatedChunk(blob: nil, chunk: chunk)
            try frame.withUnsafeBytes { try blob.append($0) }
        }
        for (digest, waiting) in zip(digests, waiting) { body(numbers[digest]!, waiting.entry) }
        waiting.removeAll(keepingCapacity: true)
    }

    /// The outcome for each chunk, in order, worked out on all processors.
    private func each<Outcome: Sendable>(
        of chunks: [UnsafeRawBufferPointer],
        _ body: @Sendable (ChunkCompressor, UnsafeRawBufferPointer) throws -> Outcome
    ) throws -> [Outcome] {
        let work = SharedChunks(chunks: chunks, compressors: compressors)
        let outcomes = Mutex<[Result<Outcome, any Error>?]>(
            [Result<Outcome, any Error>?](repeating: nil, count: chunks.count))
        DispatchQueue.concurrentPerform(iterations: compressors.count) { worker in
            for index in stride(from: worker, to: work.chunks.count, by: work.compressors.count) {
                let outcome = Result {
                    try body(work.compressors[worker], work.chunks[index])
                }
                outcomes.withLock { $0[index] = outcome }
            }
        }
        return try outcomes.withLock { outcomes in try outcomes.map { try $0!.get() } }
    }
}

/// What the workers of one batch share.
private struct SharedChunks: @unchecked Sendable {
    // Sendable: the bytes are only read, and stay until all workers have ended; each
    // compressor is used by one worker.
    let chunks: [UnsafeRawBufferPointer]
    let compressors: [ChunkCompressor]
}
