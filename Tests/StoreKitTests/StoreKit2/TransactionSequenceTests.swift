import Foundation
import FoundationNetworking
@testable import StoreKit
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

/// What each sequence of transactions has, and when.
struct TransactionSequenceTests {
    @Test func `a revocation comes through updates, also to a device that was away`() async throws {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let device = try await TestDevice(store, folder: folder)
        let bought = try #require(try await device.purchase(SampleShop.badge))
        await device.use { await bought.finish() }
        #expect(try await device.entitlements() == [SampleShop.badge])
        await device.engine.close()

        let id = try #require(TransactionID(bought.id.description))
        _ = try await store.store.services.purchases.revoke(id, reason: .other)
        let later = try await TestDevice(store, folder: folder)
        let told = try #require(try await later.updates(1).first)
        #expect(told.id == bought.id)
        #expect(told.revocationDate != nil)
        #expect(told.revocationReason == .other)
        #expect(try await later.entitlements().isEmpty)
        #expect(try await later.all { Transaction.all }.map(\.id) == [bought.id])
        await later.engine.close()
        // The loop ended without asking for the next one: it may not have handled this one.
        let again = try await TestDevice(store, folder: folder)
        #expect(try await again.updates(1).map(\.id) == [bought.id])
        await again.engine.close()
    }

    @Test func `what another device buys comes through updates while the app listens`() async throws
    {
        let store = try await TestStore()
        let device = try await TestDevice(store, listens: true)
        try await device.device.signedIn()
        async let update = device.updates(1)
        _ = try await device.all { Transaction.all }
        try await device.untilListening()
        let other = try await TestDevice(store)
        let bought = try #require(try await other.purchase(SampleShop.badge))
        #expect(try await update.map(\.id) == [bought.id])
        #expect(try await device.entitlements() == [SampleShop.badge])
        await device.engine.close()
        await other.engine.close()
    }

    @Test(arguments: [true, false])
    func `a consumable is given to the app on the device that bought it alone`(
        isFinished: Bool
    ) async throws {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let device = try await TestDevice(store, folder: folder)
        try await device.device.signedIn()
        _ = try await device.all { Transaction.all }
        let other = try await TestDevice(store)
        let credits = try #require(try await other.purchase(SampleShop.credits))
        if isFinished { await other.use { await credits.finish() } }
        let badge = try #require(try await other.purchase(SampleShop.badge))
        try await device.refreshHistory()
        #expect(try await device.updates(1).map(\.id) == [badge.id])
        await device.engine.close()
        let later = try await TestDevice(store, folder: folder)
        // The loop ended without asking for the next one: it may not have handled this one.
        let beginning = await later.engine.updatesAtBeginning()
        #expect(beginning.map(\.unsafePayloadValue.id) == [badge.id])
        for engine in [other.engine, later.engine] { await engine.close() }
    }

    @Test func `what another device buys is told while the same is being bought here`() async throws
    {
        let store = try await TestStore()
        let answer = Gate()
        let device = try await TestDevice(store) { _ in
            await answer.passes()
            return false
        }
        try await device.device.signedIn()
        _ = try await device.all { Transaction.all }
        let purchase = Task { try await device.purchase(SampleShop.badge) }
        await answer.isReached()
        let other = try await TestDevice(store)
        let bought = try #require(try await other.purchase(SampleShop.badge))
        try await device.refreshHistory()
        answer.open()
        #expect(try await purchase.value == nil)
        #expect(try await device.updates(1).map(\.id) == [bought.id])
        for device in [device, other] { await device.engine.close() }
    }

    @Test func `what an earlier run left is told while the same product is being bought`()
        async throws
    {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let device = try await TestDevice(store, folder: folder)
        let left = try #require(try await device.purchase(SampleShop.credits))
        await device.engine.close()
        let answer = Gate()
        let later = try await TestDevice(store, folder: folder) { _ in
            await answer.passes()
            return false
        }
        #expect(try await later.all { Transaction.unfinished }.map(\.id) == [left.id])
        let purchase = Task { try await later.purchase(SampleShop.credits) }
        await answer.isReached()
        #expect(try await later.updates(1).map(\.id) == [left.id])
        answer.open()
        #expect(try await purchase.value == nil)
        await later.engine.close()
    }

    @Test func `whoever waits for the app does not wait for its customer without end`()
        async throws
    {
        let store = try await TestStore()
        let answer = Gate()
        let device = try await TestDevice(store) { _ in
            await answer.passes()
            return false
        }
        let purchase = Task { try await device.purchase(SampleShop.credits) }
        await answer.isReached()
        #expect(await !device.engine.hear(of: 0, patience: .milliseconds(1)))
        answer.open()
        #expect(try await purchase.value == nil)
        #expect(await device.engine.hear(of: 0))
        await device.engine.close()
    }

