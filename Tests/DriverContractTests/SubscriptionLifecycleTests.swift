import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// Subscriptions from the first purchase to the end.
@Suite(.usesDrivers) struct SubscriptionLifecycleTests {
    @Test(arguments: StoreDriver.all)
    func `a subscription is bought, renewed with each period, and ends when it is cancelled`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        #expect(first.facts.expiration == shop.clock.now().addingTimeInterval(300))
        #expect(first.group == "1")
        #expect(first.reason == .purchase)
        try await shop.wait(299)
        #expect(try await shop.history().count == 1)
        try await shop.wait(1)
        let history = try await shop.history()
        try #require(history.map(\.reason) == [.purchase, .renewal])
        #expect(history.map(\.entry.original.id) == [first.id, first.id])
        #expect(history.map(\.entry.details.charged.thousandths) == [990, 990])
        #expect(history[1].entry.details.date == first.facts.expiration)
        try await shop.management.setRenews(false, of: first.id, by: shop.shop.ada.id)
        try await shop.wait(300)
        let ended = try #require(try await shop.subscription())
        #expect(ended.state == .expired && ended.intent == .cancelled && ended.due == nil)
        #expect(try await shop.history().count == 2)
        #expect(
            try await shop.told() == [
                "SUBSCRIBED/INITIAL_BUY", "DID_RENEW",
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY",
            ])
        let again = try await shop.buy(SubscriberShop.monthly, 2)
        #expect(again.entry.original.id == first.id)
        #expect(again.entry.details.charged.thousandths == 990)
        #expect(try await shop.told().last == "SUBSCRIBED/RESUBSCRIBE")
    }

    @Test(arguments: StoreDriver.all)
    func `the same order again gives the same period, and one under a new key costs nothing`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        #expect(try await shop.buy().id == first.id)
        let repeated = try await shop.buy(SubscriberShop.monthly, 2)
        #expect(repeated.id != first.id)
        #expect(repeated.entry.details.charged.thousandths == 0)
        #expect(repeated.facts.expiration == first.facts.expiration)
        #expect(!repeated.isPaidPeriod)
        #expect(try await shop.history().map(\.id) == [first.id])
        #expect(try await shop.told() == ["SUBSCRIBED/INITIAL_BUY"])
    }

    @Test(arguments: StoreDriver.all)
    func `a better product begins at once, a lesser one with the next period`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        shop.clock.advance(by: 100)
        let better = try await shop.buy(SubscriberShop.premium, 2)
        #expect(better.entry.details.charged.thousandths == 1990)
        #expect(better.facts.expiration == shop.clock.now().addingTimeInterval(300))
        #expect(try await shop.record(first.id)?.facts.isUpgraded == true)
        let lesser = try await shop.buy(SubscriberShop.monthly, 3)
        #expect(lesser.entry.details.charged.thousandths == 0)
        let waiting = try #require(try await shop.subscription())
        #expect(waiting.product == SubscriberShop.premium)
        #expect(waiting.renewalProduct == SubscriberShop.monthly)
        try await shop.wait(300)
        let renewed = try #require(try await shop.subscription())
        #expect(renewed.product == SubscriberShop.monthly)
        #expect(
            try await shop.history().map(\.entry.details.charged.thousandths).suffix(1) == [990])
        #expect(
            try await shop.told() == [
                "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF/UPGRADE",
                "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", "DID_RENEW",
            ])
        // A change of the history moves a transaction behind those that came later.
        #expect(try await shop.history().map(\.id).first == first.id)
    }

    @Test(arguments: StoreDriver.all)
    func `a payment that fails is tried again, and begins a period when it succeeds`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.buy()
        try await shop.setPayments(.all)
        try await shop.wait(300)
        #expect(try await shop.subscription()?.state == .retry)
        try await shop.wait(30)
        #expect(try await shop.subscription()?.state == .retry)
        try await shop.setPayments(.none)
        try await shop.wait(60)
        let recovered = try #require(try await shop.subscription())
        #expect(recovered.state == .active)
        #expect(recovered.expiration == shop.clock.now().addingTimeInterval(300))
        #expect(
            try await shop.told() == [
                "SUBSCRIBED/INITIAL_BUY", "DID_FAIL_TO_RENEW", "DID_RENEW/BILLING_RECOVERY",
            ])
    }

    @Test(arguments: StoreDriver.all)
    func `a transaction has the token of its own order, and renewals that of the last change`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let tokens = [UUID(), UUID(), UUID(), UUID()]
        let texts = tokens.map { $0.uuidString.lowercased() }
        func known() async throws -> [String?] {
            try await shop.history().map(\.facts.accountToken)
        }
        let first = try await shop.buy(SubscriberShop.premium, token: tokens[0])
        #expect(first.facts.accountToken == texts[0])
        let change = try await shop.buy(SubscriberShop.monthly, 2, token: tokens[1])
        #expect(change.facts.accountToken == texts[1])
        #expect(try await known() == [texts[0]])
        #expect(try await shop.information()?.accountToken == texts[1])
        try await shop.wait(300)
        #expect(try await known() == [texts[0], texts[1]])
        let changes = TransactionChanges(database: shop.database, clock: shop.clock)
        try await changes.setAccountToken(
            tokens[2], of: first.id, in: AppScope(app: shop.shop.app.id, environment: .sandbox))
        #expect(try await known() == [texts[0], texts[2]])
        try await shop.wait(300)
        #expect(try await known() == [texts[0], texts[2], texts[2]])
        // An order without a token goes on with it.
        let better = try await shop.buy(SubscriberShop.premium, 4)
        #expect(better.facts.accountToken == texts[2])
        #expect(try await shop.information()?.accountToken == texts[2])
        try await shop.management.setRenews(false, of: first.id, by: shop.shop.ada.id)
        try await shop.wait(300)
        let again = try await shop.buy(SubscriberShop.monthly, 3, token: tokens[3])
        #expect(again.facts.accountToken == texts[3])
        #expect(try await shop.information()?.accountToken == texts[3])
    }

    @Test(arguments: StoreDriver.all)
    func `a payment that goes on failing ends the subscription after its grace`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.giveGrace("THREE_DAYS")
        try await shop.buy()
        try await shop.setPayments(.all)
        try await shop.wait(300)
        #expect(try await shop.subscription()?.state == .grace)
        try await shop.wait(30)
        #expect(try await shop.subscription()?.state == .retry)
        for _ in 0..<30 { try await shop.wait(30) }
        let ended = try #require(try await shop.subscription())
        #expect(ended.state == .expired && ended.intent == .billingError)
        #expect(
            try await shop.told() == [
                "SUBSCRIBED/INITIAL_BUY", "DID_FAIL_TO_RENEW/GRACE_PERIOD", "GRACE_PERIOD_EXPIRED",
                "EXPIRED/BILLING_RETRY",
            ])
        #expect(try await shop.history().count == 1)
    }

    @Test(arguments: StoreDriver.all)
    func `what is removed from sale is not renewed, and nobody pays for the past`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.buy()
        // The store was off for three periods.
        try await shop.wait(1000)
        let late = try #require(try await shop.history().last)
        #expect(try await shop.history().count == 2)
        #expect(late.entry.details.date == shop.clock.now())
        let app = shop.shop.app.id
        try await shop.database.write {
            try $0.catalog.setState(.removedFromSale, of: SubscriberShop.monthly, in: app)
        }
        try await shop.wait(300)
        #expect(try await shop.subscription()?.intent == .productUnavailable)
        #expect(try await shop.told().last == "EXPIRED/PRODUCT_NOT_FOR_SALE")
    }

    @Test(arguments: StoreDriver.all)
    func `a tester's subscription ends after twelve renewals`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.buy()
        for _ in 0..<20 { try await shop.wait(300) }
        #expect(try await shop.history().count == 13)
        #expect(try await shop.subscription()?.state == .expired)
    }

    @Test(arguments: StoreDriver.all)
    func `two workers renew a period once`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.buy()
        shop.clock.advance(by: 300)
        async let one = shop.renewals.advance()
        async let other = shop.renewals.advance()
        let steps = try await one + other
        #expect(steps == 1)
        #expect(try await shop.history().count == 2)
    }

    @Test(arguments: StoreDriver.all)
    func `clearing a tester's history ends what apps see of the subscription`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        let ada = shop.shop.ada.id
        try await shop.database.write {
            try $0.testers.recordClearing(of: ada, at: shop.clock.now())
        }
        #expect(try await shop.subscription() == nil)
        #expect(try await shop.history().isEmpty)
        try await shop.wait(300)
        #expect(try await shop.history().isEmpty)
        let anew = try await shop.buy(SubscriberShop.monthly, 2)
        #expect(anew.entry.original.id == anew.id && anew.id != first.id)
        #expect(try await shop.history().map(\.id) == [anew.id])
    }

    @Test(arguments: StoreDriver.all)
    func `customers of the production store pay by the calendar`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let record = try await shop.buy(by: shop.shop.customer)
        let calendar = Calendar(identifier: .gregorian)
        #expect(
            record.facts.expiration
                == calendar.date(byAdding: .month, value: 1, to: shop.clock.now()))
        #expect(try await shop.told(in: .production) == ["SUBSCRIBED/INITIAL_BUY"])
        #expect(try await shop.told().isEmpty)
    }
}
