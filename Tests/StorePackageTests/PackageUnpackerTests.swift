import Foundation
import StorePackage
import StorePackageSamples
import StoreTestSupport
import Synchronization
import Testing

@Suite("Unpacking")
struct PackageUnpackerTests {
    private let sample: SampleFolder
    private var target: URL { sample.folder.file("out") }

    init() throws {
        sample = try SampleFolder()
        for number in 0..<40 {
            try sample.folder.write(
                "source/Contents/many/\(number)", SampleShop.noise(number * 1000, seed: 1))
        }
        try sample.build()
    }

    @Test(arguments: [1, 2, 7])
    func `files, folders and links are as they were, however many readers there are`(
        _ readers: Int
    ) throws {
        let summary = try PackageUnpacker(file: sample.package, readers: readers)
            .unpack(to: target)
        #expect(Set(summary.entries) == Set(try sample.read().entries))
        for entry in summary.entries where entry.kind == .file {
            let (before, after) = (sample.source, target)
            #expect(
                try Data(contentsOf: before.appendingPathComponent(entry.path.text))
                    == Data(contentsOf: after.appendingPathComponent(entry.path.text)),
                "\(entry.path)")
        }
        #expect(
            try FileManager.default.destinationOfSymbolicLink(
                atPath: target.appendingPathComponent("Contents/pictures/words").path)
                == "../text.txt")
        let names = try FileManager.default.contentsOfDirectory(atPath: sample.folder.url.path)
        #expect(names.sorted() == ["chapter.pkg", "out", "source"])
    }

    @Test func `what exists is not touched`() throws {
        try sample.folder.write("out/mine", "text")
        let problems = problems { try PackageUnpacker(file: sample.package).unpack(to: target) }
        #expect(problems.first?.advice.contains("exists already") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path) == ["mine"])
    }

    @Test func `a link in the place of the folder is not followed`() throws {
        try FileManager.default.createSymbolicLink(
            atPath: target.path, withDestinationPath: "/nowhere")
        let problems = problems { try PackageUnpacker(file: sample.package).unpack(to: target) }
        #expect(problems.first?.advice.contains("exists already") == true)
    }

    @Test func `what a killed process left is taken over`() throws {
        try sample.folder.write(".out.partial/Contents/text.txt", "half")
        try sample.folder.write(".out.partial/Contents/stale", "half")
        try PackageUnpacker(file: sample.package).unpack(to: target)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: target.appendingPathComponent("Contents").path)
        #expect(!names.contains("stale"))
        #expect(
            try Data(contentsOf: target.appendingPathComponent("Contents/text.txt")).count == 10_500
        )
    }

    @Test func `two can't unpack to the same folder at once`() throws {
        try FileManager.default.createDirectory(
            at: sample.folder.file(".out.partial"), withIntermediateDirectories: false)
        let other = open(sample.folder.file(".out.partial").path, O_RDONLY | O_DIRECTORY)
        defer { close(other) }
        try #require(flock(other, LOCK_EX) == 0)
        let problems = problems { try PackageUnpacker(file: sample.package).unpack(to: target) }
        #expect(problems.first?.advice.contains("another process") == true)
    }

    @Test func `a folder that can't be made is told`() throws {
        let nowhere = sample.folder.file("nowhere/out")
        let problems = problems { try PackageUnpacker(file: sample.package).unpack(to: nowhere) }
        #expect(problems.first?.advice.contains("can't be written") == true)
    }

    @Test func `all problems are told, and nothing is left`() throws {
        let package = HandmadePackage(contents: [
            HandmadePackage.file("a", "#!"), HandmadePackage.file("b", mode: "0755"),
            HandmadePackage.file("c", "text").with { $0.size = "5" },
        ])
        let file = try sample.folder.write("bad.pkg", package.encoded())
        let problems = problems { try PackageUnpacker(file: file).unpack(to: target) }
        #expect(Set(problems.map(\.rule)) == [.executables, .readable])
        #expect(problems.count == 3)
        let names = try FileManager.default.contentsOfDirectory(atPath: sample.folder.url.path)
        #expect(names.sorted() == ["bad.pkg", "chapter.pkg", "source"])
    }

    @Test func `progress ends with all bytes`() throws {
        let steps = Mutex<[Int64]>([])
        let summary = try PackageUnpacker(file: sample.package).unpack(to: target) { done, total in
            steps.withLock { $0.append(done) }
            #expect(done <= total)
        }
        #expect(steps.withLock { $0.max() } == summary.unpackedBytes)
    }

    @Test func `entries may stand before the folders that they lie in`() throws {
        let package = HandmadePackage(entries: [
            HandmadePackage.file("Contents/a/b/c", "deep"), HandmadePackage.folder("Contents"),
            HandmadePackage.folder("Contents/a"), HandmadePackage.link("Contents/x/l", to: "../a"),
            HandmadePackage.information,
        ])
        let file = try sample.folder.write("turned.pkg", package.encoded())
        try PackageUnpacker(file: file).unpack(to: target)
        let deep = target.appendingPathComponent("Contents/x/l/b/c")
        #expect(try String(contentsOf: deep, encoding: .utf8) == "deep")
    }
}
