import Foundation
import StoreTestSupport
import Testing

struct Commands {
    @Test func `content is built and inspected, and bsdtar can list it`() async throws {
        let folder = try TemporaryFolder()
        _ = try SampleShop.writeContent(into: folder)
        let source = folder.file("content/\(SampleShop.chapter)").path
        let package = folder.file("chapter.pkg").path
        let built = try await Program.run("openstore", ["content", "build", source, "-o", package])
        #expect(built.code == 0, "\(built.errors)")
        #expect(built.output.contains(SampleShop.chapter))

        let shown = try await Program.run("openstore", ["content", "inspect", package])
        #expect(shown.output.hasPrefix("Type     In-App Purchase Content\n"), "\(shown.output)")
        let inspected = try await Program.run(
            "openstore", ["content", "inspect", package, "--json"])
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(inspected.output.utf8)) as? [String: Any])
        #expect(json["productId"] as? String == SampleShop.chapter)
        #expect(json["version"] as? String == "1.0")
        let entries = try #require(json["entries"] as? [[String: Any]])
        let paths = entries.compactMap { $0["path"] as? String }
        #expect(paths.contains("Contents/pictures/noise.bin"))

        let listing = try await ChildProgram.run("/usr/bin/bsdtar", ["-tf", package])
        #expect(listing.status == 0)
        let list = String(decoding: listing.output, as: UTF8.self)
        #expect(
            Set(list.split(separator: "\n").map { $0.hasSuffix("/") ? $0.dropLast() : $0 })
                == Set(paths.map { Substring($0) }))
    }

    @Test func `a broken configuration changes nothing`() async throws {
        let shop = try await Shop()
        let broken = try shop.folder.write(
            "broken.storekit",
            """
            { "version" : { "major" : 3, "minor" : 0 }, "products" : [
              { "productID" : "com.example.shop.new", "type" : "Consumable", "displayPrice" : "1,99" },
              { "productID" : "bad id", "type" : "Thing", "displayPrice" : "0.99" } ] }
            """)
        let result = try await Program.run(
            "openstore", ["catalog", "import", broken.path, "--data", shop.data])
        #expect(result.code == 65)
        for problem in ["products[0].displayPrice", "products[1].productID", "products[1].type"] {
            #expect(result.errors.contains(problem), "\(result.errors)")
        }
        let listed = try await shop.command([
            "catalog", "import", shop.folder.file("shop.storekit").path, "--bundle-id",
            SampleShop.bundleID.text, "--data", shop.data, "--json",
        ])
        #expect(!listed.contains("com.example.shop.new"))
    }

    @Test(arguments: [
        ["certificate", "list"], ["purchase", "list"], ["content", "clean-up"],
        ["backup", "--to", "x"],
    ])
    func `a mistyped folder does not become a store`(_ words: [String]) async throws {
        let folder = try TemporaryFolder()
        let data = folder.file("typo").path
        let result = try await Program.run("openstore", words + ["--data", data])
        #expect(result.code != 0)
        #expect(result.errors.contains("there is no store in it"), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: data))
    }

    @Test(arguments: [["--help"], ["serve", "--help"], ["catalog", "import", "--help"]])
    func `help goes to standard output`(_ words: [String]) async throws {
        let result = try await Program.run("openstore", words)
        #expect(result.code == 0)
        #expect(result.output.contains("Usage: openstore"))
        #expect(result.errors.isEmpty)
        #expect(!result.output.contains("\u{1b}"))
    }
}
