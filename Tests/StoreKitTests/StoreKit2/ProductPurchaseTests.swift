import Foundation
@testable import StoreKit
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// `Product.purchase`, and what the rest of the app hears of it.
struct ProductPurchaseTests {
    @Test func `a purchase gives a verified transaction, and is unfinished until it is finished`()
        async throws
    {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        device.queue.add(device.recorder)
        let token = UUID()
        let bought = try #require(
            try await device.purchase(
                SampleShop.credits, options: [.quantity(3), .appAccountToken(token)]))
        #expect(bought.productID == SampleShop.credits)
        #expect(bought.purchasedQuantity == 3)
        #expect(bought.appAccountToken == token)
        #expect(bought.price == Decimal(string: "2.97"))
        // The original API's observers hear of it, too.
        let observed = try await device.recorder.transaction { $0.transactionState == .purchased }
        #expect(observed.transactionIdentifier == bought.id.description)
        #expect(try await device.all { Transaction.unfinished }.map(\.id) == [bought.id])
        #expect(try await device.all { Transaction.all }.map(\.id) == [bought.id])
        await device.use { await bought.finish() }
        #expect(try await device.all { Transaction.unfinished }.isEmpty)
        // A finished consumable is no part of the history.
        #expect(try await device.all { Transaction.all }.isEmpty)
        _ = try await device.recorder.next { $0.isRemoval }
        #expect(device.queue.transactions.isEmpty)
        await device.engine.close()
    }

    @Test func `what the customer declines is cancelled, and leaves nothing behind`() async throws {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let device = try await TestDevice(store, folder: folder) { _ in false }
        let result = try await device.use {
            try await Product.products(for: [SampleShop.badge]).first?.purchase()
        }
        guard case .userCancelled = result else {
            Issue.record("\(String(describing: result))")
            return
        }
        // The queue shows it behind the call's answer.
        try await until { device.queue.transactions.isEmpty }
        await device.engine.close()
        let later = try await TestDevice(store, folder: folder)
        later.queue.add(later.recorder)
        #expect(try await later.all { Transaction.unfinished }.isEmpty)
        #expect(later.queue.transactions.isEmpty)
        await later.engine.close()
    }

    @Test func `a purchase that waits for approval is pending, and comes through updates`()
        async throws
    {
        let store = try await TestStore()
        try await store.change { $0.asksToBuy = true }
        let device = try await TestDevice(store, listens: true)
        let result = try await device.use {
            try await Product.products(for: [SampleShop.badge]).first?.purchase()
        }
        guard case .pending = result else {
            Issue.record("\(String(describing: result))")
            return
        }
        async let update = device.updates(1)
        let waiting = try #require(try await store.store.services.pending.waiting().first)
        let sold = try await store.store.services.pending.approve(waiting.id)
        let bought = try #require(try await update.first)
        #expect(bought.id.description == sold.id.description)
        await device.engine.close()
    }

    @Test func `what was approved while the app was closed is unfinished at once`() async throws {
        let store = try await TestStore()
        try await store.change { $0.asksToBuy = true }
        let folder = try TemporaryFolder()
        let device = try await TestDevice(store, folder: folder)
        let result = try await device.use {
            try await Product.products(for: [SampleShop.credits]).first?.purchase()
        }
        guard case .pending = result else {
            Issue.record("\(String(describing: result))")
            return
        }
        await device.engine.close()
        let waiting = try #require(try await store.store.services.pending.waiting().first)
        let sold = try await store.store.services.pending.approve(waiting.id)
        let later = try await TestDevice(store, folder: folder)
        let unfinished = try await later.all { Transaction.unfinished }
        #expect(unfinished.map(\.id.description) == [sold.id.description])
        await later.engine.close()
    }

    @Test func `a purchase that a crash came in between of is delivered by the next launch`()
        async throws
    {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let device = try await TestDevice(store, folder: folder)
        let bought = try #require(try await device.purchase(SampleShop.badge))
        await device.engine.close()
        let later = try await TestDevice(store, folder: folder)
        #expect(try await later.updates(1).map(\.id) == [bought.id])
        #expect(try await later.entitlements() == [SampleShop.badge])
        await later.engine.close()
    }

    @Test(arguments: [0, 11])
    func `a quantity out of range is refused`(quantity: Int) async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        await #expect(throws: Product.PurchaseError.invalidQuantity) {
            try await device.purchase(SampleShop.credits, options: [.quantity(quantity)])
        }
        #expect(try await store.ledger().isEmpty)
    }

    @Test func `what the original API buys comes through updates, and is entitled`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        async let update = device.updates(1)
        let bought = try await device.buy(SampleShop.badge)
        #expect(try await update.map(\.id.description) == [bought.transactionIdentifier])
        #expect(try await device.entitlements() == [SampleShop.badge])
        await device.engine.close()
    }
}
