import Foundation
import StoreDelivery
import StoreModel
import StoreSecurity
import StoreTestSupport
import Testing

/// Manifests whose parts agree with one another, over blobs that don't keep their word.
@Suite("Hostile chunk")
struct HostileChunkTests {
    private static let bomb = Data(count: 50_000_000)

    private func expectDamage(
        _ delivery: SampleDelivery, _ change: ManifestChange,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let manifest = try delivery.manifest.changed(change.change)
        let error = #expect(throws: DeliveryError.self, sourceLocation: location) {
            try delivery.assemble(manifest)
        }
        guard case .damaged("Contents/one", 0) = error else {
            Issue.record("\(String(describing: error))", sourceLocation: location)
            return
        }
        #expect(try delivery.leftovers() == [], sourceLocation: location)
    }

    /// Fifty megabytes of zeros in a few kilobytes.
    @Test(arguments: [1, 10, 49_999_999] as [Int64])
    func `a chunk that unpacks to more than announced is refused`(_ announced: Int64) throws {
        let delivery = try SampleDelivery(files: [("Contents/one", Self.bomb)])
        #expect(delivery.manifest.blobLength < 50_000)
        try expectDamage(
            delivery, .chunk("bomb", ["unpackedLength": announced, "fileLength": announced]))
    }

    @Test(arguments: [11, 1_000_000_000_000, Int64.max])
    func `a chunk that unpacks to less than announced is refused`(_ announced: Int64) throws {
        let delivery = try SampleDelivery(files: [("Contents/one", Data("some bytes".utf8))])
        try expectDamage(
            delivery, .chunk("thin", ["unpackedLength": announced, "fileLength": announced]))
    }

    @Test func `a chunk that ends before its frame does is refused`() throws {
        let delivery = try SampleDelivery(files: [("Contents/one", Data("some bytes".utf8))])
        try expectDamage(
            delivery, .chunk("cut", ["length": delivery.manifest.blobLength - 1]))
    }

    @Test func `a chunk that goes on behind its frame is refused`() throws {
        let delivery = try SampleDelivery(files: [
            ("Contents/one", Data("some bytes".utf8)), ("Contents/two", Data("more".utf8)),
        ])
        try expectDamage(delivery, .chunk("long", ["length": delivery.manifest.blobLength]))
    }

    @Test func `bytes with another digest than the file's are refused`() throws {
        let delivery = try SampleDelivery(files: [("Contents/one", Data("some bytes".utf8))])
        let digest = SHA256Digest.hex(Data("other bytes".utf8))
        try expectDamage(delivery, .file("other digest", "digest", digest))
    }

    @Test func `an empty file with the digest of another is refused`() throws {
        let delivery = try SampleDelivery(files: [("Contents/one", Data())])
        let digest = SHA256Digest.hex(Data("x".utf8))
        try expectDamage(delivery, .file("other digest", "digest", digest))
    }
}
