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

    @Test func `a clock is made for a tester, advanced and deleted`() async throws {
        let shop = try await Shop(noiseBytes: 1000)
        let (server, address) = try await shop.serve()
        defer { server.send(SIGTERM) }
        let access = ["--store", address, "--data", shop.data]
        func run(_ words: String...) async throws -> Program.Result {
            try await Program.run("openstore", ["sandbox", "clock"] + words + access)
        }
        #expect(try await run("create", "Autumn").code == 64)
        #expect(
            try await run("create", "Autumn", "--tester", Shop.email, "--quiet").code == 0)
        let list = try await run("list")
        #expect(list.code == 0 && list.output.contains("Autumn"))
        #expect(try await run("advance", "Autumn").code == 64)
        #expect(try await run("advance", "Autumn", "--by", "soon").code == 64)
        #expect(try await run("advance", "Winter", "--by", "1h").code == 66)
        let before = try await run("list", "--json").output
        #expect(try await run("advance", "Autumn", "--by", "90m").code == 0)
        #expect(try await run("list", "--json").output != before)
        let back = try await run("advance", "Autumn", "--to", "2026-01-01T00:00:00Z")
        #expect(back.code == 65 && back.errors.contains("never goes back"))
        #expect(try await run("delete", "Autumn").code == 0)
        #expect(try await run("list").output.contains("There are no sandbox clocks."))
    }
}
