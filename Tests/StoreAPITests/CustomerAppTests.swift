import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreTestSupport
import StoreWire
import Testing

/// Apps for customers' devices, which carry no profile.
@Suite struct CustomerAppTests {
    private func get<Answer: Decodable>(
        _ client: APIClient, _ path: String, name: String? = nil, as type: Answer.Type
    ) async throws -> Answer {
        let query = name.map { [(name: "name", value: $0)] } ?? []
        let response = try await client.send("GET", path, query: query)
        #expect(response.status == 200)
        return try WireCoding.decode(type, from: response.data)
    }

    @Test func `a customer finds an app, gets it, and fetches what it consists of`() async throws {
        let shop = try await TestStore(hasContent: false, isApproved: true)
        let (item, _, file) = try await shop.deliverApp()
        let number = item.number
        var client = try await APIClient(shop, environment: .production)
        client.profile = nil
        let names = ["Sample shop", "sample SHOP", SampleShop.bundleID.text]
        for name in names {
            let found = try await get(client, DeviceRoute.apps, name: name, as: AppsAnswer.self)
            #expect(found.apps.map(\.number) == [number], "\(name)")
        }
        let session: SessionAnswer = try await client.post(
            DeviceRoute.customerSession,
            SignInRequest(email: TestStore.american, password: TestStore.password))
        client.token = session.token
        let early = try await client.refusal(
            "POST", DeviceRoute.appDelivery(number), Data("{}".utf8))
        #expect(early.name == "403 itemNotOwned")
        let app = try await get(client, DeviceRoute.app(number), as: AppAnswer.self)
        #expect(!app.isOwned && app.price == 0 && app.displayPrice == "Free")
        #expect(app.build?.fileDigest.text == SHA256Digest.hex(file))
        #expect(app.artwork?.hasPrefix("/image/") == true)
        let dear = try await client.refusal(
            "POST", DeviceRoute.appPurchase(number),
            WireCoding.encode(AppPurchaseRequest(price: 990, currency: "USD")))
        #expect(dear.name == "409 priceChanged")
        for _ in 1...2 {
            let bought: AppAnswer = try await client.post(
                DeviceRoute.appPurchase(number), AppPurchaseRequest(price: 0, currency: "USD"))
            #expect(bought.isOwned)
        }
        let answer: AppDeliveryAnswer = try await client.post(
            DeviceRoute.appDelivery(number), [String: String]())
        let verifier = shop.store.services.verifier
        let payload = try WireCoding.decode(
            AppDeliveryPayload.self,
            from: verifier.verified(answer.signedDelivery, type: SignedKind.appDelivery) { _ in
                shop.store.clock.now()
            }.payload)
        #expect(payload.appId == number && payload.version.text == "1.0")
        let profile = try WireCoding.decode(
            ProfilePayload.self,
            from: verifier.verified(answer.profile, type: SignedKind.profile) { _ in
                shop.store.clock.now()
            }.payload)
        #expect(profile.bundleId == SampleShop.bundleID && profile.environment == .production)
        let manifest = try await client.send(
            "GET", DeviceRoute.content(payload.manifestDigest.text),
            headers: [DeviceRoute.grantHeader: answer.grant])
        #expect(manifest.status == 200)
        // The file as it was uploaded is for pages.
        let whole = try await client.send(
            "GET", DeviceRoute.content(SHA256Digest.hex(file)),
            headers: [DeviceRoute.grantHeader: answer.grant])
        #expect(whole.status == 403)
    }

    @Test func `who has got an app installs it again after it was removed from sale`() async throws
    {
        let shop = try await TestStore(hasContent: false, isApproved: true)
        let (item, _, _) = try await shop.deliverApp()
        var client = try await APIClient.signedIn(shop, environment: .production)
        client.profile = nil
        let _: AppAnswer = try await client.post(
            DeviceRoute.appPurchase(item.number), AppPurchaseRequest(price: 0, currency: "USD"))
        try await shop.store.database.write { repositories in
            var known = try #require(try repositories.items.item(item))
            known.state = .removed
            try repositories.items.update(known, at: Date())
        }
        let app = try await get(client, DeviceRoute.app(item.number), as: AppAnswer.self)
        #expect(app.isOwned && app.obstacle == nil)
        let found = try await get(
            client, DeviceRoute.apps, name: SampleShop.bundleID.text, as: AppsAnswer.self)
        #expect(found.apps.map(\.number) == [item.number])
        let _: AppDeliveryAnswer = try await client.post(
            DeviceRoute.appDelivery(item.number), [String: String]())
        client.token = nil
        let refusal = try await client.refusal("GET", DeviceRoute.app(item.number), Data())
        #expect(refusal.name == "404 itemUnknown")
    }

    @Test func `an app on sale from before, without a file, is shown and can't be installed`()
        async throws
    {
        let shop = try await TestStore(hasContent: false, isApproved: true)
        let item = try await shop.sellApp()
        try await shop.store.database.write { repositories in
            let app = try repositories.catalog.app(SampleShop.bundleID)!
            for one in try repositories.buildDeliveries.deliveries(of: app.id) {
                try repositories.buildDeliveries.retire(one.build.id, at: Date())
            }
        }
        var client = try await APIClient.signedIn(shop, environment: .production)
        client.profile = nil
        let app = try await get(client, DeviceRoute.app(item.number), as: AppAnswer.self)
        #expect(app.build == nil && app.obstacle == nil)
        let bought: AppAnswer = try await client.post(
            DeviceRoute.appPurchase(item.number), AppPurchaseRequest(price: 0, currency: "USD"))
        #expect(bought.isOwned)
        let refusal = try await client.refusal(
            "POST", DeviceRoute.appDelivery(item.number), Data("{}".utf8))
        #expect(refusal.name == "404 contentNotFound")
        #expect(refusal.error.message.contains("not uploaded a file"))
    }
}
