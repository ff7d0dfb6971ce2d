import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// A publisher and an operator who look after the storefront with commands only.
struct ItemCommandTests {
    private let shop: Shop
    private let server: Program
    private let address: String

    init() async throws {
        shop = try await Shop(noiseBytes: 1000)
        (server, address) = try await shop.serve()
    }

    /// What a command needs to be somebody.
    private func access(_ role: String, team: String?) async throws -> [String] {
        var words = [
            "api-key", "create", "--name", role, "--role", role, "--output",
            shop.folder.url.path, "--data", shop.data, "--json",
        ]
        if let team { words += ["--team", team] }
        let made = try await shop.command(words)
        let row = try #require(
            try JSONSerialization.jsonObject(with: Data(made.utf8)) as? [String: Any])
        return [
            "--store", address, "--key", try #require(row["file"] as? String), "--data", shop.data,
        ]
    }

    @Test func `items are made, shown, changed, published and removed`() async throws {
        defer { server.send(SIGTERM) }
        let access = try await access("admin", team: "Publisher")
        func text(_ words: [String]) async throws -> String {
            try await shop.command(words + access)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
        func code(_ words: [String]) async throws -> Int32 {
            try await Program.run("openstore", words + access).code
        }
        let id = try await text([
            "item", "create", "--kind", "ebook", "--title", "The Lighthouse", "--genre",
            "Fiction & Literature", "--tier", "3", "--artist", "Hanna Holm", "--quiet",
        ])
        let second = try await text([
            "item", "create", "--kind", "ebook", "--title", "Second Light", "--genre", "9031,9003",
            "--artist", "Hanna Holm", "--quiet",
        ])
        let book = try shop.folder.write("book.pdf", Data("%PDF-1.4\n".utf8))
        _ = try await text(["item", "media", second, book.path, "--kind", "download"])
        _ = try await text(["item", "publish", second])
        #expect(try await text(["item", "list", "--state", "DRAFT", "--quiet"]) == id)
        #expect(try await text(["item", "list", "--search", "second", "--quiet"]) == second)
        let shown = try await text(["item", "show", id])
        #expect(shown.contains("The Lighthouse"))
        #expect(shown.contains("Fiction & Literature"))
        let facts = try shop.folder.write(
            "facts.json", Data(#"{"copyright": "2026 Nobody", "isbn": null}"#.utf8))
        _ = try await text([
            "item", "update", id, "--title", "灯台", "--locale", "ja", "--attributes", facts.path,
        ])
        let json = try await text(["item", "show", id, "--json"])
        let item = try #require(
            try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(item["copyright"] as? String == "2026 Nobody")
        #expect((item["texts"] as? [Any])?.count == 2)
        let cover = try shop.folder.write("cover.png", SamplePicture.square(512))
        let media = try await text([
            "item", "media", id, cover.path, "--kind", "artwork", "--quiet",
        ])
        #expect(try await text(["item", "media", id]).contains("cover.png"))
        #expect(try await code(["item", "media", id, cover.path, "--kind", "audioPreview"]) == 65)
        _ = try await text(["item", "media", id, "--remove", media])
        #expect(try await code(["item", "publish", id]) == 65)
        _ = try await text(["item", "media", id, book.path, "--kind", "download"])
        #expect(try await text(["item", "publish", id]).contains("on sale"))
        #expect(try await text(["item", "remove", id]).contains("removed from sale"))
        #expect(try await text(["item", "sales"]) == "Nothing was sold.")
        #expect(try await text(["customer-review", "list"]) == "There are no such reviews.")

        #expect(try await code(["item", "update", id]) == 64)
        #expect(try await code(["item", "show", "abc"]) == 64)
        #expect(try await code(["item", "show", "999999999"]) == 66)
        #expect(try await code(["item", "create", "--kind", "novel", "--title", "X"]) == 64)
        #expect(
            try await code(["item", "create", "--kind", "song", "--title", "X", "--genre", "Noise"])
                == 64)
        #expect(try await code(["affiliate", "list"]) == 77)
    }

    @Test func `an operator makes affiliates and reads their report`() async throws {
        defer { server.send(SIGTERM) }
        let access = try await access("operator", team: nil)
        func text(_ words: [String]) async throws -> String {
            try await shop.command(words + access)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
        func code(_ words: [String]) async throws -> Int32 {
            try await Program.run("openstore", words + access).code
        }
        _ = try await text([
            "affiliate", "create", "--name", "Blog", "--email", "blog@example.com", "--share",
            "2.5", "--token", "blog1",
        ])
        #expect(try await text(["affiliate", "list"]).contains("2.5 %"))
        _ = try await text(["affiliate", "update", "blog1", "--credited", "off"])
        #expect(try await text(["affiliate", "list"]).contains("no"))
        #expect(
            try await text(["affiliate", "report"])
                == "No sale of these days came from an affiliate.")
        #expect(try await text(["affiliate", "report", "--csv"]).hasPrefix("Day,Affiliate,"))
        #expect(try await code(["affiliate", "report", "--from", "yesterday"]) == 64)
        #expect(try await code(["affiliate", "update", "unknown", "--share", "1"]) == 66)
        #expect(try await code(["customer-review", "publish", "1"]) == 66)
        #expect(try await code(["customer-review", "reject", "1"]) == 64)
        #expect(try await code(["item", "refund", "1"]) == 66)
    }
}
