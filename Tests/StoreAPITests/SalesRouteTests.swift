import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// Reports about sales.
struct SalesRouteTests {
    private let clock = SettableClock()
    private let shop: TestStore
    private let client: ConnectClient

    private static let path = "/openstore/v1/salesReports"

    init() async throws {
        shop = try await TestStore(hasContent: false, isApproved: true, clock: clock)
        client = try await ConnectClient(shop, clock: clock, role: .finance, team: "Publisher")
        let device = try await APIClient.signedIn(shop, environment: .production)
        _ = try await device.buy(APIClient.badge(1))
        _ = try await device.buy(APIClient.credits(2, quantity: 3))
    }

    private var today: String { SalesDay(clock.now()).text }

    @Test func `without a word there is one line, about a month of production`() async throws {
        let report = try await client.call("GET", Self.path, expecting: 200)
        #expect(report.ids == ["total"])
        let attributes = try #require(report.value("data.0.attributes"))
        #expect(attributes["units"] == 4)
        #expect(attributes["refunds"] == 0)
        #expect(
            attributes["amounts"] == [
                [
                    "currency": "USD", "sales": "3.96", "refunded": "0", "proceeds": "2.76",
                ]
            ])
        let sandbox = try await client.call(
            "GET", "\(Self.path)?filter[environment]=SANDBOX", expecting: 200)
        #expect(sandbox.ids.isEmpty)
    }

    @Test func `lines come by what is asked for`() async throws {
        let products = try await client.call(
            "GET", "\(Self.path)?filter[by]=PRODUCT", expecting: 200)
        #expect(products.ids.count == 2)
        #expect(
            Set([
                products.at("data.0.attributes.productId"),
                products.at("data.1.attributes.productId"),
            ])
                == [SampleShop.badge, SampleShop.credits])
        let all = try await client.call(
            "GET",
            "\(Self.path)?filter[by]=DAY,TERRITORY&filter[from]=\(today)&filter[to]=\(today)",
            expecting: 200)
        #expect(all.ids == ["\(today)/USA"])
        #expect(all.at("data.0.attributes.day") == today)
        #expect(all.at("data.0.attributes.productId") == nil)
        let past = try await client.call(
            "GET", "\(Self.path)?filter[to]=2020-01-01", expecting: 200)
        #expect(past.ids.isEmpty)
    }

    @Test func `what can't be asked is refused`() async throws {
        for query in [
            "filter[from]=2026-02-02&filter[to]=2026-02-01",
            "filter[from]=2020-02-02&filter[to]=2026-02-01", "filter[to]=1969-12-31",
        ] {
            let answer = try await client.call(
                "GET", "\(Self.path)?\(query)", expecting: 400)
            let parameter = answer.at("errors.0.source.parameter")
            #expect(parameter == "filter[to]", "\(query)")
        }
        // Figures of one of several would pass for those of all.
        for name in ["app", "environment"] {
            let values = name == "app" ? "1,2" : "PRODUCTION,SANDBOX"
            let answer = try await client.call(
                "GET", "\(Self.path)?filter[\(name)]=\(values)", expecting: 400)
            #expect(answer.at("errors.0.source.parameter") == "filter[\(name)]")
        }
        try await client.call("GET", "\(Self.path)?filter[from]=2026-02-31", expecting: 400)
        try await client.call("GET", "\(Self.path)?filter[by]=WEEK", expecting: 400)
        try await client.refused("notFound", 404, "GET", "\(Self.path)?filter[app]=999")
    }

    @Test func `another team sees nothing of it, another role less`() async throws {
        let stranger = try await ConnectClient(
            shop, clock: clock, role: .finance, team: "Stranger")
        #expect(try await stranger.call("GET", Self.path, expecting: 200).ids.isEmpty)
        let app = try await shop.store.database.read {
            try $0.sampleApp().id.number
        }
        try await stranger.refused("notFound", 404, "GET", "\(Self.path)?filter[app]=\(app)")
        let developer = try await ConnectClient(
            shop, clock: clock, role: .developer, team: "Publisher")
        try await developer.call("GET", Self.path, expecting: 403)
    }
}
