import Foundation
import StoreTestSupport
import Testing

/// Products that the built program brings into a store and gets out of it, as files.
struct ProductMetadataTests {
    /// A store that runs, with a key of its operator.
    private final class Publisher: Sendable {
        let shop: Shop
        let server: Program
        let address: String

        deinit {
            server.send(SIGTERM)
        }

        /// - Parameter environment: of the store and the commands that follow.
        init(environment: [String: String] = [:]) async throws {
            var shop = try await Shop(noiseBytes: 1000)
            try await shop.command([
                "api-key", "create", "--name", "test", "--role", "app-manager", "--data",
                shop.data, "-o", shop.data,
            ])
            shop.environment.merge(environment) { $1 }
            self.shop = shop
            (server, address) = try await shop.serve()
        }

        func run(_ words: [String]) async throws -> Program.Result {
            try await Program.run(
                "openstore", words + ["--store", address, "--data", shop.data])
        }

        /// Runs a command that has to succeed.
        @discardableResult
        func command(_ words: [String]) async throws -> String {
            let result = try await run(words)
            #expect(result.code == 0, "\(words): \(result.errors)")
            return result.output
        }

        @discardableResult
        func export(_ name: String) async throws -> String {
            let file = shop.folder.file(name)
            try await command(["product", "export", SampleShop.bundleID.text, file.path])
            return try String(contentsOf: file, encoding: .utf8)
        }

