import Foundation
@testable import StoreKit
import StoreCore
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// From when on a device hears of what happens in the store.
struct Listening {
    @Test func `a revocation is heard by a device that signed in for a restore`() async throws {
        let store = try await TestStore()
        let buyer = try await TestDevice(store)
        let bought = try await buyer.buy(SampleShop.badge)
        let id = try #require(TransactionID(bought.transactionIdentifier ?? ""))
        let folder = try TemporaryFolder()
        do {
            // Without an observer nobody listens: what is written down is written by the restore.
            let device = try await TestDevice(store, folder: folder)
            device.queue.restoreCompletedTransactions()
            try await until { device.queue.transactions.count == 1 }
            let cursor = try device.engine.open().journal.cursor(of: TestStore.american)
            await device.engine.close()
            try #require(cursor != nil)
        }
        _ = try await store.store.services.purchases.revoke(id, reason: .other)
        let device = try await TestDevice(store, folder: folder, listens: true)
        device.queue.add(device.recorder)
        let event = try await device.recorder.next {
            if case .revoked = $0 { true } else { false }
        }
        guard case .revoked(let products) = event else { return }
        #expect(products == [SampleShop.badge])
        await device.engine.close()
    }

    @Test func `a revocation is heard by a device that signed in to redeem a code`() async throws {
        let store = try await TestStore()
        try await store.addCode("WELCOME2026", for: SampleShop.badge)
        let customer = OpenStoreScriptedSheet(
            confirm: { _ in true },
            signIn: { _ in
                OpenStoreCredentials(email: TestStore.american, password: TestStore.password)
            }, redeem: { _ in "WELCOME2026" })
        let device = try await TestDevice(store, customer: customer)
        device.queue.presentCodeRedemptionSheet()
        try await until { device.queue.transactions.count == 1 }
        #expect(try device.engine.open().journal.cursor(of: TestStore.american) != nil)
        await device.engine.close()
    }

    @Test func `how far events were heard is not overwritten by where they stood`() throws {
        let folder = try TemporaryFolder()
        let journal = try DeviceJournal(
            storage: try JournalFile(folder: folder.url, tag: "test"), log: { _ in })
        try journal.begin(DeviceJournal.Cursor(account: "ada", event: 7))
        try journal.begin(DeviceJournal.Cursor(account: "ada", event: 9))
        #expect(journal.cursor(of: "ada") == 7)
    }

    @Test func `whoever signs in is listened for at once`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        let (idles, idle) = AsyncStream<Void>.makeStream()
        // Nobody looks again by itself.
        let retry = RetryPolicy(
            attempts: 1, longDelay: .zero, sleep: { _ in },
            idle: {
                idle.yield()
                // Never over: only the sign-in ends it.
                try await Task.sleep(for: .seconds(3600))
            }, jitter: { 0 })
        let engine = PaymentEngine(
            callbacks: .queue(DispatchQueue(label: "test")), retry: retry
        ) { device.device }
        let queue = SKPaymentQueue(engine: engine)
        queue.add(device.recorder)
        for await _ in idles { break }
        try await device.device.signedIn()
        try await device.untilListening()
        await engine.close()
    }

    @Test func `whoever takes the place of an account is listened for at once`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(
            store,
            customer: OpenStoreScriptedSheet(
                confirm: { _ in true },
                signIn: { question in
                    OpenStoreCredentials(
                        email: question.email ?? TestStore.american, password: TestStore.password)
                }))
        try await device.device.signedIn()
        device.queue.add(device.recorder)
        try await device.untilListening()
        // The request for the other account's events waits for 45 seconds.
        try await device.device.signedIn(as: TestStore.japanese)
        try await until {
            try device.engine.open().journal.cursor(of: TestStore.japanese) != nil
        }
        await device.engine.close()
    }

    @Test func `the first use of StoreKit 2 ends no request for events`() async throws {
        let store = try await TestStore()
        let proxy = try LyingStore(before: store)
        let device = try await TestDevice(
            store, profile: try await store.profile(address: proxy.address), listens: true)
        // A purchase would be a change that another request asks about.
        device.recorder.takesUp.withLock { $0 = false }
        try await device.device.signedIn()
        device.queue.add(device.recorder)
        try await device.untilListening()
        let before = proxy.requests(about: DeviceRoute.events).count
        _ = await device.engine.useFeed()
        try await store.beginStorePayment(SampleShop.credits)
        _ = try await device.recorder.next { if case .offered = $0 { true } else { false } }
        try await device.untilListening()
        // That which waited has brought the event, and the next one waits.
        #expect(proxy.requests(about: DeviceRoute.events).count == before + 1)
        await device.engine.close()
    }
}
