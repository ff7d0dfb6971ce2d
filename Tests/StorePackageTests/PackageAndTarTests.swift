import Foundation
import StorePackage
import StoreTestSupport
import Testing

@Suite("Package and bsdtar", .enabled(if: CommandLineTool.bsdtar != nil))
struct PackageAndTarTests {
    private let sample: SampleFolder
    private let tar: CommandLineTool

    init() throws {
        sample = try SampleFolder()
        tar = try #require(CommandLineTool.bsdtar)
    }

    @Test func `bsdtar lists what was built`() async throws {
        let built = try sample.build()
        let listing = try await tar.run(["-tf", sample.package.path], in: sample.folder.url)
        #expect(listing.status == 0)
        let paths = listing.output.split(separator: "\n").map { line in
            line.hasSuffix("/") ? String(line.dropLast()) : String(line)
        }
        #expect(paths.sorted() == built.entries.map(\.path.text).sorted())
    }

    @Test func `bsdtar unpacks what was built`() async throws {
        try sample.build()
        try FileManager.default.createDirectory(
            at: sample.folder.file("out"), withIntermediateDirectories: false)
        let result = try await tar.run(
            ["-xf", sample.package.path, "-C", "out"], in: sample.folder.url)
        #expect(result.status == 0, "\(result.output)")
        let noise = try Data(contentsOf: sample.folder.file("out/Contents/pictures/noise.bin"))
        #expect(noise == SampleShop.noise(200_000, seed: 7))
    }

    @Test func `what bsdtar made of the folder is read`() async throws {
        let built = try sample.build()
        try FileManager.default.removeItem(at: sample.package)
        let result = try await tar.run(
            ["--format=xar", "-cf", sample.package.path, "ContentInfo.plist", "Contents"],
            in: sample.source)
        try #require(result.status == 0, "\(result.output)")
        let read = try sample.read()
        #expect(Set(read.entries) == Set(built.entries))
        #expect(read.info == built.info)
    }

    @Test(arguments: ["ustar", "zip", "cpio", "7zip"])
    func `an archive of another format is not taken`(_ format: String) async throws {
        let result = try await tar.run(
            ["--format=\(format)", "-cf", sample.package.path, "ContentInfo.plist", "Contents"],
            in: sample.source)
        try #require(result.status == 0, "\(result.output)")
        #expect(problems { _ = try sample.read() }.map(\.rule) == [.readable])
    }

    @Test func `a hard link that bsdtar packed is refused`() async throws {
        try FileManager.default.linkItem(
            at: sample.source.appendingPathComponent("Contents/text.txt"),
            to: sample.source.appendingPathComponent("Contents/twin.txt"))
        let result = try await tar.run(
            ["--format=xar", "-cf", sample.package.path, "ContentInfo.plist", "Contents"],
            in: sample.source)
        try #require(result.status == 0, "\(result.output)")
        let problems = problems { _ = try sample.read() }
        #expect(problems.map(\.rule) == [.kinds])
        #expect(problems.first?.advice.hasPrefix("hard links are not taken") == true)
    }
}
