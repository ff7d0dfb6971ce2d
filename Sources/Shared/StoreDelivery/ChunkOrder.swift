/// Gives the chunks of a delivery their numbers: all chunks of the blobs that it needs,
/// counted through, the new blob last.
struct ChunkOrder {
    /// The blobs that the delivery needs.
    let blobs: [DeliveryManifest.Blob]
    /// For each chunk its number.
    private let numbers: [Int]

    /// - Parameters:
    ///   - known: earlier blobs, which locations name by number.
    ///   - new: the blob of locations without number; its chunks lie in it in their order.
    ///   - chunks: those of the new blob, in the order of their locations.
    init(
        _ locations: [ChunkBatch.LocatedChunk], known: [DeliveryManifest.Blob], new: BlobReference?,
        chunks: [DeliveryManifest.Chunk]
    ) {
        let used = Set(locations.compactMap { $0.blob?.number }).sorted()
        var firsts: [Int: Int] = [:]
        var blobs: [DeliveryManifest.Blob] = []
        var count = 0
        for number in used {
            firsts[number] = count
            blobs.append(known[number])
            count += known[number].chunks.count
        }
        var numbers: [Int] = []
        numbers.reserveCapacity(locations.count)
        var fresh = count
        for location in locations {
            if let blob = location.blob {
                numbers.append(firsts[blob.number]! + blob.index)
            } else {
                numbers.append(fresh)
                fresh += 1
            }
        }
        if let new { blobs.append(DeliveryManifest.Blob(reference: new, chunks: chunks)) }
        self.blobs = blobs
        self.numbers = numbers
    }

    /// Chunks as ranges of the manifest's numbers.
    func ranges(of chunks: [Int]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for chunk in chunks {
            let number = numbers[chunk]
            if let last = ranges.last, last.upperBound == number {
                ranges[ranges.count - 1] = last.lowerBound..<number + 1
            } else {
                ranges.append(number..<number + 1)
            }
        }
        return ranges
    }
}
