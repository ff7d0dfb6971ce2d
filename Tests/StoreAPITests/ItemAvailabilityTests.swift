import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// `GET /device/v1/items/{id}`: why an app can't show an item.
@Suite struct ItemAvailabilityTests {
    @Test func `an item is there, elsewhere, or not at all`() async throws {
        let shop = try await TestStore(hasContent: false)
        let here = try await shop.addItem("Here")
        let japan = try await shop.addItem("Japan", storefronts: ["JPN"])
        let draft = try await shop.addItem("Draft", state: .draft)
        let removed = try await shop.addItem("Removed", state: .removed)
        var client = try await APIClient.signedIn(shop)
        client.token = nil
        let cases: [(item: String, storefront: String?, answer: String)] = [
            ("\(here)", nil, "204"), ("\(here)", "jp", "204"), ("\(here)", "JPN", "204"),
            ("\(japan)", "JPN", "204"), ("\(japan)", nil, "422 itemNotInStorefront"),
            ("\(japan)", "USA", "422 itemNotInStorefront"),
            ("\(draft)", nil, "404 itemUnknown"), ("\(removed)", nil, "404 itemUnknown"),
            ("0", nil, "404 itemUnknown"), ("-1", nil, "404 itemUnknown"),
            ("id7", nil, "404 itemUnknown"), ("99999999999999999999", nil, "404 itemUnknown"),
            ("\(here)", "XYZ", "400 malformedRequest"), ("\(here)", "", "400 malformedRequest"),
        ]
        for (item, storefront, answer) in cases {
            let response = try await client.send(
                "GET", "/device/v1/items/\(item)",
                query: storefront.map { [("storefront", $0)] } ?? [])
            if response.status == 204 {
                #expect(answer == "204", "\(item)")
            } else {
                let error = try response.failure()
                #expect("\(response.status) \(error.code.rawValue)" == answer, "\(item)")
                #expect(!error.message.isEmpty)
            }
        }
    }
}
