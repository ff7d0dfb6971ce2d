import Foundation
import StoreDatabase
import StoreModel
import Testing

@testable import StoreCore

/// What customers of subscriptions are charged who were asked about a higher price.
@Suite(.usesDrivers) struct AgreedPriceTests {
    private static let day: TimeInterval = 86_400

    private func offers(_ shop: SubscriberShop) -> OfferService {
        OfferService(database: shop.database, clock: shop.clock, oneTimeCodes: .tested)
    }

    private func ask(
        _ shop: SubscriberShop, _ price: Int64 = 1490
    ) async throws -> (OfferService, PriceConsent) {
        let offers = offers(shop)
        let (ada, app) = (shop.shop.ada, shop.shop.app.id)
        let current = try #require(
            try await offers.fullPrice(of: SubscriberShop.monthly, for: ada, in: app))
        let consent = try await offers.askConsent(
            PriceConsentDraft(
                account: ada.id, app: app, productID: SubscriberShop.monthly,
                currentPrice: current, newPrice: price))
        return (offers, consent)
    }

    private func agree(_ shop: SubscriberShop, to price: Int64) async throws {
        let (offers, consent) = try await ask(shop, price)
        #expect(
            try await offers.answerConsent(
                consent.id, agreed: true, by: shop.shop.ada, in: shop.shop.app))
    }

    @Test(arguments: StoreDriver.all)
    func `who refuses a price is not renewed, and who orders again is`(driver: StoreDriver)
        async throws
    {
        let shop = try await SubscriberShop(driver)
        try await shop.buy()
        let (offers, consent) = try await ask(shop)
        shop.clock.advance(by: 10)
        #expect(
            try await offers.answerConsent(
                consent.id, agreed: false, by: shop.shop.ada, in: shop.shop.app))
        let refused = try #require(try await shop.subscription())
        #expect(!refused.renews && refused.intent == .priceIncreaseRefused)
        shop.clock.advance(by: 10)
        try await shop.buy(SubscriberShop.monthly, 2)
        #expect(try await shop.information()?.priceIncrease == nil)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.subscription()?.state == .active)
        #expect(try await shop.told().last == "DID_RENEW")
    }

    @Test(arguments: StoreDriver.all)
    func `who refuses a price in grace, and pays in the app, is renewed`(driver: StoreDriver)
        async throws
    {
        let shop = try await SubscriberShop(driver)
        try await shop.giveGrace("SIXTEEN_DAYS")
        try await shop.buy()
        try await shop.setPayments(.all)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.subscription()?.state == .grace)
        let (offers, consent) = try await ask(shop)
        shop.clock.advance(by: 10)
        #expect(
            try await offers.answerConsent(
                consent.id, agreed: false, by: shop.shop.ada, in: shop.shop.app))
        try await shop.setPayments(.none)
        shop.clock.advance(by: 10)
        let paid = try await shop.buy(SubscriberShop.monthly, 2)
        #expect(paid.entry.details.charged.thousandths == 990)
        #expect(try await shop.information()?.priceIncrease == nil)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.subscription()?.state == .active)
    }

    @Test(arguments: StoreDriver.all)
    func `who pays a failed payment agrees to a price that they have seen, and to no other`(
        driver: StoreDriver
    ) async throws {
        for (price, isAnswered) in [(1490, true), (990, false)] as [(Int64, Bool)] {
            let shop = try await SubscriberShop(driver)
            try await shop.buy()
            try await shop.setPayments(.all)
            try await shop.wait(SubscriberShop.month)
            let (offers, _) = try await ask(shop)
            try await setPrice(shop, price)
            try await shop.setPayments(.none)
            let paid = try await shop.buy(SubscriberShop.monthly, 2)
            #expect(paid.entry.details.charged.thousandths == 990)
            let open = try await offers.openConsents(
                of: shop.shop.ada.id, in: shop.shop.app.id)
            #expect(open.isEmpty == isAnswered)
            try await shop.wait(SubscriberShop.month)
            #expect(try await shop.subscription()?.state == (isAnswered ? .active : .expired))
            #expect(try await lastCharge(shop)?.thousandths == price)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `who chooses what goes on agrees to a price that they have seen, and to no other`(
        driver: StoreDriver
    ) async throws {
        for (price, isAnswered) in [(1490, true), (990, false)] as [(Int64, Bool)] {
            for resumes in [true, false] {
                let shop = try await SubscriberShop(driver)
                let first = try await shop.buy()
                let (offers, _) = try await ask(shop)
                try await setPrice(shop, price)
                shop.clock.advance(by: 10)
                let ada = shop.shop.ada.id
                if resumes {
                    for renews in [false, true] {
                        try await shop.management.setRenews(renews, of: first.id, by: ada)
                    }
                } else {
                    try await shop.buy(SubscriberShop.monthly, 2)
                }
                let open = try await offers.openConsents(of: ada, in: shop.shop.app.id)
                #expect(open.isEmpty == isAnswered)
                // Nobody is charged more without having seen it.
                try await setPrice(shop, 1490)
                try await shop.wait(SubscriberShop.month)
                #expect(try await shop.subscription()?.state == (isAnswered ? .active : .expired))
                #expect(try await lastCharge(shop)?.thousandths == (isAnswered ? 1490 : 990))
            }
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a new subscription has nothing to do with what was asked about the one before`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.buy()
        let (offers, _) = try await ask(shop)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.subscription()?.state == .expired)
        try await shop.buy(SubscriberShop.monthly, 2)
        #expect(
            try await offers.openConsents(of: shop.shop.ada.id, in: shop.shop.app.id).isEmpty)
        #expect(try await shop.information()?.priceIncrease == nil)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.subscription()?.state == .active)
    }

    @Test(arguments: StoreDriver.all)
    func `who refuses a price while the period is refunded is not renewed when it is given again`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        for isOrdered in [false, true] {
            let bought = try await shop.buy(SubscriberShop.monthly, isOrdered ? 2 : 1)
            let (offers, consent) = try await ask(shop)
            shop.clock.advance(by: 10)
            _ = try await shop.purchases.revoke(bought.id, reason: .other)
            #expect(
                try await offers.answerConsent(
                    consent.id, agreed: false, by: shop.shop.ada, in: shop.shop.app))
            try await shop.refunds.reverse(bought.id)
            let again = try #require(try await shop.subscription())
            #expect(again.state == .active && !again.renews)
            #expect(again.intent == .priceIncreaseRefused)
            if isOrdered { try await shop.buy(SubscriberShop.monthly, 3) }
            try await shop.wait(SubscriberShop.month)
            #expect(try await shop.subscription()?.state == (isOrdered ? .active : .expired))
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a failed payment that waits for an approval is made as it was agreed to`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.giveGrace("SIXTEEN_DAYS")
        try await shop.buy()
        try await shop.setPayments(.all)
        try await shop.wait(SubscriberShop.month)
        let (offers, _) = try await ask(shop)
        try await setPrice(shop, 1490)
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
        // Its day begins when it is asked for, and not with the end of the period before.
        #expect(waiting.order.date == shop.clock.now())
        shop.clock.advance(by: 10)
        let paid = try await pending.approve(waiting.id)
        #expect(paid.details.charged.thousandths == 990)
        #expect(
            try await offers.openConsents(of: shop.shop.ada.id, in: shop.shop.app.id).isEmpty)
        try await shop.database.write {
            try $0.accounts.set(AccountSettings(), of: shop.shop.ada.id)
        }
        try await shop.wait(SubscriberShop.month)
        #expect(try await lastCharge(shop)?.thousandths == 1490)
    }

    @Test(arguments: StoreDriver.all)
    func `who pays a failed payment with an offer goes on as they have agreed`(
        driver: StoreDriver
    ) async throws {
        let offer = SubscriptionOfferTests.offer(.promotional, "save")
        let shop = try await SubscriberShop(driver, offers: [offer])
        try await shop.buy()
        try await agree(shop, to: 1490)
        try await setPrice(shop, 15_990)
        try await shop.setPayments(.all)
        try await shop.wait(SubscriberShop.month)
        try await shop.setPayments(.none)
        shop.clock.advance(by: 10)
        let paid = try await shop.buy(
            SubscriberShop.monthly, 2, OfferClaim(identifier: "save", permission: .given),
            quoted: true)
        #expect(paid.entry.details.charged.thousandths == 490)
        try await shop.wait(SubscriberShop.month)
        #expect(try await lastCharge(shop)?.thousandths == 1490)
    }

    /// Changes the price in the catalog.
    private func setPrice(_ shop: SubscriberShop, _ price: Int64) async throws {
        try await shop.database.write { repositories in
            let found = try repositories.catalog.product(
                SubscriberShop.monthly, in: shop.shop.app.id, withOffers: true)
            var product = try #require(found).details
            product.prices = PriceSchedule(
                dictionaryLiteral: ("USA", price), ("JPN", price * 150))
            try repositories.catalog.save(product, in: shop.shop.app.id)
        }
    }

    private func lastCharge(_ shop: SubscriberShop) async throws -> Money? {
        let latest = try #require(try await shop.subscription()).latest
        return try await shop.database.read { try $0.ledger.entry(latest)?.details.charged }
    }

    private func renewalPrice(_ shop: SubscriberShop) async throws -> Int64? {
        let first = try #require(try await shop.subscription()).original.id
        let managed = try await shop.management.subscription(first, of: shop.shop.ada.id)
        let signed = try await shop.information()?.renewalPrice
        #expect(managed?.renewalPrice == signed)
        return signed?.thousandths
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
            if let asked { try await agree(shop, to: asked) }
            try await setPrice(shop, price)
            #expect(try await renewalPrice(shop) == charged)
            try await shop.wait(SubscriberShop.month)
            #expect(try await lastCharge(shop)?.thousandths == charged, "\(price)")
        }
    }

    @Test(arguments: StoreDriver.all)
    func `who was asked, and has not answered, is told what they pay now`(driver: StoreDriver)
        async throws
    {
        let shop = try await SubscriberShop(driver)
        try await shop.buy()
        try await agree(shop, to: 1490)
        try await setPrice(shop, 15_990)
        let (offers, consent) = try await ask(shop, 15_990)
        #expect(consent.details.currentPrice == Money(thousandths: 1490, currency: "USD"))
        #expect(try await renewalPrice(shop) == 1490)
        #expect(
            try await offers.answerConsent(
                consent.id, agreed: true, by: shop.shop.ada, in: shop.shop.app))
        #expect(try await renewalPrice(shop) == 15_990)
        try await shop.wait(SubscriberShop.month)
        #expect(try await lastCharge(shop)?.thousandths == 15_990)
    }

    @Test(arguments: StoreDriver.all)
    func `who resumes pays the catalog's price, which is what they are told`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        try await agree(shop, to: 1490)
        try await setPrice(shop, 15_990)
        shop.clock.advance(by: 10)
        let ada = shop.shop.ada.id
        for renews in [false, true] {
            try await shop.management.setRenews(renews, of: first.id, by: ada)
            #expect(try await renewalPrice(shop) == 15_990)
        }
        try await shop.wait(SubscriberShop.month)
        #expect(try await lastCharge(shop)?.thousandths == 15_990)
    }

    @Test(arguments: StoreDriver.all)
    func `who resumes what goes on already has chosen nothing`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        try await agree(shop, to: 1490)
        try await setPrice(shop, 15_990)
        shop.clock.advance(by: 10)
        let ada = shop.shop.ada.id
        try await shop.management.setRenews(true, of: first.id, by: ada)
        try await shop.management.setRenewalProduct(SubscriberShop.monthly, of: first.id, by: ada)
        let kept = try await shop.buy(SubscriberShop.monthly, 2)
        #expect(kept.entry.details.charged.thousandths == 0)
        let (offers, consent) = try await ask(shop, 20_000)
        try await shop.management.setRenews(true, of: first.id, by: ada)
        let open = try await offers.openConsents(of: ada, in: shop.shop.app.id)
        #expect(open.map(\.id) == [consent.id])
        #expect(try await renewalPrice(shop) == 1490)
    }

    @Test(arguments: StoreDriver.all)
    func `a question counts in the currency that it was asked in`(driver: StoreDriver)
        async throws
    {
        let shop = try await SubscriberShop(driver)
        try await shop.buy()
        try await agree(shop, to: 1490)
        try await setPrice(shop, 2000)
        let japan = try #require(Storefront.named("JPN"))
        try await shop.database.write {
            try $0.accounts.setStorefront(japan, of: shop.shop.ada.id)
        }
        #expect(try await renewalPrice(shop) == 300_000)
        try await shop.wait(SubscriberShop.month)
        #expect(try await lastCharge(shop) == Money(thousandths: 300_000, currency: "JPY"))
        // One that nobody can answer there ends nothing.
        _ = try await ask(shop, 400_000)
        try await shop.database.write {
            try $0.accounts.setStorefront(.unitedStates, of: shop.shop.ada.id)
        }
        #expect(try await renewalPrice(shop) == 1490)
        try await shop.wait(SubscriberShop.month)
        #expect(try await lastCharge(shop) == Money(thousandths: 1490, currency: "USD"))
        // Nor does an order here agree to it.
        try await shop.buy(SubscriberShop.monthly, 2)
        let open = try await offers(shop)
            .openConsents(of: shop.shop.ada.id, in: shop.shop.app.id)
        #expect(open.map(\.details.currency) == ["JPY"])
    }

    @Test(arguments: StoreDriver.all)
    func `a question of an earlier version, which kept no price, leaves it to the catalog`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.buy()
        let (account, app, now) = (shop.shop.ada.id, shop.shop.app.id, shop.clock.now())
        try await shop.database.write { repositories in
            try repositories.connection.run(
                """
                INSERT INTO price_consent (account, app, product_id, new_price, date)
                VALUES (\(account), \(app), \(SubscriberShop.monthly), 1490, \(now))
                """)
        }
        let open = try await offers(shop).openConsents(of: account, in: app)
        let consent = try #require(open.first)
        #expect(consent.details.currentPrice == nil && consent.details.isAsked(in: "JPY"))
        #expect(
            try await offers(shop).answerConsent(
                consent.id, agreed: true, by: shop.shop.ada, in: shop.shop.app))
        try await setPrice(shop, 2000)
        #expect(try await renewalPrice(shop) == 2000)
    }

    @Test(arguments: StoreDriver.all)
    func `who pays a failed payment in the app pays what they have agreed to`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.buy()
        try await agree(shop, to: 1490)
        // The agreement holds also where the catalog said the same when they paid.
        for (number, price) in [(2, 1490), (3, 15_990)] as [(Int, Int64)] {
            try await setPrice(shop, price)
            try await shop.setPayments(.all)
            try await shop.wait(SubscriberShop.month)
            #expect(try await shop.subscription()?.state == .retry)
            #expect(try await renewalPrice(shop) == 1490)
            try await shop.setPayments(.none)
            let paid = try await shop.buy(SubscriberShop.monthly, number)
            #expect(paid.entry.details.charged.thousandths == 1490)
        }
        try await shop.wait(SubscriberShop.month)
        #expect(try await lastCharge(shop)?.thousandths == 1490)
        // Who begins again when it has ended pays the catalog's price, and is told so.
        try await shop.setPayments(.all)
        try await shop.wait(SubscriberShop.month)
        try await shop.wait(90 * Self.day)
        #expect(try await shop.subscription()?.state == .expired)
        #expect(try await renewalPrice(shop) == 15_990)
        try await shop.setPayments(.none)
        let again = try await shop.buy(SubscriberShop.monthly, 4)
        #expect(again.entry.details.charged.thousandths == 15_990)
    }
}
