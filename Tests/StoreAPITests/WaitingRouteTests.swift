import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// Purchases that wait, codes, and questions about prices.
struct WaitingRouteTests {
    @Test(arguments: Altitude.allCases)
    func `the same order is deferred, then sold once it is approved`(
        altitude: Altitude
    ) async throws {
        let shop = try await TestStore(hasContent: false)
        try await shop.change { $0.asksToBuy = true }
        let client = try await APIClient.signedIn(shop, altitude: altitude)
        let order = APIClient.credits(1, quantity: 3)
        for _ in 0..<3 {
            let response = try await client.send(
                "POST", DeviceRoute.purchases, WireCoding.encode(order))
            #expect(response.status == 202)
            #expect(
                try WireCoding.decode(DeferredAnswer.self, from: response.data).purchaseKey
                    == order.purchaseKey)
        }
        #expect(try await shop.ledger().isEmpty)
        #expect(
            try await client.refusal(DeviceRoute.purchases, APIClient.credits(1)).name
                == "409 purchaseKeyReused")
        // Switching it off sells nothing that was asked for before.
        try await shop.change { $0.asksToBuy = false }
        #expect(
            try await client.send("POST", DeviceRoute.purchases, WireCoding.encode(order)).status
                == 202)
        let waiting = try await shop.store.services.pending.waiting()
        try #require(waiting.count == 1)
        let sold = try await shop.store.services.pending.approve(waiting[0].id)
        #expect(sold.details.charged == APIClient.dollars(2970))
        let payload = try await client.buy(order)
        #expect(payload.transactionId == sold.id)
        #expect(try await client.unfinished().map(\.transactionId) == [sold.id])
        #expect(try await shop.ledger().count == 1)
    }

    @Test func `a declined order stays declined, whatever the settings are`() async throws {
        let shop = try await TestStore(hasContent: false)
        try await shop.change { $0.asksToBuy = true }
        let client = try await APIClient.signedIn(shop)
        let order = APIClient.badge(1)
        _ = try await client.send("POST", DeviceRoute.purchases, WireCoding.encode(order))
        let waiting = try await shop.store.services.pending.waiting()
        try await shop.store.services.pending.decline(try #require(waiting.first).id)
        try await shop.change { $0.asksToBuy = false }
        #expect(
            try await client.refusal(DeviceRoute.purchases, order).name == "409 purchaseDeclined")
        #expect(try await shop.ledger().isEmpty)
        // A fresh key is a fresh purchase.
        _ = try await client.buy(APIClient.badge(2))
    }

    @Test func `what is owned needs nobody's approval`() async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await APIClient.signedIn(shop)
        let first = try await client.buy(APIClient.badge(1))
        try await shop.change { $0.asksToBuy = true }
        let again = try await client.buy(APIClient.badge(2))
        #expect(again.originalTransactionId == first.transactionId)
        #expect(again.price == 0)
    }

    @Test func `a purchase approved after the product was bought otherwise is free`() async throws {
        let shop = try await TestStore(hasContent: false)
        try await shop.change { $0.asksToBuy = true }
        let client = try await APIClient.signedIn(shop)
        _ = try await client.send(
            "POST", DeviceRoute.purchases, WireCoding.encode(APIClient.badge(1)))
        try await shop.change { $0.asksToBuy = false }
        let bought = try await client.buy(APIClient.badge(2))
        let waiting = try await shop.store.services.pending.waiting()
        let sold = try await shop.store.services.pending.approve(
            try #require(waiting.first).id)
        #expect(sold.details.charged.thousandths == 0)
        #expect(sold.original.id == bought.transactionId)
    }

    @Test func `what was revoked is bought anew, and not restored`() async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await APIClient.signedIn(shop)
        let first = try await client.buy(APIClient.badge(1))
        try await client.finish(first)
        let revoked = try await shop.store.services.purchases.revoke(
            first.transactionId, reason: .developerIssue)
        #expect(revoked?.id == first.transactionId)
        #expect(try await client.restore(1).isEmpty)
        let again = try await client.buy(APIClient.badge(2))
        #expect(again.originalTransactionId == again.transactionId)
        #expect(again.price == 990)
        // Revoking it again says nothing to devices.
        let before = try await shop.store.database.lastEvent()
        _ = try await shop.store.services.purchases.revoke(first.transactionId, reason: .other)
        #expect(try await shop.store.database.lastEvent() == before)
        #expect(
            try await shop.store.services.purchases.revoke(
                TransactionID(number: 1), reason: .other) == nil)
    }

    // MARK: Codes

    private static func redemption(_ key: Int, _ code: String) -> RedemptionRequest {
        RedemptionRequest(
            purchaseKey: PurchaseKey("redemption-key-\(key)")!, code: code)
    }

    @Test func `a code is for as many accounts as it says, once each`() async throws {
        let clock = SettableClock()
        let shop = try await TestStore(hasContent: false, clock: clock)
        try await shop.add("ONEACCOUNT1", uses: 1)
        try await shop.add("TWOACCOUNTS", uses: 2)
        let ada = try await APIClient.signedIn(shop)
        let haruki = try await APIClient.signedIn(shop, as: TestStore.japanese)
        let first: TransactionAnswer = try await ada.post(
            DeviceRoute.redemptions, Self.redemption(1, "one-account 1"))
        let payload = try ada.payload(first)
        #expect(payload.price == 0 && payload.productId == SampleShop.credits)
        #expect(payload.purchaseKey == "redemption-key-1")
        // The same request again is no second use.
        let again: TransactionAnswer = try await ada.post(
            DeviceRoute.redemptions, Self.redemption(1, "ONEACCOUNT1"))
        #expect(try ada.payload(again).transactionId == payload.transactionId)
        #expect(
            try await ada.refusal(DeviceRoute.redemptions, Self.redemption(2, "ONEACCOUNT1")).name
                == "409 codeUsed")
        #expect(
            try await haruki.refusal(DeviceRoute.redemptions, Self.redemption(3, "ONEACCOUNT1"))
                .name == "409 codeUsed")
        // A key that was used for something else buys nothing.
        #expect(
            try await ada.refusal(DeviceRoute.redemptions, Self.redemption(1, "TWOACCOUNTS")).name
                == "409 codeUsed")
        let _: TransactionAnswer = try await haruki.post(
            DeviceRoute.redemptions, Self.redemption(4, "TWOACCOUNTS"))
        clock.advance(by: 7200)
        #expect(
            try await ada.refusal(DeviceRoute.redemptions, Self.redemption(5, "TWOACCOUNTS")).name
                == "409 codeEnded")
        for wrong in ["NOSUCHCODE1", "", "\u{202e}ABCDEFGH", String(repeating: "X", count: 5000)] {
            #expect(
                try await ada.refusal(DeviceRoute.redemptions, Self.redemption(6, wrong)).name
                    == "404 codeUnknown")
        }
        #expect(try await shop.ledger().count == 1)
    }

    // MARK: Prices

    @Test func `a question about a price is answered once, by its account`() async throws {
        let shop = try await TestStore(hasContent: false)
        let ada = try await APIClient.signedIn(shop)
        let haruki = try await APIClient.signedIn(shop, as: TestStore.japanese)
        let account = try await shop.store.services.accounts.account(
            email: TestStore.american, environment: .sandbox)
        let app = try #require(
            try await shop.store.database.read { try $0.catalog.app(SampleShop.bundleID) })
        let consent = try await shop.store.services.offers.askConsent(
            PriceConsentDraft(
                account: account.id, app: app.id, productID: ProductID(SampleShop.badge)!,
                currentPrice: Money(thousandths: 990, currency: "USD"), newPrice: 1990))
        let answer = try WireCoding.decode(
            EventsAnswer.self, from: try await ada.events([]).data)
        #expect(
            answer.consents == [
                WireConsent(
                    id: consent.id.number, productId: SampleShop.badge, title: "A badge",
                    currentPrice: APIClient.dollars(990), newPrice: APIClient.dollars(1990),
                    locale: "en_US")
            ])
        let path = DeviceRoute.consent(consent.id.number)
        let body = try WireCoding.encode(ConsentRequest(agreed: true))
        #expect(try await haruki.refusal("POST", path, body).name == "404 consentNotFound")
        #expect(try await ada.send("POST", path, body).status == 204)
        #expect(try await ada.refusal("POST", path, body).name == "404 consentNotFound")
        for wrong in ["x", "-1", "99999999999999999999"] {
            #expect(
                try await ada.refusal("POST", "/device/v1/consents/\(wrong)", body).name
                    == "404 consentNotFound")
        }
    }

    @Test func `a question can be answered when the catalog has the new price already`()
        async throws
    {
        let shop = try await TestStore(hasContent: false)
        let ada = try await APIClient.signedIn(shop)
        let (services, product) = (shop.store.services, ProductID(SampleShop.badge)!)
        let account = try await services.accounts.account(
            email: TestStore.american, environment: .sandbox)
        let app = try #require(
            try await shop.store.database.read { try $0.catalog.app(SampleShop.bundleID) })
        for current in [APIClient.dollars(990), Money(thousandths: 150_000, currency: "JPY")] {
            _ = try await services.offers.askConsent(
                PriceConsentDraft(
                    account: account.id, app: app.id, productID: product, currentPrice: current,
                    newPrice: current.thousandths * 2))
        }
        try await shop.store.database.write { repositories in
            let found = try repositories.catalog.product(product, in: app.id)
            var draft = try #require(found).details
            draft.prices = PriceSchedule(dictionaryLiteral: ("USA", 1980))
            try repositories.catalog.save(draft, in: app.id)
        }
        let answer = try WireCoding.decode(
            EventsAnswer.self, from: try await ada.events([]).data)
        // The one in yen is not for who pays in dollars.
        let consent = try #require(answer.consents.first)
        #expect(answer.consents.count == 1)
        #expect(consent.currentPrice == APIClient.dollars(990))
        #expect(consent.newPrice == APIClient.dollars(1980))
        let _: PromptAnswer = try await ada.post(
            DeviceRoute.prompts,
            PromptRequest.consent(
                productId: SampleShop.badge, currentPrice: consent.currentPrice,
                newPrice: consent.newPrice))
    }
}

extension TestStore {
    fileprivate func add(_ code: String, uses: Int) async throws {
        let app = try #require(
            try await store.database.read { try $0.catalog.app(SampleShop.bundleID) })
        try await store.services.offers.add([
            OfferCode(
                code: code, app: app.id, productID: ProductID(SampleShop.credits)!, uses: uses,
                end: store.clock.now().addingTimeInterval(3600))
        ])
    }
}
