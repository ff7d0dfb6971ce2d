import Foundation
import StoreCore
import StoreModel
import Testing

/// Refunds of what testers bought, over every driver.
@Suite(.usesDrivers) struct TesterPurchaseContractTests {
    @Test(arguments: StoreDriver.all)
    func `each period of a subscription is refunded for itself`(driver: StoreDriver) async throws {
        let shop = try await SubscriberShop(driver)
        let first = try await shop.buy()
        // It goes on as it is: this begins nothing.
        _ = try await shop.order(SubscriberShop.monthly, 2).get()
        try await shop.wait(SubscriberShop.month)
        let latest = try #require(try await shop.history().last)
        let service = TesterPurchaseService(database: shop.database, clock: shop.clock)
        let ada = shop.shop.ada.id
        func refundable() async throws -> Set<TransactionID> {
            let page = PageRequest(limit: 50)
            return Set(
                try await service.purchases(of: ada, page, by: .machine).items
                    .filter(\.isRefundable).map(\.entry.id))
        }
        #expect(try await refundable() == [first.id, latest.id])
        let refund = try await service.refund(latest.id, of: ada, by: .machine)
        #expect(refund.transaction == latest.id)
        #expect(try await shop.record(latest.id)?.facts.revocation != nil)
        #expect(try await shop.record(first.id)?.facts.revocation == nil)
        #expect(try await refundable() == [first.id])
    }
}
