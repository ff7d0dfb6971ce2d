import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// Refunds, extensions and families, over the database.
@Suite(.usesDrivers) struct RefundContractTests {
    @Test(arguments: StoreDriver.all)
    func `a refund is asked for, decided when its time is over, and can be reversed`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let bought = try await shop.buy(SeededShop.chapter)
        let request = try await shop.refunds.ask(
            bought.id, of: shop.shop.ada.id, reason: .unsatisfied, comment: "Too short."
        ).get()
        #expect(
            try await shop.refunds.ask(bought.id, of: nil, reason: .other, comment: "").failure
                == .waiting)
        try await shop.refunds.advance()
        #expect(try await shop.refunds.request(request.id)?.decision == nil)
        shop.clock.advance(by: RefundRules.sandboxAnswerTime)
        try await shop.refunds.advance()
        #expect(
            try await shop.refunds.request(request.id)?.decision?.outcome
                == .refunded(percentage: 100_000))
        #expect(try await shop.record(bought.id)?.facts.revocation?.kind == .full)
        #expect(
            try await shop.refunds.ask(bought.id, of: nil, reason: .other, comment: "").failure
                == .refunded)
        try await shop.refunds.reverse(bought.id)
        #expect(try await shop.record(bought.id)?.facts.revocation == nil)
        await #expect(throws: RefundRefusal.notRefunded) {
            try await shop.refunds.reverse(bought.id)
        }
        #expect(
            try await shop.told() == [
                "ONE_TIME_CHARGE", "CONSUMPTION_REQUEST", "REFUND", "REFUND_REVERSED",
            ])
    }

    @Test(arguments: StoreDriver.all)
    func `what the publisher's server says decides at once`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver)
        let bought = try await shop.buy(SeededShop.product(of: .consumable))
        let request = try await shop.refunds.ask(
            bought.id, of: nil, reason: .unsatisfied, comment: ""
        ).get()
        let information = ConsumptionInformation(
            customerConsented: true, consumed: 100_000, wasDelivered: true, sampleProvided: false,
            preference: .decline)
        let (app, other) = (shop.shop.app.id, shop.shop.otherApp.id)
        #expect(
            try await shop.refunds.inform(information, about: bought.id, in: other, .sandbox)
                == false)
        #expect(
            try await shop.refunds.inform(information, about: bought.id, in: app, .production)
                == false)
        #expect(try await shop.refunds.inform(information, about: bought.id, in: app, .sandbox))
        #expect(try await shop.refunds.request(request.id)?.decision?.outcome == .declined)
        #expect(try await shop.told().last == "REFUND_DECLINED")
        #expect(try await shop.record(bought.id)?.facts.revocation == nil)
    }

    @Test(arguments: StoreDriver.all, [true, false])
    func `where nobody says how much was used, a wish for a part declines nothing`(
        driver: StoreDriver, wasDelivered: Bool
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let bought = try await shop.buy(SeededShop.product(of: .consumable))
        let request = try await shop.refunds.ask(
            bought.id, of: nil, reason: .unsatisfied, comment: ""
        ).get()
        _ = try await shop.refunds.inform(
            ConsumptionInformation(
                customerConsented: true, consumed: nil, wasDelivered: wasDelivered,
                sampleProvided: false, preference: .prorated),
            about: bought.id, in: shop.shop.app.id, .sandbox)
        #expect(
            try await shop.refunds.request(request.id)?.decision?.outcome
                == .refunded(percentage: 100_000))
    }

    @Test(arguments: StoreDriver.all)
    func `a part of a subscription's period is given back, and ends it`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        try await shop.wait(300)
        let second = try #require(try await shop.history().last)
        shop.clock.advance(by: 75)
        _ = try await shop.refunds.ask(second.id, of: nil, reason: .other, comment: "").get()
        _ = try await shop.refunds.inform(
            ConsumptionInformation(
                customerConsented: true, consumed: nil, wasDelivered: true, sampleProvided: false,
                preference: .prorated),
            about: second.id, in: shop.shop.app.id, .sandbox)
        let revocation = try #require(try await shop.record(second.id)?.facts.revocation)
        #expect(revocation.kind == .prorated && revocation.percentage == 75_000)
        #expect(try await shop.record(first.id)?.facts.revocation == nil)
        #expect(try await shop.subscription()?.state == .revoked)
        try await shop.wait(1000)
        #expect(try await shop.history().count == 2)
        // What was taken back stands behind what came before it.
        let subject = HistorySubject(account: shop.shop.ada.id, app: shop.shop.app.id)
        let revoked = try await shop.database.read {
            try $0.transactions.history(
                of: subject, after: nil, .ascending, onlyRevoked: true, limit: 10
            ).map(\.record.id)
        }
        #expect(revoked == [second.id])
    }

    @Test(arguments: StoreDriver.all)
    func `a period is made longer once for each request, and twice a year at most`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        let app = shop.shop.app.id
        func extend(_ identifier: String) async throws -> Result<RenewalExtension, ExtensionRefusal>
        {
            try await shop.extensions.extend(
                first.id, in: app, .sandbox,
                ExtensionService.Request(days: 1, reason: .outage, identifier: identifier))
        }
        let day: TimeInterval = 86_400
        let longer = try await extend("one").get()
        #expect(longer.expiration == first.facts.expiration?.addingTimeInterval(day))
        #expect(
            try await shop.subscription()?.anchorDay
                == RenewalSchedule.dayOfMonth(longer.expiration))
        #expect(try await extend("one").get() == longer)
        #expect(try await shop.record(first.id)?.facts.expiration == longer.expiration)
        _ = try await extend("two").get()
        #expect(try await extend("three").failure == .tooOften)
        try await shop.wait(300)
        #expect(try await shop.history().count == 1)
        try await shop.wait(2 * day)
        #expect(try await shop.history().count == 2)
        #expect(
            try await shop.told() == [
                "SUBSCRIBED/INITIAL_BUY", "RENEWAL_EXTENDED", "RENEWAL_EXTENDED", "DID_RENEW",
            ])
    }

    @Test(arguments: StoreDriver.all)
    func `many subscriptions are made longer, each once, with a summary at the end`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let ada = try await shop.buy()
        let grace = try await shop.buy(SubscriberShop.monthly, 2, by: shop.shop.grace)
        let work = MassExtension(
            app: shop.shop.app.id, environment: .sandbox, request: "outage",
            product: SubscriberShop.monthly, days: 2, reason: .outage, storefronts: ["USA"],
            date: shop.clock.now())
        #expect(try await shop.extensions.begin(work))
        #expect(try await shop.extensions.begin(work))
        try await shop.extensions.advance()
        try await shop.extensions.advance()
        let done = try await shop.extensions.massExtension(
            "outage", product: SubscriberShop.monthly.text, app: shop.shop.app.id, in: .sandbox)
        #expect(done?.succeeded == 2 && done?.failed == 0 && done?.completion != nil)
        for record in [ada, grace] {
            #expect(
                try await shop.record(record.id)?.facts.expiration
                    == record.facts.expiration?.addingTimeInterval(2 * 86_400))
        }
        #expect(
            try await shop.told() == [
                "SUBSCRIBED/INITIAL_BUY", "SUBSCRIBED/INITIAL_BUY", "RENEWAL_EXTENDED",
                "RENEWAL_EXTENDED", "RENEWAL_EXTENSION/SUMMARY",
            ])
    }

    @Test(arguments: StoreDriver.all)
    func `nothing is made longer while the clock can't be believed`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let bought = try await shop.buy()
        let app = shop.shop.app.id
        func work(_ name: String) -> MassExtension {
            MassExtension(
                app: app, environment: .sandbox, request: name, product: SubscriberShop.monthly,
                days: 2, reason: .outage, storefronts: nil, date: shop.clock.now())
        }
        #expect(try await shop.extensions.begin(work("before")))
        let doubting = ExtensionService(
            database: shop.database, clock: shop.clock, believed: { nil })
        await #expect(throws: ClockNotTrusted.self) {
            _ = try await doubting.extend(
                bought.id, in: app, .sandbox,
                ExtensionService.Request(days: 1, reason: .outage, identifier: "one"))
        }
        await #expect(throws: ClockNotTrusted.self) { _ = try await doubting.begin(work("new")) }
        try await doubting.advance()
        #expect(
            try await shop.record(bought.id)?.facts.expiration == bought.facts.expiration)
        // What was asked for before waits.
        try await shop.extensions.advance()
        #expect(
            try await shop.record(bought.id)?.facts.expiration
                == bought.facts.expiration?.addingTimeInterval(2 * 86_400))
    }

    @Test(arguments: StoreDriver.all)
    func `an app has so many requests for many at work, and in a day`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        func begin(_ name: String, _ environment: StoreEnvironment = .sandbox) async throws {
            _ = try await shop.extensions.begin(
                MassExtension(
                    app: shop.shop.app.id, environment: environment, request: name,
                    product: SubscriberShop.monthly, days: 2, reason: .outage, storefronts: nil,
                    date: shop.clock.now()))
        }
        let start = shop.clock.now()
        for number in 0..<ExtensionService.unfinishedLimit { try await begin("\(number)") }
        await #expect(throws: TooManyRequests(end: start.addingTimeInterval(60))) {
            try await begin("more")
        }
        try await begin("0")
        try await begin("more", .production)
        for number in ExtensionService.unfinishedLimit..<ExtensionService.dailyLimit {
            try await shop.extensions.advance()
            try await begin("\(number)")
        }
        try await shop.extensions.advance()
        await #expect(throws: TooManyRequests(end: start.addingTimeInterval(86_400))) {
            try await begin("more")
        }
        try await begin("0")
        shop.clock.advance(by: 86_400)
        try await begin("more")
    }

    @Test(arguments: StoreDriver.all)
    func `a family has what one of it buys, until they part or the money is given back`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver, isShared: true)
        let (ada, grace) = (shop.shop.ada, shop.shop.grace)
        let chapter = try await shop.buy(SeededShop.chapter)
        try await shop.families.add(grace.email, toFamilyOf: ada.email, in: .sandbox)
        let monthly = try await shop.buy(SubscriberShop.monthly, 2)
        let shared = try await shop.history(of: grace)
        try #require(shared.map(\.shared) == [chapter.id, monthly.id])
        #expect(shared.map(\.entry.details.charged.thousandths) == [0, 0])
        #expect(shared.last?.facts.expiration == monthly.facts.expiration)
        try await shop.wait(300)
        let renewed = try #require(try await shop.history(of: grace).last)
        #expect(renewed.reason == .renewal && renewed.entry.original.id == shared[1].id)
        _ = try await shop.purchases.revoke(chapter.id, reason: .other)
        #expect(try await shop.record(shared[0].id)?.facts.revocation?.kind == .family)
        try await shop.families.remove(grace.email, in: .sandbox)
        #expect(try await shop.record(renewed.id)?.facts.revocation?.kind == .family)
        #expect(try await shop.record(monthly.id)?.facts.revocation == nil)
        #expect(try await shop.told().filter { $0 == "REVOKE" }.count >= 2)
        await #expect(throws: FamilyRefusal.notInFamily(grace.email)) {
            try await shop.families.remove(grace.email, in: .sandbox)
        }
    }
}

extension Result {
    /// What is refused; nil for a success.
    var failure: Failure? {
        if case .failure(let failure) = self { return failure }
        return nil
    }
}
