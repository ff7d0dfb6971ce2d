import Foundation
import StoreDelivery
import StoreModel
import StoreSecurity
import StoreTestSupport
import Testing

@Suite("Delivery")
struct DeliveryRoundTripTests {
    private let delivery: SampleDelivery

    init() throws {
        delivery = try SampleDelivery()
    }

    @Test func `every file arrives byte for byte`() throws {
        try delivery.assemble()
        for file in SampleDelivery.files {
            let arrived = try Data(contentsOf: delivery.content.appendingPathComponent(file.path))
            #expect(arrived == file.bytes, "\(file.path)")
        }
    }

    @Test func `nothing arrives but files, folders and the link of the manifest`() throws {
        try delivery.assemble()
        let arrived = try FileManager.default.subpathsOfDirectory(atPath: delivery.content.path)
        let wanted =
            SampleDelivery.files.map(\.path) + [
                "Contents", "Contents/a", "Contents/a/b", "Contents/a/b/c", "Contents/a/latest",
                "Contents/hollow", "Contents/pictures",
            ]
        #expect(arrived.sorted() == wanted.sorted())
        #expect(try delivery.leftovers() == ["content"])
    }

    @Test func `the link leads where it led`() throws {
        try delivery.assemble()
        let link = delivery.content.appendingPathComponent("Contents/a/latest").path
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "../text.txt")
    }

    @Test func `files are not executable`() throws {
        try delivery.assemble()
        for file in SampleDelivery.files {
            let path = delivery.content.appendingPathComponent(file.path).path
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let mode = try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
            #expect(mode & 0o111 == 0)
        }
    }

    @Test func `the manifest names the blob by its digest and length`() throws {
        let blob = try Data(contentsOf: delivery.blob)
        #expect(delivery.manifest.blobDigest.text == SHA256Digest.hex(blob))
        #expect(delivery.manifest.blobLength == Int64(blob.count))
        let unpacked = SampleDelivery.files.reduce(0) { $0 + $1.bytes.count }
        #expect(delivery.manifest.unpackedLength == Int64(unpacked))
    }

    @Test func `the chunks cover the blob without gap or overlap`() {
        var position: Int64 = 0
        for chunk in delivery.manifest.entries.flatMap({ $0.chunks ?? [] }) {
            #expect(chunk.offset == position)
            position += chunk.length
        }
        #expect(position == delivery.manifest.blobLength)
    }

    @Test func `text shrinks and noise hardly grows`() throws {
        func chunk(_ path: String) throws -> DeliveryManifest.Chunk {
            try #require(delivery.manifest.entries.first { $0.path.text == path }?.chunks?.first)
        }
        let text = try chunk("Contents/text.txt")
        #expect(text.length * 20 < text.unpackedLength)
        let noise = try chunk("Contents/pictures/noise.bin")
        #expect(noise.length < noise.unpackedLength + 1000)
    }

    @Test func `an empty file has no chunk`() throws {
        let entry = try #require(
            delivery.manifest.entries.first { $0.path.text == "Contents/empty" })
        #expect(entry.chunks == [])
        #expect(entry.length == 0)
        #expect(entry.digest?.text == SHA256Digest.hex(Data()))
    }

    @Test func `the same content gives the same manifest and blob`() throws {
        let again = try SampleDelivery()
        #expect(try again.manifest.encoded() == delivery.manifest.encoded())
        #expect(try Data(contentsOf: again.blob) == Data(contentsOf: delivery.blob))
    }

    @Test func `a manifest survives its encoding to the byte`() throws {
        let data = try delivery.manifest.encoded()
        let decoded = try DeliveryManifest(encoded: data)
        #expect(decoded == delivery.manifest)
        #expect(try decoded.encoded() == data)
    }

    @Test func `the encoding of a manifest stays as it is`() throws {
        let small = try SampleDelivery(files: [("Contents/empty", Data())])
        let digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        #expect(
            String(decoding: try small.manifest.encoded(), as: UTF8.self) == """
                {"blobDigest":"\(digest)","blobLength":0,\
                "contentIdentifier":"com.example.chapter","entries":[\
                {"kind":"directory","path":"Contents"},\
                {"kind":"directory","path":"Contents/hollow"},\
                {"chunks":[],"digest":"\(digest)","kind":"file","length":0,\
                "path":"Contents/empty"},\
                {"kind":"link","path":"Contents/a/latest","target":"../text.txt"}],\
                "format":1,"version":"1.0"}
                """)
    }

    @Test func `what an earlier attempt left beside it is cleared away`() throws {
        try delivery.folder.write(".content.staging/Contents/stale", "x")
        try delivery.assemble()
        #expect(try delivery.leftovers() == ["content"])
        let stale = delivery.content.appendingPathComponent("Contents/stale").path
        #expect(!FileManager.default.fileExists(atPath: stale))
    }

    @Test func `content that is there already is not touched`() throws {
        try delivery.folder.write("content/mine", "x")
        #expect(throws: DeliveryError.self) { try delivery.assemble() }
        #expect(try delivery.leftovers() == ["content"])
        let there = try FileManager.default.contentsOfDirectory(atPath: delivery.content.path)
        #expect(there == ["mine"])
    }
}
