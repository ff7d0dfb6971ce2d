import Foundation
import StoreKitTest
import Testing

/// Each test has a session of its own, so that these run beside one another.
@Suite(.storeKit("Shop.storekit"), .enabled(if: isProcessOfSessions))
struct `Sessions in parallel` {
    private func session() throws -> SKTestSession {
        try #require(SKTestSession.openStoreCurrent)
    }

    @Test(arguments: 1...12) func `a session knows its own purchases only`(count: Int) async throws
    {
        let session = try session()
        for number in 1...count {
            let bought = try await Shop.buy(Shop.credits)
            // Each store counts from the same number on.
            #expect(bought.id == firstNumber + UInt64(number - 1))
        }
        #expect(session.allTransactions().count == count)
    }

    private let firstNumber: UInt64 = 1_000_000_000_000_001

    @Test(arguments: 1...6) func `clocks are turned apart`(months: Int) async throws {
        let session = try session()
        try await Shop.buy(Shop.monthly)
        try await session.openStoreAdvance(by: TimeInterval(months) * 31 * 86_400)
        #expect(session.allTransactions().count == months + 1)
    }

    @Test(arguments: 1...4)
    func `observers and loops hear of their own session`(number: Int) async throws {
        let observer = Observer()
        SKPaymentQueue.default().add(observer)
        defer { SKPaymentQueue.default().remove(observer) }
        let updates = Updates()
        let product = number.isMultiple(of: 2) ? Shop.badge : Shop.credits
        try await session().buyProduct(identifier: product)
        #expect(try await observer.next(.purchased).product == product)
        #expect(try await updates.next().productID == product)
    }

    @Test(arguments: [true, false]) func `settings are a session's own`(fails: Bool) async throws {
        let session = try session()
        if fails {
            try await session.setSimulatedError(.generic(.unknown), forAPI: .loadProducts)
            await #expect(throws: StoreKitError.self) { try await Shop.buy(Shop.badge) }
        } else {
            try await Shop.buy(Shop.badge)
        }
    }

    @Test func `a session that the test makes takes the place of the trait's`() async throws {
        let given = try session()
        let made = try Shop.session()
        #expect(SKTestSession.openStoreCurrent === made)
        try await Shop.buy(Shop.badge)
        #expect(made.allTransactions().count == 1)
        let error = #expect(throws: SKTestError.self) {
            try given.deleteTransaction(identifier: UInt(1))
        }
        #expect(error?.code == .serviceUnavailable)
    }

    @Test func `a session within a test is another device's`() async throws {
        var device: UUID?
        try await SKTestSession.openStoreWithSession(configurationFileNamed: "Shop") { session in
            session.disableDialogs = true
            try await Shop.buy(Shop.badge)
            device = AppStore.deviceVerificationID
        }
        #expect(device != nil && device != AppStore.deviceVerificationID)
    }
}
