import Foundation
import StoreCore
import StorePackageSamples
import StoreTestSupport
import Testing

/// Content made and checked as a publisher does it.
@Suite("Content commands")
struct ContentCommandTests {
    private let folder: TemporaryFolder
    private let product = "com.example.shop.chapter"

    init() throws {
        folder = try TemporaryFolder()
    }

    private func path(_ name: String) -> String { folder.file(name).path }

    private func content(_ words: String...) async throws -> Program.Result {
        try await Program.run("openstore", ["content"] + words)
    }

    @Test func `a folder is made, packed, checked and unpacked`() async throws {
        #expect(try await content("init", product, path("source")).code == 0)
        let info = try String(contentsOf: folder.file("source/ContentInfo.plist"), encoding: .utf8)
        #expect(info.contains("<string>1.0</string>") && info.contains("<string>\(product)<"))
        let source = folder.file("source/Contents").path
        #expect(try FileManager.default.contentsOfDirectory(atPath: source).isEmpty)
        try folder.write("source/Contents/a.txt", "some text")
        #expect(try await content("build", path("source"), "-o", path("a.pkg")).code == 0)
        let checked = try await content("validate", path("a.pkg"), "--product", product)
        #expect(checked.code == 0)
        #expect(checked.output.contains("\(product) 1.0 keeps all rules"))
        #expect(!checked.output.contains("\u{1b}"))
        #expect(try await content("unpack", path("a.pkg"), path("out")).code == 0)
        for name in ["ContentInfo.plist", "Contents/a.txt"] {
            #expect(
                try Data(contentsOf: folder.file("source/\(name)"))
                    == Data(contentsOf: folder.file("out/\(name)")))
        }
    }

    @Test func `init overwrites nothing`() async throws {
        try folder.write("source/mine", "text")
        let result = try await content("init", product, path("source"))
        #expect(result.code == 65)
        #expect(result.errors.contains("exists already"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: path("source")) == ["mine"])
    }

    @Test func `bump raises the version in the folder and in the package`() async throws {
        _ = try await content("init", product, path("source"))
        try folder.write("source/Contents/a.txt", "text")
        for version in ["1.1", "1.2"] {
            let built = try await content(
                "build", path("source"), "-o", path("a.pkg"), "--bump", "--json")
            #expect(built.code == 0)
            #expect(built.output.contains("\"version\" : \"\(version)\""))
        }
        let older = try await content("validate", path("a.pkg"), "--newer-than", "1.2")
        #expect(older.code == 65)
        #expect(older.output.contains("version  ContentInfo.plist: ContentVersion is 1.2"))
    }

    @Test
    func `nothing is collected by a clock that can't be believed, until it is said to be right`()
        async throws
    {
        let shop = try await Shop()
        let database = try SQLiteDatabase(path: "\(shop.data)/store.sqlite")
        let clock = SettableClock(Date(timeIntervalSinceNow: -10 * 86_400))
        try await JobService(database: database, clock: clock)
            .believe(clock.now(), insteadOf: nil)
        database.close()
        let refused = try await content("clean-up", "--data", shop.data)
        #expect(refused.code == 1)
        #expect(refused.errors.contains("the clock can't be trusted"), "\(refused.errors)")
        try await shop.command(["content", "clean-up", "--dry-run", "--data", shop.data])
        try await shop.command(["doctor", "--clock-is-right", "--quick", "--data", shop.data])
        try await shop.command(["content", "clean-up", "--data", shop.data])
    }

    @Test func `all problems are told, to people and to programs`() async throws {
        let package = HandmadePackage(contents: [
            HandmadePackage.file("run", "#!/bin/sh"), HandmadePackage.link("l", to: "/etc/passwd"),
        ])
        try folder.write("bad.pkg", package.encoded())
        let told = try await content("validate", path("bad.pkg"), "--product", "com.example.x")
        #expect(told.code == 65)
        #expect(told.output.contains("3 problems"))
        #expect(told.output.contains("executables  Contents/run: it is a script"))
        #expect(told.errors.isEmpty)

        let json = try await content(
            "validate", path("bad.pkg"), "--product", "com.example.x", "--json")
        #expect(json.code == 65)
        let verdict = try #require(
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect(verdict["isValid"] as? Bool == false)
        let problems = try #require(verdict["problems"] as? [[String: String]])
        #expect(problems.map { $0["rule"] } == ["executables", "kinds", "product"])
        #expect(
            problems.map { $0["path"] } == ["Contents/run", "Contents/l", "ContentInfo.plist"])
        #expect(problems.allSatisfy { $0["advice"]?.isEmpty == false })
    }

    @Test(arguments: [
        ["init"], ["init", "a b"], ["init", "a", "b", "c"], ["build", "x"],
        ["build", "x", "-o", "y.zip"], ["validate"], ["validate", "a.pkg", "--product", "a b"],
        ["validate", "a.pkg", "--newer-than", "1.x"], ["unpack", "a.pkg"], ["inspect"],
    ])
    func `a wrong command line is refused with 64`(_ words: [String]) async throws {
        let result = try await Program.run("openstore", ["content"] + words)
        #expect(result.code == 64)
        #expect(result.output.isEmpty)
        #expect(!result.errors.isEmpty)
    }

    @Test(arguments: ["init", "build", "validate", "inspect", "unpack"])
    func `each explains itself`(_ verb: String) async throws {
        let result = try await content(verb, "--help")
        #expect(result.code == 0)
        #expect(result.output.contains("Usage: openstore content \(verb)"))
    }
}
