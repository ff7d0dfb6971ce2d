import Foundation
@testable import StoreCore
import StoreModel
import Testing

/// Reports of sales tell of renewals, refunds, and what was not used.
@Suite(.usesDrivers) struct RefundReportTests {
    private func report(
        _ shop: SubscriberShop, _ grouping: SalesGrouping = []
    ) async throws -> SalesReport {
        let last = SalesDay(shop.clock.now())
        return try await SalesService(database: shop.database, clock: shop.clock).report(
            SalesQuery(
                environment: .sandbox, first: last.advanced(by: -1), last: last,
                grouping: grouping), by: .machine)
    }

    private func inform(
        _ shop: SubscriberShop, _ record: TransactionRecord,
        _ preference: ConsumptionInformation.Preference
    ) async throws {
        _ = try await shop.refunds.ask(record.id, of: nil, reason: .other, comment: "").get()
        _ = try await shop.refunds.inform(
            ConsumptionInformation(
                customerConsented: true, consumed: nil, wasDelivered: true, sampleProvided: false,
                preference: preference),
            about: record.id, in: shop.shop.app.id, .sandbox)
    }

    @Test(arguments: StoreDriver.all)
    func `each paid period is a unit, an order that changes one is none`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        // Goes on with the lesser product: charged when its period begins.
        try await shop.buy(SubscriberShop.yearly, 2)
        #expect(try await report(shop).total.units == 1)
        try await shop.wait(SubscriberShop.month)
        let products = try await report(shop, .product)
        #expect(
            products.lines.map(\.key.product) == [SubscriberShop.monthly, SubscriberShop.yearly])
        #expect(products.lines.map(\.totals.units) == [1, 1])
        #expect(
            products.total.amounts == [
                "USD": SalesAmounts(sales: 990 + 9990, refunded: 0, proceeds: 690 + 6990)
            ])
        #expect(first.isPaidPeriod)
    }

    @Test(arguments: StoreDriver.all)
    func `a part counts as what was given back of the price, and as one refund`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        let other = try await shop.buy(SubscriberShop.monthly, 2, by: shop.shop.grace)
        let credits = try await shop.buy(SeededShop.product(of: .consumable), 3)
        shop.clock.advance(by: 75)
        for record in [first, other] { try await inform(shop, record, .prorated) }
        try await inform(shop, credits, .full)
        // Three quarters of 0.99 are 0.74, and 70 % of that 0.52.
        let total = try await report(shop).total
        #expect(total.units == 3 && total.refunds == 3)
        #expect(
            total.amounts == [
                "USD": SalesAmounts(
                    sales: 2970, refunded: 2 * 740 + 990, proceeds: 2 * 690 - 2 * 520)
            ])
        let lines = try await report(shop, .product).lines
        #expect(lines.map(\.totals.units) == [1, 2])
        #expect(lines.map(\.totals.refunds) == [1, 2])
        let record = try #require(try await shop.record(first.id))
        #expect(record.facts.revocation?.amount(of: record.entry.details).thousandths == 740)
        // One refund less.
        try await shop.refunds.reverse(first.id)
        let after = try await report(shop).total
        #expect(after.units == 3 && after.refunds == 2)
        #expect(
            after.amounts == [
                "USD": SalesAmounts(
                    sales: 2970, refunded: 740 + 990, proceeds: 2 * 690 - 520)
            ])
    }

    @Test(arguments: StoreDriver.all)
    func `a reversal counts on its day, and the day of its refund stays`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let day = SalesDay(shop.clock.now())
        func report(_ day: SalesDay) async throws -> SalesReport {
            try await SalesService(database: shop.database, clock: shop.clock).report(
                SalesQuery(environment: .sandbox, first: day, last: day, grouping: .product),
                by: .machine)
        }
        let credits = SeededShop.product(of: .consumable)
        let first = try await shop.buy(credits)
        let second = try await shop.buy(credits, 2)
        _ = try await shop.purchases.revoke(first.id, reason: .other)
        let before = try await report(day)
        #expect(before.total.refunds == 1)
        shop.clock.advance(by: 86_400)
        try await shop.refunds.reverse(first.id)
        #expect(try await report(day) == before)
        #expect(
            try await report(day.advanced(by: 1)).total
                == SalesTotals(
                    units: 0, refunds: -1,
                    amounts: ["USD": SalesAmounts(sales: 0, refunded: -990, proceeds: 690)]))
        // What is given and taken on one day leaves no line.
        shop.clock.advance(by: 86_400)
        _ = try await shop.purchases.revoke(second.id, reason: .other)
        try await shop.refunds.reverse(second.id)
        #expect(try await report(day.advanced(by: 2)).lines == [])
    }

    @Test(arguments: StoreDriver.all)
    func `what families share is neither sold nor refunded`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver, isShared: true)
        let (ada, grace) = (shop.shop.ada, shop.shop.grace)
        try await shop.buy(SeededShop.chapter)
        try await shop.buy(SubscriberShop.monthly, 2)
        try await shop.families.add(grace.email, toFamilyOf: ada.email, in: .sandbox)
        try await shop.wait(SubscriberShop.month)
        let total = try await report(shop).total
        #expect(total.units == 3)
        // Also where the store takes a share from who has it, and where an older one did.
        let shares = try await shop.history(of: grace)
        let (first, last) = (try #require(shares.first?.id), try #require(shares.last?.id))
        _ = try await shop.purchases.revoke(last, reason: .other)
        #expect(try await shop.record(last)?.facts.revocation?.kind == .family)
        let now = shop.clock.now()
        try await shop.database.write {
            _ = try $0.ledger.recordRevocation(
                Revocation(transaction: first, reason: .other, date: now))
        }
        #expect(try await report(shop).total == total)
        try await shop.families.remove(grace.email, in: .sandbox)
        #expect(try await report(shop).total == total)
    }

    @Test(arguments: StoreDriver.all)
    func `a renewal that is late counts on the day that it is written`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let day = SalesDay(shop.clock.now())
        let today = day.advanced(by: 1)
        // A period that ends a minute before midnight.
        shop.clock.advance(
            by: today.start.timeIntervalSince(shop.clock.now()) - SubscriberShop.month - 60)
        try await shop.buy()
        func units(_ day: SalesDay) async throws -> Int64 {
            try await SalesService(database: shop.database, clock: shop.clock).report(
                SalesQuery(environment: .sandbox, first: day, last: day, grouping: []),
                by: .machine
            ).total.units
        }
        try await shop.wait(SubscriberShop.month + 120)
        let renewed = try #require(try await shop.history().last)
        #expect(SalesDay(renewed.entry.details.date) == day)
        #expect(try await units(day) == 1)
        #expect(try await units(today) == 1)
    }
}
