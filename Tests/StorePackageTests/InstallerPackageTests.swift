import Foundation
import StoreModel
import StorePackage
import StorePackageSamples
import StoreTestSupport
import Testing

/// What `productbuild --content` makes: a distribution with a component in it.
@Suite("Installer package")
struct InstallerPackageTests {
    private let noise = SampleShop.noise(300_000, seed: 9)

    private func payload() -> HandmadePayload {
        HandmadePayload([
            .init("./Contents/noise", noise), .init("./Contents/empty"),
            .init("./Contents/pictures", mode: 0o40755),
            .init("./Contents/pictures/l", Data("../noise".utf8), mode: 0o120777),
            .init("./Contents/章.txt", Data("第一章".utf8)),
        ])
    }

    private func files(of package: Data) throws -> (PackageReader.Summary, [String: Data]) {
        var files: [String: Data] = [:]
        let summary = try PackageReader(bytes: [UInt8](package)).read { entry, contents in
            guard entry.kind == .file else { return }
            var data = Data()
            try contents.forEachPiece { data.append(contentsOf: $0) }
            files[entry.path.text] = data
        }
        return (summary, files)
    }

    private func expectContent(
        of package: Data, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let (summary, files) = try files(of: package)
        #expect(summary.info.productID.text == "com.example.chapter", sourceLocation: location)
        #expect(
            summary.entries.map(\.path.text) == [
                "ContentInfo.plist", "Contents", "Contents/noise", "Contents/empty",
                "Contents/pictures", "Contents/pictures/l", "Contents/章.txt",
            ], sourceLocation: location)
        #expect(
            summary.entries.contains {
                $0.path.text == "Contents/pictures/l" && $0.kind == .link(target: "../noise")
            }, sourceLocation: location)
        #expect(files["Contents/noise"] == noise, sourceLocation: location)
        #expect(files["Contents/章.txt"] == Data("第一章".utf8), sourceLocation: location)
        #expect(files["Contents/empty"] == Data(), sourceLocation: location)
    }

    @Test func `its content is that of its component's payload`() throws {
        try expectContent(of: payload().product.encoded())
    }

    @Test func `a component is taken without a distribution around it`() throws {
        let packed = Deflated.gzip(payload().encoded())
        let component = HandmadePayload.component(packed)
        try expectContent(of: HandmadePackage(entries: component.children).encoded())
        try expectContent(of: HandmadePackage(entries: [component]).encoded())
    }

    @Test(arguments: [HandmadePayload.Form.odc, .newc])
    func `both forms of cpio are taken, compressed or plain`(_ form: HandmadePayload.Form) throws {
        let payload = payload().with { $0.form = form }
        try expectContent(of: payload.product.encoded())
        try expectContent(of: HandmadePayload.product(payload.encoded()).encoded())
    }

    @Test func `one stream of gzip may follow another`() throws {
        let bytes = payload().encoded()
        let packed = Deflated.gzip(bytes.prefix(1000)) + Deflated.gzip(Data(bytes.dropFirst(1000)))
        try expectContent(of: HandmadePayload.product(packed).encoded())
    }

    @Test func `the payload may be compressed once more by the archive`() throws {
        let packed = Deflated.gzip(payload().encoded())
        var package = HandmadePayload.product(packed)
        package.entries[1].children[1].bytes = Deflated.zlib(packed)
        package.entries[1].children[1].size = "\(packed.count)"
        package.entries[1].children[1].encoding = "application/x-gzip"
        try expectContent(of: package.encoded())
    }

    @Test func `one folder around the content is left out`() throws {
        var wrapped = payload()
        wrapped.entries = wrapped.entries.map { entry in
            entry.with {
                $0.name = $0.name == "." ? "." : "./com.example.chapter" + $0.name.dropFirst()
            }
        }
        wrapped.entries.insert(.init("./com.example.chapter", mode: 0o40755), at: 1)
        try expectContent(of: wrapped.product.encoded())
    }

    @Test func `the checksums of Apple's newer tools are taken`() throws {
        for checksum in [UInt32(3), 4] {
            try expectContent(of: payload().product.with { $0.checksum = checksum }.encoded())
        }
    }

    @Test func `what an installer needs is left out`() throws {
        var package = payload().product
        package.entries.insert(
            HandmadePackage.folder("Resources", [HandmadePackage.file("license.txt")]), at: 1)
        try expectContent(of: package.encoded())
    }

    @Test func `it is unpacked like a flat one`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("a.pkg", payload().product.encoded())
        let target = folder.file("out")
        try PackageUnpacker(file: file).unpack(to: target)
        #expect(try Data(contentsOf: target.appendingPathComponent("Contents/noise")) == noise)
        let link = target.appendingPathComponent("Contents/pictures/l").path
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: link) == "../noise")
        let names = try FileManager.default.contentsOfDirectory(atPath: target.path)
        #expect(names.sorted() == ["ContentInfo.plist", "Contents"])
    }

    @Test func `damage to the payload hides neither what was read nor what stands behind it`()
        throws
    {
        // What is read in one piece is checked in one piece, so some lies between.
        var package = HandmadePayload([
            .init("./Contents/x", Data("#!/bin/sh".utf8)), .init("x"), .init("./Contents/n", noise),
        ]).with { $0.hasTrailer = false }.product
        package.entries.append(HandmadePackage.file("Scripts"))
        let bytes = [UInt8](package.encoded())
        let problems = problems { _ = try PackageReader(bytes: bytes).summary() }
        #expect(problems.map(\.rule) == [.executables, .paths, .readable, .executables])
    }
}
