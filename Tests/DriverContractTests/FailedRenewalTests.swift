import Foundation
import StoreCore
import StoreModel
import Testing

/// Renewals whose payment failed, while the customer had chosen another product to go on with.
@Suite(.usesDrivers) struct FailedRenewalTests {
    /// Buys the better product, chooses the lesser one, and lets the payment of its first period fail.
    private func failed(
        _ driver: StoreDriver, grace: String? = nil, offer: SubscriptionOffer? = nil
    ) async throws -> (shop: SubscriberShop, first: TransactionRecord) {
        let shop = try await SubscriberShop(driver, offers: offer.map { [$0] } ?? [])
        if let grace { try await shop.giveGrace(grace) }
        let first = try await shop.buy(SubscriberShop.premium)
        let claim = OfferClaim(
            identifier: offer?.identifier, permission: offer == nil ? .none : .given)
        _ = try await shop.order(SubscriberShop.monthly, 2, claim, quoted: true).get()
        try await shop.setPayments(.all)
        try await shop.wait(SubscriberShop.month)
        try await shop.setPayments(.none)
        return (shop, first)
    }

    @Test(arguments: StoreDriver.all)
    func `who pays for it in the app gets the offer that they had accepted`(driver: StoreDriver)
        async throws
    {
        let offer = SubscriptionOfferTests.offer(.promotional, "less", periods: 3)
        let (shop, _) = try await failed(driver, offer: offer)
        #expect(try await shop.subscription()?.state == .retry)
        let paid = try await shop.buy(SubscriberShop.monthly, 3)
        #expect(paid.entry.details.charged.thousandths == offer.thousandths)
        #expect(paid.offer?.identifier == "less" && paid.reason == .renewal)
        #expect(try await shop.told().last == "DID_RENEW/BILLING_RECOVERY")
        try await shop.wait(SubscriberShop.month)
        let next = try #require(try await shop.history().last)
        #expect(next.offer?.identifier == "less" && next.reason == .renewal)
    }

    @Test(arguments: StoreDriver.all)
    func `what is paid in grace begins with the end of the old product's period`(
        driver: StoreDriver
    ) async throws {
        let (shop, first) = try await failed(driver, grace: "SIXTEEN_DAYS")
        #expect(try await shop.subscription()?.state == .grace)
        shop.clock.advance(by: 60)
        let paid = try await shop.buy(SubscriberShop.monthly, 3)
        #expect(paid.entry.details.date == first.facts.expiration)
        #expect(try await shop.told().last == "DID_RENEW/BILLING_RECOVERY")
    }

    @Test(arguments: StoreDriver.all)
    func `what is chosen meanwhile begins with the next period, and is told as that`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.giveGrace("SIXTEEN_DAYS")
        let first = try await shop.buy()
        try await shop.setPayments(.all)
        try await shop.wait(SubscriberShop.month)
        for (product, subtype) in [
            (SubscriberShop.premium, "/DOWNGRADE"), (SubscriberShop.monthly, ""),
            (SubscriberShop.yearly, "/DOWNGRADE"),
        ] {
            _ = try await shop.management.setRenewalProduct(
                product, of: first.id, by: shop.shop.ada.id)
            #expect(try await shop.told().last == "DID_CHANGE_RENEWAL_PREF" + subtype)
        }
    }
}
