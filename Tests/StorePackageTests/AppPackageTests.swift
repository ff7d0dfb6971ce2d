import Foundation
import StoreModel
import StorePackageSamples
import StoreTestSupport
import Testing

@testable import StorePackage

@Suite struct AppPackageTests {
    typealias Entry = HandmadeApp.Entry

    private func summary(
        _ bytes: Data, bundleID: String? = nil, version: String? = nil, fileName: String? = nil,
        limits: PackageLimits = .app,
        visit: (AppPackageEntry, PackageContents) throws -> Void = { _, _ in }
    ) throws -> AppPackageSummary {
        let folder = try TemporaryFolder()
        let file = folder.file("package")
        try bytes.write(to: file)
        return try AppPackageReader(
            file: file, limits: limits,
            expectation: AppPackageExpectation(
                bundleID: bundleID.flatMap { BundleID($0) },
                version: version.flatMap { ContentVersion($0) }, fileName: fileName)
        ).read(visit)
    }

    private func problems(_ body: () throws -> AppPackageSummary) -> [PackageProblem] {
        do {
            _ = try body()
            return []
        } catch { return (error as? PackageError)?.problems ?? [] }
    }

    @Test(arguments: [AppPackageFormat.tarZstd, .zip, .debian])
    func `a folder says what it is, and hands over its files`(_ format: AppPackageFormat) throws {
        let app = HandmadeApp.good()
        let bytes: Data =
            switch format {
            case .zip: app.zip
            case .debian: app.debian()
            default: app.tarZstd
            }
        var visited: [String: Data] = [:]
        let summary = try summary(
            bytes, bundleID: "com.example.lamp", version: "1.2",
            fileName: "Lamp.\(format.rawValue)"
        ) { entry, contents in
            var data = Data()
            try contents.forEachPiece { data.append(contentsOf: $0) }
            visited[entry.path.text] = data
        }
        #expect(summary.format == format && summary.bundleID == BundleID("com.example.lamp"))
        #expect(summary.version == ContentVersion("1.2") && summary.name == "Lamp")
        #expect(summary.description.program?.text == "app/usr/bin/lamp")
        #expect(summary.description.icons.count == 1 && summary.entries.count == 5)
        #expect(visited["app/usr/bin/lamp"] == Data("#!/bin/sh\necho lit\n".utf8))
        let program = summary.entries.first { $0.path.text == "app/usr/bin/lamp" }
        #expect(program?.isExecutable == true)
        #expect(summary.entries.filter(\.isExecutable).count == 1)
    }

    struct Hostile: Sendable, CustomTestStringConvertible {
        let what: String
        let rule: PackageProblem.Rule
        let path: String
        let make: @Sendable (HandmadeApp) -> Data

        init(
            _ what: String, _ rule: PackageProblem.Rule, _ path: String = "",
            _ make: @escaping @Sendable (HandmadeApp) -> Data
        ) {
            (self.what, self.rule, self.path, self.make) = (what, rule, path, make)
        }

        var testDescription: String { what }
    }

