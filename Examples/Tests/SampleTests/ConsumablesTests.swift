import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct Consumables {
    /// Where the sample keeps the credits of a device.
    private static func wallet(_ shop: Shop, _ device: String) -> URL {
        shop.home(device).appendingPathComponent(".local/share/Consumables/wallet.json")
    }

    private static func credits(_ wallet: URL) -> Int? {
        struct Content: Decodable { let credits: Int }
        return (try? Data(contentsOf: wallet)).flatMap {
            try? JSONDecoder().decode(Content.self, from: $0).credits
        }
    }

    @Test func `credits are bought, spent and there again at the next start`() async throws {
        let shop = try await Shop()
        let customer = try Customer("Consumables", environment: shop.device("phone"))
        try await customer.answers("quits: ", "1\n")
        try await customer.signsInAndConfirms(Shop.american)
        try await customer.sees("5 credits were added.")
        try await customer.answers("quits: ", "2\n")
        try await customer.answers("Buy? [y/n] ", "y\n")
        try await customer.sees("10 credits were added.")
        try await customer.answers("quits: ", "s\n")
        try await customer.sees("You have spent a credit.")
        try await customer.answers("quits: ", "q\n")
        #expect(await customer.end() == 0)
        #expect(Self.credits(Self.wallet(shop, "phone")) == 14)

        // The price is the storefront's, on a British device as well.
        let british = shop.device("phone", ["LANG": "en_GB.UTF-8"])
        let again = try Customer("Consumables", environment: british)
        try await again.sees("\u{1b}[1mCredits\u{1b}[0m  14")
        try await again.sees(" $0.99  ")
        try await again.answers("quits: ", "q\n")
        #expect(await again.end() == 0)
    }

    @Test func `both interfaces know the same purchases`() async throws {
        let shop = try await Shop()
        let modern = try Customer(
            "Consumables", ["--storekit2"], environment: shop.device("phone"))
        try await modern.answers("quits: ", "1\n")
        try await modern.signsInAndConfirms(Shop.american)
        try await modern.sees("5 credits were added.")
        try await modern.answers("quits: ", "2\n")
        // Control-S stops the terminal: the credits are saved, and the transaction not finished.
        try await modern.answers("Buy? [y/n] ", "y\n\u{13}")
        try await until { Self.credits(Self.wallet(shop, "phone")) == 15 }
        await modern.killsIt()

        let original = try Customer("Consumables", environment: shop.device("phone"))
        try await original.sees("Credits\u{1b}[0m  15")
        try await original.answers("quits: ", "1\n")
        try await original.answers("Buy? [y/n] ", "y\n")
        try await original.sees("Credits\u{1b}[0m  20")
        try await original.answers("quits: ", "q\n")
        #expect(await original.end() == 0)

        let again = try Customer("Consumables", ["--storekit2"], environment: shop.device("phone"))
        try await again.sees("Credits\u{1b}[0m  20")
        try await again.answers("quits: ", "q\n")
        #expect(await again.end() == 0)
        #expect(!again.screen.contains("were added"))
    }

    @Test func `who says no pays nothing, and can go on`() async throws {
        let shop = try await Shop()
        let customer = try Customer("Consumables", environment: shop.device("phone"))
        try await customer.answers("quits: ", "1\n")
        try await customer.answers("Email: ", "\(Shop.american)\n")
        try await customer.answers("Password: ", "\(Shop.password)\n")
        try await customer.answers("Buy? [y/n] ", "n\n")
        try await customer.sees("Nothing was bought.")
        try await customer.answers("quits: ", "s\n")
        try await customer.sees("You have no credits.")
        try await customer.answers("quits: ", "q\n")
        #expect(await customer.end() == 0)
    }

    @Test func `prices and titles are those of the customer's storefront`() async throws {
        let shop = try await Shop()
        let customer = try Customer("Consumables", environment: shop.device("phone"))
        try await customer.sees("$0.99")
        try await customer.answers("quits: ", "1\n")
        try await customer.signsInAndConfirms(Shop.japanese)
        try await customer.sees("5 credits were added.")
        // The shelf changes as soon as the store knows who looks at it.
        try await customer.sees("¥120")
        try await customer.answers("quits: ", "q\n")
        _ = await customer.end()
        let again = try Customer("Consumables", environment: shop.device("phone"))
        try await again.sees("¥120")
        try await again.sees("5クレジット")
        try await again.answers("quits: ", "q\n")
        _ = await again.end()
        #expect(!again.screen.contains("$"))
    }

    @Test func `a purchase that was killed before its delivery is delivered at the next start`()
        async throws
    {
        let shop = try await Shop()
        let wallet = Self.wallet(shop, "phone")
        let customer = try Customer("Consumables", environment: shop.device("phone"))
        try await customer.sees("quits: ")
        // Another process has the wallet open, so the sample waits with what it was paid for.
        let lock = open(wallet.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        let isLocked = try await Programs.onThread { flock(lock, LOCK_EX) == 0 }
        try #require(isLocked)
        try customer.types("1\n")
        let state = shop.home("phone")
            .appendingPathComponent(".local/state/com.example.bookshop/StoreKit")
        try await customer.signsInAndConfirms(Shop.american)
        try await until { Self.journal(in: state).contains("\"purchased\"") }
        await customer.killsIt()
        close(lock)
        #expect(Self.credits(wallet) == nil)

        let again = try Customer("Consumables", environment: shop.device("phone"))
        try await again.sees("5 credits were added.")
        try await again.answers("quits: ", "q\n")
        #expect(await again.end() == 0)
        #expect(Self.credits(wallet) == 5)
    }

    @Test func `credits that were saved before the program was killed are not added again`()
        async throws
    {
        let shop = try await Shop()
        let wallet = Self.wallet(shop, "phone")
        let customer = try Customer("Consumables", environment: shop.device("phone"))
        try await customer.answers("quits: ", "1\n")
        try await customer.answers("Email: ", "\(Shop.american)\n")
        try await customer.answers("Password: ", "\(Shop.password)\n")
        try await customer.sees("Buy? [y/n] ")
        // Control-S stops the terminal: the sample saves the credits, and comes no further than
        // to saying so, which is before it finishes the transaction.
        try customer.types("y\n\u{13}")
        try await until { Self.credits(wallet) == 5 }
        await customer.killsIt()
        #expect(!customer.screen.contains("were added"))

        let again = try Customer("Consumables", environment: shop.device("phone"))
        try await again.sees("Credits\u{1b}[0m  5")
        try await again.answers("quits: ", "1\n")
        try await again.answers("Buy? [y/n] ", "y\n")
        // The next purchase is counted: one more, not two.
        try await again.sees("Credits\u{1b}[0m  10")
        try await again.answers("quits: ", "q\n")
        #expect(await again.end() == 0)
        #expect(again.screen.components(separatedBy: "were added").count == 2)
        #expect(Self.credits(wallet) == 10)
    }

    /// What the framework has on disk about payments.
    private static func journal(in folder: URL) -> String {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasPrefix("journal-") && !$0.hasSuffix(".lock") }.map { name in
            (try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)) ?? ""
        }.joined()
    }
}
