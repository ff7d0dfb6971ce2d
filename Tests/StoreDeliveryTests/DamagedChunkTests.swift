import Foundation
import StoreDelivery
import StoreTestSupport
import Testing

@Suite("Damaged chunk")
struct DamagedChunkTests {
    private let delivery: SampleDelivery

    init() throws {
        delivery = try SampleDelivery(files: [
            ("Contents/one", Data("the first of three".utf8)),
            ("Contents/two", SampleShop.noise(300_000, seed: 1)),
            ("Contents/three", Data(String(repeating: "text ", count: 40_000).utf8)),
        ])
        // Of the three files, and each with a header.
        try #require(delivery.frames.count > 3 && delivery.frames.allSatisfy { $0.count > 7 })
    }

    /// Hands over another frame for a chunk, which has to be refused and to leave it missing.
    private func expectRefusal(
        of frame: Data, for chunk: Int, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let assembly = try delivery.assembly()
        #expect(try !assembly.receive(frame, of: chunk), sourceLocation: location)
        #expect(assembly.missing.contains(chunk), sourceLocation: location)
        #expect(assembly.presentLength == 0, sourceLocation: location)
    }

    /// The first six bytes of a zstd frame are its magic and the size of its window; a
    /// larger window unpacks to the same bytes, and is no damage.
    @Test(arguments: 0..<32)
    func `a changed byte anywhere is found`(_ step: Int) throws {
        for chunk in delivery.frames.indices {
            var frame = Data(delivery.frames[chunk])
            frame[6 + (frame.count - 7) * step / 31] ^= 0x55
            try expectRefusal(of: frame, for: chunk)
        }
    }

    @Test func `a changed first or last byte is found`() throws {
        for chunk in delivery.frames.indices {
            var frame = Data(delivery.frames[chunk])
            frame[0] ^= 1
            try expectRefusal(of: frame, for: chunk)
            frame[0] ^= 1
            frame[frame.count - 1] ^= 0x80
            try expectRefusal(of: frame, for: chunk)
        }
    }

    @Test func `the frame of another chunk is refused`() throws {
        for chunk in delivery.frames.indices.dropLast() {
            try expectRefusal(of: delivery.frames[chunk + 1], for: chunk)
        }
    }

    @Test func `a frame cut short, a longer one and none at all are refused`() throws {
        let frame = delivery.frames[1]
        try expectRefusal(of: frame.dropLast(), for: 1)
        try expectRefusal(of: frame + [0], for: 1)
        try expectRefusal(of: frame + frame, for: 1)
        try expectRefusal(of: Data(), for: 1)
    }

    /// Fifty megabytes of zeros in a few kilobytes.
    @Test func `a frame that unpacks to more than announced is refused`() throws {
        let bomb = try SampleDelivery.compressed(Data(count: 50_000_000))
        #expect(bomb.count < 10_000)
        try expectRefusal(of: bomb, for: 0)
    }

    @Test(arguments: [1, -1])
    func `a chunk that unpacks to another length than announced is refused`(
        _ difference: Int
    ) throws {
        let first = try #require(delivery.manifest.blobs.first?.chunks.first)
        let length = first.unpackedLength + difference
        let manifest = try delivery.changed(
            { manifest in
                var entries = manifest["entries"] as? [[String: Any]] ?? []
                if entries.count > 2 { entries[2]["length"] = length }
                manifest["entries"] = entries
            },
            table: { table in
                var lengths = table["unpackedLengths"] as? [Int] ?? []
                if !lengths.isEmpty { lengths[0] = length }
                table["unpackedLengths"] = lengths
            })
        let assembly = try DeliveryAssembly(manifest: manifest, folder: delivery.partial)
        #expect(try !assembly.receive(delivery.frames[0], of: 0))
    }

    @Test func `what was damaged on disk is fetched again`() throws {
        let first = try delivery.assembly()
        for chunk in first.missing {
            #expect(try first.receive(delivery.frame(of: chunk), of: chunk))
        }
        #expect(try delivery.assembly().missing == [])
        let file = delivery.partial.appendingPathComponent("Contents/two")
        let handle = try FileHandle(forUpdating: file)
        try handle.seek(toOffset: 150_000)
        try handle.write(contentsOf: Data("x".utf8))
        try handle.close()
        let second = try delivery.assembly()
        #expect(second.missing.count == 1)
        #expect(second.presentLength < delivery.manifest.chunksLength)
    }

    @Test func `a file that became shorter or longer is filled again`() throws {
        let first = try delivery.assembly()
        for chunk in first.missing {
            #expect(try first.receive(delivery.frame(of: chunk), of: chunk))
        }
        #expect(truncate(delivery.partial.appendingPathComponent("Contents/one").path, 3) == 0)
        let longer = delivery.partial.appendingPathComponent("Contents/three").path
        #expect(truncate(longer, 300_000) == 0)
        try delivery.assemble()
        for file in delivery.files {
            let arrived = try Data(contentsOf: delivery.content.appendingPathComponent(file.path))
            #expect(arrived == file.bytes, "\(file.path)")
        }
    }
}
