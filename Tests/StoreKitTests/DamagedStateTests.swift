import Foundation
@testable import StoreKit
import StoreTestSupport
import Testing

/// Files of a device that somebody or something has damaged.
struct DamagedStates {
    @Test(arguments: [Data([0xFF, 0xFE, 0x00]), Data(), Data("no identifier".utf8)])
    func `a damaged identifier is made anew, said once, and nothing bought is lost`(
        damaged: Data
    ) async throws {
        let store = try await TestStore()
        let first = try await TestDevice(store)
        let bought = try await first.buy(SampleShop.credits)
        await first.engine.close()
        try damaged.write(to: first.device.folders.state.appendingPathComponent("device"))

        let second = try await TestDevice(store, folder: first.folder)
        #expect(second.recorder.logged.count { $0.contains("identifier of this device") } == 1)
        second.queue.add(second.recorder)
        let again = try await second.recorder.transaction { $0.transactionState == .purchased }
        #expect(again.transactionIdentifier == bought.transactionIdentifier)
        await second.engine.close()

        let third = try await TestDevice(store, folder: first.folder)
        #expect(third.device.receiptFile.deviceID == second.device.receiptFile.deviceID)
        #expect(!third.recorder.logged.contains { $0.contains("identifier of this device") })
    }
}
