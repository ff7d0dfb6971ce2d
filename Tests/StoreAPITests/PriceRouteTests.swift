import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// Prices and availability of in-app purchases by App Store Connect's API.
@Suite struct PriceRouteTests {
    /// The price points of a product in some territories, by tier.
    private func points(
        _ client: ProductClient, of id: String, in territory: String
    ) async throws -> [JSONValue] {
        let answer = try await client.call(
            "GET", "/v2/inAppPurchases/\(id)/pricePoints",
            query: [
                (name: "filter[territory]", value: territory), (name: "limit", value: "8000"),
            ])
        return answer["data"]?.elements ?? []
    }

    private func pricePoint(costing price: String, among points: [JSONValue]) -> JSONValue? {
        points.first { $0["attributes"]?["customerPrice"]?.text == price }
    }

    private func price(
        _ name: String, _ point: String, from start: String? = nil, until end: String? = nil
    ) -> JSONValue {
        [
            "type": "inAppPurchasePrices", "id": .string(name),
            "attributes": ["startDate": .text(start), "endDate": .text(end)],
            "relationships": [
                "inAppPurchasePricePoint": [
                    "data": ["type": "inAppPurchasePricePoints", "id": .string(point)]
                ]
            ],
        ]
    }

    private func schedule(
        _ id: String, base: String = "USA", _ prices: [JSONValue]
    ) -> JSONValue {
        ProductClient.document(
            "inAppPurchasePriceSchedules", [:],
            ["inAppPurchase": ("inAppPurchases", id), "baseTerritory": ("territories", base)],
            lists: [
                "manualPrices": prices.map {
                    ("inAppPurchasePrices", $0["id"]?.text ?? "")
                }
            ], included: prices)
    }

    @Test func `a schedule of price points is what customers pay`() async throws {
        let client = try await ProductClient()
        let id = try await client.create()
        let usa = try await points(client, of: id, in: "USA")
        #expect(usa.count == PriceTier.all.count)
        let third = try #require(pricePoint(costing: "2.99", among: usa))
        #expect(third["attributes"]?["proceeds"] == "2.09")
        let point = try #require(third["id"]?.text)
        let equal = try await client.call(
            "GET", "/v1/inAppPurchasePricePoints/\(point)/equalizations",
            query: [
                (name: "filter[territory]", value: "JPN"), (name: "include", value: "territory"),
            ])
        #expect(equal["data"]?.elements?.count == 1)
        #expect(equal["data"]?.elements?.first?["attributes"]?["customerPrice"] == "360")
        #expect(equal["included"]?.elements?.first?["id"] == "JPN")
        let all = try await client.call(
            "GET", "/v1/inAppPurchasePricePoints/\(point)/equalizations",
            query: [(name: "limit", value: "8000")])
        #expect(all.ids.count == Storefront.all.count - 1)
        try await client.refused(
            "GET", "/v1/inAppPurchasePriceSchedules/\(id)", status: 404, rule: "notFound")
        let yen = try await points(client, of: id, in: "JPN")
        let japan = try #require(pricePoint(costing: "120", among: yen)?["id"]?.text)
        let next = try #require(pricePoint(costing: "4.99", among: usa)?["id"]?.text)
        _ = try await client.call(
            "POST", "/v1/inAppPurchasePriceSchedules",
            schedule(
                id,
                [
                    price("${one}", point, until: "2027-03-01"),
                    price("${two}", next, from: "2027-03-01"), price("${jp}", japan),
                ]), status: 201)
        let number = try #require(ProductNumber(id))
        let record = try await client.connect.shop.store.database.read {
            try $0.products.record(number)
        }
        let product = try #require(record?.product)
        let now = client.connect.clock.now()
        func paid(_ code: String, at date: Date) -> Int64? {
            product.price(in: .named(code)!, at: date)?.thousandths
        }
        #expect(paid("USA", at: now) == 2990)
        #expect(paid("JPN", at: now) == 120_000)
        // The first of March 2027, midnight UTC.
        let march = Date(timeIntervalSince1970: 1_803_859_200)
        #expect(paid("DEU", at: march.addingTimeInterval(-1)) == 2990)
        #expect(paid("DEU", at: march) == 4990)
        let manual = try await client.call(
            "GET", "/v1/inAppPurchasePriceSchedules/\(id)/manualPrices",
            query: [
                (name: "filter[territory]", value: "USA"),
                (name: "include", value: "inAppPurchasePricePoint,territory"),
            ])
        let found: [JSONValue?] = (manual["data"]?.elements ?? []).map { $0["attributes"] }
        let wanted: [JSONValue] = [
            ["manual": true, "endDate": "2027-03-01"], ["manual": true, "startDate": "2027-03-01"],
        ]
        #expect(found == wanted)
        #expect(manual["included"]?.elements?.contains { $0["id"] == .string(point) } == true)
        let automatic = try await client.call(
            "GET", "/v1/inAppPurchasePriceSchedules/\(id)/automaticPrices",
            query: [(name: "filter[territory]", value: "DEU,JPN")])
        #expect(automatic.ids.count == 2, "Germany before and after; Japan has its own")
        let base = try await client.call(
            "GET", "/v1/inAppPurchasePriceSchedules/\(id)/baseTerritory")
        #expect(base["data"]?["id"] == "USA")
        // What there is can be taken over by its identifier.
        let kept = try #require(manual.ids.first)
        try await client.refused(
            "POST", "/v1/inAppPurchasePriceSchedules",
            ProductClient.document(
                "inAppPurchasePriceSchedules", [:],
                ["inAppPurchase": ("inAppPurchases", id), "baseTerritory": ("territories", "USA")],
                lists: ["manualPrices": [("inAppPurchasePrices", kept)]]),
            status: 409, rule: "basePriceGap")
    }

