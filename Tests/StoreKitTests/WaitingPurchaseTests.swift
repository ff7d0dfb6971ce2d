import Foundation
@testable import StoreKit
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

struct WaitingPurchases {
    /// A store whose American tester needs a yes from somebody else.
    private static func strictStore(
        clock: any StoreClock = SystemClock()
    ) async throws -> TestStore {
        let store = try await TestStore(clock: clock)
        try await store.change { $0.asksToBuy = true }
        return store
    }

    @Test func `a deferred purchase is sold when it is approved`() async throws {
        let store = try await Self.strictStore()
        let device = try await TestDevice(store, listens: true)
        let deferred = try await device.buy(SampleShop.credits, quantity: 2)
        #expect(deferred.transactionState == .deferred)
        #expect(deferred.transactionIdentifier == nil)
        #expect(try await store.ledger().isEmpty)

        let waiting = try #require(try await store.store.services.pending.waiting().first)
        let sold = try await store.store.services.pending.approve(waiting.id)
        let bought = try await device.recorder.transaction { $0.transactionState == .purchased }
        #expect(bought === deferred)
        #expect(bought.transactionIdentifier == sold.id.description)
        #expect(bought.payment.quantity == 2)
        #expect(try await store.ledger().count == 1)
        device.queue.finishTransaction(bought)
        _ = try await device.recorder.next { $0.isRemoval }
        await device.engine.close()
    }

    /// The page that the device has named in its log.
    private static func approvalPage(_ device: TestDevice) throws -> String {
        let logged: [String] = device.recorder.logged
        let lines: [String] = logged.filter { $0.contains("waits for approval at") }
        #expect(lines.count == 1)
        let line: String = try #require(lines.first)
        let page: Substring = try #require(line.split(separator: " ").last)
        return String(page)
    }

    @Test(arguments: [("yes", SKPaymentTransactionState.purchased), ("no", .failed)])
    func `what a guardian decides on the page ends a deferred purchase`(
        answer: String, state: SKPaymentTransactionState
    ) async throws {
        let store = try await Self.strictStore()
        let guardian = try await store.store.services.accounts.create(
            email: "grace@example.com", password: "guardian-horse", storefront: .unitedStates,
            environment: .sandbox)
        try await store.change { $0.guardian = guardian.id }
        let device = try await TestDevice(store, listens: true)
        let deferred = try await device.buy(SampleShop.credits, quantity: 2)
        #expect(deferred.transactionState == .deferred)

        let browser = PageBrowser(port: store.server.port)
        let page = try await browser.open(try Self.approvalPage(device))
        #expect(page.words.contains("\(TestStore.american) wants to buy 2 × “Credits”"))
        let done = try await browser.submit(page, answer, ["password": "guardian-horse"])
        #expect(done.status == 200)
        let ended = try await device.recorder.transaction { $0.transactionState != .deferred }
        #expect(ended === deferred)
        #expect(ended.transactionState == state)
        #expect(try await store.ledger().count == (answer == "yes" ? 1 : 0))
        await device.engine.close()
    }

    @Test(arguments: [
        #"{"purchaseKey":"k"}"#, "{}", "", #"{"purchaseKey":"purchase-key-1001"}"#,
        #"{"approvalPage":"/x\nforged line","purchaseKey":"purchase-key-1001"}"#,
        #"{"approvalPage":"@evil.example/","purchaseKey":"purchase-key-1001"}"#,
    ])
    func `a purchase waits also where the store names no page, and nothing odd is logged`(
        answer: String
    ) async throws {
        let store = try await Self.strictStore()
        let transport = InterferingTransport(change: { path, data in
            path.hasSuffix("/purchases") ? Data(answer.utf8) : data
        })
        let device = try await TestDevice(store, transport: transport)
        let deferred = try await device.buy(SampleShop.credits)
        #expect(deferred.transactionState == .deferred)
        #expect(!device.recorder.logged.contains { $0.contains("waits for approval at") })
        await device.engine.close()
    }

