import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// What sells subscriptions: codes, pictures and promotion, as App Store Connect's clients
/// maintain them.
@Suite struct SubscriptionOfferRouteTests {
    private typealias Fixture = SubscriptionRouteTests.Fixture

    @Test func `an offer code comes with its prices, and gives codes`() async throws {
        let fixture = try await Fixture()
        let id = try await fixture.subscription().id
        let point = try await fixture.point(id, "DEU", "0.99")
        func offer(_ name: String, price: String) -> JSONValue {
            ConnectClient.document(
                "subscriptionOfferCodes",
                [
                    "name": .string(name), "customerEligibilities": ["NEW"],
                    "offerEligibility": "STACK_WITH_INTRO_OFFERS", "duration": "ONE_MONTH",
                    "offerMode": "PAY_AS_YOU_GO", "numberOfPeriods": 1,
                ], one: ["subscription": ("subscriptions", id)],
                many: ["prices": [("subscriptionOfferCodePrices", price)]],
                included: [
                    [
                        "type": "subscriptionOfferCodePrices", "id": "${a}",
                        "relationships": [
                            "subscriptionPricePoint": [
                                "data": [
                                    "type": "subscriptionPricePoints", "id": .string(point),
                                ]
                            ]
                        ],
                    ]
                ])
        }
        let made = try await fixture.client.call(
            "POST", "/v1/subscriptionOfferCodes", offer("Spring", price: "${a}"))
        #expect(made.status == 201, "\(made.errors)")
        #expect(made.attribute("active") == true)
        let path = "/v1/subscriptionOfferCodes/\(made.id)"
        let prices = try await fixture.client.get(
            "\(path)/prices", query: [("include", "territory")])
        #expect(prices.json["included"]?.elements?.map { $0["id"] } == ["DEU"])
        #expect(
            try await fixture.client.call(
                "POST", "/v1/subscriptionOfferCodes", offer("Other", price: "unknown")
            ).errors == [
                "409 ENTITY_ERROR.RELATIONSHIP.INVALID /data/relationships/prices "
                    + "priceNotIncluded"
            ])
        let batch = try await fixture.client.call(
            "POST", "/v1/subscriptionOfferCodeOneTimeUseCodes",
            ConnectClient.document(
                "subscriptionOfferCodeOneTimeUseCodes",
                ["numberOfCodes": 500, "expirationDate": "2031-01-31"],
                one: ["offerCode": ("subscriptionOfferCodes", made.id)]))
        #expect(batch.status == 201, "\(batch.errors)")
        let values = try await fixture.client.send(
            "GET", "/connect/v1/subscriptionOfferCodeOneTimeUseCodes/\(batch.id)/values")
        #expect(values.headers["Content-Type"] == "text/csv")
        let codes = String(decoding: values.data, as: UTF8.self).split(separator: "\n")
        #expect(Set(codes).count == 500)
        #expect(codes.allSatisfy { $0.utf8.count == 18 })
        // Who may read the batch does not learn what its codes follow from.
        let read = try await fixture.client.send(
            "GET", "/connect/v1/subscriptionOfferCodeOneTimeUseCodes/\(batch.id)")
        #expect(!String(decoding: read.data, as: UTF8.self).contains("ecret"))
        let closed = try await fixture.client.call(
            "PATCH", path,
            ConnectClient.document(
                "subscriptionOfferCodes", id: made.id, ["active": false]))
        #expect(closed.attribute("active") == false)
    }

    @Test func `a subscription is shown to reviewers, and promoted`() async throws {
        let fixture = try await Fixture()
        let id = try await fixture.subscription().id
        var bytes = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13])
        bytes += Data("IHDR".utf8) + Data([0, 0, 2, 128, 0, 0, 3, 152])
        bytes += SampleShop.noise(1000, seed: 7)
        let shots = "/v1/subscriptionAppStoreReviewScreenshots"
        let reserved = try await fixture.client.call(
            "POST", shots,
            ConnectClient.document(
                "subscriptionAppStoreReviewScreenshots",
                ["fileName": "a.png", "fileSize": .integer(bytes.count)],
                one: ["subscription": ("subscriptions", id)]))
        #expect(reserved.status == 201, "\(reserved.errors)")
        let operation = try #require(reserved.attribute("uploadOperations")?.elements?.first)
        let path = try #require(URLComponents(string: operation["url"]?.text ?? "")?.path)
        #expect(try await fixture.client.send("PUT", path, bytes).status == 204)
        let taken = try await fixture.client.call(
            "PATCH", "\(shots)/\(reserved.id)",
            ConnectClient.document(
                "subscriptionAppStoreReviewScreenshots", id: reserved.id, ["uploaded": true]))
        #expect(taken.attribute("assetDeliveryState")?["state"] == "COMPLETE")
        #expect(
            try await fixture.client.get("/v1/subscriptions/\(id)/appStoreReviewScreenshot").id
                == reserved.id)
        let other = "/v1/inAppPurchaseAppStoreReviewScreenshots/\(reserved.id)"
        #expect(try await fixture.client.get(other).status == 404)
        #expect(try await fixture.client.call("DELETE", other).status == 404)
        let promoted = try await fixture.client.call(
            "POST", "/v1/promotedPurchases",
            ConnectClient.document(
                "promotedPurchases", ["visibleForAllUsers": true],
                one: ["app": ("apps", fixture.app), "subscription": ("subscriptions", id)]))
        #expect(promoted.status == 201, "\(promoted.errors)")
        let listed = try await fixture.client.get(
            "/v1/apps/\(fixture.app)/promotedPurchases", query: [("include", "subscription")])
        #expect(listed.json["included"]?.elements?.map { $0["id"] } == [.string(id)])
        #expect(
            try await fixture.client.get("/v1/subscriptions/\(id)/promotedPurchase").id
                == promoted.id)
    }
}
