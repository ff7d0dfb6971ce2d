import StoreDelivery
import StoreModel
import Synchronization

/// The ranges of blobs that a download still has to fetch, handed out to whoever is free.
package final class FetchPlan: Sendable {
    /// Chunks that lie one behind the other in a blob.
    package struct Segment: Sendable, Hashable {
        package let blob: ContentDigest
        /// By their number in the manifest.
        package var chunks: Range<Int>
        /// Where the first of them begins.
        package var offset: Int64
        package var length: Int64
    }

    /// So many bytes are asked for at once: few enough that all connections have something
    /// to do till the end, and not more than a slow disk may leave waiting in memory.
    static func segmentLength(of total: Int64) -> Int64 {
        min(max(total / 16, 128 << 10), 4 << 20)
    }

    private let waiting: Mutex<[Segment]>

    package init(_ manifest: DeliveryManifest, missing: [Int]) {
        let chunks = manifest.blobs.flatMap(\.chunks)
        let limit = Self.segmentLength(
            of: missing.reduce(0) { $0 + Int64(chunks[$1].length) })
        var segments: [Segment] = []
        var next = missing.makeIterator()
        var wanted = next.next()
        var first = 0
        for blob in manifest.blobs {
            while let number = wanted, number < first + blob.chunks.count {
                let chunk = blob.chunks[number - first]
                wanted = next.next()
                if let last = segments.last, last.blob == blob.digest,
                    last.chunks.upperBound == number, last.offset + last.length == chunk.offset,
                    last.length + Int64(chunk.length) <= limit
                {
                    segments[segments.count - 1].chunks = last.chunks.lowerBound..<number + 1
                    segments[segments.count - 1].length += Int64(chunk.length)
                } else {
                    segments.append(
                        Segment(
                            blob: blob.digest, chunks: number..<number + 1, offset: chunk.offset,
                            length: Int64(chunk.length)))
                }
            }
            first += blob.chunks.count
        }
        // Taken from the end.
        waiting = Mutex(segments.reversed())
    }

    /// The next segment; nil where nothing waits.
    package func take() -> Segment? {
        waiting.withLock { $0.popLast() }
    }
}
