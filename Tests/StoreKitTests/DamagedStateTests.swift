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

    @Test func `statements for the identifier before are signed again`() async throws {
        let store = try await TestStore()
        let first = try await TestDevice(store)
        for product in [SampleShop.badge, SampleShop.monthly] {
            let bought = try #require(try await first.purchase(product))
            await first.use { await bought.finish() }
        }
        _ = try await first.use { try await AppTransaction.shared.payloadValue }
        let before = try await first.entitlements()
        await first.engine.close()
        try Data("damaged".utf8)
            .write(to: first.device.folders.state.appendingPathComponent("device"))
        let second = try await TestDevice(store, folder: first.folder)
        _ = try await second.entitlements()
        await second.engine.feed.refresher.end()
        #expect(try await second.entitlements() == before)
        _ = try await second.use { try await AppTransaction.shared.payloadValue }
        await second.engine.close()
    }

    @Test func `a damaged session is said once, and somebody signs in again`() async throws {
        let store = try await TestStore(hasContent: false)
        let first = try await TestDevice(store)
        try await first.device.signedIn()
        await first.engine.close()
        let file = first.device.folders.sessions.appendingPathComponent(
            "session-\(first.device.profile.tag).json")
        func isSaid(_ device: TestDevice) -> Int {
            device.recorder.logged.count { $0.contains("nobody is signed in until") }
        }
        #expect(isSaid(first) == 0)
        try Data("{".utf8).write(to: file)
        let second = try await TestDevice(store, folder: first.folder)
        #expect(second.device.sessions.session == nil && second.device.sessions.session == nil)
        #expect(isSaid(second) == 1)
        try await second.device.signedIn()
        // While the app runs, as well.
        try Data("}".utf8).write(to: file)
        #expect(second.device.sessions.session == nil && second.device.sessions.session == nil)
        #expect(isSaid(second) == 2)
        #expect(try await second.buy(SampleShop.credits).transactionState == .purchased)
    }

    @Test(arguments: [false, true])
    func `a damaged line in the journal costs no purchase, and doubles none`(
        isCompact: Bool
    ) async throws {
        let store = try await TestStore(hasContent: false)
        let first = try await TestDevice(store)
        var bought: Set<String> = []
        for product in [SampleShop.credits, SampleShop.badge, SampleShop.season] {
            let transaction = try await first.buy(product)
            bought.insert(try #require(transaction.transactionIdentifier))
        }
        await first.engine.close()
        // Without the lines that say how each payment came to its purchase.
        if isCompact { _ = try first.device.openJournal { _ in } }
        let file = first.device.folders.state.appendingPathComponent(
            "journal-\(first.device.profile.tag)")
        var lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let sold = lines.indices.filter { lines[$0].contains("\"purchased\"") }
        try #require(sold.count == 3)
        lines[sold[1]] = "x" + lines[sold[1]].dropFirst()
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)

        let second = try await TestDevice(store, folder: first.folder, confirm: { _ in false })
        second.queue.add(second.recorder)
        try await until {
            let there = second.queue.transactions.filter { $0.transactionState == .purchased }
            return Set(there.compactMap(\.transactionIdentifier)) == bought
        }
        await second.engine.close()
        #expect(second.queue.transactions.count == 3)
        #expect(try await store.ledger().count == 3)
        let aside = file.appendingPathExtension("damaged").path
        #expect(second.recorder.logged.count { $0.contains("set aside in \(aside)") } == 1)
        #expect(FileManager.default.fileExists(atPath: aside))

        let third = try await TestDevice(store, folder: first.folder)
        third.queue.add(third.recorder)
        try await until { third.queue.transactions.count == bought.count }
        await third.engine.close()
        #expect(Set(third.queue.transactions.compactMap(\.transactionIdentifier)) == bought)
        #expect(third.queue.transactions.count == 3)
        #expect(!third.recorder.logged.contains { $0.contains("damaged") })
    }
}
