import Foundation
import StoreDatabase
import StoreModel
import Testing

@testable import StoreCore

/// What customers of subscriptions have agreed to, what they keep, and what they are not charged.
@Suite(.usesDrivers) struct SubscriberRightsTests {
    private static let day: TimeInterval = 86_400

    // MARK: Higher prices

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
        try await giveGrace(in: shop)
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

    private func giveGrace(in shop: SubscriberShop) async throws {
        let app = shop.shop.app.id
        try await shop.database.write {
            try $0.kept.insert(
                KeptResource(
                    id: String(app.number), kind: .subscriptionGracePeriods, app: app,
                    owner: .app(app),
                    attributes: ["optIn": .flag(true), "duration": .text("SIXTEEN_DAYS")],
                    links: [:], created: SeededShop.date))
        }
    }

    @Test(arguments: StoreDriver.all)
    func `who chooses what goes on has answered what was asked before`(driver: StoreDriver)
        async throws
    {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        let (offers, _) = try await ask(shop)
        shop.clock.advance(by: 10)
        let ada = shop.shop.ada.id
        for renews in [false, true] {
            try await shop.management.setRenews(renews, of: first.id, by: ada)
        }
        #expect(try await offers.openConsents(of: ada, in: shop.shop.app.id).isEmpty)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.told().last == "DID_RENEW")
    }

