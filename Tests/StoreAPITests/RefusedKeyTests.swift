import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// An order that the rules have refused is refused for as long as a copy of it may arrive.
@Suite struct RefusedKeyTests {
    private let clock = SettableClock()
    private let shop: TestStore

    init() async throws {
        shop = try await TestStore(hasContent: false, clock: clock)
    }

    @Test(arguments: Altitude.allCases)
    func `a refused price is refused when it has become right, and the answer names today's`(
        altitude: Altitude
    ) async throws {
        let client = try await APIClient.signedIn(shop, altitude: altitude)
        let order = APIClient.order(SampleShop.credits, 1, price: APIClient.dollars(1990))
        let first = try await client.refusal(DeviceRoute.purchases, order)
        #expect(first.name == "409 priceChanged")
        #expect(first.error.message.contains("0.99 USD"))
        try await shop.setPrice(1990, of: SampleShop.credits)
        clock.advance(by: 6)
        let copy = try await client.refusal(DeviceRoute.purchases, order)
        #expect(copy.name == "409 priceChanged")
        #expect(copy.error.message.contains("1.99 USD"))
        #expect(try await LedgerSnapshot(of: shop).count == 0)
        // Under another key it is sold, and the first one stays refused.
        let bought = try await client.buy(
            APIClient.order(SampleShop.credits, 2, price: APIClient.dollars(1990)))
        #expect(bought.price == 1990)
        #expect(
            try await client.refusal(DeviceRoute.purchases, order).name == "409 priceChanged")
        #expect(try await LedgerSnapshot(of: shop).count == 1)
    }

    @Test func `a product that comes back on sale is not sold under a refused key`()
        async throws
    {
        let client = try await APIClient.signedIn(shop)
        try await set(.developerRemovedFromSale)
        let first = try await client.refusal(DeviceRoute.purchases, APIClient.badge(1))
        #expect(first.name == "422 productInvalid")
        #expect(first.error.reason?.rawValue == "removedFromSale")
        try await set(.approved)
        clock.advance(by: 6)
        #expect(
            try await client.refusal(DeviceRoute.purchases, APIClient.badge(1)) == first)
        #expect(try await LedgerSnapshot(of: shop).count == 0)
        _ = try await client.buy(APIClient.badge(2))
    }

    @Test func `a refused key is refused for whatever is ordered under it, by its account only`()
        async throws
    {
        let client = try await APIClient.signedIn(shop)
        let eleven = APIClient.credits(1, quantity: 11)
        let first = try await client.refusal(DeviceRoute.purchases, eleven)
        #expect(first.name == "422 quantityOutOfRange")
        for order in [eleven, APIClient.credits(1), APIClient.badge(1)] {
            #expect(try await client.refusal(DeviceRoute.purchases, order) == first)
        }
        #expect(try await LedgerSnapshot(of: shop).count == 0)
        let other = try await APIClient.signedIn(shop, as: TestStore.japanese)
        let price = Money(thousandths: 120_000, currency: "JPY")
        _ = try await other.buy(APIClient.order(SampleShop.credits, 1, price: price))
    }

    @Test func `a sold key is not refused later, whatever is ordered under it`() async throws {
        let client = try await APIClient.signedIn(shop)
        let first = try await client.buy(APIClient.credits(1))
        #expect(
            try await client.refusal(DeviceRoute.purchases, APIClient.badge(1)).name
                == "409 purchaseKeyReused")
        var wrong = APIClient.credits(1)
        wrong.confirmedPrice = APIClient.dollars(1)
        #expect(try await client.buy(wrong).transactionId == first.transactionId)
        #expect(try await client.buy(APIClient.credits(1)).transactionId == first.transactionId)
        #expect(try await refusals([1]) == [false])
    }

    @Test func `whoever is not signed in has a key that is not used up`() async throws {
        let stranger = try await APIClient(shop)
        #expect(
            try await stranger.refusal(DeviceRoute.purchases, APIClient.credits(1)).name
                == "401 notSignedIn")
        _ = try await APIClient.signedIn(shop).buy(APIClient.credits(1))
    }

    @Test func `refusals are let go of after thirty days, by a clock that is believed`()
        async throws
    {
        var client = try await APIClient.signedIn(shop)
        let wrong = (1...3).map {
            APIClient.order(SampleShop.credits, $0, price: APIClient.dollars(1))
        }
        _ = try await client.refusal(DeviceRoute.purchases, wrong[0])
        clock.advance(by: RefusedPurchase.retention)
        try await client.signIn(TestStore.american)
        _ = try await client.refusal(DeviceRoute.purchases, wrong[1])
        // An order that is refused while the clock is wrong lets go of nothing.
        clock.advance(by: 200 * 86_400)
        try await client.signIn(TestStore.american)
        _ = try await client.refusal(DeviceRoute.purchases, wrong[2])
        clock.advance(by: -200 * 86_400)
        #expect(try await refusals([1, 2, 3]) == [true, true, true])
        try await shop.store.services.purchases.forget(at: clock.now())
        #expect(try await refusals([1, 2, 3]) == [true, true, true])
        try await shop.store.services.purchases.forget(at: clock.now().addingTimeInterval(1))
        #expect(try await refusals([1, 2, 3]) == [false, true, true])
    }

    @Test func `a code gives nothing under a refused key`() async throws {
        let app = try await shop.store.database.read {
            try $0.sampleApp().id
        }
        let code = OfferCode(
            code: "WELCOME1", app: app, productID: ProductID(SampleShop.badge)!, uses: 10,
            end: clock.now().addingTimeInterval(3600))
        try await shop.store.services.offers.add([code])
        let client = try await APIClient.signedIn(shop)
        let wrong = APIClient.order(SampleShop.badge, 1, price: APIClient.dollars(1))
        _ = try await client.refusal(DeviceRoute.purchases, wrong)
        func redemption(_ key: Int) -> RedemptionRequest {
            RedemptionRequest(purchaseKey: APIClient.badge(key).purchaseKey, code: "WELCOME1")
        }
        let refused = try await client.refusal(DeviceRoute.redemptions, redemption(1))
        #expect(refused.name == "409 codeUsed")
        #expect(try await LedgerSnapshot(of: shop).count == 0)
        let given: TransactionAnswer = try await client.post(
            DeviceRoute.redemptions, redemption(2))
        #expect(try client.payload(given).price == 0)
    }

    // MARK: Parts

    private func set(_ state: ProductState) async throws {
        try await shop.store.database.write { repositories in
            let app = try repositories.sampleApp()
            try repositories.catalog.setState(
                state, of: ProductID(SampleShop.badge)!, in: app.id)
        }
    }

    /// Whether the American tester has a refusal under each of the keys.
    private func refusals(_ keys: [Int]) async throws -> [Bool] {
        try await shop.store.database.read { repositories in
            let app = try repositories.sampleApp()
            let account = try #require(
                try repositories.accounts.account(email: TestStore.american, in: .sandbox))
            return try keys.map { key in
                try repositories.refused.purchase(
                    key: APIClient.badge(key).purchaseKey.text, account: account.id, app: app.id)
                    != nil
            }
        }
    }
}