    @Test func `after a refund nothing is told as it was before`() async throws {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let device = try await TestDevice(store, folder: folder)
        let credits = try #require(try await device.purchase(SampleShop.credits))
        let id = try #require(TransactionID(credits.id.description))
        _ = try await store.store.services.purchases.revoke(id, reason: .other)
        try await device.refreshHistory()
        await device.engine.close()
        let later = try await TestDevice(store, folder: folder, listens: true)
        var updates = later.loop { Transaction.updates }
        _ = try await later.all { Transaction.unfinished }
        try await later.untilListening()
        let other = try await TestDevice(store)
        let badge = try #require(try await other.purchase(SampleShop.badge))
        var last: Transaction?
        while let told = await updates.next()?.unsafePayloadValue, told.id != badge.id {
            last = told
        }
        #expect(last?.id == credits.id && last?.revocationDate != nil)
        for device in [later, other] { await device.engine.close() }
    }

    @Test func `a consumable whose refund was reversed is told of again`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        let bought = try #require(try await device.purchase(SampleShop.credits))
        await device.use { await bought.finish() }
        var updates = device.loop { Transaction.updates }
        let id = try #require(TransactionID(bought.id.description))
        _ = try await store.store.services.purchases.revoke(id, reason: .other)
        try await device.refreshHistory()
        let refunded = await updates.next()?.unsafePayloadValue
        #expect(refunded?.id == bought.id && refunded?.revocationDate != nil)
        _ = try await store.store.services.refunds.reverse(id)
        try await device.refreshHistory()
        let reversed = await updates.next()?.unsafePayloadValue
        #expect(reversed?.id == bought.id && reversed?.revocationDate == nil)
        await device.engine.close()
    }

    @Test func `what the app finishes before the queue has it is finished`() async throws {
        let store = try await TestStore()
        try await store.change { $0.asksToBuy = true }
        let folder = try TemporaryFolder()
        let answer = Gate()
        let isHeld = Mutex(false)
        let transport = InterferingTransport(hold: { request in
            // The queue has a transaction only when the receipt shows it.
            guard request.url?.path.hasSuffix(DeviceRoute.receipt) == true,
                isHeld.withLock({ $0 })
            else { return }
            await answer.passes()
        })
        let device = try await TestDevice(store, folder: folder, transport: transport)
        let pending = try await device.use {
            try await Product.products(for: [SampleShop.badge]).first?.purchase()
        }
        guard case .pending = pending else {
            Issue.record("\(String(describing: pending))")
            return
        }
        isHeld.withLock { $0 = true }
        let waiting = try #require(try await store.store.services.pending.waiting().first)
        let sold = try await store.store.services.pending.approve(waiting.id)
        device.engine.enqueueRefresh()
        device.engine.noteChange(try device.engine.open())
        let told = try #require(try await device.updates(1).first)
        #expect(told.id.description == sold.id.description)
        await device.use { await told.finish() }
        answer.open()
        try await until { try device.engine.open().journal.entries.isEmpty }
        await device.engine.close()
        let later = try await TestDevice(store, folder: folder)
        #expect(try await later.all { Transaction.unfinished }.isEmpty)
        #expect(await later.engine.updatesAtBeginning().isEmpty)
        await later.engine.close()
    }

    @Test func `entitlements are the same without a network`() async throws {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let device = try await TestDevice(store, folder: folder)
        for product in [
            SampleShop.badge, SampleShop.chapter, SampleShop.monthly, SampleShop.credits,
        ] {
            let bought = try #require(try await device.purchase(product))
            await device.use { await bought.finish() }
        }
        let online = try await device.all { Transaction.all }
        let entitled = try await device.entitlements()
        #expect(entitled == [SampleShop.badge, SampleShop.chapter, SampleShop.monthly].sorted())
        let app = try await device.use { try await AppTransaction.shared.payloadValue }
        await device.engine.close()

        let offline = try await TestDevice(
            store, folder: folder,
            transport: InterferingTransport(before: { _ in
                throw URLError(.notConnectedToInternet)
            }))
        #expect(try await offline.entitlements() == entitled)
        #expect(try await offline.all { Transaction.all } == online)
        #expect(try await offline.use { try await AppTransaction.shared.payloadValue } == app)
        let latest = await offline.use { await Transaction.latest(for: SampleShop.badge) }
        #expect(latest?.unsafePayloadValue.productID == SampleShop.badge)
        await offline.engine.close()
    }

    @Test func `a subscription's status, renewal and entitlement follow the store`() async throws {
        let clock = SettableClock()
        let store = try await TestStore(clock: clock)
        let device = try await TestDevice(store, listens: true)
        let bought = try #require(try await device.purchase(SampleShop.monthly))
        await device.use { await bought.finish() }
        let group = try #require(bought.subscriptionGroupID)
        let first = try await device.use { try await Product.SubscriptionInfo.status(for: group) }
        #expect(first.map(\.state) == [.subscribed])
        let renewal = try #require(first.first).renewalInfo
        #expect(try renewal.payloadValue.willAutoRenew)
        try await device.untilListening()
        async let update = device.updates(1)
        async let change = device.use {
            for await status in Product.SubscriptionInfo.Status.updates { return status.state }
            return Product.SubscriptionInfo.RenewalState.expired
        }
        clock.advance(by: 300)
        try await store.store.services.renewals.advance()
        let renewed = try #require(try await update.first)
        #expect(renewed.originalID == bought.originalID)
        #expect(renewed.reason == .renewal)
        #expect(await change == .subscribed)
        let status = await device.use { await renewed.subscriptionStatus }
        #expect(status?.transaction.unsafePayloadValue.id == renewed.id)
        await device.engine.close()
    }

    @Test func `a new device hears of no status that was there before, but of the next change`()
        async throws
    {
        let clock = SettableClock()
        let store = try await TestStore(clock: clock)
        let first = try await TestDevice(store)
        let bought = try #require(try await first.purchase(SampleShop.monthly))
        await first.use { await bought.finish() }
        await first.engine.close()
        let second = try await TestDevice(store, listens: true)
        try await second.device.signedIn()
        // From now on it hears of changes.
        let loop = await second.use {
            Product.SubscriptionInfo.Status.updates.makeAsyncIterator()
        }
        async let changed = second.use { () -> UInt64? in
            var loop = loop
            return await loop.next()?.transaction.unsafePayloadValue.id
        }
        #expect(try await second.entitlements() == [SampleShop.monthly])
        try await second.untilListening()
        clock.advance(by: 300)
        try await store.store.services.renewals.advance()
        let id = try #require(await changed)
        #expect(id != bought.id)
        await second.engine.close()
    }

    @Test func `a device that signs in by buying hears of its subscription`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store, listens: true)
        async let state = device.use {
            for await status in Product.SubscriptionInfo.Status.updates { return status.state }
            return Product.SubscriptionInfo.RenewalState.expired
        }
        let bought = try #require(try await device.purchase(SampleShop.monthly))
        await device.use { await bought.finish() }
        #expect(await state == .subscribed)
        await device.engine.close()
    }

    @Test func `another process of the app reads what the first has, and finishes nothing`()
        async throws
    {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let first = try await TestDevice(store, folder: folder)
        let badge = try #require(try await first.purchase(SampleShop.badge))
        await first.use { await badge.finish() }
        _ = try await first.purchase(SampleShop.monthly)
        let second = try await TestDevice(store, folder: folder)
        let entitlements = [SampleShop.badge, SampleShop.monthly].sorted()
        #expect(try await first.entitlements() == entitlements)
        #expect(try await second.entitlements() == entitlements)
        let statuses = try await second.use {
            try await Product.SubscriptionInfo.status(for: "22222222")
        }
        #expect(statuses.map(\.state) == [.subscribed])
        // What the first one has to deliver is not delivered twice.
        #expect(try await second.all { Transaction.unfinished }.isEmpty)
        #expect(try await first.all { Transaction.unfinished }.count == 1)
        // What the first one hears of is read with the next loop.
        let id = try #require(TransactionID(badge.id.description))
        _ = try await store.store.services.purchases.revoke(id, reason: .other)
        await first.use { try? await AppStore.sync() }
        #expect(try await second.entitlements() == [SampleShop.monthly])
        await first.engine.close()
        #expect(try await second.all { Transaction.unfinished }.count == 1)
        await second.engine.close()
    }

    @Test func `a loop whose task is cancelled ends, and nobody sends to it any more`() async throws
    {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        let loops = (0..<3).map { _ in
            Task { try await device.updates(1) }
        }
        for loop in loops { loop.cancel() }
        for loop in loops { #expect(try await loop.value.isEmpty) }
        #expect(!device.engine.feed.updates.hasListeners)
        await device.engine.close()
    }
}
