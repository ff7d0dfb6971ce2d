import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// Subscriptions with their groups, prices and offers, over every driver.
@Suite struct SubscriptionServiceTests {
    /// A shop whose app has a group.
    struct Scene: Sendable {
        let shop: ProductShop
        let group: KeptResource

        init(_ driver: StoreDriver) async throws {
            shop = try await ProductShop(driver)
            group = try await KeptService(database: shop.database, clock: shop.clock).add(
                KeptDraft(
                    kind: .subscriptionGroups, id: Self.id(1),
                    attributes: ["referenceName": .text("Reading")]),
                to: shop.app, by: shop.actor())
        }

        var kept: KeptService { KeptService(database: shop.database, clock: shop.clock) }
        var subscriptions: SubscriptionService {
            SubscriptionService(database: shop.database, clock: shop.clock)
        }

        static func id(_ number: Int) -> String {
            "00000000-0000-4000-8000-" + String(format: "%012d", number)
        }

        func subscription(
            _ id: String = "com.example.monthly", level: Int = 1, name: String = "Monthly",
            by actor: ConnectActor? = nil
        ) async throws -> ProductRecord {
            try await subscriptions.create(
                NewSubscription(
                    productID: id, referenceName: name, reviewNote: "", isFamilyShareable: true,
                    period: SubscriptionPeriod(unit: .month, count: 1), level: level),
                inGroup: group.id, by: actor ?? shop.actor())
        }

        /// Everything that can be changed here, to see whether it was.
        func picture() async throws -> [String] {
            try await shop.database.read { repositories in
                var lines: [String] = []
                for kind in KeptKind.allCases {
                    for owner in [KeptOwner.app(shop.shop.app.id)] {
                        lines += try repositories.kept.page(
                            kind, of: owner, territories: nil, PageRequest(limit: 1000)
                        ).items.map { "\(kind) \($0.name) \($0.attributes) \($0.links)" }
                    }
                }
                lines.append(
                    "\(try repositories.audit.entries(team: nil, before: nil, limit: 500).count)")
                return lines.sorted()
            }
        }
    }

