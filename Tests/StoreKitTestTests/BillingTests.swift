import Foundation
import StoreKitTest
import Testing

extension SessionTests {
    @Suite struct `Renewals that are not paid` {
        private static let day: TimeInterval = 86_400
        private static let month = 32 * day

        private func status() async throws -> Product.SubscriptionInfo.Status {
            try #require(
                try await Product.SubscriptionInfo.status(for: "22222222").first)
        }

        @Test func `the store tries again for sixty days, and then it ends`() async throws {
            let session = try Shop.session()
            session.shouldEnterBillingRetryOnRenewal = true
            let bought = try await Shop.buy(Shop.monthly)
            try await session.openStoreAdvance(by: Self.month)
            let retrying = try await status()
            #expect(retrying.state == .inBillingRetryPeriod)
            #expect(try retrying.renewalInfo.payloadValue.isInBillingRetry)
            #expect(await Shop.entitlements().isEmpty)
            let known = session.allTransactions()
            #expect(known.map(\.identifier) == [UInt(bought.id)])
            #expect(known.map(\.hasPurchaseIssue) == [true])
            // Purchases are paid all the same.
            try await Shop.buy(Shop.badge)
            try await session.openStoreAdvance(by: 60 * Self.day)
            let over = try await status()
            #expect(over.state == .expired)
            #expect(try over.renewalInfo.payloadValue.expirationReason == .billingError)
        }

        @Test func `with a grace period the customer goes on, for sixteen days`() async throws {
            let session = try Shop.session()
            session.shouldEnterBillingRetryOnRenewal = true
            session.billingGracePeriodIsEnabled = true
            let bought = try await Shop.buy(Shop.monthly)
            let end = try #require(bought.expirationDate)
            try await session.openStoreAdvance(by: Self.month)
            let inGrace = try await status()
            #expect(inGrace.state == .inGracePeriod)
            let graceEnd = try inGrace.renewalInfo.payloadValue.gracePeriodExpirationDate
            #expect(graceEnd == end.addingTimeInterval(16 * Self.day))
            #expect(await Shop.entitlements() == [Shop.monthly])
            try await session.openStoreAdvance(by: 16 * Self.day)
            #expect(try await status().state == .inBillingRetryPeriod)
            #expect(await Shop.entitlements().isEmpty)
        }

        @Test func `settled, it is paid, and arrives in both APIs`() async throws {
            let session = try Shop.session()
            session.shouldEnterBillingRetryOnRenewal = true
            let observer = Observer()
            SKPaymentQueue.default().add(observer)
            defer { SKPaymentQueue.default().remove(observer) }
            let updates = Updates()
            let bought = try await Shop.buy(Shop.monthly)
            _ = try await observer.next(.purchased)
            let early = #expect(throws: SKTestError.self) {
                try session.resolveIssueForTransaction(identifier: UInt(bought.id))
            }
            #expect(early?.code == .invalidAction)
            try await session.openStoreAdvance(by: Self.month)
            try session.resolveIssueForTransaction(identifier: UInt(bought.id))
            let renewed = try await updates.next()
            #expect(renewed.originalID == bought.id)
            #expect(renewed.purchaseDate == session.openStoreDate)
            let heard = try await observer.next(.purchased)
            #expect(heard.identifier == renewed.id.description)
            #expect(try await status().state == .subscribed)
        }

        @Test func `what ends with its grace period has no payment that could be settled`()
            async throws
        {
            let session = try Shop.session()
            session.shouldEnterBillingRetryOnRenewal = true
            session.billingGracePeriodIsEnabled = true
            let bought = try await Shop.buy(Shop.monthly)
            try await session.openStoreAdvance(by: Self.month)
            try session.disableAutoRenewForTransaction(identifier: UInt(bought.id))
            let refused = #expect(throws: SKTestError.self) {
                try session.resolveIssueForTransaction(identifier: UInt(bought.id))
            }
            #expect(refused?.code == .invalidAction)
            #expect(try await status().state == .inGracePeriod)
        }

        @Test func `grace by the week has six days`() async throws {
            let session = try Shop.session()
            session.shouldEnterBillingRetryOnRenewal = true
            session.billingGracePeriodIsEnabled = true
            let bought = try await Shop.buy(Shop.weekly)
            let end = try #require(bought.expirationDate)
            try await session.openStoreAdvance(by: 7 * Self.day)
            let graceEnd = try await status().renewalInfo.payloadValue.gracePeriodExpirationDate
            #expect(graceEnd == end.addingTimeInterval(6 * Self.day))
        }
    }
}
