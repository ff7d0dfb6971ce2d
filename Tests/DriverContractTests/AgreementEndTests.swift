import Foundation
import StoreCore
import StoreModel
import Testing

/// What is not charged any longer once a team's Paid Apps agreement has ended: nobody can be paid for it.
@Suite(.usesDrivers) struct AgreementEndTests {
    private func end(_ shop: SubscriberShop) async throws {
        _ = try await AgreementService(database: shop.database, clock: shop.clock).terminate(
            .paidApps, of: shop.shop.app.teamID, by: .machine)
    }

    @Test(arguments: StoreDriver.all)
    func `subscriptions end with their period, and go over to nothing better`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        try await end(shop)
        await #expect(
            throws: SubscriptionChangeRefusal.notInGroup(SubscriberShop.premium.text)
        ) {
            try await shop.management.setRenewalProduct(
                SubscriberShop.premium, of: first.id, by: shop.shop.ada.id)
        }
        #expect(try await shop.subscription()?.state == .active)
        try await shop.wait(SubscriberShop.month)
        #expect(try await shop.history().count == 1)
        #expect(try await shop.told().last == "EXPIRED/PRODUCT_NOT_FOR_SALE")
    }

    @Test(arguments: StoreDriver.all)
    func `what waits for an approval is not sold`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver)
        let ada = shop.shop.ada.id
        try await shop.database.write { repositories in
            var settings = try repositories.accounts.settings(of: ada)
            settings.asksToBuy = true
            try repositories.accounts.set(settings, of: ada)
        }
        _ = try await shop.order().get()
        try await end(shop)
        let pending = PendingPurchaseService(database: shop.database, clock: shop.clock)
        let waiting = try #require(try await pending.waiting().first)
        let refused = try await refusal(PendingPurchaseRefusal.self) {
            _ = try await pending.approve(waiting.id)
        }
        guard case .notSold(SubscriberShop.monthly, .noPaidAgreement, _) = refused else {
            Issue.record("refused: \(String(describing: refused))")
            return
        }
        #expect(try await pending.waiting().count == 1)
        #expect(try await shop.history().isEmpty)
    }
}
