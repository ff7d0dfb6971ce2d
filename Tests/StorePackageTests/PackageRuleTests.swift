import Foundation
@testable import StorePackage
import StorePackageSamples
import StoreTestSupport
import Testing

@Suite("Rules for packages")
struct PackageRuleTests {
    private typealias Package = HandmadePackage

    private func expect(
        _ rule: PackageProblem.Rule, at path: String, in contents: [HandmadePackage.Entry],
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let problems = try problems(of: Package(contents: contents), location)
        #expect(problems.map(\.rule) == [rule], "\(problems)", sourceLocation: location)
        #expect(problems.map(\.path) == [path], "\(problems)", sourceLocation: location)
    }

    @Test func `every scalar can stand in a name, and its folded form is folded`() {
        let changing = SampleScalars.assigned().filter { scalar in
            let key = FoldedPath.key("a\(scalar)/\(scalar)b")
            return key.utf8.split(separator: UInt8(ascii: "/")).count < 2
                || !FoldedPath.key(key).utf8.elementsEqual(key.utf8)
        }
        #expect(changing.filter { $0 != "/" }.isEmpty)
    }

    @Test func `a package made by hand that keeps the rules is read`() throws {
        let folder = try TemporaryFolder()
        let package = Package(contents: [
            Package.file("a", "some text"), Package.link("b", to: "a"),
            Package.folder("d", [Package.file("c"), Package.link("up", to: "../a")]),
        ])
        let file = try folder.write("a.pkg", package.encoded())
        let entries = try PackageReader(file: file).summary().entries.map(\.path.text)
        #expect(
            Set(entries) == [
                "ContentInfo.plist", "Contents", "Contents/a", "Contents/b", "Contents/d",
                "Contents/d/c", "Contents/d/up",
            ])
    }

    @Test(arguments: [
        "..", "../x", "../../x", ".", "a/../../x", "a//x", "/etc/x", "\u{2f}", "../\u{301}x",
    ])
    func `a path that leaves the package is refused`(_ name: String) throws {
        try expect(.paths, at: "Contents/\(name)", in: [Package.file(name)])
    }

    @Test(arguments: [
        "/etc/passwd", "..", "Payload", "contents", "Contents2", "contentinfo.plist", ".DS_Store",
    ])
    func `nothing lies beside the information and Contents`(_ name: String) throws {
        let problems = try problems(
            of: Package(entries: [Package.information, Package.file(name)]))
        #expect(problems.map(\.rule) == [.paths])
        #expect(problems.map(\.path) == [name])
    }

    @Test(arguments: [
        "/etc/passwd", "..", "../x", "../../x", "../ContentInfo.plist", "a/../../x", "a/..",
    ])
    func `a link that leads out is refused`(_ target: String) throws {
        try expect(.kinds, at: "Contents/l", in: [Package.link("l", to: target)])
    }

    @Test func `the same path twice is refused`() throws {
        try expect(.duplicates, at: "Contents/a", in: [Package.file("a"), Package.file("a")])
    }

    @Test func `paths that differ in case or composition alone are refused`() throws {
        try expect(
            .duplicates, at: "Contents/READ.ME",
            in: [Package.file("read.me"), Package.file("READ.ME")])
        try expect(
            .duplicates, at: "Contents/E\u{301}",
            in: [Package.file("\u{e9}"), Package.file("E\u{301}")])
    }

    @Test(arguments: ["fifo", "socket", "character special", "block special"])
    func `a special file is refused`(_ type: String) throws {
        var entry = Package.file("x")
        entry.type = type
        entry.bytes = nil
        try expect(.kinds, at: "Contents/x", in: [entry])
    }

    @Test(arguments: ["0755", "0744", "0654", "0645", "0777"])
    func `a file with x bits is refused`(_ mode: String) throws {
        try expect(.executables, at: "Contents/x", in: [Package.file("x", mode: mode)])
    }

    @Test(
        arguments: [
            [0x7f, 0x45, 0x4c, 0x46, 2], [0x4d, 0x5a, 0x90], [0x23, 0x21, 0x2f], [0x23, 0x21],
            [0xfe, 0xed, 0xfa, 0xce, 0], [0xfe, 0xed, 0xfa, 0xcf, 0], [0xce, 0xfa, 0xed, 0xfe, 0],
            [0xcf, 0xfa, 0xed, 0xfe, 0], [0xca, 0xfe, 0xba, 0xbe, 0],
        ] as [[UInt8]])
    func `a file that begins like a program is refused`(_ start: [UInt8]) throws {
        try expect(
            .executables, at: "Contents/x",
            in: [Package.Entry(name: "x", bytes: Data(start))])
    }

    /// The archive is read in pieces of 64 KB: here one ends behind the file's first byte.
    @Test(arguments: [1, 2, 3])
    func `a program is found where its first bytes arrive apart`(_ first: Int) throws {
        var entry = Package.Entry(name: "x", bytes: Data([0x7f, 0x45, 0x4c, 0x46, 2, 1]))
        // The gap's figures have a fixed width, so that it doesn't move the heap.
        entry.gap = 50_000
        let start =
            Package(contents: [entry]).heapOffset + 50_000 + Package.information.bytes!.count
        entry.gap += 65_536 - start - first
        try expect(.executables, at: "Contents/x", in: [entry])
    }

    @Test(arguments: ["\u{7f}EL", "M", "#", " #!/bin/sh", ""])
    func `a file that only resembles a program is taken`(_ text: String) throws {
        let folder = try TemporaryFolder()
        let package = Package(contents: [Package.file("x", text)])
        let file = try folder.write("a.pkg", package.encoded())
        #expect(try PackageReader(file: file).summary().entries.count == 3)
    }

    @Test func `nothing lies below a file or a link`() throws {
        var file = Package.file("x")
        file.children = [Package.file("y")]
        try expect(.paths, at: "Contents/x/y", in: [file])
        var link = Package.link("l", to: ".")
        link.children = [Package.link("y", to: "z")]
        try expect(.paths, at: "Contents/l/y", in: [link])
        try expect(.paths, at: "Contents/x", in: [Package.file("x/y"), Package.file("x")])
    }

    @Test func `all problems are reported at once`() throws {
        let problems = try problems(
            of: Package(
                contents: [
                    Package.file("tool", "#!/bin/sh"), Package.file("x", mode: "0755"),
                    Package.link("l", to: "/etc"), Package.file("a"), Package.file("A"),
                ], information: nil))
        #expect(
            Set(problems.map(\.rule)) == [.executables, .kinds, .duplicates, .information])
        #expect(problems.count == 5)
    }

    @Test func `control characters of a path are written out in messages`() throws {
        let problems = try problems(
            of: Package(contents: [
                Package.file("a\u{1b}[31m\u{7}\u{9b}\n", "#!"), Package.link("l", to: "/\u{9b}c"),
                Package.file("A\u{1b}"), Package.file("a\u{1b}"),
            ]))
        let text = PackageError(problems).description
        #expect(problems.count == 4)
        #expect(text.contains("Contents/a\\u{1b}[31m\\u{7}\\u{9b}\\u{a}: the name holds"))
        #expect(text.contains("to /\\u{9b}c"))
        let controls = text.unicodeScalars.filter {
            $0 != "\n" && $0.properties.generalCategory == .control
        }
        #expect(controls.isEmpty)
    }
}
