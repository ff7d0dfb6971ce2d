import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

/// What lists of thousands of price points cost.
@Suite struct IncludedTerritoryTests {
    @Test func `territories of price points come without reads for each`() async throws {
        let client = try await ProductClient()
        let product = try await client.create()
        let group = try await client.call(
            "POST", "/v1/subscriptionGroups",
            ConnectClient.document(
                "subscriptionGroups", ["referenceName": "Reading"],
                one: ["app": ("apps", client.app)]), status: 201)
        let subscription = try await client.call(
            "POST", "/v1/subscriptions",
            ConnectClient.document(
                "subscriptions",
                [
                    "name": "Monthly", "productId": "com.example.monthly",
                    "subscriptionPeriod": "ONE_MONTH", "groupLevel": 1,
                ], one: ["group": ("subscriptionGroups", group["data"]?["id"]?.text ?? "")]),
            status: 201)
        let shop = client.connect.shop
        let database = CountingDatabase(shop.store.database)
        let store = try Store(
            directory: shop.folder.file("store"), database: database, clock: client.connect.clock,
            vault: OpenSSLVault.forTests, log: .silent)
        let router = try StoreRoutes(services: store.services).router()
        let token = try #require(try client.connect.makeToken())
        func reads(_ path: String, _ limit: Int) async throws -> Int {
            _ = database.takeReads()
            let response = try await router.response(
                to: HTTPRequest(
                    method: "GET", path: "/connect\(path)/pricePoints",
                    query: [
                        (name: "include", value: "territory"),
                        (name: "limit", value: String(limit)),
                    ], headers: ["Authorization": "Bearer \(token)", "Host": "store.example"]))
            let answer = try JSONValue(reading: response.data)
            #expect(answer["data"]?.elements?.count == limit, "\(response.text)")
            #expect(answer["included"]?.elements?.isEmpty == false)
            return database.takeReads()
        }
        for path in [
            "/v2/inAppPurchases/\(product)",
            "/v1/subscriptions/\(subscription["data"]?["id"]?.text ?? "")",
        ] {
            let few = try await reads(path, 2)
            let many = try await reads(path, 300)
            #expect(many == few, "\(path)")
        }
    }
}
