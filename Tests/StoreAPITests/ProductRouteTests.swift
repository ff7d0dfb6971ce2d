import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

@Suite struct ProductRouteTests {
    private func ask(
        _ client: APIClient, _ identifiers: [String]
    ) async throws -> ProductsAnswer {
        try await client.post(DeviceRoute.products, ProductsRequest(productIds: identifiers))
    }

    @Test(arguments: Altitude.allCases)
    func `texts and prices are those of the account's storefront`(
        altitude: Altitude
    ) async throws {
        let shop = try await TestStore()
        var client = try await APIClient(shop, altitude: altitude)
        for (email, storefront, title, price, locale) in [
            (nil, "USA", "The first chapter", APIClient.dollars(1990), "en_US"),
            (TestStore.american, "USA", "The first chapter", APIClient.dollars(1990), "en_US"),
            (
                TestStore.japanese, "JPN", "第一章", Money(thousandths: 240_000, currency: "JPY"),
                "ja_JP"
            ),
        ] as [(String?, String, String, Money, String)] {
            if let email { try await client.signIn(email) }
            let answer = try await ask(client, [SampleShop.chapter])
            #expect(answer.storefront == storefront)
            #expect(answer.storefrontId == Storefront.named(storefront)?.identifier)
            let product = try #require(answer.products.first)
            #expect(product.title == title)
            #expect(product.price == price)
            #expect(product.locale == locale)
            #expect(product.type == "Non-Consumable")
            #expect(product.content?.version.text == "1.0")
            #expect(product.content?.lengths.allSatisfy { $0 > 300_000 } == true)
            #expect(answer.invalid.isEmpty)
        }
    }

    @Test func `a subscription comes with its terms, other products without`() async throws {
        let client = try await APIClient(try await TestStore(hasContent: false))
        let products = try await ask(client, [SampleShop.monthly, SampleShop.credits]).products
        #expect(products.first?.subscription?.period.iso8601 == "P1M")
        #expect(products.last?.subscription == nil)
        #expect(products.last?.content == nil)
    }

