import StoreKit
import Testing

/// Every test that uses the store, one after the other: a process is one device with one queue.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: hasStore))
struct PurchaseTests {}

/// Without a store these tests are skipped, but not where nobody looks at what was skipped: there
/// they fail.
private let hasStore: Bool = ["OPENSTORE_PROFILE", "CI"].contains { name in
    ProcessInfo.processInfo.environment[name] != nil
}

extension PurchaseTests {
    @MainActor
    struct Prices {
        @Test func `credits have the price of the tester's country`() async throws {
            let credits = try await product("com.example.bookshop.credits5")
            #expect(priceText(of: credits) == "$0.99")
        }
    }
}

extension PurchaseTests {
    @MainActor
    final class Credits {
        private let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(UUID().uuidString).json")
        private let shop: CreditShop

        init() throws {
            shop = try CreditShop(file: file)
        }

        deinit {
            try? FileManager.default.removeItem(at: file)
        }

        private func buy(_ quantity: Int, of product: SKProduct) async -> String {
            await withCheckedContinuation { continuation in
                shop.told = { continuation.resume(returning: $0) }
                shop.buy(product, quantity: quantity)
            }
        }

        @Test func `credits are counted once`() async throws {
            let credits = try await product("com.example.bookshop.credits5")
            #expect(await buy(1, of: credits) == "You have 5 credits.")
            #expect(try Wallet.load(from: file).credits == 5)
        }

        @Test func `what the customer declines is not counted`() async throws {
            let credits = try await product("com.example.bookshop.credits5")
            try await OpenStore.signIn()
            let usual = OpenStore.sheet
            defer { OpenStore.sheet = usual }
            OpenStore.sheet = OpenStoreScriptedSheet(
                confirm: { question in question.price == "$0.99" }, signIn: { _ in nil })

            #expect(await buy(1, of: credits) == "You have 5 credits.")
            #expect(await buy(2, of: credits) == "Cancelled.")
            #expect(try Wallet.load(from: file).credits == 5)
        }
    }
}

extension PurchaseTests {
    @MainActor
    struct Refunds {
        @Test func `the app hears of a refund`() async throws {
            // Made first, so that the loop below misses nothing.
            var updates = Transaction.updates.makeAsyncIterator()
            let products = try await Product.products(for: ["com.example.bookshop.chapter1"])
            let chapter = try #require(products.first)
            guard case .success(.verified(let bought)) = try await chapter.purchase() else {
                Issue.record("The chapter was not bought.")
                return
            }
            await bought.finish()

            try await openstore("purchase", "revoke", "\(bought.id)")
            while let update = await updates.next() {
                let transaction = try update.payloadValue
                guard transaction.id == bought.id else { continue }
                #expect(transaction.revocationDate != nil)
                break
            }
        }
    }
}

/// Runs a command of `openstore`, which finds the store of `openstore test` by the environment.
private func openstore(_ arguments: String...) async throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openstore"] + arguments
    let code = try await withCheckedThrowingContinuation { continuation in
        process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
        do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    #expect(code == 0)
}

@MainActor
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
