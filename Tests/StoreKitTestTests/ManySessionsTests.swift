import Foundation
import StoreKitTest
import Testing

private func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
}

/// What a team's tests do, many of them at once. `TEST_PARALLEL=200 TEST_SEED=7` has so many, in the
/// order of that seed; `Scripts/test-repeat.py --sessions 500` has 500 orders.
@Suite(.storeKit("Shop.storekit"), .enabled(if: isProcessOfSessions))
struct `Many sessions at once` {
    private static let numbers: [Int] = {
        let seed = UInt64(number("TEST_SEED") ?? 1)
        let numbers = 1...(number("TEST_PARALLEL") ?? 20)
        return numbers.sorted { place(of: $0, seed) < place(of: $1, seed) }
    }()

    /// Bits that look random, as SplitMix64 mixes them.
    private static func place(of number: Int, _ seed: UInt64) -> UInt64 {
        var bits = (seed << 32 | UInt64(number)) &* 0x9e37_79b9_7f4a_7c15
        bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
        return bits ^ bits >> 31
    }

    @Test(arguments: numbers) func `each buys, renews and refunds`(number: Int) async throws {
        let session = try #require(SKTestSession.openStoreCurrent)
        let observer = Observer()
        SKPaymentQueue.default().add(observer)
        defer { SKPaymentQueue.default().remove(observer) }
        let updates = Updates()
        let quantity = number % 3 + 1
        if number.isMultiple(of: 2) {
            let payment = SKMutablePayment()
            payment.productIdentifier = Shop.credits
            payment.quantity = quantity
            SKPaymentQueue.default().add(payment)
        } else {
            try await session.buyProduct(
                identifier: Shop.credits, options: [.quantity(quantity)])
        }
        #expect(try await observer.next(.purchased).product == Shop.credits)
        #expect(try await updates.next().purchasedQuantity == quantity)

        let months = number % 5 + 1
        var last = try await Shop.buy(Shop.monthly)
        try await session.openStoreAdvance(by: TimeInterval(months) * 31 * 86_400)
        for _ in 1...months {
            let renewed = try await updates.next()
            #expect(renewed.originalID == last.originalID)
            #expect(renewed.purchaseDate == last.expirationDate)
            last = renewed
        }
        #expect(session.allTransactions().count == 2 + months)
        #expect(await Shop.entitlements() == [Shop.monthly])

        try session.refundTransaction(identifier: UInt(last.id))
        let refunded = try await updates.next()
        #expect(refunded.id == last.id)
        #expect(refunded.revocationDate == session.openStoreDate)
        #expect(try await observer.nextRevoked() == Shop.monthly)
        #expect(await Shop.entitlements().isEmpty)
    }
}
