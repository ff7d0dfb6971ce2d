import Foundation
@testable import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// Codes whose customers get the introductory offer first.
@Suite(.usesDrivers) struct StackableCodeTests {
    private func charges(_ shop: SubscriberShop) async throws -> [Int64] {
        try await shop.history().map(\.entry.details.charged.thousandths)
    }

    private struct Unexpected: Error {}

    private static let code = SubscriptionOfferTests.offer(
        .code, "spring", periods: 2, price: 290, isStackable: true)
    private static let typed = OfferClaim(identifier: "spring", isOfCode: true)

    /// The code's offer as it is sold.
    private static var sold: SubscriptionOffer {
        var offer = SubscriptionOfferTests.priced(code)
        offer.isStackable = nil
        return offer
    }

    @Test(arguments: StoreDriver.all)
    func `a stackable code follows the introductory offer, to the end of each`(driver: StoreDriver)
        async throws
    {
        let first = SubscriptionOfferTests.offer(.introductory, periods: 2)
        let shop = try await SubscriberShop(driver, offers: [first, Self.code])
        #expect(
            try await shop.charge(SubscriberShop.monthly, Self.typed)
                == .success(.offer(SubscriptionOfferTests.priced(first).followed(by: Self.sold))))
        let record = try await shop.buy(SubscriberShop.monthly, 1, Self.typed, quoted: true)
        #expect(record.offer == AppliedOffer(first))
        #expect(try await shop.information()?.offer == AppliedOffer(first, number: 2))
        // The next code would take the place of the first one.
        #expect(
            try await shop.charge(SubscriberShop.monthly, Self.typed)
                == .failure(.offer("spring", .ineligible)))
        try await shop.wait(300)
        let next = try #require(try await shop.information())
        #expect(next.offer == AppliedOffer(Self.code) && next.renewalPrice?.thousandths == 290)
        for _ in 1...3 { try await shop.wait(300) }
        #expect(try await charges(shop) == [490, 490, 290, 290, 990])
        let kinds = try await shop.history().map(\.offer?.kind)
        #expect(kinds == [.introductory, .introductory, .code, .code, nil])
        #expect(try await shop.told().prefix(2) == ["SUBSCRIBED/INITIAL_BUY", "DID_RENEW"])
    }

    @Test(arguments: StoreDriver.all)
    func `who pays by an introductory offer has the rest of it before a stackable code`(
        driver: StoreDriver
    ) async throws {
        let first = SubscriptionOfferTests.offer(.introductory, periods: 3)
        for isStackable in [true, nil] {
            var code = Self.code
            code.isStackable = isStackable
            let shop = try await SubscriberShop(driver, offers: [first, code])
            try await shop.buy(quoted: true)
            let end = try #require(try await shop.subscription()).expiration
            var rest = SubscriptionOfferTests.priced(first)
            rest.periodCount = 2
            let told = isStackable == true ? rest.followed(by: Self.sold) : Self.sold
            #expect(
                try await shop.charge(SubscriberShop.monthly, Self.typed)
                    == .success(.accepted(told, start: end)))
            try await shop.buy(SubscriberShop.monthly, 2, Self.typed, quoted: true)
            for _ in 1...5 { try await shop.wait(300) }
            #expect(
                try await charges(shop)
                    == (isStackable == true
                        ? [490, 490, 490, 290, 290, 990] : [490, 290, 290, 990, 990, 990]))
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a stackable code waits while a payment fails, and is all that a former customer gets`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(
            driver, offers: [SubscriptionOfferTests.offer(.introductory, periods: 2), Self.code])
        try await shop.buy(SubscriberShop.monthly, 1, Self.typed, quoted: true)
        try await shop.setPayments(.all)
        try await shop.wait(300)
        try await shop.setPayments(.none)
        let recovered = try await shop.buy(SubscriberShop.monthly, 2)
        #expect(recovered.offer?.kind == .introductory && recovered.offer?.number == 2)
        #expect(try await shop.information()?.offer == AppliedOffer(Self.code))
        try await shop.management.setRenews(
            false, of: recovered.entry.original.id, by: shop.shop.ada.id)
        try await shop.wait(300)
        // What was to follow has gone with the subscription.
        #expect(
            try await shop.charge(SubscriberShop.monthly, Self.typed)
                == .success(.offer(Self.sold)))
        #expect(try await shop.charge() == .success(.now))
        try await shop.buy(SubscriberShop.monthly, 3, quoted: true)
        #expect(try await shop.information()?.offer == nil)
    }

    @Test(arguments: StoreDriver.all)
    func `a free stackable code outlives a move to where the introductory price does not count`(
        driver: StoreDriver
    ) async throws {
        var free = Self.code
        (free.paymentMode, free.thousandths, free.periodCount) = (.freeTrial, 0, 1)
        var sold = SubscriptionOfferTests.priced(free)
        sold.isStackable = nil
        let shop = try await SubscriberShop(
            driver, offers: [SubscriptionOfferTests.offer(.introductory, periods: 3), free])
        try await shop.buy(quoted: true)
        let (ada, japan) = (shop.shop.ada, try #require(Storefront.named("JPN")))
        try await shop.database.write { [app = shop.shop.app.id] repositories in
            try repositories.accounts.setStorefront(japan, of: ada.id)
            let product = try repositories.catalog.product(SubscriberShop.monthly, in: app)
            var details = try #require(product).details
            details.prices = PriceSchedule(dictionaryLiteral: ("USA", 990), ("JPN", 150_000))
            try repositories.catalog.save(details, in: app)
        }
        let moved = try #require(
            try await shop.database.read { try $0.accounts.account(ada.id) })
        let end = try #require(try await shop.subscription()).expiration
        // Nobody is told of a price in dollars there.
        #expect(
            try await shop.charge(SubscriberShop.monthly, by: moved, Self.typed)
                == .success(.accepted(sold, start: end)))
        try await shop.buy(SubscriberShop.monthly, 2, by: moved, Self.typed, quoted: true)
        try await shop.wait(300)
        #expect(try await shop.history().map(\.offer?.kind) == [.introductory, .code])
        #expect(try await charges(shop) == [490, 0])
    }

    @Test(arguments: StoreDriver.all)
    func `the rest of an introductory offer and a code wait for approval together`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(
            driver, offers: [SubscriptionOfferTests.offer(.introductory, periods: 2), Self.code])
        try await shop.buy(quoted: true)
        let ada = shop.shop.ada.id
        try await shop.database.write {
            try $0.accounts.set(AccountSettings(asksToBuy: true), of: ada)
        }
        for number in 2...3 {
            guard
                case .success(.deferred) = try await shop.order(
                    SubscriberShop.monthly, number, Self.typed, quoted: true)
            else { throw Unexpected() }
        }
        let pending = PendingPurchaseService(database: shop.database, clock: shop.clock)
        let waiting = try await pending.waiting()
        try #require(waiting.count == 2 && waiting[0].offer?.follower == Self.sold)
        _ = try await pending.approve(waiting[0].id)
        for _ in 1...3 { try await shop.wait(300) }
        #expect(try await charges(shop) == [490, 490, 290, 290])
        // The rest of the introductory offer is over.
        await #expect(throws: PendingPurchaseRefusal.offerOver(SubscriberShop.monthly)) {
            try await pending.approve(waiting[1].id)
        }
    }
}
