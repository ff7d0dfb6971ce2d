import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// Grace periods, groups and offers, which the store keeps beside subscriptions, over every driver.
@Suite(.usesDrivers) struct KeptServiceTests {
    @Test(arguments: StoreDriver.all)
    func `what is kept goes with what it belongs to`(driver: StoreDriver) async throws {
        let fixture = try await SubscriptionFixture(driver)
        let actor = fixture.shop.actor()
        let number = try await fixture.subscription().number
        let price = KeptDraft(
            kind: .subscriptionOfferCodePrices, id: SubscriptionFixture.id(3), attributes: [:],
            links: ["territory": ["USA"], "subscriptionPricePoint": ["x"]])
        let offer = try await fixture.kept.add(
            KeptDraft(
                kind: .subscriptionOfferCodes, id: SubscriptionFixture.id(2),
                attributes: ["name": .text("Spring"), "numberOfPeriods": .number(1)],
                prices: [price]), to: number.description, by: actor)
        let code = try await fixture.kept.add(
            KeptDraft(
                kind: .subscriptionOfferCodeCustomCodes, id: SubscriptionFixture.id(4),
                attributes: ["customCode": .text("SPRING"), "numberOfCodes": .number(10)]),
            to: offer.id, by: actor)
        let prices = try await fixture.kept.resources(
            .subscriptionOfferCodePrices, of: offer.id, PageRequest(limit: 10), by: actor)
        #expect(prices.items.map(\.territory) == ["USA"])
        #expect(prices.total == 1)
        let elsewhere = try await fixture.kept.resources(
            .subscriptionOfferCodePrices, of: offer.id, territories: ["DEU"],
            PageRequest(limit: 10), by: actor)
        #expect(elsewhere.items.isEmpty)
        #expect(
            try await refusingRule {
                try await fixture.kept.delete(.subscriptionGroups, [fixture.group.id], by: actor)
            } == "groupInUse")
        try await fixture.kept.delete(.subscriptionOfferCodes, [offer.id], by: actor)
        for (kind, id) in [
            (KeptKind.subscriptionOfferCodes, offer.id),
            (.subscriptionOfferCodeCustomCodes, code.id),
            (.subscriptionOfferCodePrices, price.id),
        ] {
            let refused = try await refusingRule {
                _ = try await fixture.kept.resource(kind, id, by: actor)
            }
            #expect(refused == "notFound", "\(kind)")
        }
    }

    @Test(arguments: StoreDriver.all)
    func `offers of a deleted subscription are there no longer`(driver: StoreDriver) async throws {
        let fixture = try await SubscriptionFixture(driver)
        let actor = fixture.shop.actor()
        let number = try await fixture.subscription().number
        let offer = try await fixture.kept.add(
            KeptDraft(
                kind: .subscriptionPromotionalOffers, id: SubscriptionFixture.id(2),
                attributes: ["name": .text("Spring"), "offerCode": .text("spring")]),
            to: number.description, by: actor)
        try await fixture.shop.products.delete(number, by: actor)
        #expect(
            try await refusingRule {
                _ = try await fixture.kept.resource(offer.kind, offer.id, by: actor)
            } == "notFound")
        try await fixture.kept.delete(.subscriptionGroups, [fixture.group.id], by: actor)
    }

    /// Drafts that are refused, and the rule.
    static let refused: [(KeptKind, [String: KeptValue], [String: [String]], String)] = [
        (.subscriptionGroups, ["referenceName": .text("")], [:], "textLength"),
        (
            .subscriptionGroups, ["referenceName": .text(String(repeating: "a", count: 65))],
            [:], "textLength"
        ),
        (.subscriptionGroups, ["referenceName": .text("a\u{7}")], [:], "textLength"),
        (.subscriptionGroups, ["referenceName": .text("Reading")], [:], "nameTaken"),
        (
            .subscriptionGroupLocalizations,
            ["locale": .text("tlh"), "name": .text("Reading")], [:], "localeUnknown"
        ),
        (
            .subscriptionIntroductoryOffers,
            ["offerMode": .text("FREE_TRIAL"), "numberOfPeriods": .number(13)], [:], "countRange"
        ),
        (
            .subscriptionIntroductoryOffers, ["offerMode": .text("FREE_TRIAL")],
            ["subscriptionPricePoint": ["x"], "territory": ["USA"]], "offerPrice"
        ),
        (.subscriptionIntroductoryOffers, ["offerMode": .text("PAY_UP_FRONT")], [:], "offerPrice"),
        (
            .subscriptionIntroductoryOffers, ["offerMode": .text("FREE_TRIAL")],
            ["territory": ["XXX"]], "territoryUnknown"
        ),
        (
            .subscriptionIntroductoryOffers,
            [
                "offerMode": .text("FREE_TRIAL"), "startDate": .text("2026-05-02"),
                "endDate": .text("2026-05-01"),
            ], [:], "endsBeforeStart"
        ),
        (
            .subscriptionIntroductoryOffers,
            ["offerMode": .text("FREE_TRIAL"), "numberOfPeriods": .number(2)], [:], "offerPeriods"
        ),
        (
            .subscriptionOfferCodes,
            ["name": .text("Spring"), "offerMode": .text("PAY_UP_FRONT")], [:], "offerPrice"
        ),
        (
            .subscriptionIntroductoryOffers,
            ["offerMode": .text("PAY_AS_YOU_GO"), "duration": .text("ONE_YEAR")],
            ["subscriptionPricePoint": ["x"], "territory": ["USA"]], "offerDuration"
        ),
        (
            .subscriptionIntroductoryOffers,
            ["offerMode": .text("PAY_AS_YOU_GO"), "duration": .text("ONE_MONTH")],
            [
                "subscriptionPricePoint": ["x"], "territory": ["USA"],
                KeptResource.tier: ["4"],
            ], "offerNotLower"
        ),
    ]

    @Test(arguments: refused.indices)
    func `what the rules refuse is not kept`(index: Int) async throws {
        let (kind, attributes, links, expected) = Self.refused[index]
        for driver in StoreDriver.one {
            let fixture = try await SubscriptionFixture(driver)
            let number = try await fixture.subscription().number
            _ = try await fixture.subscriptions.setPrice(
                SubscriptionPrice(product: number, territory: "USA", tier: "4", start: nil),
                by: fixture.shop.actor())
            let before = try await fixture.picture()
            let owner =
                switch kind {
                case .subscriptionGroups: fixture.shop.app
                case .subscriptionGroupLocalizations: fixture.group.id
                default: number.description
                }
            let draft = KeptDraft(
                kind: kind, id: SubscriptionFixture.id(9), attributes: attributes, links: links)
            let found = try await refusingRule {
                _ = try await fixture.kept.add(draft, to: owner, by: fixture.shop.actor())
            }
            #expect(found == expected)
            #expect(try await fixture.picture() == before)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `another team sees nothing of it`(driver: StoreDriver) async throws {
        let fixture = try await SubscriptionFixture(driver)
        let number = try await fixture.subscription().number
        let stranger = fixture.shop.stranger
        let attempts: [() async throws -> Void] = [
            { _ = try await fixture.subscriptions.subscription(number, by: stranger) },
            { _ = try await fixture.subscription("com.example.other", by: stranger) },
            {
                _ = try await fixture.subscriptions.update(
                    number, ProductChange(referenceName: "Mine"), by: stranger)
            },
            {
                _ = try await fixture.kept.resource(
                    .subscriptionGroups, fixture.group.id, by: stranger)
            },
            {
                _ = try await fixture.kept.change(
                    .subscriptionGroups, fixture.group.id, ["referenceName": .text("Mine")],
                    by: stranger)
            },
            {
                try await fixture.kept.delete(.subscriptionGroups, [fixture.group.id], by: stranger)
            },
            {
                _ = try await fixture.kept.resources(
                    .subscriptionGroups, of: fixture.shop.app, PageRequest(limit: 5), by: stranger)
            },
            { _ = try await fixture.kept.gracePeriod(of: fixture.shop.app, by: stranger) },
            {
                _ = try await fixture.kept.setGracePeriod(
                    of: fixture.shop.app, ["optIn": .flag(true)], by: stranger)
            },
        ]
        let before = try await fixture.picture()
        for attempt in attempts { #expect(try await refusingRule(attempt) == "notFound") }
        #expect(try await fixture.picture() == before)
    }

    @Test(arguments: StoreDriver.all)
    func `an app has one grace period, which is off at first`(driver: StoreDriver) async throws {
        let fixture = try await SubscriptionFixture(driver)
        let actor = fixture.shop.actor()
        let first = try await fixture.kept.gracePeriod(of: fixture.shop.app, by: actor)
        #expect(first.attributes == ["optIn": .flag(false), "sandboxOptIn": .flag(false)])
        for duration in ["SIXTEEN_DAYS", "THREE_DAYS"] {
            let changed = try await fixture.kept.setGracePeriod(
                of: fixture.shop.app, ["optIn": .flag(true), "duration": .text(duration)],
                by: actor)
            #expect(changed.attributes["duration"] == .text(duration))
            #expect(
                try await fixture.kept.gracePeriod(of: fixture.shop.app, by: actor).attributes
                    == changed.attributes)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `null takes away what can be missing, and nothing else`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await SubscriptionFixture(driver)
        let actor = fixture.shop.actor()
        let text = try await fixture.kept.add(
            KeptDraft(
                kind: .subscriptionGroupLocalizations, id: SubscriptionFixture.id(2),
                attributes: [
                    "locale": .text("en-US"), "name": .text("Reading"),
                    "customAppName": .text("Books"),
                ]), to: fixture.group.id, by: actor)
        let changed = try await fixture.kept.change(
            text.kind, text.id, ["name": nil, "customAppName": nil], by: actor)
        #expect(changed.attributes == ["locale": .text("en-US"), "name": .text("Reading")])
        let known = try await fixture.kept.resource(text.kind, text.id, by: actor)
        #expect(known.attributes == changed.attributes)
    }

    @Test(arguments: StoreDriver.all)
    func `a group that is renamed is named so in its subscriptions`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await SubscriptionFixture(driver)
        let number = try await fixture.subscription().number
        _ = try await fixture.kept.change(
            .subscriptionGroups, fixture.group.id, ["referenceName": .text("Books")],
            by: fixture.shop.actor())
        let record = try await fixture.subscriptions.subscription(number, by: fixture.shop.actor())
        #expect(record.product.details.subscription?.groupName == "Books")
    }
}
