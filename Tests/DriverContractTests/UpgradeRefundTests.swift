import Foundation
import StoreCore
import StoreModel
import Testing

/// The refund that a customer gets for upgrading before a period is over.
@Suite(.usesDrivers) struct UpgradeRefundTests {
    private func total(_ shop: SubscriberShop) async throws -> SalesTotals {
        let last = SalesDay(shop.clock.now())
        return try await SalesService(database: shop.database, clock: shop.clock).report(
            SalesQuery(
                environment: .sandbox, first: last.advanced(by: -1), last: last, grouping: []),
            by: .machine
        ).total
    }

    private func part(_ shop: SubscriberShop, _ record: TransactionRecord) async throws -> Int? {
        try await shop.record(record.id)?.facts.upgradeRefund?.percentage
    }

    /// Buys the monthly product, and upgrades after a quarter of the month.
    private func upgraded(_ shop: SubscriberShop) async throws -> TransactionRecord {
        let first = try await shop.buy()
        shop.clock.advance(by: SubscriberShop.month / 4)
        try await shop.buy(SubscriberShop.premium, 2)
        return first
    }

    @Test(arguments: StoreDriver.all)
    func `the time that is left comes back, and reports count it on its day`(driver: StoreDriver)
        async throws
    {
        let shop = try await SubscriberShop(driver)
        let first = try await upgraded(shop)
        #expect(try await part(shop, first) == 75_000)
        // Three quarters of 0.99 are 0.74, and 70 % of that 0.52.
        let totals = try await total(shop)
        #expect(totals.units == 2 && totals.refunds == 1)
        #expect(
            totals.amounts == [
                "USD": SalesAmounts(sales: 990 + 1990, refunded: 740, proceeds: 690 + 1390 - 520)
            ])
        // It is not revoked: the customer has used it until then.
        let facts = try #require(try await shop.record(first.id)?.facts)
        #expect(facts.revocation == nil && facts.upgradeDate == shop.clock.now())
        #expect(
            try await shop.told() == ["SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF/UPGRADE"])
    }

    @Test(arguments: StoreDriver.all)
    func `nothing comes back of what cost nothing, nor of a change that waits`(driver: StoreDriver)
        async throws
    {
        let free = SubscriptionOffer(
            kind: .introductory, identifier: nil, paymentMode: .freeTrial,
            period: SubscriptionPeriod(unit: .week, count: 1), periodCount: 1, thousandths: 0)
        let shop = try await SubscriberShop(driver, offers: [free])
        let first = try await shop.buy(quoted: true)
        #expect(first.entry.details.charged.thousandths == 0)
        try await shop.buy(SubscriberShop.premium, 2)
        #expect(try await part(shop, first) == nil)
        #expect(try await shop.record(first.id)?.facts.isUpgraded == true)
        try await shop.buy(SubscriberShop.monthly, 3)
        let totals = try await total(shop)
        #expect(totals.refunds == 0 && totals.amounts["USD"]?.refunded == 0)
    }

    @Test(arguments: StoreDriver.all)
    func `the family loses the period whose rest came back`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver, isShared: true)
        try await shop.join(shop.shop.grace)
        let first = try await upgraded(shop)
        let shares = try await shop.database.read { try $0.families.shares(of: first.id) }
        #expect(shares.count == 1)
        for share in shares {
            let record = try #require(try await shop.record(share.id))
            #expect(record.facts.isUpgraded && record.facts.upgradeRefund == nil)
        }
        #expect(try await total(shop).refunds == 1)
        let better = try #require(try await shop.subscription()?.latest)
        #expect(
            try await shop.database.read { try $0.families.shares(of: better) }
                .map(\.details.account) == [shop.shop.grace.id])
    }

    @Test(arguments: StoreDriver.all)
    func `time that was given beside what was paid does not come back as money`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        _ = try await shop.extensions.extend(
            first.id, in: shop.shop.app.id, .sandbox,
            ExtensionService.Request(days: 90, reason: .outage, identifier: "one")
        ).get()
        shop.clock.advance(by: SubscriberShop.month)
        try await shop.buy(SubscriberShop.premium, 2)
        #expect(try await shop.record(first.id)?.facts.isUpgraded == true)
        #expect(try await part(shop, first) == nil)
    }

    @Test(arguments: StoreDriver.all)
    func `what was refunded, given again and then returned in part breaks no rule`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        _ = try await shop.purchases.revoke(first.id, reason: .other)
        try await shop.refunds.reverse(first.id)
        shop.clock.advance(by: SubscriberShop.month / 4)
        try await shop.buy(SubscriberShop.premium, 2)
        #expect(try await part(shop, first) == 75_000)
        #expect(try await total(shop).amounts["USD"]?.refunded == 740)
    }

    @Test(arguments: StoreDriver.all)
    func `a refund gives back the rest only`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await upgraded(shop)
        _ = try await shop.purchases.revoke(first.id, reason: .other)
        let revocation = try await shop.record(first.id)?.facts.revocation
        #expect(revocation?.kind == .prorated && revocation?.percentage == 25_000)
        #expect(try await total(shop).amounts["USD"]?.refunded == 740 + 250)
    }

    @Test(arguments: StoreDriver.all)
    func `a request that waited gets the rest, or nothing where all came back`(driver: StoreDriver)
        async throws
    {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        let request = try await shop.refunds.ask(first.id, of: nil, reason: .other, comment: "")
            .get()
        shop.clock.advance(by: SubscriberShop.month / 4)
        try await shop.buy(SubscriberShop.premium, 2)
        try await shop.refunds.decide(
            request.id, .refunded(percentage: Revocation.everything), grounds: "The law.")
        #expect(
            try await shop.refunds.request(request.id)?.decision?.outcome
                == .refunded(percentage: 25_000))

        let other = try await shop.buy(SubscriberShop.monthly, 3, by: shop.shop.grace)
        let waiting = try await shop.refunds.ask(other.id, of: nil, reason: .other, comment: "")
            .get()
        try await shop.buy(SubscriberShop.premium, 4, by: shop.shop.grace)
        #expect(try await part(shop, other) == Revocation.everything)
        _ = try await shop.purchases.revoke(other.id, reason: .other)
        #expect(try await shop.refunds.request(waiting.id)?.decision?.outcome == .declined)
        #expect(
            try await shop.refunds.ask(other.id, of: nil, reason: .other, comment: "").failure
                == .refunded)
    }
}