    static let hostile: [Hostile] = [
        Hostile("a path out of the package", .paths, "../etc/passwd") {
            $0.with(Entry("../etc/passwd", "x")).tarZstd
        },
        Hostile("an absolute path", .paths, "/etc/passwd") {
            $0.with(Entry("/etc/passwd", "x")).tarZstd
        },
        Hostile("a link out of the package", .kinds, "usr/share/out") {
            $0.with(Entry("usr/share/out", kind: .link, target: "../../../x")).tarZstd
        },
        Hostile("an absolute link", .kinds, "usr/out") {
            $0.with(Entry("usr/out", kind: .link, target: "/etc")).zip
        },
        Hostile("a Debian package's link out of the system", .kinds, "usr/out") {
            $0.with(Entry("usr/out", kind: .link, target: "/../etc")).debian()
        },
        Hostile("a Debian package's link of the system's root", .paths, "/") {
            $0.with(Entry("/", kind: .link, target: "/etc")).debian()
        },
        Hostile("a refused file that would have to be unpacked", .limits) {
            $0.with(Entry("../x", "x", size: 8_500_000_000)).tarZstd
        },
        Hostile("a folder's own file that would have to be unpacked", .limits) {
            $0.with(Entry("./.", "x", size: 8_500_000_000)).tarZstd
        },
        Hostile("a control file that would have to be unpacked", .limits) {
            $0.debian(scripts: [Entry("md5sums", "x", size: 100 << 20)])
        },
        Hostile("more control files than anybody has", .limits) {
            $0.debian(scripts: (0..<1000).map { Entry("\($0)") })
        },
        Hostile("a Debian package with two archives of control files", .layout) {
            $0.debian(controlArchives: 2)
        },
        Hostile("a file through a link", .paths, "usr/door/x") {
            $0.with(Entry("usr/door", kind: .link, target: "share"), Entry("usr/door/x", "x"))
                .tarZstd
        },
        Hostile("a hard link", .kinds, "usr/hard") {
            $0.with(Entry("usr/hard", kind: .hardLink, target: "usr/bin/lamp")).tarZstd
        },
        Hostile("a device", .kinds, "dev") { $0.with(Entry("dev", kind: .device)).tarZstd },
        Hostile("a pipe", .kinds, "pipe") { $0.with(Entry("pipe", kind: .pipe)).debian() },
        Hostile("set-uid", .executables, "usr/bin/su") {
            $0.with(Entry("usr/bin/su", "x", mode: 0o4755)).tarZstd
        },
        Hostile("set-gid", .executables, "usr/bin/sg") {
            $0.with(Entry("usr/bin/sg", "x", mode: 0o2755)).zip
        },
        Hostile("a path twice", .duplicates, "usr/bin/lamp") {
            $0.with(Entry("usr/bin/lamp", "y", mode: 0o755)).tarZstd
        },
        Hostile("a name that turns the direction of writing", .paths, "usr/\u{202e}gpj.exe") {
            $0.with(Entry("usr/\u{202e}gpj.exe", "x")).zip
        },
        Hostile("no metainfo", .information) { $0.without("metainfo").tarZstd },
        Hostile(
            "metainfo that declares a document type", .information,
            "usr/share/metainfo/x.metainfo.xml"
        ) {
            $0.without("metainfo").with(
                Entry("usr/share/metainfo/x.metainfo.xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>")
            ).tarZstd
        },
        Hostile(
            "a program that is not there", .information,
            "usr/share/applications/com.example.lamp.desktop"
        ) {
            $0.without("usr/bin/lamp").tarZstd
        },
        Hostile("two programs and nothing that says which", .information) {
            $0.without(".desktop").with(Entry("usr/bin/other", "x", mode: 0o755)).tarZstd
        },
        Hostile("another identifier", .product) { _ in
            HandmadeApp.good("com.example.torch").tarZstd
        },
        Hostile("another version", .version) { _ in HandmadeApp.good(version: "1.3").zip },
        Hostile("a file cut short", .readable) { $0.tarZstd.dropLast(40) },
        Hostile("a zip that says more than there is", .readable, "usr/long") {
            $0.with(Entry("usr/long", "x", size: 1000)).zip
        },
        Hostile("a Debian package without its data", .readable) { $0.debian().prefix(200) },
        Hostile("a bomb", .limits) { app in
            var app = app
            var zeros = Entry("usr/zeros")
            zeros.bytes = Data(count: 80 << 20)
            app.entries.append(zeros)
            return app.tarZstd
        },
        Hostile("too many entries", .limits) { app in
            app.with(
                Entry("a", kind: .folder), Entry("b", kind: .folder), Entry("c", kind: .folder)
            ).tarZstd
        },
        Hostile("a zip's table with too many entries", .limits) { app in
            HandmadeApp(app.entries + (0..<40).map { Entry("f\($0)") }).zip
        },
        Hostile("a program that is no AppImage", .readable) { _ in
            HandmadeApp.appImage(type: 0)
        },
        Hostile("an AppImage of type 1", .readable) { _ in HandmadeApp.appImage(type: 1) },
        Hostile("an AppImage cut short", .readable) { _ in HandmadeApp.appImage(isWhole: false) },
        Hostile("a Flatpak runtime", .information) { _ in
            HandmadeApp.flatpak("runtime/org.example.Platform/x86_64/1")
        },
        Hostile("a Flatpak bundle of another app", .product) { _ in
            HandmadeApp.flatpak("app/com.example.torch/x86_64/stable")
        },
        Hostile("a Flatpak bundle whose offsets lead astray", .readable) { _ in
            HandmadeApp.flatpak { $0[$0.count - 1] = 0xff }
        },
        Hostile("something else", .readable) { _ in Data("hello".utf8) },
        Hostile("nothing", .readable) { _ in Data() },
    ]

