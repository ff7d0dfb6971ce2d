import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// Offers of subscriptions: who gets which, what it charges, and what follows it.
@Suite(.usesDrivers) struct SubscriptionOfferTests {
    static func offer(
        _ kind: SubscriptionOffer.Kind, _ name: String? = nil,
        _ mode: SubscriptionOffer.PaymentMode = .payAsYouGo, periods: Int = 1,
        length: Int = 1, price: Int64 = 490, customers: [SubscriptionOffer.Customer]? = nil,
        isStackable: Bool? = nil
    ) -> SubscriptionOffer {
        SubscriptionOffer(
            kind: kind, identifier: name, paymentMode: mode,
            period: SubscriptionPeriod(unit: .month, count: length), periodCount: periods,
            thousandths: mode == .freeTrial ? 0 : price, territory: "USA", customers: customers,
            isStackable: isStackable)
    }

    private static let trial = offer(.introductory, nil, .freeTrial)
    private static let given = OfferClaim(identifier: "back", permission: .given)

    private func charges(_ shop: SubscriberShop) async throws -> [Int64] {
        try await shop.history().map(\.entry.details.charged.thousandths)
    }

    // MARK: Introductory

    @Test(arguments: StoreDriver.all)
    func `a free trial charges nothing, and the price when it ends`(driver: StoreDriver)
        async throws
    {
        let shop = try await SubscriberShop(driver, offers: [Self.trial])
        #expect(try await shop.charge() == .success(.offer(Self.priced(Self.trial))))
        let first = try await shop.buy(quoted: true)
        #expect(first.offer == AppliedOffer(Self.trial))
        #expect(first.entry.details.charged.thousandths == 0)
        #expect(first.facts.expiration == shop.clock.now().addingTimeInterval(300))
        let before = try #require(try await shop.information())
        #expect(before.renewalPrice?.thousandths == 990 && before.offer == nil)
        try await shop.wait(300)
        #expect(try await charges(shop) == [0, 990])
        #expect(try await shop.history().last?.offer == nil)
        #expect(try await shop.told() == ["SUBSCRIBED/INITIAL_BUY", "DID_RENEW"])
    }

    @Test(arguments: StoreDriver.all)
    func `an offer that is paid as one goes holds for each of its periods`(driver: StoreDriver)
        async throws
    {
        let offer = Self.offer(.introductory, periods: 3)
        let shop = try await SubscriberShop(driver, offers: [offer])
        try await shop.buy(quoted: true)
        let next = try #require(try await shop.information())
        #expect(next.renewalPrice?.thousandths == 490)
        #expect(next.offer == AppliedOffer(offer, number: 2))
        for _ in 1...4 { try await shop.wait(300) }
        #expect(try await charges(shop) == [490, 490, 490, 990, 990])
        #expect(try await shop.history().map(\.offer?.number) == [1, 2, 3, nil, nil])
    }

    @Test(arguments: StoreDriver.all)
    func `an offer that is paid up front lasts as long as it says`(driver: StoreDriver)
        async throws
    {
        let offer = Self.offer(.introductory, nil, .payUpFront, length: 6, price: 2990)
        let shop = try await SubscriberShop(driver, offers: [offer])
        let first = try await shop.buy(quoted: true)
        #expect(first.facts.expiration == shop.clock.now().addingTimeInterval(6 * 300))
        try await shop.wait(5 * 300)
        #expect(try await charges(shop) == [2990])
        try await shop.wait(300)
        #expect(try await charges(shop) == [2990, 990])
    }