        /// The most memory that the store ever had, bytes.
        func peak() throws -> Int {
            let status = try String(
                contentsOfFile: "/proc/\(server.id)/status", encoding: .utf8)
            let line = try #require(
                status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
            let number = try #require(
                line.split(whereSeparator: { $0 == " " || $0 == "\t" })
                    .compactMap { Int($0) }.first)
            return number << 10
        }
    }

    /// A metadata file with so many products more.
    private static func metadata(_ text: String, count: Int) -> String {
        let description = String(repeating: "A gem of great beauty. ", count: 10)
        let products = (0..<count).map { number in
            """
            <in_app_purchase><product_id>com.example.shop.gem\(number)</product_id>
            <reference_name>Gem \(number)</reference_name><type>consumable</type>
            <products><product><territory>WW</territory><cleared_for_sale>true</cleared_for_sale>
            <wholesale_price_tier>\(number % 80 + 1)</wholesale_price_tier></product></products>
            <locales><locale name="en-US"><title>Gem \(number)</title>
            <description>\(description)</description></locale>
            <locale name="de-DE"><title>Stein \(number)</title>
            <description>\(description)</description></locale></locales>
            <review_notes>Tap Buy.</review_notes></in_app_purchase>
            """
        }
        return text.replacingOccurrences(
            of: "</in_app_purchases>",
            with: products.joined(separator: "\n") + "</in_app_purchases>")
    }

    /// What publishers maintain: states follow from that.
    private static func withoutStates(_ text: String) -> [Substring] {
        text.split(separator: "\n").filter { !$0.contains("iap-status") }
    }

    @Test func `what is exported can be changed, tried, imported and exported again`() async throws
    {
        let publisher = try await Publisher()
        let text = try await publisher.export("first.xml")
        let first = publisher.shop.folder.file("first.xml")
        let same = try await publisher.command(["product", "import", first.path])
        #expect(same.contains("Added 0 and changed 0 products; 5 stay as they are."))

        let changedText = text.replacingOccurrences(of: "A badge<", with: "A star<")
        let changed = try publisher.shop.folder.write("changed.xml", changedText)
        let tried = try await publisher.command(["product", "import", changed.path, "--dry-run"])
        #expect(tried.contains("~ com.example.shop.badge"))
        #expect(tried.contains("name: A badge → A star"))
        #expect(tried.contains("Would add 0 and change 1 products; 4 would stay as they are."))
        let afterTrial = try await publisher.export("tried.xml")
        #expect(afterTrial == text)

        let json = try await publisher.command(["product", "import", changed.path, "--json"])
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(report["changed"] as? Int == 1)
        #expect(report["dryRun"] as? Bool == false)
        let second = try await publisher.export("second.xml")
        #expect(Self.withoutStates(second) == Self.withoutStates(changedText))
        let quiet = try await publisher.command(["product", "import", first.path, "--quiet"])
        #expect(quiet == "com.example.shop.badge\n")
    }

    @Test func `Xcode's configuration goes out and in`() async throws {
        let publisher = try await Publisher()
        try await publisher.export("shop.storekit")
        let file = publisher.shop.folder.file("shop.storekit")
        let output = try await publisher.command([
            "product", "import", file.path, "--app", SampleShop.bundleID.text,
        ])
        #expect(output.contains("Added 0 and changed 0 products"))
        let result = try await publisher.run(["product", "import", file.path])
        #expect(result.code == 64)
        #expect(result.errors.contains("--app is missing"))
    }

    @Test func `a file with wrong elements names them, and changes nothing`() async throws {
        let publisher = try await Publisher()
        let text = try await publisher.export("first.xml")
        let wrong = try publisher.shop.folder.write(
            "wrong.xml",
            text.replacingOccurrences(of: "<type>consumable</type>", with: "<type>coin</type>")
                .replacingOccurrences(of: "A badge<", with: "A star<"))
        let result = try await publisher.run(["product", "import", wrong.path])
        #expect(result.code == 65)
        #expect(result.errors.contains("<type> is \"coin\"; allowed: consumable, non-consumable"))
        let line = try #require(
            text.split(separator: "\n", omittingEmptySubsequences: false)
                .firstIndex { $0.contains("<type>consumable") })
        #expect(result.errors.contains("wrong.xml:\(line + 1): "))
        let after = try await publisher.export("after.xml")
        #expect(after == text)
    }

    @Test func `screenshots beside the file are sent once`() async throws {
        let publisher = try await Publisher()
        let text = try await publisher.export("first.xml")
        // The header of a picture of 640 by 920, as far as the store looks.
        var picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13])
        picture += Data("IHDR".utf8)
        picture += Data([0, 0, 2, 128, 0, 0, 3, 152, 8, 2, 0, 0, 0])
        picture += Data(repeating: 7, count: 700_000)
        let folder = publisher.shop.folder
        let badge = try folder.write("app.itmsp/badge.png", picture)
        let sum = try await Program.run(URL(fileURLWithPath: "/usr/bin/md5sum"), [badge.path])
        let checksum = try #require(sum.output.split(separator: " ").first)
        let screenshot = """
            <reference_name>A badge</reference_name><review_screenshot>
            <file_name>badge.png</file_name><size>\(picture.count)</size>
            <checksum type="md5">\(checksum)</checksum></review_screenshot>
            """
        let name = "<reference_name>A badge</reference_name>"
        try folder.write(
            "app.itmsp/metadata.xml", text.replacingOccurrences(of: name, with: screenshot))
        let path = folder.file("app.itmsp").path
        let tried = try await publisher.command(["product", "import", path, "--dry-run"])
        #expect(tried.contains("Would upload 1 review screenshots."))
        let sent = try await publisher.command(["product", "import", path])
        #expect(sent.contains("Uploaded 1 review screenshots."))
        let again = try await publisher.command(["product", "import", path])
        #expect(!again.contains("screenshots"))
        let export = try await publisher.export("after.xml")
        #expect(export.contains("<file_name>badge.png</file_name>"))
        #expect(export.contains("<checksum type=\"md5\">\(checksum)</checksum>"))
    }

    @Test func `3,000 products take the store little more memory than 100`() async throws {
        let few = try await peak(with: 100)
        let many = try await peak(with: 2990)
        let growth = (many - few) >> 20
        print("store's peak: \(few >> 20) MB with 100 products, +\(growth) MB with 3,000")
        #expect(growth < 18, "the store grew by \(growth) MB")
    }

    /// The most memory that a store has while so many products are brought in and out, bytes.
    private func peak(with count: Int) async throws -> Int {
        // Threads that allocate at the same time would get arenas of their own, some in one run and none
        // in the next.
        let publisher = try await Publisher(environment: ["MALLOC_ARENA_MAX": "1"])
        let empty = try await publisher.export("empty.xml")
        let file = try publisher.shop.folder.write("many.xml", Self.metadata(empty, count: count))
        let output = try await publisher.command(["product", "import", file.path])
        #expect(output.contains("Added \(count) and changed 0 products; 5 stay"))
        let again = try await publisher.command(["product", "import", file.path, "--dry-run"])
        #expect(again.contains("Would add 0 and change 0 products"))
        let export = try await publisher.export("all.xml")
        let pieces = export.components(separatedBy: "<in_app_purchase>").count
        #expect(pieces == count + 6)
        return try publisher.peak()
    }
}
