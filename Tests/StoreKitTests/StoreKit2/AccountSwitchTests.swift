@testable import StoreKit
import StoreModel
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

/// What an app hears of purchases when another account signs in on the device.
struct AccountSwitchTests {
    @Test func `what one account has not finished waits for it, and is not given to another`()
        async throws
    {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let device = try await TestDevice(store, folder: folder)
        let credits = try #require(try await device.purchase(SampleShop.credits))
        await device.engine.close()
        let later = try await TestDevice(store, folder: folder, listens: true)
        try await later.device.signIn(email: TestStore.japanese, password: TestStore.password)
        var updates = later.loop { Transaction.updates }
        #expect(try await later.all { Transaction.unfinished }.isEmpty)
        try await later.untilListening()
        let other = try await TestDevice(store)
        try await other.device.signIn(email: TestStore.japanese, password: TestStore.password)
        let badge = try #require(try await other.purchase(SampleShop.badge))
        #expect(await updates.next()?.unsafePayloadValue.id == badge.id)
        try await later.device.signIn(email: TestStore.american, password: TestStore.password)
        #expect(await updates.next()?.unsafePayloadValue.id == credits.id)
        for device in [later, other] { await device.engine.close() }
    }

    @Test func `a refund of what one account has bought is told when it signs in again`()
        async throws
    {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let device = try await TestDevice(store, folder: folder)
        let bought = try #require(try await device.purchase(SampleShop.badge))
        await device.use { await bought.finish() }
        let id = try #require(TransactionID(bought.id.description))
        _ = try await store.store.services.purchases.revoke(id, reason: .other)
        // It is written down, and the app ends before it takes it.
        try await device.refreshHistory()
        await device.engine.close()
        let later = try await TestDevice(store, folder: folder, listens: true)
        try await later.device.signIn(email: TestStore.japanese, password: TestStore.password)
        var updates = later.loop { Transaction.updates }
        _ = try await later.all { Transaction.unfinished }
        try await later.untilListening()
        try await later.device.signIn(email: TestStore.american, password: TestStore.password)
        let told = await updates.next()?.unsafePayloadValue
        #expect(told?.id == bought.id && told?.revocationDate != nil)
        await later.engine.close()
    }

    @Test func `entitlements that are being fetched are those of whoever is signed in then`()
        async throws
    {
        let store = try await TestStore()
        let answer = Gate()
        let isHeld = Mutex(false)
        let transport = InterferingTransport(hold: { request in
            guard request.url?.path.hasSuffix(DeviceRoute.history) == true,
                isHeld.withLock({ $0 })
            else { return }
            await answer.passes()
        })
        let device = try await TestDevice(store, transport: transport)
        _ = try await device.purchase(SampleShop.badge)
        #expect(try await device.entitlements() == [SampleShop.badge])
        isHeld.withLock { $0 = true }
        device.engine.feed.markChanged()
        let found = Task { try await device.entitlements() }
        await answer.isReached()
        try await device.device.signIn(email: TestStore.japanese, password: TestStore.password)
        answer.open()
        #expect(try await found.value.isEmpty)
        await device.engine.close()
    }
}
