/// Chunks that lie in the blobs of earlier versions already: what delta updates and deduplication go by.
package struct KnownChunks: Sendable {
    /// Which of the blobs a chunk lies in, and which of its chunks it is.
    struct Place: Sendable {
        let number: Int
        let index: Int
    }

    let blobs: [DeliveryManifest.Blob]
    private var places: [ChunkDigest: Place] = [:]

    /// - Parameter blobs: of earlier versions of the same product. Where several have a
    ///   chunk, the first one's is taken.
    package init(blobs: [DeliveryManifest.Blob] = []) {
        self.blobs = blobs
        for (number, blob) in blobs.enumerated() {
            for (index, chunk) in blob.chunks.enumerated() where places[chunk.digest] == nil {
                places[chunk.digest] = Place(number: number, index: index)
            }
        }
    }

    subscript(digest: ChunkDigest) -> Place? { places[digest] }

    func chunk(at place: Place) -> DeliveryManifest.Chunk {
        blobs[place.number].chunks[place.index]
    }
}
