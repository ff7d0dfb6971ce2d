import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// In-app purchases and their prices by command, over a store that runs.
@Suite("Product commands")
struct ProductCommandTests {
    private func run(
        _ shop: Shop, at address: String, _ words: [String], code: Int32 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let result = try await Program.run(
            "openstore", words + ["--store", address, "--data", shop.data],
            environment: ["XDG_CONFIG_HOME": shop.folder.file("config").path])
        #expect(result.code == code, "\(result.errors)", sourceLocation: sourceLocation)
        return code == 0 ? result.output : result.errors
    }

    @Test func `a product is made, described, priced, shown and deleted`() async throws {
        let shop = try await Shop(noiseBytes: 100)
        let (server, address) = try await shop.serve()
        defer { server.send(SIGTERM) }
        let app = ["--app", SampleShop.bundleID.text]
        func product(
            _ words: [String], code: Int32 = 0,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> String {
            try await run(
                shop, at: address, words + app, code: code, sourceLocation: sourceLocation)
        }
        let id = "com.example.gems"
        let number = try await product([
            "product", "create", "--product-id", id, "--type", "consumable", "--name", "Gems",
            "--quiet",
        ]).trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(Int64(number) != nil)
        #expect(
            try await product(
                ["product", "create", "--product-id", id, "--type", "CONSUMABLE", "--name", "X!"],
                code: 65
            ).contains("Choose another identifier"))
        _ = try await product([
            "product", "update", id, "--locale", "en-US", "--title", "Gems", "--description",
            "Ten of them.", "--review-note", "Tap.",
        ])
        _ = try await product(["product", "update", id, "--locale", "en-US", "--title", "Jewels"])
        let shown = try await product(["product", "show", id])
        #expect(shown.contains("Jewels") && shown.contains("Ten of them."))
        #expect(shown.contains("MISSING_METADATA"))

        #expect(
            try await product(["price", "set", id, "--tier", "3"])
                == "\(id) costs 2.99 USD in the United States.\n")
        _ = try await product(["price", "set", id, "--tier", "1", "--territory", "JPN"])
        _ = try await product(["price", "set", id, "--tier", "5", "--from", "2999-01-01"])
        let prices = try await product(["price", "show", id, "--json"])
        #expect(prices.contains("\"customerPrice\" : \"120\""))
        #expect(prices.contains("\"startDate\" : \"2999-01-01\""))
        let german = try await product(["price", "show", id, "--territory", "DEU"])
        #expect(german.contains("2.99") && german.contains("4.99") && german.contains("EUR"))
        #expect(try await product(["price", "set", id, "--tier", "99"], code: 64).contains("tier"))

        let file = try shop.screenshot()
        _ = try await product(["product", "screenshot", id, file.path])
        #expect(
            try await product(["product", "list", "--state", "READY_TO_SUBMIT", "--quiet"])
                .contains(number))
        let wrong = try shop.folder.write("wrong.png", Data("no picture".utf8))
        #expect(
            try await product(["product", "screenshot", id, wrong.path], code: 65)
                .contains("neither a PNG nor a JPEG"))
        _ = try await product(["product", "delete", id])
        #expect(
            try await product(["product", "show", id], code: 66).contains("no in-app purchase"))
    }

    @Test func `the tiers of the price list are told for a territory`() async throws {
        let japan = try await Program.run(
            "openstore", ["price", "tiers", "--territory", "JPN", "--json"])
        #expect(japan.code == 0)
        let rows = try #require(
            try JSONSerialization.jsonObject(with: Data(japan.output.utf8)) as? [[String: String]])
        #expect(rows.count == PriceTier.all.count)
        let second = try #require(rows.dropFirst().first)
        #expect(second["price"] == "120" && second["proceeds"] == "84")
        let usa = try await Program.run("openstore", ["price", "tiers"])
        #expect(usa.output.contains("0.99 USD"))
    }
}
