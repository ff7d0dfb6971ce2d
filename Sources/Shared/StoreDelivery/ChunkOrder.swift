import StoreModel

/// Brings the chunks of a delivery into the order of a manifest: blob by blob, by offset.
struct ChunkOrder {
    /// The blobs that the delivery needs, with the chunks that it needs of them.
    let blobs: [DeliveryManifest.Blob]
    /// For each place its number in the manifest.
    private let numbers: [Int]

    /// - Parameters:
    ///   - known: earlier blobs, which places name by number.
    ///   - new: the blob of places without number.
    init(
        _ places: [ChunkBatch.Place], known: [DeliveryManifest.Blob],
        new: (digest: ContentDigest, length: Int64)?
    ) {
        // The new blob comes last.
        let sorted = places.indices.sorted { left, right in
            let (a, b) = (places[left], places[right])
            return (a.blob ?? .max, a.chunk.offset) < (b.blob ?? .max, b.chunk.offset)
        }
        var numbers = [Int](repeating: 0, count: places.count)
        var blobs: [DeliveryManifest.Blob] = []
        var last: Int??
        for (number, index) in sorted.enumerated() {
            numbers[index] = number
            let place = places[index]
            if last != .some(place.blob) {
                last = .some(place.blob)
                if let blob = place.blob.map({ known[$0] }) {
                    blobs.append(
                        DeliveryManifest.Blob(
                            digest: blob.digest, length: blob.length, chunks: []))
                } else if let new {
                    blobs.append(
                        DeliveryManifest.Blob(digest: new.digest, length: new.length, chunks: []))
                }
            }
            blobs[blobs.count - 1].chunks.append(place.chunk)
        }
        self.blobs = blobs
        self.numbers = numbers
    }

    /// Places as ranges of the manifest's numbers.
    func ranges(of places: [Int]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for place in places {
            let number = numbers[place]
            if let last = ranges.last, last.upperBound == number {
                ranges[ranges.count - 1] = last.lowerBound..<number + 1
            } else {
                ranges.append(number..<number + 1)
            }
        }
        return ranges
    }
}
