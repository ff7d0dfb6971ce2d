import Foundation
@testable import StoreCore
import StoreModel
import StoreSecurity
import StoreTestSupport
import Testing

/// Codes that give a subscription by an offer: the operator's, and those that the API makes.
@Suite(.usesDrivers) struct OfferCodeTests {
    /// Redeems codes as Ada's device does.
    private struct Redemption {
        let shop: SubscriberShop
        let offers: OfferService
        let catalog: AppCatalog

        init(_ shop: SubscriberShop, _ offers: OfferService) async throws {
            (self.shop, self.offers) = (shop, offers)
            catalog = try #require(
                try await CatalogService(database: shop.database)
                    .catalog(of: shop.shop.app.bundleID))
        }

        func callAsFunction(
            _ code: String, _ number: Int, by account: Account? = nil, quoted: Bool = true
        ) async throws -> Result<PurchaseService.Sale, OfferCodeRefusal> {
            let app = shop.shop.app
            let account = account ?? shop.shop.ada
            let profile = ProfileClaim(
                bundleID: app.bundleID,
                applicationIdentifier: ApplicationIdentifier(app.bundleID),
                environment: .sandbox, allowsInAppPurchase: true, generation: 1)
            let quote = try? await offers.quote(
                code, by: account, profile: profile, catalog: catalog
            ).get()
            return try await offers.redeem(
                code, key: PurchaseKey("BBBBBBBB-0000-000\(number)")!, by: account,
                profile: profile, catalog: catalog, device: "device",
                agreed: quoted ? quote?.charge.offer : nil)
        }
    }

    /// A code for many customers, and a batch of codes for one each, as the API makes them.
    @Test(arguments: StoreDriver.all)
    func `codes that the API made give their offer`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver)
        let app = shop.shop.app.id
        func resource(
            _ kind: KeptKind, _ number: Int, _ owner: KeptOwner, _ attributes: [String: KeptValue],
            _ links: [String: [String]] = [:]
        ) -> KeptResource {
            KeptResource(
                id: SubscriptionFixture.id(number), kind: kind, app: app, owner: owner,
                attributes: attributes.merging(["expirationDate": .text("2031-01-31")]) { $1 },
                links: links, created: SeededShop.date)
        }
        let product = try #require(
            try await shop.database.read {
                try $0.catalog.product(SubscriberShop.monthly, in: app)?.number
            })
        let offer = resource(
            .subscriptionOfferCodes, 1, .product(product),
            [
                "name": .text("spring"), "offerMode": .text("FREE_TRIAL"),
                "duration": .text("ONE_MONTH"),
                "customerEligibilities": .texts(["NEW", "EXISTING", "EXPIRED"]),
                "offerEligibility": .text("STACK_WITH_INTRO_OFFERS"),
            ])
        let chosen = resource(
            .subscriptionOfferCodeCustomCodes, 2, .kept(offer.id),
            ["customCode": .text("Go1"), "numberOfCodes": .number(1)])
        let batch = resource(
            .subscriptionOfferCodeOneTimeUseCodes, 3, .kept(offer.id),
            ["numberOfCodes": .number(1100)], [KeptResource.codeSecret: ["secret"]])
        let others = resource(
            .subscriptionOfferCodeOneTimeUseCodes, 4, .kept(offer.id),
            ["numberOfCodes": .number(9), "environment": .text("PRODUCTION")],
            [KeptResource.codeSecret: ["other"]])
        try await shop.database.write { repositories in
            for resource in [offer, chosen, batch, others] {
                try repositories.kept.insert(resource)
            }
        }
        let offered = try await shop.database.read {
            try $0.catalog.product(SubscriberShop.monthly, in: app, .all)
        }
        #expect(
            offered?.offers(in: .unitedStates, at: shop.clock.now()).map(\.isStackable) == [true])
        let codes = OneTimeUseCodes.tested
        func list(_ batch: KeptResource) -> [String] {
            String(decoding: codes.list(of: batch), as: UTF8.self).split(separator: "\n")
                .map(String.init)
        }
        let all = list(batch)
        #expect(Set(all).count == 1100 && all.allSatisfy { $0.utf8.count == 18 })
        let offers = OfferService(
            database: shop.database, clock: shop.clock, oneTimeCodes: codes)
        let redeem = try await Redemption(shop, offers)
        // One more than the batch has, and one of which a letter is another.
        var larger = batch
        larger.attributes["numberOfCodes"] = KeptValue.number(1101)
        let more = list(larger).last
        let wrong = String(all[7].dropLast()) + (all[7].hasSuffix("A") ? "B" : "A")
        let elsewhere = try #require(list(others).first)
        for (number, code) in [
            try #require(more), wrong, elsewhere, "AAA", "go2", "", "é",
        ].enumerated() {
            #expect(try await redeem(code, 10 + number).failure == .unknown, "\(code)")
        }
        let last = try #require(all.last)
        let sold = try await redeem("\(last.prefix(9))-\(last.suffix(9).lowercased())", 1).get()
        #expect(sold.record.offer?.kind == .code && sold.record.offer?.identifier == "spring")
        #expect(try await redeem(last, 1).get().entry.id == sold.entry.id)
        #expect(try await redeem(last, 2, by: shop.shop.grace).failure == .usedUp)
        #expect(try await redeem("go1", 3).failure == .usedBefore)
        #expect(try await redeem("go1", 4, by: shop.shop.grace).failure == nil)
        // Nobody redeems one that the publisher has made inactive.
        try await shop.database.write { repositories in
            var inactive = chosen
            inactive.attributes["active"] = KeptValue.flag(false)
            try repositories.kept.update(inactive)
        }
        #expect(try await redeem("GO-1", 5, by: shop.shop.ada).failure == .ended)
        shop.clock.advance(by: 10 * 366 * 86_400)
        #expect(try await redeem(all[0], 6, by: shop.shop.ada).failure == .ended)
    }

    @Test(arguments: StoreDriver.all)
    func `a code gives its offer to whom it is for`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(
            driver,
            offers: [
                SubscriptionOfferTests.offer(.code, "spring", customers: [.new]),
                SubscriptionOfferTests.offer(.code, "autumn", .freeTrial, customers: [.expired]),
            ])
        let app = shop.shop.app
        let offers = OfferService(database: shop.database, clock: shop.clock, oneTimeCodes: .tested)
        let end = shop.clock.now().addingTimeInterval(86_400)
        try await offers.add(
            [
                ("SPRING2026", "spring"), ("SPRINGTWO", "spring"), ("AUTUMN2026", "autumn"),
                ("NOTHING2026", "gone"),
            ].map {
                OfferCode(
                    code: $0.0, app: app.id, productID: SubscriberShop.monthly, uses: 10, end: end,
                    offer: $0.1)
            })
        let redeem = try await Redemption(shop, offers)
        #expect(try await redeem("NOTHING2026", 1).failure == .offer(.unknown))
        #expect(try await redeem("AUTUMN2026", 2).failure == .offer(.ineligible))
        // Nobody is charged what they were not told.
        #expect(
            try await redeem("SPRING2026", 6, quoted: false).failure
                == .notAgreed(price: Money(thousandths: 990, currency: "USD")))
        try await shop.setPayments(.next)
        #expect(try await redeem("SPRING2026", 7).failure == .paymentDeclined)
        // A device that has heard no answer asks again.
        #expect(try await redeem("SPRING2026", 7).failure == .paymentDeclined)
        let sold = try await redeem("SPRING2026", 3).get()
        #expect(try await redeem("SPRING2026", 3).get().entry.id == sold.entry.id)
        #expect(try await redeem("SPRINGTWO", 8).failure == .usedBefore)
        #expect(sold.record.offer?.identifier == "spring")
        #expect(sold.entry.details.charged.thousandths == 490)
        #expect(try await redeem("SPRING2026", 4).failure == .usedBefore)
        #expect(try await redeem("AUTUMN2026", 5).failure == .offer(.ineligible))
    }
}

extension OneTimeUseCodes {
    static let tested = OneTimeUseCodes(digest: SHA256Digest.of)
}
