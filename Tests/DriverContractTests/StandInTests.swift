import Foundation
import StoreCore
import StoreTestSupport
import Testing

/// Orders of a subscription that runs: they begin no period, and stand for the one that was paid.
@Suite(.usesDrivers) struct StandInTests {
    @Test(arguments: StoreDriver.all)
    func `an order of a lesser product does not hide in receipts what was paid for`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let paid = try await shop.buy(SubscriberShop.premium, 1)
        let lesser = try await shop.buy(SubscriberShop.monthly, 2)
        let repeated = try await shop.buy(SubscriberShop.premium, 3)
        #expect(lesser.entry.period == paid.id && repeated.entry.period == paid.id)
        let records = [paid, lesser, repeated]
        #expect(ReceiptRules.items(records, unfinished: [lesser]) == [paid])
        #expect(ReceiptRules.items(records, unfinished: [lesser, repeated]) == [repeated])
        // There was one charge.
        #expect(Set(records.map(\.webOrderLineItem)).count == 1)
    }

    @Test(arguments: StoreDriver.all)
    func `what a server says about one is said about the period`(
        driver: StoreDriver
    ) async throws {
        let shop = try await SubscriberShop(driver)
        let paid = try await shop.buy(SubscriberShop.monthly, 1)
        let repeated = try await shop.buy(SubscriberShop.monthly, 2)
        let request = try await shop.refunds.ask(
            paid.id, of: nil, reason: .unsatisfied, comment: ""
        ).get()
        _ = try await shop.refunds.inform(
            ConsumptionInformation(
                customerConsented: true, consumed: nil, wasDelivered: true, sampleProvided: false,
                preference: .decline),
            about: repeated.id, in: shop.shop.app.id, .sandbox)
        #expect(try await shop.refunds.request(request.id)?.decision?.outcome == .declined)
    }
}
