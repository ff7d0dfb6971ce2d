import Foundation
import StorePackage
import StoreTestSupport
import Testing

@Suite("Folder that breaks the rules")
struct PackageBuilderTests {
    private let sample: SampleFolder

    init() throws {
        sample = try SampleFolder()
    }

    /// The problems of the folder; no package is written.
    private func refusal(_ location: SourceLocation = #_sourceLocation) throws -> [PackageProblem] {
        let problems = problems(location) { try sample.build() }
        let names = try FileManager.default.contentsOfDirectory(atPath: sample.folder.url.path)
        #expect(names == ["source"], sourceLocation: location)
        return problems
    }

    private func remove(_ path: String) throws {
        try FileManager.default.removeItem(at: sample.source.appendingPathComponent(path))
    }

    @Test func `a folder without Contents is refused`() throws {
        try remove("Contents")
        #expect(try refusal().map(\.rule) == [.paths])
    }

    @Test func `a folder without ContentInfo is refused`() throws {
        try remove("ContentInfo.plist")
        #expect(try refusal().map(\.rule) == [.information])
    }

    @Test func `a folder that is not there is refused`() throws {
        try FileManager.default.removeItem(at: sample.source)
        #expect(problems { try sample.build() }.map(\.rule) == [.readable])
    }

    @Test func `a link outward is refused`() throws {
        try sample.link("Contents/passwd", to: "/etc/passwd")
        let problems = try refusal()
        #expect(problems.map(\.rule) == [.kinds])
        #expect(problems.map(\.path) == ["Contents/passwd"])
    }

    @Test func `a link to a folder is packed as a link`() throws {
        try sample.link("Contents/self", to: ".")
        let built = try sample.build()
        #expect(built.entries.filter { $0.path.text.hasPrefix("Contents/self") }.count == 1)
    }

    @Test func `Contents itself is no link`() throws {
        try remove("Contents")
        try sample.link("Contents", to: "Contents")
        #expect(try refusal().isEmpty == false)
    }

    @Test func `a named pipe is refused unread`() throws {
        let path = sample.source.appendingPathComponent("Contents/pipe").path
        try #require(mkfifo(path, 0o644) == 0)
        let problems = try refusal()
        #expect(problems.map(\.rule) == [.kinds])
        #expect(problems.map(\.path) == ["Contents/pipe"])
    }

    @Test func `a file with x bits is refused`() throws {
        let path = sample.source.appendingPathComponent("Contents/text.txt").path
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        #expect(try refusal().map(\.rule) == [.executables])
    }

    @Test func `a script is refused`() throws {
        try sample.write("Contents/install", "#!/bin/sh\n")
        #expect(try refusal().map(\.rule) == [.executables])
    }

    @Test func `names that differ in case alone are refused`() throws {
        try sample.write("Contents/TEXT.txt", "x")
        #expect(try refusal().map(\.rule) == [.duplicates])
    }

    @Test func `all problems of a folder are reported at once`() throws {
        try sample.write("ContentInfo.plist", "x")
        try sample.write("Contents/install", "#!/bin/sh\n")
        try sample.link("Contents/out", to: "..")
        #expect(Set(try refusal().map(\.rule)) == [.information, .executables, .kinds])
    }

    @Test func `an older package stays where the new one is refused`() throws {
        try sample.build()
        let before = try Data(contentsOf: sample.package)
        try sample.write("Contents/install", "#!/bin/sh\n")
        #expect(problems { try sample.build() }.isEmpty == false)
        #expect(try Data(contentsOf: sample.package) == before)
    }
}
