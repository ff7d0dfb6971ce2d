import StoreKitTest
import XCTest

/// What the article "Testing purchases in CI" shows.
final class PurchaseTests: XCTestCase {
    override func setUpWithError() throws {
        try XCTSkipUnless(isProcessOfSessions)
    }

    func testTheBadgeIsBought() async throws {
        let session = try SKTestSession(configurationFileNamed: "Shop")
        session.disableDialogs = true

        let product = try await Product.products(for: ["com.example.shop.badge"])[0]
        let result = try await product.purchase()
        guard case .success(.verified(let transaction)) = result else {
            return XCTFail("The purchase did not succeed.")
        }
        XCTAssertEqual(transaction.environment, .xcode)
        await transaction.finish()
    }

    func testTwoSessionsAtOnce() async throws {
        async let first = Self.purchases(of: "com.example.shop.badge")
        async let second = Self.purchases(of: "com.example.shop.credits")
        let both = try await [first, second]
        XCTAssertEqual(both, [["com.example.shop.badge"], ["com.example.shop.credits"]])
    }

    private static func purchases(of identifier: String) async throws -> [String] {
        try await SKTestSession.openStoreWithSession(configurationFileNamed: "Shop") { session in
            try await session.buyProduct(identifier: identifier)
            return session.allTransactions().map(\.productIdentifier)
        }
    }
}
