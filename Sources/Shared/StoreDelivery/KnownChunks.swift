import StoreModel

/// Chunks that lie in the blobs of earlier versions already.
package struct KnownChunks: Sendable {
    /// Which of the blobs a chunk lies in, and which of its chunks it is.
    struct Place: Sendable {
        let number: Int
        let index: Int
    }

    private(set) var blobs: [DeliveryManifest.Blob] = []
    private var places: [ChunkDigest: Place] = [:]

    /// - Parameter manifests: of earlier versions of the same product, the newest first:
    ///   where several have a chunk, the first one's is taken.
    package init(manifests: [DeliveryManifest] = []) {
        var numbers: [ContentDigest: Int] = [:]
        for blob in manifests.flatMap(\.blobs) {
            guard numbers[blob.digest] == nil else { continue }
            numbers[blob.digest] = blobs.count
            for (index, chunk) in blob.chunks.enumerated() where places[chunk.digest] == nil {
                places[chunk.digest] = Place(number: blobs.count, index: index)
            }
            blobs.append(blob)
        }
    }

    subscript(digest: ChunkDigest) -> Place? { places[digest] }

    func chunk(at place: Place) -> DeliveryManifest.Chunk {
        blobs[place.number].chunks[place.index]
    }
}
