import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// What customers read of when a purchase charges them, against what the sale then does.
struct ChargeNoticeTests {
    @Test(arguments: StoreDriver.all)
    func `a purchase that charges nothing is announced as one`(driver: StoreDriver) async throws {
        let fixture = try await SubscriberShop(driver)
        let catalog = try #require(
            try await CatalogService(database: fixture.database).catalog(
                of: fixture.shop.app.bundleID))
        func notice(_ product: ProductID) async throws -> ChargeNotice {
            try await fixture.purchases.charge(
                for: product.text, by: fixture.shop.ada, in: catalog
            ).get()
        }
        func charged(_ product: ProductID, _ number: Int) async throws -> Int64? {
            guard case .sold(let sale) = try await fixture.order(product, number).get() else {
                return nil
            }
            return sale.entry.details.charged.thousandths
        }
        let none = try #require(ProductID("com.example.shop.none"))
        for product in [SubscriberShop.premium, SeededShop.chapter, none] {
            #expect(try await notice(product) == .now)
        }
        let start = fixture.clock.now()
        #expect(try await charged(SubscriberShop.premium, 1) != 0)
        #expect(try await charged(SeededShop.chapter, 2) != 0)

        #expect(try await notice(SeededShop.chapter) == .owned)
        #expect(try await charged(SeededShop.chapter, 3) == 0)
        #expect(try await notice(SubscriberShop.premium) == .running)
        #expect(try await charged(SubscriberShop.premium, 4) == 0)
        #expect(
            try await notice(SubscriberShop.monthly)
                == .later(start.addingTimeInterval(SubscriberShop.month)))
        #expect(try await charged(SubscriberShop.monthly, 5) == 0)
    }

    @Test(arguments: StoreDriver.all)
    func `a better subscription is charged at once`(driver: StoreDriver) async throws {
        let fixture = try await SubscriberShop(driver)
        _ = try await fixture.order(SubscriberShop.monthly, 1).get()
        let catalog = try #require(
            try await CatalogService(database: fixture.database).catalog(
                of: fixture.shop.app.bundleID))
        #expect(
            try await fixture.purchases.charge(
                for: SubscriberShop.premium.text, by: fixture.shop.ada, in: catalog)
                == .success(.upgrade(nil))
        )
    }
}
