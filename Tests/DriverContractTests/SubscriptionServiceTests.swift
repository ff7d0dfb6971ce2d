import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// Subscriptions with their groups and prices, over every driver.
@Suite(.usesDrivers) struct SubscriptionServiceTests {
    @Test(arguments: StoreDriver.all)
    func `a subscription's identifier is one among all products`(driver: StoreDriver) async throws {
        let fixture = try await SubscriptionFixture(driver)
        let record = try await fixture.subscription()
        #expect(record.summary.type == .autoRenewableSubscription)
        #expect(record.state == .missingMetadata)
        #expect(record.product.details.subscription?.groupID == fixture.group.id)
        #expect(record.product.details.subscription?.groupName == "Reading")
        #expect(try await refusingRule { _ = try await fixture.subscription() } == "productIDTaken")
        _ = try await fixture.shop.create("com.example.coins")
        #expect(
            try await refusingRule { _ = try await fixture.subscription("com.example.coins") }
                == "productIDTaken")
        #expect(
            try await refusingRule { _ = try await fixture.shop.create("com.example.monthly") }
                == "productIDTaken")
        try await fixture.shop.products.delete(record.number, by: fixture.shop.actor())
        #expect(try await refusingRule { _ = try await fixture.subscription() } == "productIDTaken")
        #expect(
            try await refusingRule {
                _ = try await fixture.subscriptions.subscription(
                    record.number, by: fixture.shop.actor())
            } == "notFound")
    }

    @Test(arguments: StoreDriver.all)
    func `levels and periods change before the subscription is on sale`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await SubscriptionFixture(driver)
        let record = try await fixture.subscription()
        let actor = fixture.shop.actor()
        let year = SubscriptionPeriod(unit: .year, count: 1)
        let changed = try await fixture.subscriptions.update(
            record.number, ProductChange(referenceName: "Yearly"), period: year, level: 2,
            by: actor)
        #expect(changed.summary.referenceName == "Yearly")
        #expect(changed.product.details.subscription?.period == year)
        #expect(changed.product.details.subscription?.level == 2)
        for level in [0, -1, 101] {
            let name = try await refusingRule {
                _ = try await fixture.subscriptions.update(
                    record.number, ProductChange(referenceName: "Other"), level: level,
                    by: actor)
            }
            #expect(name == "groupLevel")
        }
        let known = try await fixture.subscriptions.subscription(record.number, by: actor)
        #expect(known.summary.referenceName == "Yearly", "an error changes nothing")
        let coins = try await fixture.shop.create("com.example.coins")
        let other = try await refusingRule {
            _ = try await fixture.subscriptions.update(coins.number, ProductChange(), by: actor)
        }
        #expect(other == "notFound")
    }

    @Test(arguments: StoreDriver.all)
    func `the subscriptions of a group are listed in pages, filtered and sorted`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await SubscriptionFixture(driver)
        let actor = fixture.shop.actor()
        for (index, name) in ["Cello", "alto", "Bass", "Drum", "Evening"].enumerated() {
            _ = try await fixture.subscription("com.example.s\(index)", name: name)
        }
        func names(_ filter: SubscriptionFilter = SubscriptionFilter()) async throws -> [String] {
            var found: [String] = []
            var cursor: String?
            repeat {
                let page = try await fixture.subscriptions.subscriptions(
                    ofGroup: fixture.group.id, filter, PageRequest(limit: 2, cursor: cursor),
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
        let fixture = try await SubscriptionFixture(driver)
        let actor = fixture.shop.actor()
        let record = try await fixture.subscription()
        let later = fixture.shop.clock.now().addingTimeInterval(86_400 * 30)
        func price(_ tier: String, _ territory: String, _ start: Date?) async throws {
            _ = try await fixture.subscriptions.setPrice(
                SubscriptionPrice(
                    product: record.number, territory: territory, tier: tier, start: start),
                by: actor)
        }
        #expect(try await refusingRule { try await price("1", "USA", later) } == "basePriceGap")
        #expect(try await refusingRule { try await price("999", "USA", nil) } == "tierUnknown")
        #expect(try await refusingRule { try await price("1", "Mars", nil) } == "territoryUnknown")
        try await price("3", "DEU", nil)
        try await price("4", "DEU", later)
        try await price("2", "JPN", nil)
        let prices = try await fixture.subscriptions.subscription(record.number, by: actor)
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
            let refused = try await refusingRule {
                try await fixture.subscriptions.deletePrices(gone, of: record.number, by: actor)
            }
            #expect(refused == name)
        }
        try await fixture.subscriptions.deletePrices([planned], of: record.number, by: actor)
        let left = try await fixture.subscriptions.subscription(record.number, by: actor)
        #expect(left.subscriptionPrices.allSatisfy { $0.start == nil })
    }
}
