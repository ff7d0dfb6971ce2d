import Foundation
@testable import StoreKit
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

struct PaymentQueues {
    @Test func `finishing removes the transaction and tells the store`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        let bought = try await device.buy(SampleShop.credits)
        device.queue.finishTransaction(bought)
        _ = try await device.recorder.next { $0.isRemoval }
        #expect(device.queue.transactions.isEmpty)
        let entry = try #require(try await store.ledger().first)
        let isFinished = try await store.store.database.read { try $0.ledger.isFinished(entry.id) }
        #expect(isFinished)
    }

    @Test func `what is not finished comes back at the next launch`() async throws {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let id: String?
        do {
            let device = try await TestDevice(store, folder: folder)
            id = try await device.buy(SampleShop.credits, quantity: 2).transactionIdentifier
            await device.engine.close()
        }
        let relaunched = try await TestDevice(store, folder: folder)
        relaunched.queue.add(relaunched.recorder)
        let again = try await relaunched.recorder.transaction { _ in true }
        #expect(again.transactionState == .purchased)
        #expect(again.transactionIdentifier == id)
        #expect(again.payment.quantity == 2)
        #expect(try await store.ledger().count == 1)
    }

    @Test func `a failed payment comes back until it is finished`() async throws {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        do {
            let device = try await TestDevice(store, folder: folder) { _ in false }
            _ = try await device.buy(SampleShop.credits)
            await device.engine.close()
        }
        do {
            let device = try await TestDevice(store, folder: folder)
            device.queue.add(device.recorder)
            let failed = try await device.recorder.transaction { _ in true }
            #expect((failed.error as? SKError)?.code == .paymentCancelled)
            device.queue.finishTransaction(failed)
            _ = try await device.recorder.next { $0.isRemoval }
            await device.engine.close()
        }
        let device = try await TestDevice(store, folder: folder)
        _ = try await device.buy(SampleShop.badge)
        #expect(device.queue.transactions.count == 1)
    }

    @Test func `a lost journal comes back from the store`() async throws {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let id: String?
        do {
            let device = try await TestDevice(store, folder: folder)
            id = try await device.buy(SampleShop.credits).transactionIdentifier
            let journal = device.device.folders.state.appendingPathComponent(
                "journal-\(device.device.profile.tag)")
            try Data("this is no journal".utf8).write(to: journal)
            await device.engine.close()
        }
        let relaunched = try await TestDevice(store, folder: folder)
        relaunched.queue.add(relaunched.recorder)
        let again = try await relaunched.recorder.transaction { _ in true }
        #expect(again.transactionIdentifier == id)
        #expect(relaunched.recorder.logged.contains { $0.contains("damaged") })
        relaunched.queue.finishTransaction(again)
        _ = try await relaunched.recorder.next { $0.isRemoval }
    }

    @Test func `restoring gives new transactions with the original, and no download`() async throws
    {
        let store = try await TestStore()
        let phone = try await TestDevice(store)
        let chapter = try await phone.buy(SampleShop.chapter)
        let credits = try await phone.buy(SampleShop.credits)
        for transaction in [chapter, credits] {
            phone.queue.finishTransaction(transaction)
            _ = try await phone.recorder.next { $0.isRemoval }
        }

        let laptop = try await TestDevice(store)
        laptop.queue.add(laptop.recorder)
        laptop.queue.restoreCompletedTransactions()
        let restored = try await laptop.recorder.transaction { _ in true }
        #expect(restored.transactionState == .restored)
        #expect(restored.payment.productIdentifier == SampleShop.chapter)
        #expect(restored.original?.transactionIdentifier == chapter.transactionIdentifier)
        #expect(restored.transactionIdentifier != chapter.transactionIdentifier)
        #expect(restored.downloads.map(\.state) == [.waiting])
        _ = try await laptop.recorder.next { $0.isRestoreEnd }
        #expect(laptop.queue.transactions.count == 1)
        let cache = laptop.device.folders.cache
        #expect(!FileManager.default.fileExists(atPath: cache.path))
    }

    @Test func `a journal of a newer version is left alone`() async throws {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let file: URL
        do {
            let device = try await TestDevice(store, folder: folder)
            _ = try await device.buy(SampleShop.credits)
            file = device.device.folders.state.appendingPathComponent(
                "journal-\(device.device.profile.tag)")
            await device.engine.close()
        }
        let newer = Data("openstore-journal 2\nwhat comes\n".utf8)
        try newer.write(to: file)
        let device = try await TestDevice(store, folder: folder)
        let failed = try await device.buy(SampleShop.credits)
        #expect(failed.error?.localizedDescription.contains("newer version") == true)
        #expect(try Data(contentsOf: file) == newer)
        #expect(try await store.ledger().count == 1)
    }

    @Test func `finishing twice is told once`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        let bought = try await device.buy(SampleShop.credits)
        device.queue.finishTransaction(bought)
        device.queue.finishTransaction(bought)
        _ = try await device.recorder.next { $0.isRemoval }
        device.queue.finishTransaction(bought)
        let other = try await device.buy(SampleShop.badge)
        device.queue.finishTransaction(other)
        _ = try await device.recorder.next { $0.isRemoval }
        let removed = device.recorder.history.compactMap { event in
            if case .removed(let transaction) = event { transaction } else { nil }
        }
        #expect(removed == [bought, other])
    }

    @Test func `a session that has ended is renewed for restoring`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        let session = try await device.device.signedIn()
        try await store.store.services.accounts.signOut(token: session.token)
        device.queue.add(device.recorder)
        device.queue.restoreCompletedTransactions()
        let end = try await device.recorder.next { $0.isRestoreEnd }
        guard case .restored = end else {
            Issue.record("\(end)")
            return
        }
    }

    @Test(arguments: [true, false])
    func `the delegate decides whether a payment goes on in another storefront`(
        _ goesOn: Bool
    ) async throws {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let american = try await TestDevice(store, folder: folder)
        let session = try await american.device.signedIn()
        await american.engine.close()
        // The payment is added as an American, whose session is gone when the first request
        // reaches the store; then a Japanese account signs in.
        try await american.device.client.signOut(session)
        let gate = Gate()
        let device = try await TestDevice(
            store, folder: folder, email: TestStore.japanese,
            transport: InterferingTransport(hold: { _ in await gate.passes() }))
        #expect(device.queue.storefront?.countryCode == "USA")
        let delegate = StorefrontDelegate(goesOn: goesOn)
        device.queue.delegate = delegate
        device.queue.add(device.recorder)
        device.queue.add(TestDevice.payment(SampleShop.credits))
        gate.open()
        let ended = try await device.recorder.transaction { $0.transactionState != .purchasing }
        #expect(delegate.asked.value == 1)
        #expect(ended.transactionState == (goesOn ? .purchased : .failed))
        if !goesOn {
            #expect((ended.error as? SKError)?.code == .storeProductNotAvailable)
        }
        let charged = try await store.ledger(of: TestStore.japanese).map(\.details.charged)
        #expect(charged == (goesOn ? [Money(thousandths: 120_000, currency: "JPY")] : []))
    }

    @Test func `restoring nothing still ends`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        device.queue.add(device.recorder)
        device.queue.restoreCompletedTransactions()
        let end = try await device.recorder.next { $0.isRestoreEnd }
        guard case .restored = end else {
            Issue.record("\(end)")
            return
        }
        #expect(device.queue.transactions.isEmpty)
    }

    @Test func `an observer that comes back hears what has happened without it`() async throws {
        let store = try await TestStore()
        let answer = Gate()
        let device = try await TestDevice(store) { _ in
            await answer.passes()
            return true
        }
        device.queue.add(device.recorder)
        device.queue.add(TestDevice.payment(SampleShop.chapter))
        await answer.isReached()
        device.queue.remove(device.recorder)
        answer.open()
        try await until {
            device.queue.transactions.contains { $0.transactionState == .purchased }
        }
        device.queue.add(device.recorder)
        let bought = try await device.recorder.transaction { $0.transactionState == .purchased }
        device.queue.remove(device.recorder)
        device.queue.start(bought.downloads)
        try await until { bought.downloads.first?.state == .finished }
        device.queue.add(device.recorder)
        _ = try await device.recorder.download(.finished)
        device.queue.finishTransaction(bought)
        _ = try await device.recorder.next { $0.isRemoval }
    }

    @Test func `observers are not retained, and each is called`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        let second = Recorder()
        device.queue.add(second)
        do { device.queue.add(Recorder()) }
        _ = try await device.buy(SampleShop.credits)
        _ = try await second.transaction { $0.transactionState == .purchased }
        #expect(device.queue.transactionObservers.count == 2)
        device.queue.remove(second)
        #expect(device.queue.transactionObservers.count == 1)
    }

    @Test func `two processes of an app don't share the journal`() async throws {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let first = try await TestDevice(store, folder: folder)
        _ = try await first.buy(SampleShop.credits)
        let second = try await TestDevice(store, folder: folder)
        let failed = try await second.buy(SampleShop.credits)
        #expect((failed.error as? SKError)?.code == .clientInvalid)
        #expect(failed.error?.localizedDescription.contains("Another process") == true)
        #expect(try await store.ledger().count == 1)
        // It has had the journal till now.
        await first.engine.close()
    }

    @Test func `why the queue can't start is logged once in a process`() async {
        await #expect(processExitsWith: .success) {
            let reasons = Mutex(["No profile.", "No profile.", "No room.", "No profile."])
            let said = Mutex<[String]>([])
            OpenStore.log = { line in said.withLock { $0.append(line) } }
            let engine = PaymentEngine {
                throw SKError(.clientInvalid, reasons.withLock { $0.removeFirst() })
            }
            for _ in 1...4 { await engine.startOnce() }
            let lines = said.withLock { $0 }
            precondition(
                lines == ["No profile.", "No room."].map { "The payment queue can't start: \($0)" })
        }
    }
}

private final class StorefrontDelegate: NSObject, SKPaymentQueueDelegate, Sendable {
    let goesOn: Bool
    let asked = Counter()

    init(goesOn: Bool) {
        self.goesOn = goesOn
    }

    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        _ = asked.next()
        #expect(newStorefront.countryCode == "JPN")
        return goesOn
    }
}
