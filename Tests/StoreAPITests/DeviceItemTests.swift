import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// `/device/v1/items/{id}/…`: an item's page for apps, and what a customer does there.
@Suite struct DeviceItemTests {
    private static let dollars = Money(thousandths: 1990, currency: "USD")

    private static func shop() async throws -> (TestStore, APIClient, ItemID) {
        let shop = try await TestStore(hasContent: false)
        let item = try await shop.addItem(
            "The Clock", tier: nil, own: ["USA": 1990, "JPN": 200_000]
        ) { details in
            details.texts["en_US"]?.description = "It has one hand."
            details.facts.supportURL = "https://ada.example/help"
            details.facts.version = "2"
        }
        try await shop.giveFile(Data("%PDF-1.4\n".utf8), named: "clock.pdf", to: item)
        return (shop, try await APIClient.signedIn(shop), item)
    }

    private func page(
        _ id: ItemID, _ client: APIClient, storefront: String = "USA"
    ) async throws -> ItemPageAnswer {
        let response = try await client.send(
            "GET", "/device/v1/items/\(id)/page", query: [("storefront", storefront)])
        guard response.status == 200 else { throw try response.failure() }
        return try WireCoding.decode(ItemPageAnswer.self, from: response.data)
    }

    @Test func `the page says what the item is, and to a customer what they have of it`()
        async throws
    {
        let (shop, client, item) = try await Self.shop()
        let other = try await shop.addItem("The Lamp", tier: nil, own: ["USA": 990])
        var stranger = client
        stranger.token = nil
        let open = try await page(item, stranger)
        #expect(open.item.title == "The Clock" && open.item.price == Self.dollars)
        #expect(open.description == "It has one hand.")
        #expect(open.supportUrl == "https://ada.example/help")
        #expect(open.versions.map(\.version) == ["2"])
        #expect(open.related.map(\.itemId) == [other.number])
        #expect(open.customer == nil)
        #expect(try await page(item, stranger, storefront: "JPN").item.price?.currency == "JPY")
        // Whoever is signed in buys where their account is.
        let before = try await page(item, client, storefront: "JPN")
        #expect(before.storefront == "USA")
        #expect(before.customer?.isOwned == false && before.customer?.file == nil)
        #expect(before.customer?.mayReview == false)

        let order = ItemOrderRequest(price: Self.dollars, at: "ada12", ct: nil, pt: nil)
        let path = DeviceRoute.itemSales(item.number)
        for _ in 1...2 {
            #expect(
                try await client.send("POST", path, WireCoding.encode(order)).status == 204)
        }
        let sales = try await shop.itemSales()
        #expect(sales.map(\.item) == [item])
        #expect(sales.first?.referral.affiliateToken == "ada12")
        let after = try #require(try await page(item, client).customer)
        #expect(after.isOwned && after.mayReview)
        #expect(after.file?.name == "clock.pdf" && after.file?.size == 9)
    }

    @Test func `the file is its buyers', whole or in part`() async throws {
        let (shop, client, item) = try await Self.shop()
        let path = DeviceRoute.itemFile(item.number)
        #expect(try await client.refusal("GET", path).name == "403 itemNotOwned")
        try await shop.addReview(5, of: item, by: TestStore.american)
        let whole = try await client.send("GET", path)
        #expect(whole.status == 200 && whole.data == Data("%PDF-1.4\n".utf8))
        let rest = try await client.send("GET", path, headers: ["Range": "bytes=5-"])
        #expect(rest.status == 206 && rest.data == Data("1.4\n".utf8))
    }

    @Test func `reviews come a page at a time in the order that is asked for`() async throws {
        let (shop, client, item) = try await Self.shop()
        try await shop.addReview(2, "Slow", "It stands still.", of: item, by: TestStore.american)
        try await shop.addReview(5, "Fine", "It goes.", of: item, by: TestStore.japanese)
        func titles(_ sort: String, _ page: String) async throws -> [String] {
            let response = try await client.send(
                "GET", "/device/v1/items/\(item)/reviews", query: [("sort", sort), ("page", page)])
            guard response.status == 200 else { return [try response.failure().code.rawValue] }
            let answer = try WireCoding.decode(ItemReviewsAnswer.self, from: response.data)
            #expect(answer.page == 1 && answer.pages == 1)
            #expect(answer.reviews.allSatisfy { $0.state == nil })
            return answer.reviews.map(\.title)
        }
        #expect(try await titles("mostfavorable", "1") == ["Fine", "Slow"])
        #expect(try await titles("mostcritical", "9") == ["Slow", "Fine"])
        #expect(try await titles("best", "1") == ["malformedRequest"])
        #expect(try await titles("mostrecent", "0") == ["malformedRequest"])
        #expect(
            Set(ItemReviewsAnswer.orders) == Set(ReviewOrder.allCases.map(\.rawValue)))
    }

    @Test func `a review is written, changed and removed by whoever got the item`() async throws {
        let (shop, client, item) = try await Self.shop()
        let path = DeviceRoute.itemReview(item.number)
        func write(_ rating: Int, _ title: String) async throws -> HTTPResponse {
            try await client.send(
                "POST", path,
                WireCoding.encode(
                    ReviewRequest(rating: rating, title: title, body: "", nickname: "Ada")))
        }
        #expect(try await write(5, "").failure().code == .itemNotOwned)
        let others = try await shop.addReview(
            4, "Good", "It goes.", of: item, by: TestStore.japanese)
        _ = try await shop.store.services.itemSales.buy(
            item, expecting: Self.dollars,
            by: try await shop.store.services.accounts.account(
                email: TestStore.american, environment: .sandbox))
        #expect(try await write(6, "").failure().code == .reviewMalformed)
        #expect(try await write(5, "Fine").status == 200)
        #expect(try await write(3, "Fair").status == 200)
        let own = try #require(try await page(item, client).customer?.review)
        #expect(own.rating == 3 && own.title == "Fair" && own.state == "PUBLISHED")
        let vote = try WireCoding.encode(ReviewVoteRequest(isHelpful: true))
        func voteCode(_ id: Int64) async throws -> String {
            try await client.refusal("POST", DeviceRoute.reviewVotes(id), vote).name
        }
        #expect(try await voteCode(own.reviewId) == "403 ownReview")
        #expect(try await voteCode(999_999) == "404 reviewUnknown")
        #expect(
            try await client.send("POST", DeviceRoute.reviewVotes(others.number), vote).status
                == 204)
        #expect(try await client.send("DELETE", path).status == 204)
        #expect(try await page(item, client).customer?.review == nil)
    }

    @Test func `what can't be sold is refused with the reason, and nothing is charged`()
        async throws
    {
        let (shop, client, item) = try await Self.shop()
        let removed = try await shop.addItem("Gone", state: .removed)
        let japan = try await shop.addItem("Japan", storefronts: ["JPN"])
        let bare = try await shop.addItem("Bare", tier: nil, own: ["USA": 1990], hasFile: false)
        let orders: [(ItemID, Int64, String)] = [
            (item, 990, "409 priceChanged"), (removed, 1990, "409 itemNotForSale"),
            (japan, 1990, "422 itemNotInStorefront"), (bare, 1990, "409 itemNotForSale"),
            (ItemID(number: 77), 1990, "404 itemUnknown"),
        ]
        for (id, price, expected) in orders {
            let order = ItemOrderRequest(
                price: Money(thousandths: price, currency: "USD"), at: nil, ct: nil, pt: nil)
            #expect(
                try await client.refusal(DeviceRoute.itemSales(id.number), order).name == expected)
        }
        #expect(try await shop.itemSales().isEmpty)
        for id in ["0", "id7", "\(removed)", "99999999999999999999"] {
            let refusal = try await client.refusal("GET", "/device/v1/items/\(id)/page")
            #expect(refusal.name == "404 itemUnknown", "\(id)")
        }
        #expect(
            try await client.refusal("GET", "/device/v1/items/\(japan)/page").name
                == "422 itemNotInStorefront")
    }
}
