import FoundationNetworking
import StoreKitTest
import Testing

/// What the article "Testing purchases in CI" shows.
@Suite(.enabled(if: isProcessOfSessions)) struct Examples {
    @Suite(.storeKit("Shop.storekit")) struct Purchases {
        @Test func `the badge is bought, and the customer may use it`() async throws {
            let product = try await Product.products(for: ["com.example.shop.badge"])[0]
            guard case .success(.verified(let transaction)) = try await product.purchase() else {
                Issue.record("The purchase did not succeed.")
                return
            }
            await transaction.finish()

            var entitlements: [String] = []
            for await result in Transaction.currentEntitlements {
                entitlements.append(try result.payloadValue.productID)
            }
            #expect(entitlements == ["com.example.shop.badge"])
        }

        @Test func `a refund takes it away`() async throws {
            let session = try #require(SKTestSession.openStoreCurrent)
            let bought = try await session.buyProduct(identifier: "com.example.shop.badge")
            try session.refundTransaction(identifier: UInt(bought.id))
            try await session.openStoreSettle()

            let latest = await Transaction.latest(for: "com.example.shop.badge")
            #expect(try latest?.payloadValue.revocationDate != nil)
        }
    }

    @Suite(.storeKit("Shop.storekit")) struct Subscriptions {
        @Test func `a year of renewals takes one call`() async throws {
            let session = try #require(SKTestSession.openStoreCurrent)
            try await session.buyProduct(identifier: "com.example.shop.monthly")
            try await session.openStoreAdvance(by: 365 * 86_400)
            #expect(session.allTransactions().count == 12 + 1)
        }

        @Test func `a renewal that is not paid ends what the customer may use`() async throws {
            let session = try #require(SKTestSession.openStoreCurrent)
            session.shouldEnterBillingRetryOnRenewal = true
            try await session.buyProduct(identifier: "com.example.shop.monthly")
            try await session.openStoreAdvance(by: 32 * 86_400)

            let statuses = try await Product.SubscriptionInfo.status(for: "22222222")
            #expect(statuses.map(\.state) == [.inBillingRetryPeriod])
        }
    }

    @Suite(.storeKit("Shop.storekit")) struct Failures {
        @Test func `the app says that the store can't be reached`() async throws {
            let session = try #require(SKTestSession.openStoreCurrent)
            try await session.setSimulatedError(
                .generic(.networkError(URLError(.notConnectedToInternet))), forAPI: .loadProducts)
            await #expect(throws: StoreKitError.self) {
                try await Product.products(for: ["com.example.shop.badge"])
            }
        }
    }
}
