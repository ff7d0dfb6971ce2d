import Foundation
@testable import StoreKit
import StoreModel
import StoreTestSupport
import Testing

/// Transactions that a store from a backup has forgotten, after the app has finished them.
struct ForgottenSales {
    private static let forgotten = TransactionID(number: 1_999_999_999_999_999)

    /// Writes the end of a forgotten transaction into a device's journal.
    private func finish(
        _ key: PurchaseKey, _ product: String, of account: String, on device: TestDevice
    ) throws {
        let storage = try JournalFile(
            folder: device.device.folders.state, tag: device.device.profile.tag)
        let journal = try DeviceJournal(storage: storage) { _ in }
        try journal.put(
            JournalEntry(
                key: key, payment: JournaledPayment(TestDevice.payment(product)),
                stage: .finishing(Self.forgotten), account: account))
    }

    @Test func `what its own account does not know any more leaves the journal`() async throws {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let device = try await TestDevice(store, folder: folder)
        try await device.device.signedIn()
        let keys = try ["ada", "haruki"].map { try #require(PurchaseKey("purchase-key-of-\($0)")) }
        for (key, account) in zip(keys, [TestStore.american, TestStore.japanese]) {
            try finish(key, SampleShop.credits, of: account, on: device)
        }
        device.queue.add(device.recorder)
        let journal = try device.engine.open().journal
        try await until { journal.entry(keys[0]) == nil }
        // Its own account has yet to be asked.
        #expect(journal.entry(keys[1]) != nil)
        await device.engine.close()
    }

    @Test func `what a late copy of its order has bought again reaches the app`() async throws {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let device = try await TestDevice(store, folder: folder)
        let bought = try await device.buy(SampleShop.credits)
        let key = try #require(PurchaseKey(bought.key))
        await device.engine.close()
        try finish(key, SampleShop.credits, of: TestStore.japanese, on: device)

        let relaunched = try await TestDevice(store, folder: folder)
        relaunched.queue.add(relaunched.recorder)
        let again = try await relaunched.recorder.transaction { $0.transactionState == .purchased }
        #expect(again.transactionIdentifier == bought.transactionIdentifier)
        relaunched.queue.finishTransaction(again)
        _ = try await relaunched.recorder.next { $0.isRemoval }
        await relaunched.engine.close()
    }
}
