import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// What devices hear of subscriptions.
@Suite(.usesDrivers) struct SubscriptionEventTests {
    /// Something that happens to Ada's subscription, which Grace's family shares.
    private struct Step: Sendable {
        let name: String
        /// How often the devices of Ada and of Grace hear of it.
        let heard: [Int]
        let take: @Sendable (SubscriberShop) async throws -> Void

        init(
            _ name: String, _ ada: Int, _ grace: Int,
            _ take: @escaping @Sendable (SubscriberShop) async throws -> Void
        ) {
            self.name = name
            heard = [ada, grace]
            self.take = take
        }
    }

    private static let beginning: [Step] = [
        Step("bought", 1, 1) { try await $0.buy() },
        Step("switched off", 1, 1) { try await $0.switchRenewing(false) },
        Step("switched on", 1, 1) { try await $0.switchRenewing(true) },
        Step("another product next time", 1, 1) { try await $0.choose(SubscriberShop.yearly) },
        Step("the same product after all", 1, 1) { try await $0.choose(SubscriberShop.monthly) },
        Step("asked about the price", 1, 0) { try await $0.ask() },
        Step("agreed to the price", 1, 0) { try await $0.agree() },
        Step("renewed", 1, 1) { try await $0.waitForEnd() },
        Step("extended", 1, 1) { try await $0.extend() },
    ]

    private static let end: [Step] = [
        Step("payment failed", 1, 1) { shop in
            try await shop.setPayments(.all)
            try await shop.waitForEnd()
        },
        Step("payment failed again", 0, 0) { try await $0.wait(61) },
        Step("recovered", 1, 1) { shop in
            try await shop.setPayments(.none)
            try await shop.wait(61)
        },
        Step("upgraded", 1, 1) { try await $0.choose(SubscriberShop.premium) },
        Step("refunded", 1, 1) { shop in
            _ = try await shop.purchases.revoke(try await shop.latest(), reason: .other)
        },
        Step("refund undone", 1, 1) { shop in
            try await shop.refunds.reverse(try await shop.latest())
        },
        // Of both periods that run: the premium one, and the one before it that was extended.
        Step("left the family", 0, 2) { shop in
            try await shop.families.remove(shop.shop.grace.email, in: .sandbox)
        },
        Step("cancelled", 1, 0) { try await $0.switchRenewing(false) },
        Step("expired", 1, 0) { try await $0.waitForEnd() },
        Step("something else bought", 0, 0) { try await $0.buy(SeededShop.chapter, 2) },
    ]

    @Test(arguments: StoreDriver.all)
    func `whoever has a subscription hears of each change of it, once`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver, isShared: true)
        try await shop.families.add(
            shop.shop.grace.email, toFamilyOf: shop.shop.ada.email, in: .sandbox)
        for step in Self.beginning + Self.end {
            let before = try await shop.database.lastEvent()
            try await step.take(shop)
            var heard: [Int] = []
            for account in [shop.shop.ada, shop.shop.grace] {
                let events = try await shop.database.read {
                    try $0.events.events(
                        account: account.id, in: .sandbox, app: shop.shop.app.id, after: before,
                        limit: 100)
                }
                heard.append(events.count { $0.kind == .subscription })
            }
            #expect(heard == step.heard, "\(step.name)")
        }
    }
}

extension SubscriberShop {
    private func current() async throws -> Subscription { try #require(try await subscription()) }

    fileprivate func latest() async throws -> TransactionID { try await current().latest }

    fileprivate func switchRenewing(_ renews: Bool) async throws {
        try await management.setRenews(
            renews, of: try await current().original.id, by: shop.ada.id)
    }

    fileprivate func choose(_ product: ProductID) async throws {
        try await management.setRenewalProduct(
            product, of: try await current().original.id, by: shop.ada.id)
    }

    fileprivate func agree() async throws {
        try await answer(try #require(try await openConsents().first), agreed: true)
    }

    fileprivate func extend() async throws {
        _ = try await extensions.extend(
            try await current().original.id, in: shop.app.id, .sandbox,
            ExtensionService.Request(days: 1, reason: .other, identifier: "extension-1")
        ).get()
    }

    /// Lets time pass until the running period ends.
    fileprivate func waitForEnd() async throws {
        try await wait(try await current().expiration.timeIntervalSince(clock.now()) + 1)
    }
}
