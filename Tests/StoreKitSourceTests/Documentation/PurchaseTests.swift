import StoreKit
import Testing

@MainActor
@Suite(
    .serialized, .timeLimit(.minutes(1)),
    .enabled(if: ProcessInfo.processInfo.environment["OPENSTORE_PROFILE"] != nil))
struct PurchaseTests {
    init() {
        OpenStore.sheet = OpenStoreScriptedSheet(
            confirm: { question in question.price == "$0.99" },
            signIn: { _ in
                OpenStoreCredentials(email: "ada@example.com", password: "correct-horse")
            })
    }

    private func product(_ identifier: String) async throws -> SKProduct {
        var list: PriceList?
        let products = await withCheckedContinuation { continuation in
            list = PriceList { continuation.resume(returning: $0) }
            list?.load([identifier])
        }
        // Requests don't retain their delegates.
        list = nil
        return try #require(products.first)
    }

    private func buy(_ quantity: Int, of product: SKProduct, in shop: CreditShop) async -> String {
        await withCheckedContinuation { continuation in
            shop.told = { continuation.resume(returning: $0) }
            shop.buy(product, quantity: quantity)
        }
    }

    @Test func `credits are counted once, and only where the customer agrees`() async throws {
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appendingPathComponent("\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let shop = try CreditShop(file: file)
        let credits = try await product("com.example.bookshop.credits5")
        #expect(priceText(of: credits) == "$0.99")

        #expect(await buy(1, of: credits, in: shop) == "You have 5 credits.")
        #expect(await buy(2, of: credits, in: shop) == "Cancelled.")
        #expect(try Wallet.load(from: file).credits == 5)
    }
}
