import Foundation
@testable import StoreKit
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// Auto-renewable subscriptions as apps see them.
struct SubscriptionTests {
    @Test func `an app hears of its subscription's first period and of each renewal`() async throws
    {
        let clock = SettableClock()
        let store = try await TestStore(clock: clock)
        let device = try await TestDevice(store, listens: true)
        let bought = try await device.buy(SampleShop.monthly)
        #expect(bought.transactionState == .purchased)
        #expect(bought.original == nil)
        device.queue.finishTransaction(bought)
        _ = try await device.recorder.next { $0.isRemoval }

        clock.advance(by: 300)
        try await store.store.services.renewals.advance()
        let renewed = try await device.recorder.transaction {
            $0.transactionState == .purchased && $0 !== bought
        }
        #expect(renewed.payment.productIdentifier == SampleShop.monthly)
        #expect(renewed.original?.transactionIdentifier == bought.transactionIdentifier)
        #expect(renewed.transactionDate == bought.transactionDate?.addingTimeInterval(300))
        let receipt = try OpenStoreReceipt.current(on: device.device)
        #expect(
            receipt.inAppPurchases.map(\.expirationDate) == [
                bought.transactionDate?.addingTimeInterval(300),
                bought.transactionDate?.addingTimeInterval(600),
            ])
        device.queue.finishTransaction(renewed)
        await device.engine.close()
    }

    @Test func `an app hears that a period was refunded`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store, listens: true)
        let bought = try await device.buy(SampleShop.monthly)
        let id = try #require(bought.transactionIdentifier.flatMap { TransactionID($0) })
        let refunds = store.store.services.refunds
        let request = try await refunds.ask(id, of: nil, reason: .legal, comment: "").get()
        try await refunds.decide(
            request.id, .refunded(percentage: Revocation.everything), grounds: "The law.")
        let heard = try await device.recorder.next {
            if case .revoked = $0 { true } else { false }
        }
        guard case .revoked(let products) = heard else { return }
        #expect(products == [SampleShop.monthly])
        await device.engine.close()
    }
}
