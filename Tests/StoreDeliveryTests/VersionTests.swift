import Foundation
import StoreDelivery
import StoreModel
import StoreTestSupport
import Testing

/// What versions have in common is stored once and fetched once.
@Suite("Versions of content")
struct VersionTests {
    private static let large = SampleShop.noise(4_000_000, seed: 11)

    private func files(_ large: Data) -> [SampleDelivery.File] {
        [("Contents/large", large), ("Contents/small", Data("the same".utf8))]
    }

    /// Bytes of the chunks that only the newer version has.
    private func newBytes(_ newer: SampleDelivery) -> Int64 {
        guard let digest = newer.delivery.newBlob else { return 0 }
        return newer.manifest.blobs.first { $0.digest == digest }?.reference.length ?? 0
    }

    private func expectSameFiles(_ delivery: SampleDelivery) throws {
        for file in delivery.files {
            let arrived = try Data(contentsOf: delivery.content.appendingPathComponent(file.path))
            #expect(arrived == file.bytes, "\(file.path)")
        }
    }

    @Test func `the same content under another number has no new blob`() throws {
        let one = try SampleDelivery(files: files(Self.large))
        let two = try SampleDelivery(files: files(Self.large), version: "1.1", after: [one])
        #expect(two.delivery.newBlob == nil)
        #expect(two.manifest.blobs == one.manifest.blobs)
        #expect(
            try two.folder.url.appendingPathComponent("blob").resourceValues(
                forKeys: [.fileSizeKey]).fileSize == 0)
        try two.assemble()
        try expectSameFiles(two)
    }

    @Test func `a change in the middle costs a few chunks`() throws {
        var changed = Self.large
        changed.replaceSubrange(2_000_000..<2_000_100, with: SampleShop.noise(100, seed: 5))
        let one = try SampleDelivery(files: files(Self.large))
        let two = try SampleDelivery(files: files(changed), version: "1.1", after: [one])
        #expect(newBytes(two) > 0 && newBytes(two) < 300_000)
        #expect(two.manifest.blobs.count == 2)
        try two.assemble()
        try expectSameFiles(two)
    }

    @Test(arguments: [0, 1_234_567, 4_000_000])
    func `an insertion costs what was inserted and a few chunks`(_ place: Int) throws {
        let inserted = SampleShop.noise(10_007, seed: 6)
        let changed = Self.large[..<place] + inserted + Self.large[place...]
        let one = try SampleDelivery(files: files(Self.large))
        let two = try SampleDelivery(files: files(Data(changed)), version: "1.1", after: [one])
        #expect(newBytes(two) > 10_000 && newBytes(two) < 310_000)
        try two.assemble()
        try expectSameFiles(two)
    }

    @Test func `a chunk that went away and came back is taken from its old blob`() throws {
        let one = try SampleDelivery(files: files(Self.large))
        let two = try SampleDelivery(
            files: files(SampleShop.noise(1000, seed: 9)), version: "1.1", after: [one])
        let three = try SampleDelivery(
            files: files(Self.large), version: "1.2", after: [two, one])
        #expect(three.delivery.newBlob == nil)
        try three.assemble()
        try expectSameFiles(three)
    }

    @Test func `the same bytes in several files are stored once and arrive everywhere`() throws {
        let twice = try SampleDelivery(files: [
            ("Contents/left", Self.large), ("Contents/right", Self.large),
            ("Contents/c", Self.large.prefix(100)),
        ])
        #expect(newBytes(twice) < Int64(Self.large.count) + 10_000)
        try twice.assemble()
        try expectSameFiles(twice)
    }

    @Test func `a file that was lost of several with the same bytes is missing`() throws {
        let twice = try SampleDelivery(files: [
            ("Contents/left", Self.large), ("Contents/right", Self.large),
        ])
        let first = try twice.assembly()
        for chunk in first.missing {
            #expect(try first.receive(twice.frame(of: chunk), of: chunk))
        }
        for lost in ["left", "right"] {
            try FileManager.default.removeItem(
                at: twice.partial.appendingPathComponent("Contents/\(lost)"))
            let second = try twice.assembly()
            #expect(second.missing.count == twice.frames.count)
            for chunk in second.missing {
                #expect(try second.receive(twice.frame(of: chunk), of: chunk))
            }
        }
        try twice.assemble()
        try expectSameFiles(twice)
    }

    @Test func `an assembly takes from another version what it has`() throws {
        var changed = Self.large
        changed.replaceSubrange(2_000_000..<2_000_100, with: SampleShop.noise(100, seed: 5))
        let one = try SampleDelivery(files: files(Self.large))
        try one.assemble()
        let two = try SampleDelivery(files: files(changed), version: "1.1", after: [one])
        let assembly = try two.assembly()
        try assembly.reuse(one.manifest, in: one.content)
        let wanted = two.delivery.newBlob
        let new = two.manifest.blobs.first { $0.digest == wanted }?.chunks.count
        #expect(assembly.missing.count == new)
        for chunk in assembly.missing {
            #expect(try assembly.receive(two.frame(of: chunk), of: chunk))
        }
        try assembly.finish(into: two.content)
        try expectSameFiles(two)
        try expectSameFiles(one)
    }

    @Test func `what the app has changed in an older version is not taken`() throws {
        let one = try SampleDelivery(files: files(Self.large))
        try one.assemble()
        let file = one.content.appendingPathComponent("Contents/large")
        var bytes = Self.large
        bytes[1_000_000] ^= 1
        try bytes.write(to: file)
        try FileManager.default.removeItem(
            at: one.content.appendingPathComponent("Contents/small"))
        let two = try SampleDelivery(files: files(Self.large), version: "1.1", after: [one])
        let assembly = try two.assembly()
        try assembly.reuse(one.manifest, in: one.content)
        #expect(assembly.missing.count == 2)
        try two.assemble()
        try expectSameFiles(two)
    }
}
