import Foundation
@testable import StoreDelivery
import StoreModel
import StoreTestSupport
import Testing

/// Content with everything that content can have, and the delivery made of it.
struct SampleDelivery {
    typealias File = (path: String, bytes: Data)

    static let productID = ProductID("com.example.chapter")!

    /// The large files have many chunks, and arrive in pieces that are no power of two.
    static let files: [File] = [
        ("Contents/empty", Data()),
        ("Contents/one", Data([0x2a])),
        (
            "Contents/text.txt",
            Data(String(repeating: "It was a dark night.\n", count: 30_000).utf8)
        ),
        ("Contents/pictures/noise.bin", SampleShop.noise(700_001, seed: 7)),
        ("Contents/a/b/c/deep.txt", Data("deep".utf8)),
        ("Contents/章.txt", Data("第一章".utf8)),
    ]
    private static let pieceSize = 100_003

    let folder: TemporaryFolder
    let delivery: Delivery
    let files: [File]
    /// The bytes of every blob that the manifest names.
    let blobs: [ContentDigest: Data]
    /// The compressed bytes of each chunk, in the manifest's order.
    let frames: [Data]

    var manifest: DeliveryManifest { delivery.manifest }
    var content: URL { folder.file("content") }
    var partial: URL { folder.file("partial") }

    /// - Parameter earlier: versions whose blobs are used again, the newest first.
    init(
        files: [File] = SampleDelivery.files, version: String = "1.0",
        after earlier: [SampleDelivery] = []
    ) throws {
        folder = try TemporaryFolder()
        self.files = files
        let file = folder.file("blob")
        let writer = try DeliveryWriter(
            blob: file, known: KnownChunks(blobs: Self.blobs(of: earlier)))
        writer.addDirectory(ContentPath("Contents")!)
        writer.addDirectory(ContentPath("Contents/hollow")!)
        for file in files {
            try writer.addFile(ContentPath(file.path)!) { sink in
                for start in stride(from: 0, to: file.bytes.count, by: Self.pieceSize) {
                    let end = min(start + Self.pieceSize, file.bytes.count)
                    try file.bytes[start..<end].withUnsafeBytes(sink)
                }
            }
        }
        writer.addLink(ContentPath("Contents/a/latest")!, target: "../text.txt")
        delivery = try writer.finish(
            contentIdentifier: Self.productID, version: ContentVersion(version)!)
        var blobs = earlier.reduce(into: [:]) { $0.merge($1.blobs) { first, _ in first } }
        if let digest = delivery.newBlob { blobs[digest] = try Data(contentsOf: file) }
        self.blobs = blobs
        frames = try delivery.manifest.blobs.flatMap { blob -> [Data] in
            let bytes = try #require(blobs[blob.digest])
            return try blob.chunks.map { chunk -> Data in
                let start = try #require(Int(exactly: chunk.offset))
                try #require(
                    start >= 0 && chunk.length >= 0 && chunk.length <= bytes.count - start)
                return Data(bytes[start..<start + chunk.length])
            }
        }
    }

    /// Each blob once.
    private static func blobs(of deliveries: [SampleDelivery]) -> [DeliveryManifest.Blob] {
        var seen: Set<ContentDigest> = []
        return deliveries.flatMap(\.manifest.blobs).filter { seen.insert($0.digest).inserted }
    }

    func assembly() throws -> DeliveryAssembly {
        try DeliveryAssembly(manifest: manifest, folder: partial)
    }

    /// Hands over all chunks that are missing, in an order of its own.
    func assemble() throws {
        let assembly = try assembly()
        var random = SeededRandom(seed: 3)
        for chunk in assembly.missing.shuffled(using: &random) {
            guard try assembly.receive(frame(of: chunk), of: chunk) else {
                throw DeliveryError.damaged("chunk \(chunk)")
            }
        }
        try assembly.finish(into: content)
    }

    /// The compressed bytes of a chunk, which the manifest has to have.
    func frame(of chunk: Int) throws -> Data {
        try #require(frames.indices.contains(chunk))
        return frames[chunk]
    }

    /// What lies in the folder of the delivery, without the blob.
    func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            .filter { $0 != "blob" }
    }
}

extension DeliveryAssembly {
    func receive(_ frame: Data, of chunk: Int) throws -> Bool {
        try frame.withUnsafeBytes { try receive($0, of: chunk, through: ChunkUnpacker()) }
    }
}

extension SampleDelivery {
    /// The manifest with one change to the JSON of its outline, and one to that of its first
    /// table, read back by the rules.
    func changed(
        _ change: (inout [String: Any]) -> Void, table: (inout [String: Any]) -> Void = { _ in }
    ) throws -> DeliveryManifest {
        let outline = try DeliveryOutline(
            encoded: try changed(delivery.encodedManifest, change))
        return try outline.manifest { blob in
            let bytes = self.table(of: blob)
            return blob.digest == manifest.blobs.first?.digest ? try changed(bytes, table) : bytes
        }
    }

    func table(of blob: BlobReference) -> Data {
        let known = manifest.blobs.first { $0.digest == blob.digest }
        guard let bytes = blobs[blob.digest], let known else { return Data() }
        return bytes.suffix(Int(clamping: max(0, known.reference.tableLength)))
    }

    private func changed(_ data: Data, _ change: (inout [String: Any]) -> Void) throws -> Data {
        var object =
            try JSONSerialization.jsonObject(with: Self.plain(data)) as? [String: Any] ?? [:]
        change(&object)
        return try Self.compressed(try JSONSerialization.data(withJSONObject: object))
    }

    static func plain(_ data: Data) throws -> Data {
        try data.withUnsafeBytes { try unpacked($0, limit: 1 << 24) }
    }

    static func compressed(_ plain: Data) throws -> Data {
        try plain.withUnsafeBytes { try ChunkCompressor(level: 1).compress($0) { Data($0) } }
    }
}
