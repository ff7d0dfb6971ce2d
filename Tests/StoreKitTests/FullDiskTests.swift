import Foundation
@testable import StoreKit
import StoreKernel
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

struct FullDisks {
    @Test func `an end that can't be written down is told once`() async throws {
        let store = try await TestStore()
        try await store.change { $0.asksToBuy = true }
        let disk = FillingDisk()
        let device = try await TestDevice(store, journal: disk)
        let deferred = try await device.buy(SampleShop.credits)
        #expect(deferred.transactionState == .deferred)
        let waiting = try #require(try await store.store.services.pending.waiting().first)
        try await store.store.services.pending.decline(waiting.id)
        disk.isFull.withLock { $0 = true }
        for _ in 0..<2 { device.engine.enqueue { await $0.refresh() } }
        await device.engine.close()
        disk.isFull.withLock { $0 = false }
        device.queue.restoreCompletedTransactions()
        _ = try await device.recorder.next { $0.isRestoreEnd }
        let ends = device.recorder.history.filter { event in
            if case .updated(_, .failed) = event { true } else { false }
        }
        #expect(ends.count == 1)
    }

    @Test func `what could not be written down comes when there is room again`() async throws {
        let store = try await TestStore()
        try await store.change { $0.asksToBuy = true }
        let disk = FillingDisk()
        let device = try await TestDevice(store, journal: disk)
        let deferred = try await device.buy(SampleShop.credits)
        let opened = try device.engine.open()
        await device.stopListening()
        let waiting = try #require(try await store.store.services.pending.waiting().first)
        _ = try await store.store.services.pending.approve(waiting.id)
        // As if the journal had been lost: the store knows of the transaction alone.
        let key = try #require(PurchaseKey(deferred.key))
        try opened.journal.remove(key)
        device.engine.leave(deferred)
        disk.isFull.withLock { $0 = true }
        await device.engine.refresh()
        #expect(device.engine.state.withLock { $0.refreshFailed })
        #expect(device.recorder.logged.contains { $0.contains("could not be fetched") })
        disk.isFull.withLock { $0 = false }
        await device.engine.refresh()
        let bought = try await device.recorder.transaction { $0.transactionState == .purchased }
        #expect(bought.payment.productIdentifier == SampleShop.credits)
        await device.engine.close()
    }

    @Test func `an app hears what the system says of a file, as the system's`() {
        let file = URL(fileURLWithPath: "/home/ada/device")
        let error = visibleError(DurableFile.failure("can't be made", file)) as NSError
        #expect(error.domain == NSPOSIXErrorDomain)
        #expect(error.localizedDescription.hasPrefix("/home/ada/device can't be made"))
    }
}

/// A journal's storage in memory that can run full.
private final class FillingDisk: JournalStorage {
    let isFull = Mutex(false)
    private let data = Mutex(Data())

    var name: String { "the disk" }
    func read() throws -> Data { data.withLock { $0 } }

    func append(_ new: Data) throws {
        try requireRoom()
        data.withLock { $0 += new }
    }

    func replace(_ new: Data) throws {
        try requireRoom()
        data.withLock { $0 = new }
    }

    func setAside(_ damaged: Data) throws -> String {
        try requireRoom()
        return name
    }

    private func requireRoom() throws {
        if isFull.withLock({ $0 }) { throw CocoaError(.fileWriteOutOfSpace) }
    }
}
