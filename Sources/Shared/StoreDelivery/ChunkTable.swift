import Foundation

/// The chunks of a blob as they are written down at its end: they lie one behind the other
/// from its beginning on.
struct ChunkTable: Codable {
    /// A table that unpacks to more bytes is refused.
    private static let sizeLimit = 128 << 20

    /// 16 bytes for each.
    private var digests: Data
    private var lengths: [Int]
    private var unpackedLengths: [Int]

    init(_ chunks: [DeliveryManifest.Chunk]) {
        digests = Data()
        for chunk in chunks { chunk.digest.append(to: &digests) }
        lengths = chunks.map(\.length)
        unpackedLengths = chunks.map(\.unpackedLength)
    }

    /// JSON with sorted keys, compressed with zstd: the same table gives the same bytes.
    func encoded() throws -> Data {
        try compressed(json: json())
    }

    /// What `JSONEncoder` with sorted keys gives, which takes 300 bytes of memory for each
    /// number while it works: a package of 2 GB has a quarter of a million.
    func json() -> Data {
        var text = Data(#"{"digests":""#.utf8)
        text.append(digests.base64EncodedData())
        text.append(contentsOf: #"","lengths":["#.utf8)
        Self.append(lengths, to: &text)
        text.append(contentsOf: #"],"unpackedLengths":["#.utf8)
        Self.append(unpackedLengths, to: &text)
        text.append(contentsOf: "]}".utf8)
        return text
    }

    private static func append(_ numbers: [Int], to text: inout Data) {
        for (index, number) in numbers.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text.append(contentsOf: String(number).utf8)
        }
    }

    /// Reads a table and checks that its parts agree.
    ///
    /// - Parameter space: bytes of the blob before the table.
    /// - Throws: `DeliveryError.manifest`.
    static func chunks(encoded data: Data, space: Int64) throws -> [DeliveryManifest.Chunk] {
        let table: ChunkTable = try decompressed(data, "a blob's table", limit: sizeLimit)
        let count = table.lengths.count
        guard table.unpackedLengths.count == count,
            table.digests.count == count * ChunkDigest.length
        else { throw DeliveryError.manifest("a blob's table does not say as much of each chunk") }
        var offset: Int64 = 0
        let largest = DeliveryManifest.largestChunk
        return try table.digests.withUnsafeBytes { digests in
            try (0..<count).map { index in
                let (length, unpacked) = (table.lengths[index], table.unpackedLengths[index])
                // What does not shrink grows by the few bytes of its frame.
                guard (1...largest + 1024).contains(length), (1...largest).contains(unpacked),
                    Int64(length) <= space - offset
                else { throw DeliveryError.manifest("a chunk lies outside of its blob") }
                defer { offset += Int64(length) }
                let start = index * ChunkDigest.length
                return DeliveryManifest.Chunk(
                    digest: ChunkDigest(
                        stored: UnsafeRawBufferPointer(
                            rebasing: digests[start..<start + ChunkDigest.length])),
                    offset: offset, length: length, unpackedLength: unpacked)
            }
        }
    }
}

/// A value as JSON with sorted keys, in one zstd frame.
func compressed(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try compressed(json: encoder.encode(value))
}

/// A text in one zstd frame.
func compressed(json plain: Data) throws -> Data {
    try plain.withUnsafeBytes { bytes in
        // Higher levels take tens of megabytes for tables of their own.
        try ChunkCompressor(level: 6).compress(bytes) { Data($0) }
    }
}

/// Reads what `compressed` wrote.
///
/// - Throws: `DeliveryError.manifest`.
func decompressed<Value: Decodable>(_ data: Data, _ what: String, limit: Int) throws -> Value {
    let plain = try data.withUnsafeBytes { try unpacked($0, limit: limit) }
    do {
        return try JSONDecoder().decode(Value.self, from: plain)
    } catch {
        throw DeliveryError.manifest("\(what) can't be read: \(error)")
    }
}
