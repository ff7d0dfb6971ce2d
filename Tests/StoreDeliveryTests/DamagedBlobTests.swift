import Foundation
import StoreDelivery
import StoreTestSupport
import Testing

@Suite("Damaged blob")
struct DamagedBlobTests {
    private static let files: [(path: String, bytes: Data)] = [
        ("Contents/one", Data("the first of three".utf8)),
        ("Contents/two", SampleShop.noise(300_000, seed: 1)),
        ("Contents/three", Data(String(repeating: "text ", count: 40_000).utf8)),
    ]

    private let delivery: SampleDelivery
    private let bytes: Data

    init() throws {
        delivery = try SampleDelivery(files: Self.files)
        bytes = try Data(contentsOf: delivery.blob)
    }

    /// The chunk that a byte of the blob belongs to, and its file.
    private func place(of offset: Int) throws -> (path: String, chunk: DeliveryManifest.Chunk) {
        for entry in delivery.manifest.entries {
            for chunk in entry.chunks ?? []
            where (chunk.offset..<chunk.offset + chunk.length).contains(Int64(offset)) {
                return (entry.path.text, chunk)
            }
        }
        return try #require(nil)
    }

    /// Assembles from other bytes, and expects the damage to be found in a file.
    private func expectDamage(
        in path: String, from offset: Int64, _ bytes: Data,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let blob = try delivery.folder.write("blob-damaged", bytes)
        let error = #expect(throws: DeliveryError.self, sourceLocation: location) {
            try delivery.assemble(blob: blob)
        }
        guard case .damaged(path, offset) = error else {
            Issue.record("\(String(describing: error))", sourceLocation: location)
            return
        }
        #expect(try delivery.leftovers() == [], sourceLocation: location)
    }

    /// The first six bytes of a zstd frame are its magic and the size of its window; a
    /// larger window unpacks to the same bytes, and is no damage.
    @Test(arguments: 0..<64)
    func `a changed byte anywhere is found, and where to fetch again`(_ step: Int) throws {
        var offset = bytes.count * step / 64
        let place = try place(of: offset)
        offset = max(offset, Int(place.chunk.offset) + 6)
        var damaged = bytes
        damaged[offset] ^= 0x55
        try expectDamage(in: place.path, from: place.chunk.offset, damaged)
    }

    @Test func `a changed first byte of each chunk is found`() throws {
        for entry in delivery.manifest.entries {
            guard let chunk = entry.chunks?.first else { continue }
            var damaged = bytes
            damaged[Int(chunk.offset)] ^= 1
            try expectDamage(in: entry.path.text, from: chunk.offset, damaged)
        }
    }

    @Test func `a changed last byte of each chunk is found`() throws {
        for entry in delivery.manifest.entries {
            guard let chunk = entry.chunks?.first else { continue }
            var damaged = bytes
            damaged[Int(chunk.offset + chunk.length) - 1] ^= 0x80
            try expectDamage(in: entry.path.text, from: chunk.offset, damaged)
        }
    }

    @Test(arguments: [4096, 100_000])
    func `a page of zeros is found`(_ start: Int) throws {
        var damaged = bytes
        damaged.replaceSubrange(start..<start + 4096, with: Data(count: 4096))
        let place = try place(of: start)
        try expectDamage(in: place.path, from: place.chunk.offset, damaged)
    }

    @Test(arguments: 0..<16)
    func `a blob cut short is found at the first chunk that lacks bytes`(_ step: Int) throws {
        let length = bytes.count * step / 16
        let place = try place(of: length)
        try expectDamage(in: place.path, from: place.chunk.offset, bytes.prefix(length))
    }

    @Test func `a blob that lacks its last byte is found`() throws {
        let place = try place(of: bytes.count - 1)
        try expectDamage(in: place.path, from: place.chunk.offset, bytes.dropLast())
    }

    @Test func `a blob that is not there leaves nothing behind`() throws {
        #expect(throws: DeliveryError.self) {
            try delivery.assemble(blob: delivery.folder.file("nowhere"))
        }
        #expect(try delivery.leftovers() == [])
    }

    @Test func `bytes behind the last chunk do no harm`() throws {
        let blob = try delivery.folder.write("blob-longer", bytes + Data("more".utf8))
        try delivery.assemble(blob: blob)
        #expect(try delivery.leftovers() == ["content"])
    }
}