    @Test func `a declined purchase fails`() async throws {
        let store = try await Self.strictStore()
        let device = try await TestDevice(store, listens: true)
        _ = try await device.buy(SampleShop.credits)
        let waiting = try #require(try await store.store.services.pending.waiting().first)
        try await store.store.services.pending.decline(waiting.id)
        let failed = try await device.recorder.transaction { $0.transactionState == .failed }
        #expect((failed.error as? SKError)?.code == .paymentNotAllowed)
        #expect(failed.error?.localizedDescription.contains("declined") == true)
        #expect(try await store.ledger().isEmpty)
        await device.engine.close()
    }

    @Test func `a purchase that nobody approves within a day fails`() async throws {
        let clock = SettableClock()
        let store = try await Self.strictStore(clock: clock)
        let folder = try TemporaryFolder()
        let device = try await TestDevice(store, folder: folder)
        _ = try await device.buy(SampleShop.credits)
        await device.engine.close()
        clock.advance(by: 25 * 3600)
        let relaunched = try await TestDevice(store, folder: folder)
        relaunched.queue.add(relaunched.recorder)
        let first = try await relaunched.recorder.transaction { _ in true }
        #expect(first.transactionState == .deferred || first.transactionState == .failed)
        // It may have failed before anybody looked at it: then nothing more is told of it.
        try await until { first.transactionState == .failed }
        #expect(first.error?.localizedDescription.contains("within a day") == true)
        await #expect(throws: PendingPurchaseRefusal.self) {
            try await store.store.services.pending.approve(PendingPurchaseID(number: 1))
        }
    }

    @Test func `what was approved while the app was not running is there at its launch`()
        async throws
    {
        let store = try await Self.strictStore()
        let folder = try TemporaryFolder()
        let device = try await TestDevice(store, folder: folder)
        _ = try await device.buy(SampleShop.chapter)
        await device.engine.close()
        let waiting = try #require(try await store.store.services.pending.waiting().first)
        try await store.store.services.pending.approve(waiting.id)
        let relaunched = try await TestDevice(store, folder: folder)
        relaunched.queue.add(relaunched.recorder)
        let bought = try await relaunched.recorder.transaction {
            $0.transactionState == .purchased
        }
        #expect(bought.payment.productIdentifier == SampleShop.chapter)
        #expect(bought.downloads.count == 1)
        #expect(relaunched.queue.transactions.count == 1)
    }

    @Test func `the sandbox simulates asking to buy`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        device.queue.add(device.recorder)
        let payment = TestDevice.payment(SampleShop.credits)
        payment.simulatesAskToBuyInSandbox = true
        device.queue.add(payment)
        let deferred = try await device.recorder.transaction { $0.transactionState == .deferred }
        #expect(deferred.payment.simulatesAskToBuyInSandbox)
        // Finishing it is refused: it is still there.
        device.queue.finishTransaction(deferred)
        #expect(device.queue.transactions == [deferred])
    }

    @Test func `an interrupted purchase fails, and comes as a new one when it is settled`()
        async throws
    {
        let store = try await TestStore()
        try await store.change { $0.interruptsPurchases = true }
        let device = try await TestDevice(store, listens: true)
        let failed = try await device.buy(SampleShop.credits, quantity: 3)
        #expect(failed.transactionState == .failed)
        #expect(failed.error?.localizedDescription.contains("interrupted") == true)
        device.queue.finishTransaction(failed)
        _ = try await device.recorder.next { $0.isRemoval }
        let waiting = try #require(try await store.store.services.pending.waiting().first)
        try await store.store.services.pending.approve(waiting.id)
        let bought = try await device.recorder.transaction { $0.transactionState == .purchased }
        #expect(bought !== failed)
        #expect(bought.payment.productIdentifier == SampleShop.credits)
        #expect(bought.payment.quantity == 3)
        #expect(try await store.ledger().count == 1)
        await device.engine.close()
    }
}
