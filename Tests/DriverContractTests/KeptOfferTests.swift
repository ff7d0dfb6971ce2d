import Foundation
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreCore

/// Offers of subscriptions and their codes: who makes them, when they apply and what they cost.
@Suite(.usesDrivers) struct KeptOfferTests {
    @Test func `new prices of an offer are checked as those of a new one`() async throws {
        for driver in StoreDriver.one {
            let fixture = try await SubscriptionFixture(driver)
            let actor = fixture.shop.actor()
            let number = try await fixture.subscription().number
            _ = try await fixture.subscriptions.setPrice(
                SubscriptionPrice(product: number, territory: "USA", tier: "4", start: nil),
                by: actor)
            func price(_ id: Int, _ tier: String) -> KeptDraft {
                KeptDraft(
                    kind: .subscriptionPromotionalOfferPrices, id: SubscriptionFixture.id(id),
                    attributes: [:],
                    links: [
                        "territory": ["USA"], "subscriptionPricePoint": ["x"],
                        KeptResource.tier: [tier],
                    ])
            }
            let offer = try await fixture.kept.add(
                KeptDraft(
                    kind: .subscriptionPromotionalOffers, id: SubscriptionFixture.id(2),
                    attributes: [
                        "name": .text("Back"), "offerCode": .text("back"),
                        "offerMode": .text("PAY_AS_YOU_GO"), "duration": .text("ONE_MONTH"),
                    ], prices: [price(3, "2")]), to: number.description, by: actor)
            for (prices, rule) in [([], "offerPrice"), ([price(4, "4")], "offerNotLower")] {
                #expect(
                    try await refusingRule {
                        _ = try await fixture.kept.change(
                            offer.kind, offer.id, [:], prices: prices, by: actor)
                    } == rule)
            }
            _ = try await fixture.kept.change(
                offer.kind, offer.id, [:], prices: [price(5, "3")], by: actor)
        }
    }

    @Test func `introductory offers of one territory follow one another`() async throws {
        for driver in StoreDriver.one {
            let fixture = try await SubscriptionFixture(driver)
            let number = try await fixture.subscription().number
            var id = 1
            func rule(_ territory: String?, _ start: String?, _ end: String?) async throws -> String
            {
                id += 1
                var attributes: [String: KeptValue] = [
                    "offerMode": .text("FREE_TRIAL"), "duration": .text("ONE_WEEK"),
                ]
                attributes["startDate"] = start.map { .text($0) }
                attributes["endDate"] = end.map { .text($0) }
                let draft = KeptDraft(
                    kind: .subscriptionIntroductoryOffers, id: SubscriptionFixture.id(id),
                    attributes: attributes,
                    links: territory.map { ["territory": [$0]] } ?? [:])
                return try await refusingRule {
                    _ = try await fixture.kept.add(
                        draft, to: number.description, by: fixture.shop.actor())
                }
            }
            let isTaken = "nothing is refused"
            #expect(try await rule("JPN", nil, "2027-03-01") == isTaken)
            #expect(try await rule("JPN", "2027-03-01", nil) == "offersOverlap")
            #expect(try await rule("JPN", "2027-03-02", "2027-03-02") == isTaken)
            #expect(try await rule("JPN", "2027-01-01", nil) == "offersOverlap")
            #expect(try await rule(nil, "2027-01-01", nil) == isTaken)
            #expect(try await rule("DEU", "2027-01-01", nil) == isTaken)
            let last = SubscriptionFixture.id(4)
            #expect(
                try await refusingRule {
                    _ = try await fixture.kept.change(
                        .subscriptionIntroductoryOffers, last, ["startDate": .text("2027-02-01")],
                        by: fixture.shop.actor())
                } == "offersOverlap")
        }
    }

    @Test(arguments: StoreDriver.all)
    func `who sets no prices makes no offers and no codes`(driver: StoreDriver) async throws {
        let fixture = try await SubscriptionFixture(driver)
        let number = try await fixture.subscription().number
        let offer = try await fixture.kept.add(
            KeptDraft(
                kind: .subscriptionOfferCodes, id: SubscriptionFixture.id(2),
                attributes: ["name": .text("Spring")]), to: number.description,
            by: fixture.shop.actor())
        let marketing = fixture.shop.actor(.marketing)
        let before = try await fixture.picture()
        let drafts: [(KeptKind, String)] = [
            (.subscriptionIntroductoryOffers, number.description),
            (.subscriptionPromotionalOffers, number.description),
            (.subscriptionOfferCodes, number.description),
            (.subscriptionOfferCodeCustomCodes, offer.id),
            (.subscriptionOfferCodeOneTimeUseCodes, offer.id),
        ]
        for (kind, owner) in drafts {
            let draft = KeptDraft(
                kind: kind, id: SubscriptionFixture.id(9), attributes: ["name": .text("Mine")])
            #expect(
                try await refusingRule {
                    _ = try await fixture.kept.add(draft, to: owner, by: marketing)
                } == "role", "\(kind)")
        }
        #expect(
            try await refusingRule {
                _ = try await fixture.kept.change(
                    offer.kind, offer.id, ["name": .text("Mine")], by: marketing)
            } == "role")
        #expect(
            try await refusingRule {
                try await fixture.kept.delete(offer.kind, [offer.id], by: marketing)
            } == "role")
        #expect(try await fixture.picture() == before)
        _ = try await fixture.kept.add(
            KeptDraft(
                kind: .subscriptionGroupLocalizations, id: SubscriptionFixture.id(3),
                attributes: ["locale": .text("en-US"), "name": .text("Reading")]),
            to: fixture.group.id, by: marketing)
    }

    @Test(arguments: StoreDriver.all)
    func `a code of a deleted subscription is not given again, and nobody is told to change it`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await SubscriptionFixture(driver)
        let actor = fixture.shop.actor()
        func offer(_ id: Int, of product: ProductNumber) async throws -> String {
            try await fixture.kept.add(
                KeptDraft(
                    kind: .subscriptionOfferCodes, id: SubscriptionFixture.id(id),
                    attributes: ["name": .text("Spring")]), to: product.description, by: actor
            ).id
        }
        func code(_ id: Int, of offer: String, until day: String) -> KeptDraft {
            KeptDraft(
                kind: .subscriptionOfferCodeCustomCodes, id: SubscriptionFixture.id(id),
                attributes: [
                    "customCode": .text("SPRING"), "numberOfCodes": .number(10),
                    "expirationDate": .text(day),
                ])
        }
        let number = try await fixture.subscription().number
        let other = try await fixture.subscription("com.example.other", level: 2, name: "Other")
        let (first, second) = (
            try await offer(2, of: number), try await offer(3, of: other.number)
        )
        #expect(
            try await refusingRule {
                _ = try await fixture.kept.add(
                    code(4, of: first, until: "2020-01-01"), to: first, by: actor)
            } == "codeExpired")
        _ = try await fixture.kept.add(
            code(5, of: first, until: "2030-01-01"), to: first, by: actor)
        try await fixture.shop.products.delete(number, by: actor)
        let refusal = await #expect(throws: ConnectRefusal.self) {
            _ = try await fixture.kept.add(
                code(6, of: second, until: "2030-01-01"), to: second, by: actor)
        }
        #expect(refusal?.problem.contains("was deleted") == true)
    }

    @Test(arguments: StoreDriver.all)
    func `an offer after which nothing renews is refused, and one from before can be ended`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await SubscriptionFixture(driver)
        let actor = fixture.shop.actor()
        let number = try await fixture.subscription().number
        func add(renews: Bool, _ id: Int) async throws -> KeptResource {
            try await fixture.kept.add(
                KeptDraft(
                    kind: .subscriptionOfferCodes, id: SubscriptionFixture.id(id),
                    attributes: [
                        "name": .text("Spring"), "active": .flag(true),
                        "autoRenewEnabled": .flag(renews),
                    ]), to: number.description, by: actor)
        }
        #expect(
            try await refusingRule { _ = try await add(renews: false, 2) } == "offerRenews")
        // An earlier version of the store has kept it.
        var offer = try await add(renews: true, 3)
        offer.attributes["autoRenewEnabled"] = .flag(false)
        let earlier = offer
        try await fixture.shop.database.write { try $0.kept.update(earlier) }
        let ended = try await fixture.kept.change(
            .subscriptionOfferCodes, offer.id, ["active": .flag(false)], by: actor)
        #expect(ended.attributes["active"] == .flag(false))
    }
}
