import StoreModel

/// Chunks that lie in the blobs of earlier versions already.
package struct KnownChunks: Sendable {
    /// A chunk, and which of the blobs it lies in.
    struct Place: Sendable {
        let blob: Int
        let chunk: DeliveryManifest.Chunk
    }

    private(set) var blobs: [DeliveryManifest.Blob] = []
    private var places: [ChunkDigest: Place] = [:]

    /// - Parameter manifests: of earlier versions of the same product, the newest first:
    ///   where several have a chunk, the first one's is taken.
    package init(manifests: [DeliveryManifest] = []) {
        var numbers: [ContentDigest: Int] = [:]
        for blob in manifests.flatMap(\.blobs) {
            let number = numbers[blob.digest] ?? blobs.count
            if number == blobs.count {
                numbers[blob.digest] = number
                blobs.append(blob)
            }
            for chunk in blob.chunks where places[chunk.digest] == nil {
                places[chunk.digest] = Place(blob: number, chunk: chunk)
            }
        }
    }

    subscript(digest: ChunkDigest) -> Place? { places[digest] }
}
