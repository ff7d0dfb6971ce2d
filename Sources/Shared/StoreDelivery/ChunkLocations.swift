/// Where each chunk of a manifest belongs: files and offsets in them.
struct ChunkLocations: Sendable {
    struct Location: Sendable {
        /// The number of the entry.
        let entry: Int32
        let offset: Int64
    }

    private let starts: [Int32]
    private let locations: [Location]

    init(_ manifest: DeliveryManifest) {
        let lengths = manifest.blobs.flatMap { $0.chunks.map(\.unpackedLength) }
        var counts = [Int32](repeating: 0, count: lengths.count + 1)
        Self.forEach(manifest, lengths) { chunk, _, _ in counts[chunk + 1] += 1 }
        for index in counts.indices.dropFirst() { counts[index] += counts[index - 1] }
        starts = counts
        var next = counts
        var locations = [Location](
            repeating: Location(entry: 0, offset: 0), count: Int(counts[counts.count - 1]))
        Self.forEach(manifest, lengths) { chunk, entry, offset in
            locations[Int(next[chunk])] = Location(entry: Int32(entry), offset: offset)
            next[chunk] += 1
        }
        self.locations = locations
    }

    subscript(chunk: Int) -> ArraySlice<Location> {
        locations[Int(starts[chunk])..<Int(starts[chunk + 1])]
    }

    /// Visits the chunks of all files, file by file, in order.
    static func forEach(
        _ manifest: DeliveryManifest, _ lengths: [Int],
        _ body: (_ chunk: Int, _ entry: Int, _ offset: Int64) -> Void
    ) {
        for (number, entry) in manifest.entries.enumerated() {
            guard case .file(_, _, let ranges) = entry.kind else { continue }
            var offset: Int64 = 0
            for chunk in ranges.joined() {
                body(chunk, number, offset)
                offset += Int64(lengths[chunk])
            }
        }
    }
}
