/// Chunks that lie in the blobs of earlier versions already: what delta updates and deduplication go by.
package struct KnownChunks: Sendable {
    /// Which of the blobs a chunk lies in, and which of its chunks it is.
    struct Location: Sendable {
        let number: Int
        let index: Int
    }

    let blobs: [DeliveryManifest.Blob]
    private var locations: [ChunkDigest: Location] = [:]

    /// - Parameter blobs: of earlier versions of the same product. Where several have a
    ///   chunk, the first one's is taken.
    package init(blobs: [DeliveryManifest.Blob] = []) {
        self.blobs = blobs
        for (number, blob) in blobs.enumerated() {
            for (index, chunk) in blob.chunks.enumerated() where locations[chunk.digest] == nil {
                locations[chunk.digest] = Location(number: number, index: index)
            }
        }
    }

    subscript(digest: ChunkDigest) -> Location? { locations[digest] }

    func chunk(at location: Location) -> DeliveryManifest.Chunk {
        blobs[location.number].chunks[location.index]
    }
}