    /// Changes the price in the catalog.
    private func setPrice(_ shop: SubscriberShop, _ price: Int64) async throws {
        try await shop.database.write { repositories in
            let found = try repositories.catalog.product(
                SubscriberShop.monthly, in: shop.shop.app.id)
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

    // MARK: Payments that failed

    @Test(arguments: StoreDriver.all)
    func `who cancels while a payment is tried again has cancelled`(driver: StoreDriver)
        async throws
    {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        try await shop.setPayments(.all)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.subscription()?.state == .retry)
        let ended = try await shop.management.setRenews(
            false, of: first.id, by: shop.shop.ada.id)
        #expect(ended.state == .expired && ended.intent == .cancelled)
        #expect(
            try await shop.told().suffix(2)
                == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY"])
    }

    @Test(arguments: StoreDriver.all)
    func `grace is a part of the period that is paid for in it`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver)
        try await giveGrace(in: shop)
        let first = try await shop.buy()
        try await shop.setPayments(.all)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.subscription()?.state == .grace)
        let ada = shop.shop.ada.id
        let cancelled = try await shop.management.setRenews(false, of: first.id, by: ada)
        #expect(cancelled.state == .grace && cancelled.due == cancelled.graceEnd)
        try await shop.management.setRenews(true, of: first.id, by: ada)
        #expect(try await shop.subscription()?.intent == .billingError)
        shop.clock.advance(by: 60)
        try await shop.setPayments(.none)
        let paid = try await shop.buy(SubscriberShop.monthly, 2)
        #expect(paid.entry.details.date == first.facts.expiration)
        #expect(
            paid.facts.expiration
                == first.facts.expiration?.addingTimeInterval(SubscriberShop.month))
        #expect(paid.reason == .renewal)
        #expect(try await shop.told().last == "DID_RENEW/BILLING_RECOVERY")
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

    @Test(arguments: StoreDriver.all)
    func `another product that is bought meanwhile has its own price`(driver: StoreDriver)
        async throws
    {
        let offer = SubscriptionOfferTests.offer(.promotional, "less", periods: 3)
        let shop = try await SubscriberShop(driver, offers: [offer])
        try await shop.buy(SubscriberShop.premium)
        _ = try await shop.order(
            SubscriberShop.monthly, 2, OfferClaim(identifier: "less", permission: .given),
            quoted: true)
        try await shop.setPayments(.all)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.subscription()?.state == .retry)
        try await shop.setPayments(.none)
        let again = try await shop.buy(SubscriberShop.premium, 3)
        #expect(again.entry.details.charged.thousandths == 1990)
        #expect(again.offer == nil)
    }

    // MARK: Breaks

    @Test(arguments: StoreDriver.all)
    func `a break of less than sixty days is none`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        let ada = shop.shop.ada.id
        func end() async throws {
            try await shop.management.setRenews(false, of: first.id, by: ada)
            try await shop.wait(SubscriberShop.month)
            let ended = try #require(try await shop.information())
            #expect(!ended.renews)
        }
        try await end()
        shop.clock.advance(by: 50 * Self.day)
        try await shop.buy(SubscriberShop.monthly, 2)
        #expect(try await shop.subscription()?.start == first.entry.details.date)
        try await end()
        shop.clock.advance(by: 60 * Self.day)
        let third = try await shop.buy(SubscriberShop.monthly, 3)
        #expect(try await shop.subscription()?.start == third.entry.details.date)
    }

    // MARK: Refunds

    @Test(arguments: StoreDriver.all, [true, false])
    func `who asks in the app for a refund is not renewed`(
        driver: StoreDriver, isInApp: Bool
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let bought = try await shop.buy()
        _ = try await shop.refunds.ask(
            bought.id, of: shop.shop.ada.id, in: isInApp ? shop.shop.app.id : nil, reason: .other,
            comment: ""
        ).get()
        #expect(try await shop.subscription()?.renews == !isInApp)
        #expect(
            try await shop.told().dropFirst()
                == (isInApp ? ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"] : [])
                + ["CONSUMPTION_REQUEST"])
    }

    @Test(arguments: StoreDriver.all)
    func `what was given beside a period is not paid out`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver)
        let bought = try await shop.buy()
        let app = shop.shop.app.id
        _ = try await shop.extensions.extend(
            bought.id, in: app, .sandbox,
            ExtensionService.Request(days: 1, reason: .outage, identifier: "extension-1")
        ).get()
        shop.clock.advance(by: SubscriberShop.month / 4)
        _ = try await shop.refunds.ask(bought.id, of: nil, reason: .other, comment: "").get()
        _ = try await shop.refunds.inform(
            ConsumptionInformation(
                customerConsented: true, consumed: nil, wasDelivered: true, sampleProvided: false,
                preference: .prorated),
            about: bought.id, in: app, .sandbox)
        #expect(try await shop.record(bought.id)?.facts.revocation?.percentage == 75_000)
    }

    // MARK: Offers

    @Test(arguments: StoreDriver.all)
    func `a win-back offer is had once, also by who asks to buy`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(
            driver, offers: [SubscriptionOfferTests.offer(.winBack, "back")])
        let first = try await shop.buy()
        let ada = shop.shop.ada.id
        try await shop.management.setRenews(false, of: first.id, by: ada)
        try await shop.wait(SubscriberShop.month)
        try await shop.database.write { repositories in
            var settings = try repositories.accounts.settings(of: ada)
            settings.asksToBuy = true
            try repositories.accounts.set(settings, of: ada)
        }
        for number in 2...3 {
            let outcome = try await shop.order(
                SubscriberShop.monthly, number, OfferClaim(identifier: "back"), quoted: true
            ).get()
            guard case .deferred = outcome else {
                Issue.record("it was sold")
                return
            }
        }
        let pending = PendingPurchaseService(database: shop.database, clock: shop.clock)
        let waiting = try await pending.waiting()
        try #require(waiting.count == 2)
        let entry = try await pending.approve(waiting[0].id)
        #expect(try await shop.record(entry.id)?.offer?.kind == .winBack)
        await #expect(throws: PendingPurchaseRefusal.offerOver(SubscriberShop.monthly)) {
            try await pending.approve(waiting[1].id)
        }
    }

    @Test func `a code takes no offer from who has accepted one`() {
        let code = SubscriptionOfferTests.offer(.code, "spring")
        for (order, hasAccepted, isTaken) in [
            (SubscriptionOrder.keep, false, true), (.keep, true, false), (.upgrade, true, true),
        ] {
            let result = OfferRules.offer(
                for: OfferClaim(identifier: "spring", isOfCode: true), among: [code], order,
                OfferCustomer(
                    standing: .existing, hasSubscribed: true, hadIntroductory: true,
                    hasAccepted: hasAccepted))
            #expect(result == (isTaken ? .success(code) : .failure(.ineligible)))
        }
    }
}
