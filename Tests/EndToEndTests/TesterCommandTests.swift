import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// A publisher who looks after testers, and after what was sold, with commands only.
struct TesterCommandTests {
    @Test func `testers are made, listed, changed, cleared and deleted`() async throws {
        let shop = try await Shop(noiseBytes: 1000)
        let (server, address) = try await shop.serve()
        defer { server.send(SIGTERM) }
        // Whose key it is, the folder of the store says.
        let made = try await shop.command([
            "api-key", "create", "--name", "Tests", "--team", "Publisher", "--role", "admin",
            "--output", shop.folder.url.path, "--data", shop.data, "--json",
        ])
        let row = try #require(
            try JSONSerialization.jsonObject(with: Data(made.utf8)) as? [String: Any])
        let key = try #require(row["file"] as? String)
        let access = ["--store", address, "--key", key, "--data", shop.data]
        func text(_ words: [String]) async throws -> String {
            try await shop.command(words + access)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
        func code(_ words: [String]) async throws -> Int32 {
            try await Program.run("openstore", words + access).code
        }

        // The one that was made in the store's folder belongs to its only team.
        #expect(try await text(["tester", "list"]).contains(Shop.email))
        let id = try await text([
            "tester", "create", "--first-name", "Tess", "--last-name", "Ter", "--email",
            "tess@example.com", "--password", "correct-horse", "--storefront", "JP",
            "--question", "First pet?", "--answer", "Rex", "--quiet",
        ])
        #expect(try await text(["tester", "list", "--search", "tess", "--quiet"]) == id)
        let shown = try await text(["tester", "show", "tess@example.com"])
        #expect(shown.contains("Tess Ter"))
        #expect(shown.contains("JPN"))
        #expect(!shown.contains("Rex"))
        let again = [
            "tester", "create", "--first-name", "T", "--last-name", "T", "--email",
            "tess@example.com", "--password", "correct-horse", "--storefront", "USA",
            "--question", "Q", "--answer", "A",
        ]
        #expect(try await code(again) == 65)

        _ = try await text([
            "tester", "update", id, "--payment-failure", "next", "--month", "60", "--storefront",
            "USA", "--ask-to-buy", "on",
        ])
        let changed = try await text(["tester", "show", id, "--json"])
        let tester = try #require(
            try JSONSerialization.jsonObject(with: Data(changed.utf8)) as? [String: Any])
        #expect(tester["paymentFailure"] as? String == "NEXT")
        #expect(tester["territory"] as? String == "USA")
        #expect(tester["askToBuy"] as? Bool == true)
        #expect(tester["interruptPurchases"] as? Bool == false)
        #expect(
            tester["subscriptionRenewalRate"] as? String == "MONTHLY_RENEWAL_EVERY_ONE_HOUR")
        #expect(tester["historyClearedDate"] == nil)
        #expect(try await code(["tester", "update", id]) == 64)
        #expect(try await code(["tester", "update", id, "--month", "7"]) == 64)

        _ = try await text(["tester", "clear", id])
        #expect(try await text(["tester", "show", id]).contains("HISTORY CLEARED"))
        #expect(try await text(["tester", "purchases", id]) == "Nothing was bought yet.")
        #expect(try await code(["tester", "refund", "1000000000000001"]) == 66)
        #expect(try await text(["sales", "report", "--by", "day,product"]) == "Nothing was sold.")
        #expect(try await code(["sales", "report", "--by", "week"]) == 64)
        #expect(
            try await code(["sales", "report", "--from", "2026-02-02", "--to", "2026-02-01"])
                == 65)

        _ = try await text(["tester", "delete", id])
        #expect(try await code(["tester", "show", id]) == 66)
        #expect(try await code(again) == 65)
    }
}