    /// The rule that refuses.
    private func rule(_ body: () async throws -> Void) async throws -> String {
        do {
            try await body()
            return "nothing is refused"
        } catch let refusal as ConnectRefusal {
            #expect(!refusal.problem.isEmpty && !refusal.help.isEmpty)
            return refusal.rule
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a subscription's identifier is one among all products`(driver: StoreDriver) async throws {
        let scene = try await Scene(driver)
        let record = try await scene.subscription()
        #expect(record.summary.type == .autoRenewableSubscription)
        #expect(record.state == .missingMetadata)
        #expect(record.product.details.subscription?.groupID == scene.group.id)
        #expect(record.product.details.subscription?.groupName == "Reading")
        #expect(try await rule { _ = try await scene.subscription() } == "productIDTaken")
        _ = try await scene.shop.create("com.example.coins")
        #expect(
            try await rule { _ = try await scene.subscription("com.example.coins") }
                == "productIDTaken")
        #expect(
            try await rule { _ = try await scene.shop.create("com.example.monthly") }
                == "productIDTaken")
        try await scene.shop.products.delete(record.number, by: scene.shop.actor())
        #expect(try await rule { _ = try await scene.subscription() } == "productIDTaken")
        #expect(
            try await rule {
                _ = try await scene.subscriptions.subscription(
                    record.number, by: scene.shop.actor())
            } == "notFound")
    }

    @Test(arguments: StoreDriver.all)
    func `levels and periods change before the subscription is on sale`(
        driver: StoreDriver
    ) async throws {
        let scene = try await Scene(driver)
        let record = try await scene.subscription()
        let actor = scene.shop.actor()
        let year = SubscriptionPeriod(unit: .year, count: 1)
        let changed = try await scene.subscriptions.update(
            record.number, ProductChange(referenceName: "Yearly"), period: year, level: 2,
            by: actor)
        #expect(changed.summary.referenceName == "Yearly")
        #expect(changed.product.details.subscription?.period == year)
        #expect(changed.product.details.subscription?.level == 2)
        for level in [0, -1, 101] {
            let name = try await rule {
                _ = try await scene.subscriptions.update(
                    record.number, ProductChange(referenceName: "Other"), level: level,
                    by: actor)
            }
            #expect(name == "groupLevel")
        }
        let known = try await scene.subscriptions.subscription(record.number, by: actor)
        #expect(known.summary.referenceName == "Yearly", "an error changes nothing")
        let coins = try await scene.shop.create("com.example.coins")
        let other = try await rule {
            _ = try await scene.subscriptions.update(coins.number, ProductChange(), by: actor)
        }
        #expect(other == "notFound")
    }

    @Test(arguments: StoreDriver.all)
    func `the subscriptions of a group are listed in pages, filtered and sorted`(
        driver: StoreDriver
    ) async throws {
        let scene = try await Scene(driver)
        let actor = scene.shop.actor()
        for (index, name) in ["Cello", "alto", "Bass", "Drum", "Evening"].enumerated() {
            _ = try await scene.subscription("com.example.s\(index)", name: name)
        }
        func names(_ filter: SubscriptionFilter = SubscriptionFilter()) async throws -> [String] {
            var found: [String] = []
            var cursor: String?
            repeat {
                let page = try await scene.subscriptions.subscriptions(
                    ofGroup: scene.group.id, filter, PageRequest(limit: 2, cursor: cursor),
                    by: actor)
                #expect(page.items.count <= 2)
                found += page.items.map(\.summary.referenceName)
                cursor = page.next
            } while cursor != nil
            return found
        }
        #expect(try await names() == ["Cello", "alto", "Bass", "Drum", "Evening"])
        #expect(
            try await names(SubscriptionFilter(order: .name))
                == ["alto", "Bass", "Cello", "Drum", "Evening"])
        #expect(
            try await names(SubscriptionFilter(order: .nameDescending))
                == ["Evening", "Drum", "Cello", "Bass", "alto"])
        #expect(try await names(SubscriptionFilter(names: ["Bass", "Drum"])) == ["Bass", "Drum"])
        #expect(try await names(SubscriptionFilter(productIDs: ["com.example.s1"])) == ["alto"])
        #expect(try await names(SubscriptionFilter(states: [.approved])).isEmpty)
        #expect(try await names(SubscriptionFilter(names: ["'); --"])).isEmpty)
    }

    @Test(arguments: StoreDriver.all)
    func `prices are set by territory, and follow the first one elsewhere`(
        driver: StoreDriver
    ) async throws {
        let scene = try await Scene(driver)
        let actor = scene.shop.actor()
        let record = try await scene.subscription()
        let later = scene.shop.clock.now().addingTimeInterval(86_400 * 30)
        func price(_ tier: String, _ territory: String, _ start: Date?) async throws {
            _ = try await scene.subscriptions.setPrice(
                SubscriptionPrice(
                    product: record.number, territory: territory, tier: tier, start: start),
                by: actor)
        }
        #expect(try await rule { try await price("1", "USA", later) } == "basePriceGap")
        #expect(try await rule { try await price("999", "USA", nil) } == "tierUnknown")
        #expect(try await rule { try await price("1", "Mars", nil) } == "territoryUnknown")
        try await price("3", "DEU", nil)
        try await price("4", "DEU", later)
        try await price("2", "JPN", nil)
        let prices = try await scene.subscriptions.subscription(record.number, by: actor)
            .subscriptionPrices
        #expect(prices.filter { $0.territory == "DEU" }.map(\.tier) == ["3", "4"])
        #expect(prices.filter { $0.territory == "FRA" }.map(\.tier) == ["3", "4"])
        #expect(prices.filter { $0.territory == "JPN" }.map(\.tier) == ["2"])
        let planned = try #require(prices.first { $0.territory == "DEU" && $0.start != nil })
        let inForce = try #require(prices.first { $0.territory == "DEU" && $0.start == nil })
        let followed = try #require(prices.first { $0.territory == "FRA" && $0.start != nil })
        for (gone, name) in [
            ([inForce], "priceInForce"), ([followed], "notFound"),
            ([planned, inForce], "priceInForce"), ([planned, planned], "notFound"),
        ] {
            let refused = try await rule {
                try await scene.subscriptions.deletePrices(gone, of: record.number, by: actor)
            }
            #expect(refused == name)
        }
        try await scene.subscriptions.deletePrices([planned], of: record.number, by: actor)
        let left = try await scene.subscriptions.subscription(record.number, by: actor)
        #expect(left.subscriptionPrices.allSatisfy { $0.start == nil })
    }

    @Test(arguments: StoreDriver.all)
    func `what is kept goes with what it belongs to`(driver: StoreDriver) async throws {
        let scene = try await Scene(driver)
        let actor = scene.shop.actor()
        let number = try await scene.subscription().number
        let price = KeptDraft(
            kind: .subscriptionOfferCodePrices, id: Scene.id(3), attributes: [:],
            links: ["territory": ["USA"], "subscriptionPricePoint": ["x"]])
        let offer = try await scene.kept.add(
            KeptDraft(
                kind: .subscriptionOfferCodes, id: Scene.id(2),
                attributes: ["name": .text("Spring"), "numberOfPeriods": .number(1)],
                prices: [price]), to: number.description, by: actor)
        let code = try await scene.kept.add(
            KeptDraft(
                kind: .subscriptionOfferCodeCustomCodes, id: Scene.id(4),
                attributes: ["customCode": .text("SPRING"), "numberOfCodes": .number(10)]),
            to: offer.id, by: actor)
        let prices = try await scene.kept.resources(
            .subscriptionOfferCodePrices, of: offer.id, PageRequest(limit: 10), by: actor)
        #expect(prices.items.map(\.territory) == ["USA"])
        #expect(prices.total == 1)
        let elsewhere = try await scene.kept.resources(
            .subscriptionOfferCodePrices, of: offer.id, territories: ["DEU"],
            PageRequest(limit: 10), by: actor)
        #expect(elsewhere.items.isEmpty)
        #expect(
            try await rule {
                try await scene.kept.delete(.subscriptionGroups, [scene.group.id], by: actor)
            } == "groupInUse")
        try await scene.kept.delete(.subscriptionOfferCodes, [offer.id], by: actor)
        for (kind, id) in [
            (KeptKind.subscriptionOfferCodes, offer.id),
            (.subscriptionOfferCodeCustomCodes, code.id),
            (.subscriptionOfferCodePrices, price.id),
        ] {
            let refused = try await rule {
                _ = try await scene.kept.resource(kind, id, by: actor)
            }
            #expect(refused == "notFound", "\(kind)")
        }
    }

    @Test(arguments: StoreDriver.all)
    func `offers of a deleted subscription are there no longer`(driver: StoreDriver) async throws {
        let scene = try await Scene(driver)
        let actor = scene.shop.actor()
        let number = try await scene.subscription().number
        let offer = try await scene.kept.add(
            KeptDraft(
                kind: .subscriptionPromotionalOffers, id: Scene.id(2),
                attributes: ["name": .text("Spring"), "offerCode": .text("spring")]),
            to: number.description, by: actor)
        try await scene.shop.products.delete(number, by: actor)
        #expect(
            try await rule {
                _ = try await scene.kept.resource(offer.kind, offer.id, by: actor)
            } == "notFound")
        try await scene.kept.delete(.subscriptionGroups, [scene.group.id], by: actor)
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
    ]

    @Test(arguments: refused.indices)
    func `what the rules refuse is not kept`(index: Int) async throws {
        let (kind, attributes, links, expected) = Self.refused[index]
        for driver in StoreDriver.all {
            let scene = try await Scene(driver)
            let number = try await scene.subscription().number
            let before = try await scene.picture()
            let owner =
                switch kind {
                case .subscriptionGroups: scene.shop.app
                case .subscriptionGroupLocalizations: scene.group.id
                default: number.description
                }
            let draft = KeptDraft(
                kind: kind, id: Scene.id(9), attributes: attributes, links: links)
            let found = try await rule {
                _ = try await scene.kept.add(draft, to: owner, by: scene.shop.actor())
            }
            #expect(found == expected)
            #expect(try await scene.picture() == before)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `another team sees nothing of it`(driver: StoreDriver) async throws {
        let scene = try await Scene(driver)
        let number = try await scene.subscription().number
        let stranger = scene.shop.stranger
        let attempts: [() async throws -> Void] = [
            { _ = try await scene.subscriptions.subscription(number, by: stranger) },
            { _ = try await scene.subscription("com.example.other", by: stranger) },
            {
                _ = try await scene.subscriptions.update(
                    number, ProductChange(referenceName: "Mine"), by: stranger)
            },
            {
                _ = try await scene.kept.resource(.subscriptionGroups, scene.group.id, by: stranger)
            },
            {
                _ = try await scene.kept.change(
                    .subscriptionGroups, scene.group.id, ["referenceName": .text("Mine")],
                    by: stranger)
            },
            { try await scene.kept.delete(.subscriptionGroups, [scene.group.id], by: stranger) },
            {
                _ = try await scene.kept.resources(
                    .subscriptionGroups, of: scene.shop.app, PageRequest(limit: 5), by: stranger)
            },
            { _ = try await scene.kept.gracePeriod(of: scene.shop.app, by: stranger) },
            {
                _ = try await scene.kept.setGracePeriod(
                    of: scene.shop.app, ["optIn": .flag(true)], by: stranger)
            },
        ]
        let before = try await scene.picture()
        for attempt in attempts { #expect(try await rule(attempt) == "notFound") }
        #expect(try await scene.picture() == before)
    }

    @Test(arguments: StoreDriver.all)
    func `an app has one grace period, which is off at first`(driver: StoreDriver) async throws {
        let scene = try await Scene(driver)
        let actor = scene.shop.actor()
        let first = try await scene.kept.gracePeriod(of: scene.shop.app, by: actor)
        #expect(first.attributes == ["optIn": .flag(false), "sandboxOptIn": .flag(false)])
        for duration in ["SIXTEEN_DAYS", "THREE_DAYS"] {
            let changed = try await scene.kept.setGracePeriod(
                of: scene.shop.app, ["optIn": .flag(true), "duration": .text(duration)],
                by: actor)
            #expect(changed.attributes["duration"] == .text(duration))
            #expect(
                try await scene.kept.gracePeriod(of: scene.shop.app, by: actor).attributes
                    == changed.attributes)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `null takes away what can be missing, and nothing else`(
        driver: StoreDriver
    ) async throws {
        let scene = try await Scene(driver)
        let actor = scene.shop.actor()
        let text = try await scene.kept.add(
            KeptDraft(
                kind: .subscriptionGroupLocalizations, id: Scene.id(2),
                attributes: [
                    "locale": .text("en-US"), "name": .text("Reading"),
                    "customAppName": .text("Books"),
                ]), to: scene.group.id, by: actor)
        let changed = try await scene.kept.change(
            text.kind, text.id, ["name": nil, "customAppName": nil], by: actor)
        #expect(changed.attributes == ["locale": .text("en-US"), "name": .text("Reading")])
        let known = try await scene.kept.resource(text.kind, text.id, by: actor)
        #expect(known.attributes == changed.attributes)
    }

    @Test(arguments: StoreDriver.all)
    func `a group that is renamed is named so in its subscriptions`(
        driver: StoreDriver
    ) async throws {
        let scene = try await Scene(driver)
        let number = try await scene.subscription().number
        _ = try await scene.kept.change(
            .subscriptionGroups, scene.group.id, ["referenceName": .text("Books")],
            by: scene.shop.actor())
        let record = try await scene.subscriptions.subscription(number, by: scene.shop.actor())
        #expect(record.product.details.subscription?.groupName == "Books")
    }
}

extension ProductShop {
    /// The identifier of the app, as the API writes it.
    fileprivate var app: String { String(shop.app.id.number) }
}
