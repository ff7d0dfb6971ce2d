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

    @Test func `a subscription is made complete with its group and offers by command alone`()
        async throws
    {
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
        let id = "com.example.readers"
        let number = try await product([
            "product", "create", "--product-id", id, "--type", "AUTO_RENEWABLE_SUBSCRIPTION",
            "--name", "Readers", "--duration", "P1M", "--group", "Readers' club", "--level", "2",
            "--quiet",
        ]).trimmingCharacters(in: .whitespacesAndNewlines)
        _ = try await product([
            "product", "update", id, "--locale", "en-US", "--title", "Readers", "--description",
            "All chapters.", "--level", "1", "--duration", "P3M",
        ])
        #expect(
            try await product(["price", "set", id, "--tier", "3"])
                == "\(id) costs 2.99 USD in the United States.\n")
        _ = try await product([
            "price", "set", id, "--tier", "5", "--territory", "JPN", "--from", "2999-01-01",
        ])
        let german = try await product(["price", "show", id, "--territory", "DEU"])
        #expect(german.contains("2.99") && german.contains("EUR") && !german.contains("2999"))
        #expect(
            try await product(["price", "show", id, "--territory", "JPN"]).contains("2999-01-01"))
        _ = try await product(["product", "screenshot", id, try shop.screenshot().path])
        // By its number no app need be named.
        let shown = try await run(shop, at: address, ["product", "show", number])
        for text in ["READY_TO_SUBMIT", "THREE_MONTHS", "All chapters.", "2.99 USD"] {
            #expect(shown.contains(text), "\(text) in \(shown)")
        }

        let group = ["subscription-group"]
        _ = try await product(
            group + [
                "update", "Readers' club", "--name", "Readers", "--locale", "en-US", "--title",
                "The club",
            ])
        let club = try await product(group + ["show", "Readers"])
        #expect(club.contains("The club") && club.contains(id) && club.contains("en-US"))
        let used = try await product(group + ["delete", "Readers"], code: 65)
        #expect(used.contains("has subscriptions"))
        _ = try await product(group + ["create", "--name", "Spare"])
        #expect(try await product(group + ["list"]).contains("Spare"))
        _ = try await product(group + ["delete", "Spare"])

        let offers = ["introductory-offer"]
        let offer = try await product(
            offers + ["create", id, "--mode", "FREE_TRIAL", "--duration", "P2W", "--quiet"]
        ).trimmingCharacters(in: .whitespacesAndNewlines)
        _ = try await product(
            offers + [
                "create", id, "--mode", "pay-as-you-go", "--duration", "P3M", "--periods", "2",
                "--tier", "1", "--territory", "USA", "--from", "2999-01-01",
            ])
        let list = try await product(offers + ["list", id])
        #expect(list.contains("TWO_WEEKS") && list.contains("PAY_AS_YOU_GO"))
        _ = try await run(shop, at: address, offers + ["delete", offer])
        #expect(try await !product(offers + ["list", id]).contains("TWO_WEEKS"))
        #expect(
            try await product(offers + ["list", id, "--territory", "JPN"])
                == "It has no introductory offers there. Offers of an imported .storekit file are "
                + "not listed; one made here takes the place of theirs.\n")
        _ = try await product(["product", "delete", id])
        _ = try await product(["product", "show", id], code: 66)
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
