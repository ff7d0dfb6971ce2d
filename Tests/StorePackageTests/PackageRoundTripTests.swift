import Foundation
import StoreModel
import StorePackage
import StoreTestSupport
import Testing

@Suite("Package")
struct PackageRoundTripTests {
    private let sample: SampleFolder

    init() throws {
        sample = try SampleFolder()
    }

    @Test func `what was built is read`() throws {
        let built = try sample.build()
        let read = try sample.read()
        #expect(read.info.productID.text == "com.example.chapter")
        #expect(read.info.version.text == "1.0")
        #expect(Set(read.entries) == Set(built.entries))
        #expect(read.packedBytes == built.packedBytes)
        #expect(read.unpackedBytes == built.unpackedBytes)
        #expect(read.entries.map(\.path.text).contains("Contents/章/第一.txt"))
    }

    @Test func `the bytes of every file survive`() throws {
        try sample.build()
        var files: [String: Data] = [:]
        try PackageReader(file: sample.package).read { entry, contents in
            guard entry.kind == .file else { return }
            var data = Data()
            try contents.forEachPiece { data.append(contentsOf: $0) }
            files[entry.path.text] = data
        }
        #expect(files.count == 5)
        for (path, data) in files {
            let source = sample.source.appendingPathComponent(path)
            #expect(try Data(contentsOf: source) == data, "\(path)")
        }
    }

    @Test func `entries have the size of their files, whether read or left`() throws {
        try sample.build()
        let read = try PackageReader(file: sample.package).read { entry, contents in
            if entry.path.text.hasSuffix("noise.bin") { try contents.forEachPiece { _ in } }
        }
        #expect(Set(read.entries.map(\.path)).count == read.entries.count)
        let sizes = Dictionary(read.entries.map { ($0.path.text, $0.size) }) { first, _ in first }
        #expect(sizes["Contents/pictures/noise.bin"] == 200_000)
        #expect(sizes["Contents/text.txt"] == 10_500)
        #expect(sizes["Contents/empty"] == 0)
        #expect(sizes["Contents/pictures"] == 0)
    }

    @Test func `a link keeps its target`() throws {
        try sample.build()
        let link = try #require(
            try sample.read().entries.first { $0.path.text == "Contents/pictures/words" })
        #expect(link.kind == .link(target: "../text.txt"))
    }

    @Test func `the same folder gives the same order`() throws {
        let first = try sample.build().entries
        #expect(first.map(\.path.text) == first.map(\.path.text).sorted())
        let other = try SampleFolder()
        #expect(try other.build().entries == first)
        #expect(try other.read().entries == sample.read().entries)
    }

    @Test func `only the information and Contents are packed`() throws {
        try sample.write(".DS_Store", "x")
        try sample.write("notes/todo.txt", "x")
        let paths = try sample.build().entries.map(\.path.text)
        #expect(paths.allSatisfy { $0 == "ContentInfo.plist" || $0.hasPrefix("Contents") })
    }

    @Test func `progress ends with all bytes`() throws {
        var steps: [(Int64, Int64)] = []
        let built = try PackageBuilder(folder: sample.source).build(to: sample.package) {
            steps.append(($0, $1))
        }
        #expect(steps.map(\.0) == steps.map(\.0).sorted())
        #expect(try #require(steps.last).0 == built.unpackedBytes)
        #expect(steps.allSatisfy { $0.1 == built.unpackedBytes })
    }

    @Test func `a visitor that gives up ends the reading`() throws {
        struct Enough: Error {}
        try sample.build()
        #expect(throws: Enough.self) {
            try PackageReader(file: sample.package).read { _, _ in throw Enough() }
        }
    }

    @Test func `nothing is left beside a package`() throws {
        try sample.build()
        let names = try FileManager.default.contentsOfDirectory(atPath: sample.folder.url.path)
        #expect(names.sorted() == ["chapter.pkg", "source"])
    }
}
