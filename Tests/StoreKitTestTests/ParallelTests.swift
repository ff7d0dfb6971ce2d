import Foundation
import StoreKitTest
import Synchronization
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

    /// More than there are processors: each call blocks its thread.
    @Test(arguments: 1...4) func `purchases are deleted side by side`(number: Int) async throws {
        let session = try session()
        for _ in 1...2 { try await session.buyProduct(identifier: Shop.credits) }
        for transaction in session.allTransactions() {
            try session.deleteTransaction(identifier: transaction.identifier)
        }
        #expect(session.allTransactions().isEmpty)
    }

    @Test func `a refund is decided when its time has come`() async throws {
        let session = try session()
        let bought = try await Shop.buy(Shop.badge)
        #expect(try await bought.openStoreBeginRefundRequest(reason: .other) == .success)
        try await session.openStoreAdvance(by: 3600)
        #expect(await Shop.entitlements().isEmpty)
    }

    @Test func `what would be renewed for ever is refused`() async throws {
        let session = try session()
        session.timeRate = .oneRenewalEveryTwoSeconds
        let error = await #expect(throws: SKTestError.self) {
            try await session.buyProduct(
                identifier: Shop.monthly,
                options: [.purchaseDate(Date(timeIntervalSinceNow: -86_400 * 365))])
        }
        #expect(error?.code == .invalidAction)
        #expect(session.allTransactions().isEmpty)
    }

    @Test func `a session within a test has purchases of its own`() async throws {
        try await Shop.buy(Shop.credits)
        try await SKTestSession.openStoreWithSession(configurationFileNamed: "Shop") { session in
            session.disableDialogs = true
            try await Shop.buy(Shop.badge)
            #expect(await Shop.entitlements() == [Shop.badge])
        }
        #expect(await Shop.entitlements().isEmpty)
        #expect(try session().allTransactions().map(\.productIdentifier) == [Shop.credits])
    }

    @Test func `a year of other dates is refused`() async throws {
        for seconds in [-1e300, 0, 946_684_799, 32_503_680_000, .infinity, .nan] {
            let error = await #expect(throws: SKTestError.self) {
                try await SKTestSession.openStoreWithSession(
                    configurationFileNamed: "Shop", at: Date(timeIntervalSince1970: seconds)
                ) { _ in }
            }
            #expect(error?.code == .invalidAction)
            #expect(error?.localizedDescription.contains("2000") == true)
        }
    }
}

@Suite(
    .storeKit("Shop.storekit", at: Date(timeIntervalSince1970: 1_900_000_000.75)),
    .enabled(if: isProcessOfSessions))
struct `Sessions that begin at a date` {
    /// What the app gets in one test: the payloads of all that is signed, as they came.
    private static func run() async throws -> [String] {
        let session = try #require(SKTestSession.openStoreCurrent)
        #expect(session.openStoreDate == Date(timeIntervalSince1970: 1_900_000_000))
        let observer = Observer()
        SKPaymentQueue.default().add(observer)
        defer { SKPaymentQueue.default().remove(observer) }
        let updates = Updates()
        let payment = SKMutablePayment()
        payment.productIdentifier = Shop.credits
        SKPaymentQueue.default().add(payment)
        _ = try await observer.next(.purchased)
        let badge = try await Shop.buy(Shop.badge)
        try await Shop.buy(Shop.monthly)
        try await session.openStoreAdvance(by: 90 * 86_400)
        try session.refundTransaction(identifier: UInt(badge.id))
        var revoked = try await updates.next()
        while revoked.id != badge.id { revoked = try await updates.next() }
        var statements: [String] = []
        for await result in Transaction.all { statements.append(result.jwsRepresentation) }
        for status in try await Product.SubscriptionInfo.status(for: "22222222") {
            statements += [
                status.transaction.jwsRepresentation, status.renewalInfo.jwsRepresentation,
            ]
        }
        statements.append(try await AppTransaction.shared.jwsRepresentation)
        return try statements.map { try payload($0) }
    }

    private static func payload(_ statement: String) throws -> String {
        let part = String(statement.split(separator: ".")[1])
        let padding = String(repeating: "=", count: (4 - part.utf8.count % 4) % 4)
        let base64 = part.replacing("-", with: "+").replacing("_", with: "/") + padding
        return String(decoding: try #require(Data(base64Encoded: base64)), as: UTF8.self)
    }

    private static let first = Mutex<[String]>([])

    @Test(arguments: 1...4) func `the same calls give the same payloads`(run: Int) async throws {
        let payloads = try await Self.run()
        #expect(payloads.count == 7)
        let first = Self.first.withLock { first in
            if first.isEmpty { first = payloads }
            return first
        }
        for (payload, first) in zip(payloads, first) { #expect(payload == first) }
    }
}
