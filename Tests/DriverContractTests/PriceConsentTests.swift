import Foundation
import StoreModel
import Testing

@testable import StoreCore

/// What answers a question about a higher price, and what follows from the answer.
@Suite(.usesDrivers) struct PriceConsentTests {
    @Test(arguments: StoreDriver.all)
    func `who refuses a price is not renewed, and who orders again is`(driver: StoreDriver)
        async throws
    {
        let shop = try await SubscriberShop(driver)
        try await shop.buy()
        let consent = try await shop.ask()
        shop.clock.advance(by: 10)
        try await shop.answer(consent, agreed: false)
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
        try await shop.enterGrace()
        #expect(try await shop.subscription()?.state == .grace)
        let consent = try await shop.ask()
        shop.clock.advance(by: 10)
        try await shop.answer(consent, agreed: false)
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
            try await shop.ask()
            try await shop.setPrice(price)
            try await shop.setPayments(.none)
            let paid = try await shop.buy(SubscriberShop.monthly, 2)
            #expect(paid.entry.details.charged.thousandths == 990)
            let open = try await shop.openConsents()
            #expect(open.isEmpty == isAnswered)
            try await shop.wait(SubscriberShop.month)
            #expect(try await shop.subscription()?.state == (isAnswered ? .active : .expired))
            #expect(try await shop.lastCharge()?.thousandths == price)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `who orders what they have agrees to a price that they have seen, and to no other`(
        driver: StoreDriver
    ) async throws {
        for (price, isAnswered) in [(1490, true), (990, false)] as [(Int64, Bool)] {
            let shop = try await SubscriberShop(driver)
            try await shop.buy()
            try await shop.ask()
            try await shop.setPrice(price)
            shop.clock.advance(by: 10)
            try await shop.buy(SubscriberShop.monthly, 2)
            let open = try await shop.openConsents()
            #expect(open.isEmpty == isAnswered)
            #expect(
                try await shop.told().last
                    == (isAnswered ? "PRICE_INCREASE/ACCEPTED" : "PRICE_INCREASE/PENDING"))
            #expect(
                try await shop.managed().neededAgreement?.thousandths == (isAnswered ? nil : 1490))
            // Nobody is charged more without having seen it.
            try await shop.setPrice(1490)
            try await shop.wait(SubscriberShop.month)
            #expect(try await shop.subscription()?.state == (isAnswered ? .active : .expired))
            #expect(try await shop.lastCharge()?.thousandths == (isAnswered ? 1490 : 990))
        }
    }

    @Test(arguments: StoreDriver.all)
    func `who resumes agrees to the price that they were asked about and the page shows`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        try await shop.ask()
        let ada = shop.shop.ada.id
        try await shop.management.setRenews(false, of: first.id, by: ada)
        shop.clock.advance(by: 10)
        let shown = try await shop.managed()
        #expect(shown.renewalPrice?.thousandths == 990 && shown.neededAgreement == nil)
        #expect(shown.resumingPrice?.thousandths == 1490)
        await #expect(throws: SubscriptionChangeRefusal.priceChanged(shown.resumingPrice!)) {
            try await shop.management.setRenews(
                true, of: first.id, by: ada, expecting: shown.renewalPrice)
        }
        try await shop.management.setRenews(
            true, of: first.id, by: ada, expecting: shown.resumingPrice)
        #expect(try await shop.openConsents().isEmpty)
        #expect(try await shop.information()?.priceIncrease == .agreed)
        #expect(
            try await shop.told().suffix(2) == [
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", "PRICE_INCREASE/ACCEPTED",
            ])
        for (price, charged) in [(990, 990), (15_990, 1490)] as [(Int64, Int64)] {
            try await shop.setPrice(price)
            try await shop.wait(SubscriberShop.month)
            #expect(try await shop.lastCharge()?.thousandths == charged)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `an answer counts that is given after the last choice`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        let consent = try await shop.ask()
        shop.clock.advance(by: 10)
        try await shop.management.setRenews(false, of: first.id, by: shop.shop.ada.id)
        // An order at the old price is a choice, and leaves the question open.
        try await shop.buy(SubscriberShop.monthly, 2)
        shop.clock.advance(by: 10)
        try await shop.answer(consent, agreed: true)
        #expect(try await shop.information()?.priceIncrease == .agreed)
        try await shop.setPrice(15_990)
        #expect(try await shop.renewalPrice() == 1490)
    }

    @Test(arguments: StoreDriver.all)
    func `a question takes the place of the one before it`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.buy()
        try await shop.ask(19_900)
        try await shop.agree(to: 1490)
        #expect(try await shop.openConsents().isEmpty)
        shop.clock.advance(by: 10)
        try await shop.resume()
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.subscription()?.state == .active)
    }

    @Test(arguments: StoreDriver.all)
    func `an order for the lesser product that was chosen already is one for what they have`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy(SubscriberShop.premium)
        try await shop.management.setRenewalProduct(
            SubscriberShop.monthly, of: first.id, by: shop.shop.ada.id)
        shop.clock.advance(by: 10)
        try await shop.ask()
        for (number, price) in [(2, 990), (3, 1490)] as [(Int, Int64)] {
            try await shop.setPrice(price)
            try await shop.buy(SubscriberShop.monthly, number)
            #expect(try await shop.openConsents().isEmpty == (price == 1490))
        }
        #expect(try await shop.told().last == "PRICE_INCREASE/ACCEPTED")
        try await shop.setPrice(15_990)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.lastCharge()?.thousandths == 1490)
    }

    @Test(arguments: StoreDriver.all)
    func `who agrees after a refusal has agreed, and is renewed when they resume`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        try await shop.answer(try await shop.ask(), agreed: false)
        #expect(try await shop.information()?.priceIncrease == .unanswered)
        shop.clock.advance(by: 10)
        try await shop.agree(to: 1290)
        let agreed = try #require(try await shop.information())
        #expect(agreed.priceIncrease == .agreed && !agreed.renews)
        try await shop.management.setRenews(true, of: first.id, by: shop.shop.ada.id)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.told().last == "DID_RENEW")
    }

    @Test(arguments: StoreDriver.all)
    func `a question that was closed is no refusal`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.buy()
        try await shop.ask()
        let (ada, app) = (shop.shop.ada.id, shop.shop.app.id)
        let later = shop.clock.now().addingTimeInterval(60)
        try await shop.database.write {
            try $0.offers.closeConsents(
                about: SubscriberShop.monthly, account: ada, app: app, at: later)
        }
        #expect(try await shop.information()?.priceIncrease == nil)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.told().last == "DID_RENEW")
    }

    @Test(arguments: StoreDriver.all)
    func `who refuses a price in billing retry has ended the subscription`(driver: StoreDriver)
        async throws
    {
        let shop = try await SubscriberShop(driver)
        try await shop.buy()
        try await shop.setPayments(.all)
        try await shop.wait(SubscriberShop.month)
        let consent = try await shop.ask()
        try await shop.answer(consent, agreed: false)
        let ended = try #require(try await shop.subscription())
        #expect(ended.state == .expired && ended.intent == .priceIncreaseRefused)
        #expect(try await shop.told().last == "EXPIRED/PRICE_INCREASE")
    }

    @Test(arguments: StoreDriver.all)
    func `a refusal stays one when the customer cancels too, or the period is extended`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        try await shop.answer(try await shop.ask(), agreed: false)
        try await shop.management.setRenews(false, of: first.id, by: shop.shop.ada.id)
        _ = try await shop.extensions.extend(
            first.id, in: shop.shop.app.id, .sandbox,
            ExtensionService.Request(days: 1, reason: .other, identifier: "extension-1")
        ).get()
        let refused = try #require(try await shop.subscription())
        #expect(refused.intent == .priceIncreaseRefused)
        try await shop.wait(refused.expiration.timeIntervalSince(shop.clock.now()) + 1)
        #expect(try await shop.told().last == "EXPIRED/PRICE_INCREASE")
    }

    @Test(arguments: StoreDriver.all)
    func `a new subscription has nothing to do with what was asked about the one before`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.buy()
        try await shop.ask()
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.subscription()?.state == .expired)
        try await shop.buy(SubscriberShop.monthly, 2)
        #expect(try await shop.openConsents().isEmpty)
        #expect(try await shop.information()?.priceIncrease == nil)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.subscription()?.state == .active)
    }

    @Test(arguments: StoreDriver.all)
    func `who refuses a price is not renewed either after a refund that is reversed`(
        driver: StoreDriver
    ) async throws {
        for (isOrdered, refusesFirst) in [(false, false), (true, false), (false, true)] {
            let shop = try await SubscriberShop(driver)
            let bought = try await shop.buy()
            let consent = try await shop.ask()
            shop.clock.advance(by: 10)
            func revoke() async throws {
                _ = try await shop.purchases.revoke(bought.id, reason: .other)
            }
            if !refusesFirst { try await revoke() }
            try await shop.answer(consent, agreed: false)
            if refusesFirst { try await revoke() }
            try await shop.refunds.reverse(bought.id)
            let again = try #require(try await shop.subscription())
            #expect(again.state == .active && !again.renews)
            #expect(again.intent == .priceIncreaseRefused)
            if isOrdered { try await shop.buy(SubscriberShop.monthly, 3) }
            try await shop.wait(SubscriberShop.month)
            #expect(try await shop.subscription()?.state == (isOrdered ? .active : .expired))
        }
    }
}