    @Test func `a price that is none of the product's is refused`() async throws {
        let client = try await ProductClient()
        let id = try await client.create()
        let other = try await client.create("com.example.other")
        let foreign = try #require(
            try await points(client, of: other, in: "USA").first?["id"]?.text)
        for point in [foreign, "nonsense", ""] {
            try await client.refused(
                "POST", "/v1/inAppPurchasePriceSchedules",
                schedule(id, [price("${one}", point)]), status: 409, rule: "manualPrice")
        }
        try await client.refused(
            "POST", "/v1/inAppPurchasePriceSchedules", schedule(id, []), status: 409,
            rule: "basePriceMissing")
        let finance = try await client.with(role: .finance)
        try await finance.refused(
            "POST", "/v1/inAppPurchasePriceSchedules", schedule(id, []), status: 403, rule: nil)
    }

    @Test func `availability names where it is sold, and whether in new territories`()
        async throws
    {
        let client = try await ProductClient()
        let id = try await client.create()
        func availability(_ territories: [String], _ isNew: Bool) -> JSONValue {
            ProductClient.document(
                "inAppPurchaseAvailabilities", ["availableInNewTerritories": .bool(isNew)],
                ["inAppPurchase": ("inAppPurchases", id)],
                lists: ["availableTerritories": territories.map { ("territories", $0) }])
        }
        let before = try await client.call(
            "GET", "/v2/inAppPurchases/\(id)/inAppPurchaseAvailability")
        #expect(before.attribute("availableInNewTerritories") == true)
        _ = try await client.call(
            "POST", "/v1/inAppPurchaseAvailabilities", availability(["USA", "JPN"], false),
            status: 201)
        #expect(
            try await client.call(
                "GET", "/v1/inAppPurchaseAvailabilities/\(id)/availableTerritories"
            ).ids == ["USA", "JPN"])
        try await client.refused(
            "POST", "/v1/inAppPurchaseAvailabilities", availability(["USA", "XXX"], true),
            status: 409, rule: "territoryUnknown")
        #expect(
            try await client.call(
                "GET", "/v1/inAppPurchaseAvailabilities/\(id)/relationships/availableTerritories"
            ).ids == ["USA", "JPN"])
    }
}
