import Foundation
@testable import StoreCore
import StoreModel
import Testing

/// What of subscriptions is restored, how long it lasts, and what takes it back.
@Suite(.usesDrivers) struct SubscriptionRestoreTests {
    @Test(arguments: StoreDriver.all)
    func `what stands for a period is taken back with it, and is not restored again`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        for _ in 1...2 { try await shop.wait(SubscriberShop.month) }
        let last = try #require(try await shop.history().last)
        let kept = try await shop.buy(SubscriberShop.monthly, 2)
        let restored = try #require(try await shop.restore().first)
        for record in [kept, restored] {
            #expect(!record.isPaidPeriod && record.entry.period == last.id)
            #expect(record.facts.expiration == last.facts.expiration)
            #expect(record.entry.original.id == first.id)
        }
        // A period that was given back before takes nothing with it.
        _ = try await shop.purchases.revoke(first.id, reason: .other)
        #expect(try await shop.record(restored.id)?.facts.revocation == nil)
        #expect(try await shop.unfinished(on: "device").contains(kept.id))
        #expect(try await shop.unfinished(on: "other") == [restored.id])
        _ = try await shop.purchases.revoke(last.id, reason: .other)
        for record in [kept, restored] {
            #expect(try await shop.record(record.id)?.facts.revocation?.transaction == last.id)
        }
        #expect(try await !shop.unfinished(on: "device").contains(kept.id))
        #expect(try await shop.unfinished(on: "other").isEmpty)
        #expect(try await shop.restore().isEmpty)
    }

    @Test(arguments: StoreDriver.all)
    func `a period that was made longer is longer for what stands for it`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        let restored = try #require(try await shop.restore().first)
        let longer = try await shop.extensions.extend(
            first.id, in: shop.shop.app.id, .sandbox,
            ExtensionService.Request(days: 1, reason: .outage, identifier: "one")
        ).get()
        #expect(try await shop.record(restored.id)?.facts.expiration == longer.expiration)
    }

    @Test(arguments: StoreDriver.all)
    func `who subscribes again after a refund can restore it`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        _ = try await shop.purchases.revoke(first.id, reason: .other)
        #expect(try await shop.restore().isEmpty)
        let second = try await shop.buy(SubscriberShop.monthly, 2)
        #expect(second.entry.original.id == first.id)
        let restored = try await shop.restore()
        #expect(restored.map(\.entry.period) == [second.id])
        #expect(restored.map(\.entry.original.id) == [first.id])
        #expect(restored.map(\.facts) == [second.facts])
    }

    @Test(arguments: StoreDriver.all)
    func `what is restored is the product of the last period, once for each device`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.buy(SubscriberShop.premium)
        try await shop.buy(SubscriberShop.monthly, 2)
        let before = try await shop.restore()
        #expect(before.map(\.entry.details.productID) == [SubscriberShop.premium])
        try await shop.wait(SubscriberShop.month)
        let after = try await shop.restore()
        #expect(after.map(\.entry.details.productID) == [SubscriberShop.monthly])
        #expect(after.first?.facts.expiration == (try await shop.subscription())?.expiration)
        // A device is given the same again; another one gets its own.
        #expect(try await shop.restore().map(\.id) == after.map(\.id))
        #expect(try await shop.restore(on: "third").map(\.id) != after.map(\.id))
    }

    @Test(arguments: StoreDriver.all)
    func `however many devices restore, so many transactions are written for a purchase`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        try await shop.buy(SeededShop.chapter)
        var restored: [TransactionID] = []
        for number in 1...PurchaseService.restoringDevices + 2 {
            restored += try await shop.restore(on: "device \(number)").map(\.id)
        }
        try #require(restored.count == PurchaseService.restoringDevices + 2)
        #expect(Set(restored).count == PurchaseService.restoringDevices)
        #expect(try await shop.restore(on: "device 1").map(\.id) == [restored[0]])
    }

    @Test(arguments: StoreDriver.all)
    func `a member restores what the family shares, and loses it with its last period`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver, isShared: true)
        let (ada, grace) = (shop.shop.ada, shop.shop.grace)
        try await shop.families.add(grace.email, toFamilyOf: ada.email, in: .sandbox)
        try await shop.buy()
        try await shop.wait(SubscriberShop.month)
        let share = try #require(try await shop.history(of: grace).last)
        let restored = try await shop.restore(by: grace)
        try #require(restored.map(\.entry.period) == [share.id])
        #expect(restored.map(\.group) == ["1"])
        #expect(restored.map(\.shared) == [share.shared])
        #expect(restored.first?.facts.expiration == share.facts.expiration)
        try await shop.families.remove(grace.email, in: .sandbox)
        let ended = try #require(try await shop.record(restored[0].id))
        #expect(ended.facts.revocation?.kind == .family)
        #expect(try await shop.restore(by: grace).isEmpty)
    }

    @Test(arguments: StoreDriver.all)
    func `who asks before buying asks for each period that is charged`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let id = shop.shop.ada.id
        try await shop.database.write {
            try $0.accounts.set(
                AccountSettings(asksToBuy: true, interruptsPurchases: false), of: id)
        }
        func isDeferred(_ product: ProductID, _ number: Int) async throws -> Bool {
            guard case .deferred = try await shop.order(product, number).get() else { return false }
            return true
        }
        let pending = PendingPurchaseService(database: shop.database, clock: shop.clock)
        #expect(try await isDeferred(SubscriberShop.monthly, 1))
        let first = try await pending.approve(try #require(try await pending.waiting().first).id)
        // What is paid for already costs nothing; what is better does.
        #expect(try await !isDeferred(SubscriberShop.monthly, 2))
        #expect(try await isDeferred(SubscriberShop.premium, 3))
        try await pending.decline(try #require(try await pending.waiting().first).id)
        try await shop.management.setRenews(false, of: first.id, by: id)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.subscription()?.state == .expired)
        #expect(try await isDeferred(SubscriberShop.monthly, 4))
        #expect(try await shop.history().map(\.id) == [first.id])
    }

    @Test(arguments: StoreDriver.all)
    func `a renewal is paid where the customer is`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver)
        let (app, ada) = (shop.shop.app.id, shop.shop.ada)
        let japan = try #require(Storefront.named("JPN"))
        try await shop.buy()
        try await shop.database.write { repositories in
            var product = try #require(
                try repositories.catalog.product(SubscriberShop.monthly, in: app)
            ).details
            product.prices = PriceSchedule(dictionaryLiteral: ("USA", 990), ("JPN", 150_000))
            try repositories.catalog.save(product, in: app)
            try repositories.accounts.setStorefront(japan, of: ada.id)
        }
        try await shop.wait(SubscriberShop.month)
        let renewed = try #require(try await shop.history().last).entry.details
        #expect(renewed.charged == Money(thousandths: 150_000, currency: "JPY"))
        #expect(renewed.storefront == japan)
    }
}

extension SubscriberShop {
    /// Restores on a device.
    func restore(
        on device: String = "other", by account: Account? = nil
    ) async throws -> [TransactionRecord] {
        let catalog = try #require(
            try await CatalogService(database: database).catalog(of: shop.app.bundleID))
        return try await purchases.restore(
            by: account ?? shop.ada, in: catalog, device: device, applicationUsername: nil,
            after: nil
        ).sales.map(\.record)
    }

    /// What Ada's device has not finished.
    func unfinished(on device: String) async throws -> [TransactionID] {
        let catalog = try #require(
            try await CatalogService(database: database).catalog(of: shop.app.bundleID))
        return try await purchases.unfinished(
            by: shop.ada, in: catalog, device: device, after: nil
        ).sales.map(\.entry.id)
    }
}
