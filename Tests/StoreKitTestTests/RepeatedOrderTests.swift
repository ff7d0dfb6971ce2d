import Foundation
import StoreKitTest
import Testing

extension SessionTests {
    /// Orders of what the customer has: they are transactions of their own, and give nothing that
    /// the purchase that was paid for does not give.
    @Suite struct `Orders that begin nothing` {
        @Test func `a refund takes away what was ordered again`() async throws {
            let session = try Shop.session()
            let paid = try await Shop.buy(Shop.monthly)
            try session.disableAutoRenewForTransaction(identifier: UInt(paid.id))
            let again = try await Shop.buy(Shop.monthly)
            #expect(again.id != paid.id)
            #expect(await Shop.entitlements() == [Shop.monthly])
            try session.refundTransaction(identifier: UInt(paid.id))
            try await session.openStoreSettle()
            #expect(await Shop.entitlements().isEmpty)
            let latest = await Transaction.latest(for: Shop.monthly)?.unsafePayloadValue
            #expect(latest?.id == paid.id && latest?.revocationDate != nil)
        }

        @Test func `an upgrade takes away what was ordered again`() async throws {
            let session = try Shop.session()
            try await Shop.buy(Shop.weekly)
            try await Shop.buy(Shop.weekly)
            try await Shop.buy(Shop.monthly)
            try await session.openStoreSettle()
            #expect(await Shop.entitlements() == [Shop.monthly])
        }

        @Test func `what begins with the next period is not there yet`() async throws {
            let session = try Shop.session()
            try await Shop.buy(Shop.monthly)
            let product = try #require(try await Product.products(for: [Shop.weekly]).first)
            guard case .success(.verified(let weekly)) = try await product.purchase() else {
                throw Unexpected(what: "the purchase did not succeed")
            }
            // Neither before it is finished nor after.
            #expect(await Shop.unfinished() == [Shop.weekly])
            #expect(await Shop.entitlements() == [Shop.monthly])
            await weekly.finish()
            #expect(await Shop.entitlements() == [Shop.monthly])
            try await session.openStoreAdvance(by: 32 * 86_400)
            #expect(await Shop.entitlements() == [Shop.weekly])
        }

        @Test func `the end of the period is the end of all its orders`() async throws {
            let session = try Shop.session()
            try await Shop.buy(Shop.monthly)
            try await Shop.buy(Shop.monthly)
            try session.expireSubscription(productIdentifier: Shop.monthly)
            try await session.openStoreSettle()
            #expect(await Shop.entitlements().isEmpty)
        }

        @Test(arguments: [Shop.monthly, Shop.badge])
        func `money is asked back for what was paid, by any of its orders`(
            product: String
        ) async throws {
            let session = try Shop.session()
            let paid = try await Shop.buy(product)
            let again = try await Shop.buy(product)
            #expect(try await again.openStoreBeginRefundRequest(reason: .other) == .success)
            await #expect(throws: Transaction.RefundRequestError.duplicateRequest) {
                try await paid.openStoreBeginRefundRequest(reason: .other)
            }
            session.clearTransactions()
        }

        @Test func `a repetition without charge is gone when it is finished`() async throws {
            let session = try Shop.session()
            let paid = try await Shop.buy(Shop.badge)
            let again = try await Shop.buy(Shop.badge)
            #expect(again.originalID == paid.id)
            try session.refundTransaction(identifier: UInt(paid.id))
            try await session.openStoreSettle()
            #expect(await Shop.entitlements().isEmpty)
            #expect(
                await Transaction.latest(for: Shop.badge)?.unsafePayloadValue.revocationDate != nil)
        }
    }
}