    @Test(arguments: StoreDriver.all)
    func `an account has an introductory offer once in a group, until its history is cleared`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver, offers: [Self.trial])
        let first = try await shop.buy(quoted: true)
        // Who subscribes goes on.
        #expect(try await shop.charge() == .success(.running))
        try await shop.management.setRenews(false, of: first.id, by: shop.shop.ada.id)
        try await shop.wait(300)
        #expect(try await shop.charge() == .success(.now))
        #expect(
            try await shop.charge(by: shop.shop.grace) == .success(.offer(Self.priced(Self.trial))))
        let again = try await shop.buy(SubscriberShop.monthly, 2)
        #expect(again.offer == nil && again.entry.details.charged.thousandths == 990)
        let (ada, now) = (shop.shop.ada.id, shop.clock.now())
        try await shop.database.write { try $0.testers.recordClearing(of: ada, at: now) }
        #expect(try await shop.charge() == .success(.offer(Self.priced(Self.trial))))
    }

    @Test(arguments: StoreDriver.all)
    func
        `who was told of an offer that is gone is asked again, and who was told the price pays less`(
            driver: StoreDriver
        ) async throws
    {
        let shop = try await SubscriberShop(driver, offers: [])
        let price = Money(thousandths: 990, currency: "USD")
        #expect(
            Self.refusal(try await shop.order(agreed: Self.priced(Self.trial)))
                == .priceChanged(current: price))
        // The key has had its answer.
        #expect(Self.refusal(try await shop.order()) == .priceChanged(current: price))
        #expect(try await shop.history().isEmpty)
        let cheaper = try await SubscriberShop(driver, offers: [Self.offer(.introductory)])
        #expect(try await cheaper.buy().entry.details.charged.thousandths == 490)
        // From a framework that knows no offers: nobody pays more than they were told.
        let dearer = try await SubscriberShop(
            driver, offers: [Self.offer(.introductory, nil, .payUpFront, length: 6, price: 2990)])
        let sold = try await dearer.buy()
        #expect(sold.offer == nil && sold.entry.details.charged.thousandths == 990)
    }

    @Test(arguments: StoreDriver.all)
    func `the publisher's server may refuse an introductory offer, and grant a second one`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver, offers: [Self.trial])
        let signed = OfferClaim.Permission.signed(nonce: UUID(), date: shop.clock.now())
        let no = OfferClaim(permission: signed, allowsIntroductory: false)
        #expect(try await shop.charge(SubscriberShop.monthly, no) == .success(.now))
        let first = try await shop.buy(quoted: true)
        try await shop.management.setRenews(false, of: first.id, by: shop.shop.ada.id)
        try await shop.wait(300)
        let yes = OfferClaim(permission: signed, allowsIntroductory: true)
        let again = try await shop.buy(SubscriberShop.monthly, 2, yes, quoted: true)
        #expect(again.offer?.kind == .introductory)
        let forged = OfferClaim(permission: .wrong, allowsIntroductory: true)
        #expect(
            Self.refusal(try await shop.order(SubscriberShop.monthly, 3, forged))
                == .offer("introductory", .signatureInvalid))
    }

    // MARK: Promotional

    @Test(arguments: StoreDriver.all)
    func `a promotional offer needs a signature of today, good once, and a customer who is not new`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver, offers: [Self.offer(.promotional, "back")])
        let now = shop.clock.now()
        func claim(
            _ permission: OfferClaim.Permission, _ name: String = "back"
        ) -> OfferClaim {
            OfferClaim(identifier: name, permission: permission)
        }
        let nonce = UUID()
        let good = claim(.signed(nonce: nonce, date: now))
        #expect(
            Self.refusal(try await shop.order(SubscriberShop.monthly, 1, good))
                == .offer("back", .ineligible))
        let first = try await shop.buy(SubscriberShop.monthly, 2)
        try await shop.management.setRenews(false, of: first.id, by: shop.shop.ada.id)
        try await shop.wait(300)
        let refused: [(OfferClaim, OfferRefusal)] = [
            (claim(.none), .signatureMissing), (claim(.wrong), .signatureInvalid),
            (claim(.given, "other"), .unknown),
            (
                claim(.signed(nonce: UUID(), date: now.addingTimeInterval(-86_102))),
                .signatureInvalid
            ),
            (claim(.signed(nonce: UUID(), date: now.addingTimeInterval(700))), .signatureInvalid),
        ]
        for (index, (claim, why)) in refused.enumerated() {
            #expect(
                Self.refusal(
                    try await shop.order(SubscriberShop.monthly, 10 + index, claim, quoted: true))
                    == .offer(claim.identifier ?? "", why))
        }
        // Also where the payment is declined, the signature is used.
        try await shop.setPayments(.next)
        #expect(
            Self.refusal(try await shop.order(SubscriberShop.monthly, 20, good, quoted: true))
                == .paymentDeclined)
        #expect(
            Self.refusal(try await shop.order(SubscriberShop.monthly, 21, good, quoted: true))
                == .offer("back", .signatureInvalid))
        let fresh = claim(.signed(nonce: UUID(), date: shop.clock.now()))
        let sold = try await shop.buy(SubscriberShop.monthly, 22, fresh, quoted: true)
        #expect(sold.offer == AppliedOffer(Self.offer(.promotional, "back")))
        // The same order again is the same sale.
        #expect(try await shop.buy(SubscriberShop.monthly, 22, fresh, quoted: true).id == sold.id)
        #expect(try await shop.told().last == "SUBSCRIBED/RESUBSCRIBE")
    }

    @Test(arguments: StoreDriver.all)
    func `who subscribes goes on with the offer when the period ends`(driver: StoreDriver)
        async throws
    {
        let offer = Self.offer(.promotional, "back", periods: 2)
        let shop = try await SubscriberShop(driver, offers: [offer])
        try await shop.buy()
        let end = try #require(try await shop.subscription()).expiration
        #expect(
            try await shop.charge(SubscriberShop.monthly, Self.given)
                == .success(.accepted(Self.priced(offer), start: end)))
        // Nobody accepts an offer that they were not told of, or another one.
        for other in [nil, Self.offer(.promotional, "back", periods: 3)] {
            #expect(
                Self.refusal(
                    try await shop.order(
                        SubscriberShop.monthly, other == nil ? 7 : 8, Self.given, agreed: other))
                    == .priceChanged(current: Money(thousandths: 990, currency: "USD")))
        }
        let accepted = try await shop.buy(SubscriberShop.monthly, 2, Self.given, quoted: true)
        #expect(accepted.entry.details.charged.thousandths == 0 && accepted.offer == nil)
        let next = try #require(try await shop.information())
        #expect(next.renewalPrice?.thousandths == 490 && next.offer == AppliedOffer(offer))
        #expect(try await shop.told() == ["SUBSCRIBED/INITIAL_BUY", "OFFER_REDEEMED"])
        for _ in 1...3 { try await shop.wait(300) }
        #expect(try await charges(shop) == [990, 490, 490, 990])
    }

    @Test(arguments: StoreDriver.all)
    func `an upgrade by an offer begins at once and ends the offer from before`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(
            driver,
            offers: [Self.offer(.introductory, periods: 3), Self.offer(.promotional, "back")])
        try await shop.buy(quoted: true)
        try await shop.buy(SubscriberShop.premium, 2)
        try await shop.wait(300)
        #expect(try await charges(shop) == [490, 1990, 1990])
        // Down again by an offer: with the next period.
        let down = try await shop.buy(SubscriberShop.monthly, 3, Self.given, quoted: true)
        #expect(down.offer == nil)
        #expect(try await shop.told().last == "OFFER_REDEEMED/DOWNGRADE")
        try await shop.wait(300)
        #expect(try await charges(shop) == [490, 1990, 1990, 490])
    }

    // MARK: Win-back

    @Test(arguments: StoreDriver.all)
    func `a win-back offer is for who has cancelled, and is named to apps`(driver: StoreDriver)
        async throws
    {
        let shop = try await SubscriberShop(driver, offers: [Self.offer(.winBack, "back")])
        let claim = OfferClaim(identifier: "back")
        #expect(
            Self.refusal(try await shop.order(SubscriberShop.monthly, 1, claim, quoted: true))
                == .offer("back", .ineligible))
        let first = try await shop.buy(SubscriberShop.monthly, 2)
        #expect(
            Self.refusal(try await shop.order(SubscriberShop.monthly, 3, claim, quoted: true))
                == .offer("back", .ineligible))
        try await shop.management.setRenews(false, of: first.id, by: shop.shop.ada.id)
        try await shop.wait(300)
        #expect(try await shop.information()?.winBackOffers == ["back"])
        let back = try await shop.buy(SubscriberShop.monthly, 4, claim, quoted: true)
        #expect(back.offer?.kind == .winBack)
        #expect(try await shop.information()?.winBackOffers == nil)
    }

    @Test(arguments: StoreDriver.all)
    func `a payment that failed is made again at the price of its offer`(driver: StoreDriver)
        async throws
    {
        let shop = try await SubscriberShop(driver, offers: [Self.offer(.introductory, periods: 3)])
        try await shop.buy(quoted: true)
        try await shop.setPayments(.all)
        try await shop.wait(300)
        try await shop.setPayments(.none)
        let recovered = try await shop.buy(SubscriberShop.monthly, 2)
        #expect(recovered.offer?.number == 2)
        #expect(recovered.entry.details.charged.thousandths == 490)
        #expect(try await shop.told().last == "DID_RENEW/BILLING_RECOVERY")
        let (ada, information) = (shop.shop.ada.id, try await shop.information())
        #expect(information?.offer?.number == 3)
        try await shop.management.setRenews(
            false, of: recovered.entry.original.id, by: ada)
        // What does not go on is charged by no offer.
        let cancelled = try #require(try await shop.information())
        #expect(cancelled.offer == nil && cancelled.renewalPrice?.thousandths == 990)
    }

    // MARK: Upgrades

    @Test(arguments: StoreDriver.all)
    func `who upgrades is told that the rest of what was paid comes back`(driver: StoreDriver)
        async throws
    {
        let back = Self.offer(.promotional, "back", periods: 2)
        let shop = try await SubscriberShop(driver, offers: [Self.trial, back])
        try await shop.buy(quoted: true)
        // For a free trial there is nothing to pay back.
        #expect(try await shop.charge(SubscriberShop.premium) == .success(.now))
        try await shop.wait(300)
        #expect(try await shop.charge(SubscriberShop.premium) == .success(.upgrade(nil)))
        try await shop.buy(SubscriberShop.premium, 2, quoted: true)
        #expect(try await charges(shop) == [0, 990, 1990])
    }

    // MARK: Ask to Buy

    @Test(arguments: StoreDriver.all)
    func `what is asked for with an offer is sold with it when it is approved`(driver: StoreDriver)
        async throws
    {
        let shop = try await SubscriberShop(driver, offers: [Self.trial])
        let ada = shop.shop.ada.id
        try await shop.database.write { repositories in
            var settings = try repositories.accounts.settings(of: ada)
            settings.asksToBuy = true
            try repositories.accounts.set(settings, of: ada)
        }
        for number in 1...2 {
            guard
                case .success(.deferred) = try await shop.order(
                    SubscriberShop.monthly, number, quoted: true)
            else { throw Unexpected() }
        }
        let pending = PendingPurchaseService(database: shop.database, clock: shop.clock)
        let waiting = try await pending.waiting()
        try #require(waiting.count == 2)
        #expect(waiting[0].offer == Self.priced(Self.trial))
        #expect(waiting[0].order.charged.thousandths == 0)
        let entry = try await pending.approve(waiting[0].id)
        #expect(try await shop.record(entry.id)?.offer == AppliedOffer(Self.trial))
        // The second one was promised a trial that the customer has had by now.
        await #expect(throws: PendingPurchaseRefusal.offerOver(SubscriberShop.monthly)) {
            try await pending.approve(waiting[1].id)
        }
    }

    private struct Unexpected: Error {}

    static func priced(_ offer: SubscriptionOffer) -> SubscriptionOffer {
        var offer = offer
        offer.territory = nil
        return offer
    }

    private static func refusal(
        _ result: Result<PurchaseService.Outcome, PurchaseRefusal>
    ) -> PurchaseRefusal? {
        if case .failure(let refusal) = result { refusal } else { nil }
    }
}
