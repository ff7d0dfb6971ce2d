import Foundation
@testable import StoreCore
import StoreModel
import Testing

/// What customers of subscriptions keep, and what they are not charged.
@Suite(.usesDrivers) struct SubscriberRightsTests {
    private static let day: TimeInterval = 86_400

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
        try await shop.giveGrace("SIXTEEN_DAYS")
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

    @Test(arguments: StoreDriver.all, ["SIXTEEN_DAYS", "TWENTY_EIGHT_DAYS"])
    func `a subscription of a week has six days of grace at most`(
        driver: StoreDriver, duration: String
    ) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.giveGrace(duration)
        try await shop.database.write { repositories in
            let app = shop.shop.app.id
            let product = try repositories.catalog.product(SubscriberShop.monthly, in: app)
            var details = try #require(product).details
            details.subscription?.period = SubscriptionPeriod(unit: .week, count: 1)
            try repositories.catalog.save(details, in: app)
        }
        let week = try #require(try await shop.buy().facts.expiration)
        try await shop.setPayments(.all)
        try await shop.wait(week.timeIntervalSince(shop.clock.now()))
        let subscription = try #require(try await shop.subscription())
        #expect(subscription.state == .grace)
        // Of thirty days, which a tester's month has.
        #expect(
            subscription.graceEnd?.timeIntervalSince(subscription.expiration)
                == SubscriberShop.month / 5)
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
                    status: .existing, hasSubscribed: true, hadIntroductory: true,
                    hasAccepted: hasAccepted))
            #expect(result == (isTaken ? .success(code) : .failure(.ineligible)))
        }
    }
}