    @Test func `apps are told of offers, with the prices of their storefront`() async throws {
        let shop = try await TestStore(hasContent: false)
        let month = SubscriptionPeriod(unit: .month, count: 1)
        @Sendable func offer(
            _ kind: SubscriptionOffer.Kind, _ name: String?, _ thousandths: Int64
        ) -> SubscriptionOffer {
            SubscriptionOffer(
                kind: kind, identifier: name,
                paymentMode: thousandths == 0 ? .freeTrial : .payAsYouGo, period: month,
                periodCount: 1, thousandths: thousandths, territory: "USA")
        }
        try await shop.store.database.write { repositories in
            guard let app = try repositories.catalog.app(SampleShop.bundleID),
                var product = try repositories.catalog.product(
                    ProductID(SampleShop.monthly)!, in: app.id)?.details
            else { return }
            product.subscription?.offers = [
                offer(.introductory, nil, 0), offer(.promotional, "cheap", 990),
                // No tier of the price list: it is had at home only.
                offer(.promotional, "odd", 1230),
            ]
            try repositories.catalog.save(product, in: app.id)
        }
        for (email, prices) in [
            (TestStore.american, ["": 0, "cheap": 990, "odd": 1230]),
            (TestStore.japanese, ["": 0, "cheap": 120_000]),
        ] as [(String, [String: Int64])] {
            let client = try await APIClient.signedIn(shop, as: email)
            let product = try await ask(client, [SampleShop.monthly]).products.first
            let offers = product?.subscription?.offers ?? []
            #expect(
                Dictionary(
                    uniqueKeysWithValues: offers.map { ($0.identifier ?? "", $0.thousandths) })
                    == prices)
            #expect(offers.allSatisfy { $0.territory == nil })
        }
    }

    @Test func `a price that was kept with more than cents is shown, asked and charged in cents`()
        async throws
    {
        let shop = try await TestStore(hasContent: false)
        try await shop.setPrice(995, of: SampleShop.credits)
        let client = try await APIClient.signedIn(shop)
        let price = try await ask(client, [SampleShop.credits]).products.first?.price
        #expect(price == APIClient.dollars(990))
        let bought = try await client.buy(APIClient.credits(1, quantity: 3))
        #expect(bought.price == 2970)
        let entry = try #require(try await shop.ledger().first)
        #expect(entry.details.unitPrice == APIClient.dollars(990))
        #expect(entry.details.charged == APIClient.dollars(2970))
    }

    @Test(arguments: Altitude.allCases)
    func `what is not sold comes back with the reason`(altitude: Altitude) async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await APIClient(shop, altitude: altitude)
        let misspelled = "com.example.shop.bagde"
        let answer = try await ask(client, [misspelled, SampleShop.badge, "", "a/b\n"])
        #expect(answer.products.map(\.productId) == [SampleShop.badge])
        try #require(answer.invalid.map(\.productId) == [misspelled, "", "a/b\n"])
        #expect(answer.invalid.allSatisfy { $0.reason.rawValue == "unknownIdentifier" })
        #expect(answer.invalid[0].message.contains("did you mean \(SampleShop.badge)?"))
        for invalid in answer.invalid {
            #expect(invalid.message.hasPrefix("The app \(SampleShop.bundleID) has no product"))
        }
        let production = try await APIClient(shop, altitude: altitude, environment: .production)
        let unapproved = try await ask(production, [SampleShop.badge]).invalid
        #expect(unapproved.map(\.reason.rawValue) == ["notApproved"])
    }

    @Test func `a profile that can't sell says so for each product`() async throws {
        let shop = try await TestStore(hasContent: false)
        var client = try await APIClient(shop)
        for (profile, reason) in [
            (
                try await shop.profile(applicationIdentifier: ApplicationIdentifier("com.*")),
                "wildcardApplicationIdentifier"
            ),
            (try await shop.profile(generation: 0), "profileOutOfDate"),
            (try await shop.profile(environment: .production), "profileWrong"),
        ] as [(String, String)] {
            client.profile = profile
            let answer = try await ask(client, [SampleShop.badge, "crown"])
            #expect(answer.products.isEmpty)
            #expect(answer.invalid.map(\.reason.rawValue) == [reason, reason])
        }
    }

    /// It could be another team's: the profile is called as whatever its identifier begins with.
    @Test func `a profile for many apps speaks for none`() async throws {
        let shop = try await TestStore(hasContent: false)
        var client = try await APIClient.signedIn(shop)
        client.profile = try await shop.profile(
            applicationIdentifier: ApplicationIdentifier("\(SampleShop.bundleID).*"))
        let wanted = InvalidReasonCode(rawValue: "wildcardApplicationIdentifier")
        for path in [DeviceRoute.appTransaction, DeviceRoute.unfinished, DeviceRoute.subscriptions]
        {
            #expect(try await client.refusal("GET", path).error.reason == wanted, "\(path)")
        }
        let prompt = try await client.refusal(
            DeviceRoute.prompts, PromptRequest.signIn(email: nil))
        #expect(prompt.error.reason == wanted)
    }

    @Test func `an identifier that is asked for twice is answered once`() async throws {
        let client = try await APIClient(try await TestStore(hasContent: false))
        let badge = SampleShop.badge
        let answer = try await ask(client, [badge, "crown", badge, SampleShop.credits, "crown"])
        #expect(answer.products.map(\.productId) == [badge, SampleShop.credits])
        #expect(answer.invalid.map(\.productId) == ["crown"])
    }

    @Test(arguments: Altitude.allCases)
    func `a thousand identifiers are answered, more are refused`(
        altitude: Altitude
    ) async throws {
        let client = try await APIClient(
            try await TestStore(hasContent: false), altitude: altitude)
        let identifiers = (0...1000).map { "crown-\($0)" }
        #expect(try await ask(client, Array(identifiers.dropLast())).invalid.count == 1000)
        let refusal = try await client.refusal(
            DeviceRoute.products, ProductsRequest(productIds: identifiers))
        #expect(refusal.name == "400 malformedRequest")
        #expect(refusal.error.message.contains("1000"))
        #expect(
            try await ask(client, [])
                == ProductsAnswer(
                    storefront: "USA", storefrontId: "143441", products: [], invalid: []))
    }

    @Test(arguments: Altitude.allCases)
    func `a change of the catalog is seen by the next request`(altitude: Altitude) async throws {
        let shop = try await TestStore(hasContent: false, clock: SettableClock())
        let client = try await APIClient(shop, altitude: altitude)
        let badge = ProductID(SampleShop.badge)!
        for _ in 1...2 {
            #expect(try await ask(client, [badge.text]).products.count == 1)
        }
        for state in [ProductState.removedFromSale, .readyToSubmit] {
            try await shop.store.database.write { repositories in
                let app = try repositories.sampleApp()
                try repositories.catalog.setState(state, of: badge, in: app.id)
            }
            let answer = try await ask(client, [badge.text])
            #expect(answer.products.isEmpty == state.isRemovedFromSale)
            #expect(
                answer.invalid.map(\.reason.rawValue)
                    == (state.isRemovedFromSale ? ["removedFromSale"] : []))
        }
    }

    @Test(arguments: Altitude.allCases)
    func `a kept answer ends with the session`(altitude: Altitude) async throws {
        let shop = try await TestStore(hasContent: false, clock: SettableClock())
        var client = try await APIClient.signedIn(shop, altitude: altitude, as: TestStore.japanese)
        for _ in 1...2 {
            #expect(try await ask(client, [SampleShop.badge]).storefront == "JPN")
        }
        #expect(try await client.send("DELETE", DeviceRoute.session).status == 204)
        let request = ProductsRequest(productIds: [SampleShop.badge])
        #expect(
            try await client.refusal(DeviceRoute.products, request).name == "401 notSignedIn")
        client.token = nil
        #expect(try await ask(client, [SampleShop.badge]).storefront == "USA")
    }

    @Test func `customers of one storefront share an answer, and others have theirs`() async throws
    {
        let shop = try await TestStore(hasContent: false, clock: SettableClock())
        var client = try await APIClient(shop)
        // In this order and once more: whoever comes second finds what was made for the first.
        for _ in 1...2 {
            for (email, storefront) in [
                (nil, "USA"), (TestStore.american, "USA"), (TestStore.japanese, "JPN"),
            ] as [(String?, String)] {
                client.token = nil
                if let email { try await client.signIn(email) }
                let answer = try await ask(client, [SampleShop.badge])
                #expect(answer.storefront == storefront)
                #expect(answer.products.count == 1)
            }
        }
        // A session that there is not gets none of them.
        client.token = "nobody's"
        let request = ProductsRequest(productIds: [SampleShop.badge])
        #expect(
            try await client.refusal(DeviceRoute.products, request).name == "401 notSignedIn")
    }

    @Test func `a kept answer ends with the profile, and when it is old`() async throws {
        let clock = SettableClock()
        let shop = try await TestStore(hasContent: false, clock: clock)
        var client = try await APIClient.signedIn(shop)
        let request = ProductsRequest(productIds: [SampleShop.badge])
        _ = try await ask(client, request.productIds)
        // Another process ends the session, which this one's memory doesn't hear of.
        try await shop.store.services.accounts.signOut(token: try #require(client.token))
        clock.advance(by: 5)
        #expect(
            try await client.refusal(DeviceRoute.products, request).name == "401 notSignedIn")
        client.token = nil
        client.profile = try await shop.profile(days: 1)
        clock.advance(by: 86_399)
        _ = try await ask(client, request.productIds)
        clock.advance(by: 1)
        #expect(
            try await client.refusal(DeviceRoute.products, request).name == "403 profileExpired")
    }
}
