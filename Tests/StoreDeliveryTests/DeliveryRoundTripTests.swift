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
        let blob = try #require(delivery.manifest.blobs.first)
        let bytes = try #require(delivery.blobs[blob.digest])
        #expect(delivery.manifest.blobs.count == 1)
        #expect(blob.digest.text == SHA256Digest.hex(bytes))
        #expect(blob.reference.length == Int64(bytes.count))
        let table = bytes.suffix(Int(blob.reference.tableLength))
        #expect(blob.reference.tableDigest.text == SHA256Digest.hex(Data(table)))
        let unpacked = SampleDelivery.files.reduce(0) { $0 + $1.bytes.count }
        #expect(delivery.manifest.unpackedLength == Int64(unpacked))
    }

    @Test func `the chunks cover the blob without gap or overlap`() throws {
        let blob = try #require(delivery.manifest.blobs.first)
        var position: Int64 = 0
        for chunk in blob.chunks {
            #expect(chunk.offset == position)
            position += Int64(chunk.length)
        }
        #expect(position == blob.reference.table.lowerBound)
        #expect(position == delivery.manifest.chunksLength)
    }

    @Test func `text shrinks and noise hardly grows`() throws {
        let blob = try #require(delivery.manifest.blobs.first)
        func lengths(_ path: String) throws -> (packed: Int, unpacked: Int) {
            let entry = try #require(delivery.manifest.entries.first { $0.path.text == path })
            guard case .file(_, _, let ranges) = entry.kind else { return try #require(nil) }
            try #require(ranges.joined().allSatisfy { blob.chunks.indices.contains($0) })
            let chunks = ranges.joined().map { blob.chunks[$0] }
            return (
                chunks.reduce(0) { $0 + $1.length }, chunks.reduce(0) { $0 + $1.unpackedLength }
            )
        }
        let text = try lengths("Contents/text.txt")
        #expect(text.packed * 20 < text.unpacked)
        let noise = try lengths("Contents/pictures/noise.bin")
        #expect(noise.packed < noise.unpacked + 1000)
    }

    @Test func `an empty file has no chunk`() throws {
        let entry = try #require(
            delivery.manifest.entries.first { $0.path.text == "Contents/empty" })
        let digest = try #require(ContentDigest(SHA256Digest.hex(Data())))
        #expect(entry.kind == .file(length: 0, digest: digest, chunks: []))
    }

    @Test func `the same content gives the same manifest and blob`() throws {
        let again = try SampleDelivery()
        #expect(again.delivery.encodedManifest == delivery.delivery.encodedManifest)
        #expect(again.blobs == delivery.blobs)
    }

    @Test func `a manifest survives its encoding to the byte`() throws {
        let data = delivery.delivery.encodedManifest
        let decoded = try DeliveryOutline(encoded: data).manifest { delivery.table(of: $0) }
        #expect(decoded == delivery.manifest)
        #expect(try decoded.encoded() == data)
        #expect(delivery.delivery.manifestDigest.text == SHA256Digest.hex(data))
    }

    @Test func `the encoding of a manifest stays as it is`() throws {
        let small = try SampleDelivery(files: [
            ("Contents/empty", Data()), ("Contents/x", Data("xyz".utf8)),
        ])
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        let sum = SHA256Digest.of(Data("xyz".utf8))
        let digest = SHA256Digest.hexadecimal(sum)
        let blob = try #require(small.manifest.blobs.first).reference
        #expect(
            String(decoding: try SampleDelivery.plain(small.table(of: blob)), as: UTF8.self) == """
                {"digests":"\(sum.prefix(16).base64EncodedString())",\
                "lengths":[\(blob.length - blob.tableLength)],"unpackedLengths":[3]}
                """)
        #expect(
            String(
                decoding: try SampleDelivery.plain(small.delivery.encodedManifest), as: UTF8.self)
                    == """
                    {"blobs":[{"digest":"\(blob.digest)","length":\(blob.length),\
                    "tableDigest":"\(blob.tableDigest)","tableLength":\(blob.tableLength)}],\
                    "contentIdentifier":"com.example.chapter","entries":[\
                    {"kind":"directory","path":"Contents"},\
                    {"kind":"directory","path":"Contents/hollow"},\
                    {"chunks":[],"digest":"\(empty)","kind":"file","length":0,\
                    "path":"Contents/empty"},\
                    {"chunks":[0,1],"digest":"\(digest)","kind":"file","length":3,\
                    "path":"Contents/x"},\
                    {"kind":"link","path":"Contents/a/latest","target":"../text.txt"}],\
                    "format":2,"version":"1.0"}
                    """)
    }

    @Test func `an assembly goes on with what an earlier one has`() throws {
        let first = try delivery.assembly()
        let half = first.missing.prefix(first.missing.count / 2)
        for chunk in half { #expect(try first.receive(delivery.frame(of: chunk), of: chunk)) }
        let second = try delivery.assembly()
        #expect(Set(second.missing).isDisjoint(with: half))
        #expect(second.missing.count == first.missing.count)
        #expect(second.presentLength == first.presentLength)
        try delivery.assemble()
        for file in SampleDelivery.files {
            let arrived = try Data(contentsOf: delivery.content.appendingPathComponent(file.path))
            #expect(arrived == file.bytes, "\(file.path)")
        }
    }

    @Test func `content that is there already is not touched`() throws {
        try delivery.folder.write("content/mine", "x")
        #expect(throws: DeliveryError.self) { try delivery.assemble() }
        let there = try FileManager.default.contentsOfDirectory(atPath: delivery.content.path)
        #expect(there == ["mine"])
    }
}