    @Test(arguments: hostile)
    func `what an app's package must not be is refused, by its place and rule`(_ hostile: Hostile)
        throws
    {
        var limits = PackageLimits.app
        limits.entries = 7
        let bytes = hostile.make(.good())
        let problems = problems {
            try summary(bytes, bundleID: "com.example.lamp", version: "1.2", limits: limits)
        }
        #expect(
            problems.contains { $0.rule == hostile.rule && $0.path == hostile.path },
            "\(problems)")
    }

    @Test func `the name of a file does not make it another format`() throws {
        let bytes = HandmadeApp.good().zip
        #expect(problems { try summary(bytes, fileName: "Lamp.deb") }.map(\.rule) == [.fileName])
    }

    @Test func `an AppImage is one program, of which only its publisher says what it is`() throws {
        let summary = try summary(
            HandmadeApp.appImage(), bundleID: "com.example.lamp", fileName: "Lamp.AppImage")
        #expect(summary.bundleID == nil && summary.version == nil)
        #expect(summary.entries.map(\.isExecutable) == [true])
        #expect(summary.description.program == summary.entries.first?.path)
    }

    @Test func `a Flatpak bundle names its app, and by its metainfo the version`() throws {
        let metainfo =
            "<components><component><id>com.example.lamp.desktop</id><releases>"
            + "<release version='1.2'/></releases></component></components>"
        let summary = try summary(
            HandmadeApp.flatpak(metainfo: metainfo), bundleID: "com.example.Lamp")
        #expect(summary.bundleID?.text == "com.example.lamp")
        #expect(summary.version == ContentVersion("1.2"))
        #expect(summary.entries.map(\.isExecutable) == [false])
    }

    @Test func `a Debian package's scripts are nothing, its version is the one before the hyphen`()
        throws
    {
        let app = HandmadeApp.good().without("metainfo").with(
            Entry("usr/lib/lamp/data", "x"),
            Entry("usr/share/lamp", kind: .link, target: "/usr/lib/lamp"))
        let script = Entry("postinst", "#!/bin/sh\nexit 1\n", mode: 0o755)
        let summary = try summary(app.debian(scripts: [script]))
        #expect(summary.bundleID == nil && summary.version == ContentVersion("1.2"))
        let link = summary.entries.first { $0.path.text == "app/usr/share/lamp" }
        #expect(link?.kind == .link(target: "../../usr/lib/lamp"))
        #expect(!summary.entries.contains { $0.path.text.hasSuffix("postinst") })
    }

    @Test(arguments: [AppPackageFormat.tarZstd, .zip])
    func `a folder becomes the same package each time`(_ format: AppPackageFormat) throws {
        let folder = try TemporaryFolder()
        let source = folder.file("lamp")
        for entry in HandmadeApp.good().entries {
            let url = source.appendingPathComponent(entry.path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            if entry.kind == .link {
                #expect(symlink(entry.target, url.path) == 0)
            } else {
                try entry.bytes.write(to: url)
                chmod(url.path, mode_t(entry.mode))
            }
        }
        let builder = AppFolderBuilder(folder: source)
        let files = ["a", "b"].map { folder.file($0) }
        let summary = try builder.build(format, to: files[0])
        utimes(source.appendingPathComponent("usr/bin/lamp").path, [timeval(), timeval()])
        try builder.build(format, to: files[1])
        #expect(summary.description.program?.text == "app/usr/bin/lamp")
        #expect(summary.entries.contains { $0.kind == .link(target: "lamp") })
        #expect(try Data(contentsOf: files[0]) == Data(contentsOf: files[1]))
    }
}
