import Foundation
@testable import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// What follows where something is taken back: for requests that wait, for devices, and for what
/// servers have read so far.
@Suite(.usesDrivers) struct RevocationContractTests {
    @Test(arguments: StoreDriver.all)
    func `what is taken back while a request waits is decided by that`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let bought = try await shop.buy(SeededShop.chapter)
        let request = try await shop.refunds.ask(
            bought.id, of: nil, reason: .unsatisfied, comment: ""
        ).get()
        _ = try await shop.purchases.revoke(bought.id, reason: .other)
        let decided = try #require(try await shop.refunds.request(request.id)?.decision)
        #expect(decided.outcome == .refunded(percentage: 100_000))
        #expect(decided.date == shop.clock.now())
        await #expect(throws: RefundRefusal.decided) {
            try await shop.refunds.decide(request.id, .declined, grounds: "No.")
        }
        _ = try await shop.refunds.inform(
            ConsumptionInformation(
                customerConsented: true, consumed: 100_000, wasDelivered: true,
                sampleProvided: false, preference: .decline),
            about: bought.id, in: shop.shop.app.id, .sandbox)
        shop.clock.advance(by: 1000)
        try await shop.refunds.advance()
        #expect(try await shop.refunds.request(request.id)?.decision == decided)
        #expect(try await shop.told() == ["ONE_TIME_CHARGE", "CONSUMPTION_REQUEST", "REFUND"])
    }

    @Test(arguments: StoreDriver.all, [false, true])
    func `nothing is said of a refund that is none any longer`(
        driver: StoreDriver, isReversed: Bool
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let bought = try await shop.buy(SeededShop.chapter)
        let request = try await shop.refunds.ask(
            bought.id, of: nil, reason: .legal, comment: ""
        ).get()
        // As an older store has left it.
        let now = shop.clock.now()
        try await shop.database.write { repositories in
            _ = try repositories.ledger.recordRevocation(
                Revocation(
                    transaction: bought.id, reason: .other, date: now, kind: .prorated,
                    percentage: 30_000))
            if isReversed {
                _ = try repositories.transactions.recordReversal(of: bought.id, at: now)
            }
        }
        shop.clock.advance(by: 1000)
        try await shop.refunds.advance()
        let decision = try await shop.refunds.request(request.id)?.decision
        #expect(decision?.outcome == (isReversed ? .declined : .refunded(percentage: 30_000)))
        #expect(
            try await shop.told()
                == ["ONE_TIME_CHARGE", "CONSUMPTION_REQUEST"]
                + (isReversed ? ["REFUND_DECLINED"] : []))
    }

    @Test(arguments: StoreDriver.all)
    func `what was given back once is not taken back again, and whoever tries is told`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let bought = try await shop.buy(SeededShop.chapter)
        _ = try await shop.purchases.revoke(bought.id, reason: .other)
        try await shop.refunds.reverse(bought.id)
        await #expect(throws: RefundRefusal.reversed) {
            try await shop.purchases.revoke(bought.id, reason: .other)
        }
        #expect(try await shop.record(bought.id)?.facts.revocation == nil)
    }

    @Test(arguments: StoreDriver.all)
    func `an app locks a product when nothing is left that gives it`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver, isShared: true)
        let (ada, grace) = (shop.shop.ada, shop.shop.grace)
        func last(_ account: Account) async throws -> DeviceEventDraft.Kind? {
            try await shop.events(of: account).last
        }
        let first = try await shop.buy()
        try await shop.wait(SubscriberShop.month)
        let second = try #require(try await shop.subscription()).latest
        _ = try await shop.purchases.revoke(first.id, reason: .other)
        #expect(try await last(ada) == .transactions)
        _ = try await shop.purchases.revoke(second, reason: .other)
        #expect(try await last(ada) == .revocation(SubscriberShop.monthly))
        // Bought by oneself, and got from somebody else.
        try await shop.buy(SeededShop.chapter, 2)
        let own = try await shop.buy(SeededShop.chapter, 3, by: grace)
        try await shop.join(grace)
        try await shop.families.remove(grace.email, in: .sandbox)
        #expect(try await last(grace) == .transactions)
        _ = try await shop.purchases.revoke(own.id, reason: .other)
        #expect(try await last(grace) == .revocation(SeededShop.chapter))
        // Of what is used up, each counts.
        let credits = SeededShop.product(of: .consumable)
        let one = try await shop.buy(credits, 4)
        try await shop.buy(credits, 5)
        _ = try await shop.purchases.revoke(one.id, reason: .other)
        #expect(try await last(ada) == .revocation(credits))
    }

    @Test(arguments: StoreDriver.all)
    func `a product that a payment is waited for is not locked by a refund of the past`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.giveGrace("THREE_DAYS")
        let first = try await shop.buy()
        try await shop.wait(SubscriberShop.month)
        try await shop.setPayments(.all)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.subscription()?.state == .grace)
        _ = try await shop.purchases.revoke(first.id, reason: .other)
        #expect(try await shop.events(of: shop.shop.ada).last == .transactions)
    }

    @Test(arguments: StoreDriver.all)
    func `what comes after a clearing stands behind what servers have read`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let (ada, app) = (shop.shop.ada.id, shop.shop.app.id)
        func read(
            after: HistoryRevision?
        ) async throws -> [(revision: HistoryRevision, record: TransactionRecord)] {
            try await shop.database.read {
                try $0.transactions.history(
                    of: HistorySubject(account: ada, app: app), after: after, .ascending,
                    onlyRevoked: false, limit: 100)
            }
        }
        for number in 1...3 { try await shop.buy(SeededShop.product(of: .consumable), number) }
        let monthly = try await shop.buy(SubscriberShop.monthly, 4)
        try await shop.database.write {
            try $0.transactions.setAccountToken(
                "00000000-0000-4000-8000-000000000000", of: monthly.id, at: SeededShop.date)
        }
        let before = try await read(after: nil)
        #expect(before.map(\.revision.number) == [1, 2, 3, 5])
        try await shop.database.write {
            try $0.testers.recordClearing(of: ada, at: shop.clock.now())
        }
        let chapter = try await shop.buy(SeededShop.chapter, 5)
        let again = try await shop.buy(SubscriberShop.monthly, 6)
        try await shop.wait(SubscriberShop.month)
        _ = try await shop.purchases.revoke(chapter.id, reason: .other)
        let after = try await read(after: before.last?.revision)
        #expect(after.map(\.revision.number) == [7, 8, 9])
        #expect(after.first?.record.id == again.id && after.last?.record.id == chapter.id)
    }
}
