import Foundation
import StoreDatabase
import StoreModel
import Testing

@testable import StoreCore

/// What customers of subscriptions are charged who were asked about a higher price.
@Suite(.usesDrivers) struct AgreedPriceTests {
    private static let day: TimeInterval = 86_400

    @Test(arguments: StoreDriver.all)
    func `a question does not keep a failed payment from being made`(driver: StoreDriver)
        async throws
    {
        let shop = try await SubscriberShop(driver)
        try await shop.enterGrace()
        try await shop.ask()
        try await shop.setPrice(1490)
        try await shop.setPayments(.none)
        try await shop.wait(30)
        #expect(try await shop.subscription()?.state == .active)
        #expect(try await shop.lastCharge()?.thousandths == 990)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.subscription()?.state == .expired)
    }

    @Test(arguments: StoreDriver.all)
    func `a failed payment that waits for an approval is made as it was agreed to`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.enterGrace()
        try await shop.ask()
        try await shop.setPrice(1490)
        try await shop.database.write {
            try $0.accounts.set(AccountSettings(asksToBuy: true), of: shop.shop.ada.id)
        }
        shop.clock.advance(by: 10)
        guard case .deferred = try await shop.order(SubscriberShop.monthly, 2).get() else {
            Issue.record("it was not kept for approval")
            return
        }
        let pending = PendingPurchaseService(database: shop.database, clock: shop.clock)
        let waiting = try #require(try await pending.waiting().first)
        // The 24 hours for an approval begin now, and not with the end of the period before.
        #expect(waiting.order.date == shop.clock.now())
        shop.clock.advance(by: 10)
        let paid = try await pending.approve(waiting.id)
        #expect(paid.details.charged.thousandths == 990)
        #expect(try await shop.openConsents().isEmpty)
        try await shop.database.write {
            try $0.accounts.set(AccountSettings(), of: shop.shop.ada.id)
        }
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.lastCharge()?.thousandths == 1490)
    }

    @Test(arguments: StoreDriver.all)
    func `who pays a failed payment with an offer goes on as they have agreed`(
        driver: StoreDriver
    ) async throws {
        let offer = SubscriptionOfferTests.offer(.promotional, "save")
        let shop = try await SubscriberShop(driver, offers: [offer])
        try await shop.buy()
        try await shop.agree(to: 1490)
        try await shop.setPrice(15_990)
        try await shop.setPayments(.all)
        try await shop.wait(SubscriberShop.month)
        try await shop.setPayments(.none)
        shop.clock.advance(by: 10)
        let paid = try await shop.buy(
            SubscriberShop.monthly, 2, OfferClaim(identifier: "save", permission: .given),
            quoted: true)
        #expect(paid.entry.details.charged.thousandths == 490)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.lastCharge()?.thousandths == 1490)
    }

    @Test(arguments: StoreDriver.all)
    func `who has agreed to a price pays no more until they are asked again`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.buy()
        for (asked, price, charged) in [
            (1490, 1490, 1490), (nil, 15_990, 1490), (nil, 990, 990),
            (15_990, 12_990, 12_990),
        ] as [(Int64?, Int64, Int64)] {
            if let asked { try await shop.agree(to: asked) }
            try await shop.setPrice(price)
            #expect(try await shop.renewalPrice() == charged)
            try await shop.wait(SubscriberShop.month)
            #expect(try await shop.lastCharge()?.thousandths == charged, "\(price)")
        }
    }

    @Test(arguments: StoreDriver.all)
    func `who was asked, and has not answered, is told what they pay now`(driver: StoreDriver)
        async throws
    {
        let shop = try await SubscriberShop(driver)
        try await shop.buy()
        try await shop.agree(to: 1490)
        try await shop.setPrice(15_990)
        let consent = try await shop.ask(15_990)
        #expect(consent.details.currentPrice == Money(thousandths: 1490, currency: "USD"))
        #expect(try await shop.renewalPrice() == 1490)
        try await shop.answer(consent, agreed: true)
        #expect(try await shop.renewalPrice() == 15_990)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.lastCharge()?.thousandths == 15_990)
    }

    @Test(arguments: StoreDriver.all)
    func `who resumes pays the catalog's price, which is what they are told`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        try await shop.agree(to: 1490)
        try await shop.setPrice(15_990)
        shop.clock.advance(by: 10)
        let ada = shop.shop.ada.id
        for renews in [false, true] {
            try await shop.management.setRenews(renews, of: first.id, by: ada)
            #expect(try await shop.renewalPrice() == 15_990)
        }
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.lastCharge()?.thousandths == 15_990)
    }

    @Test(arguments: StoreDriver.all)
    func `who resumes what goes on already has chosen nothing`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        try await shop.agree(to: 1490)
        try await shop.setPrice(15_990)
        shop.clock.advance(by: 10)
        let ada = shop.shop.ada.id
        try await shop.management.setRenews(true, of: first.id, by: ada)
        try await shop.management.setRenewalProduct(SubscriberShop.monthly, of: first.id, by: ada)
        let kept = try await shop.buy(SubscriberShop.monthly, 2)
        #expect(kept.entry.details.charged.thousandths == 0)
        let consent = try await shop.ask(20_000)
        try await shop.management.setRenews(true, of: first.id, by: ada)
        let open = try await shop.openConsents()
        #expect(open.map(\.id) == [consent.id])
        #expect(try await shop.renewalPrice() == 1490)
    }

    @Test(arguments: StoreDriver.all)
    func `a question counts in the currency that it was asked in`(driver: StoreDriver)
        async throws
    {
        let shop = try await SubscriberShop(driver)
        try await shop.buy()
        try await shop.agree(to: 1490)
        try await shop.setPrice(2000)
        let japan = try #require(Storefront.named("JPN"))
        try await shop.database.write {
            try $0.accounts.setStorefront(japan, of: shop.shop.ada.id)
        }
        #expect(try await shop.renewalPrice() == 300_000)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.lastCharge() == Money(thousandths: 300_000, currency: "JPY"))
        // One that nobody can answer there ends nothing.
        try await shop.ask(400_000)
        try await shop.database.write {
            try $0.accounts.setStorefront(.unitedStates, of: shop.shop.ada.id)
        }
        #expect(try await shop.renewalPrice() == 1490)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.lastCharge() == Money(thousandths: 1490, currency: "USD"))
        // Nor does an order here agree to it.
        try await shop.buy(SubscriberShop.monthly, 2)
        let open = try await shop.openConsents()
        #expect(open.map(\.details.currency) == ["JPY"])
    }

    @Test(arguments: StoreDriver.all)
    func `a question of an earlier version, which kept no price, leaves it to the catalog`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.buy()
        try await askAsBefore(shop)
        let open = try await shop.openConsents()
        let consent = try #require(open.first)
        #expect(consent.details.currentPrice == nil && consent.details.isAsked(in: "JPY"))
        try await shop.answer(consent, agreed: true)
        try await shop.setPrice(2000)
        #expect(try await shop.renewalPrice() == 2000)
    }

    @Test(arguments: StoreDriver.all)
    func `while a question of an earlier version is open, the price is that of the last period`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.buy()
        try await shop.setPayments(.all)
        try await shop.wait(SubscriberShop.month)
        try await askAsBefore(shop)
        try await shop.setPrice(1490)
        #expect(try await shop.renewalPrice() == 990)
    }

    /// Asks as a version did that kept neither the price nor the currency.
    private func askAsBefore(_ shop: SubscriberShop) async throws {
        let (account, app, now) = (shop.shop.ada.id, shop.shop.app.id, shop.clock.now())
        try await shop.database.write { repositories in
            try repositories.connection.run(
                """
                INSERT INTO price_consent (account, app, product_id, new_price, date)
                VALUES (\(account), \(app), \(SubscriberShop.monthly), 1490, \(now))
                """)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `who pays a failed payment in the app pays what they have agreed to`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.buy()
        try await shop.agree(to: 1490)
        // The agreement holds also where the catalog said the same when they paid.
        for (number, price) in [(2, 1490), (3, 15_990)] as [(Int, Int64)] {
            try await shop.setPrice(price)
            try await shop.setPayments(.all)
            try await shop.wait(SubscriberShop.month)
            #expect(try await shop.subscription()?.state == .retry)
            #expect(try await shop.renewalPrice() == 1490)
            try await shop.setPayments(.none)
            let paid = try await shop.buy(SubscriberShop.monthly, number)
            #expect(paid.entry.details.charged.thousandths == 1490)
        }
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.lastCharge()?.thousandths == 1490)
        // Who begins again when it has ended pays the catalog's price, and is told so.
        try await shop.setPayments(.all)
        try await shop.wait(SubscriberShop.month)
        try await shop.wait(90 * Self.day)
        #expect(try await shop.subscription()?.state == .expired)
        #expect(try await shop.renewalPrice() == 15_990)
        try await shop.setPayments(.none)
        let again = try await shop.buy(SubscriberShop.monthly, 4)
        #expect(again.entry.details.charged.thousandths == 15_990)
    }
}
