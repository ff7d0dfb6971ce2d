import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StorePages
import StoreTestSupport
import Testing

/// What customers write on the pages.
@Suite struct StorefrontReviewTests {
    @Test func `a buyer writes a review, changes and removes it`() async throws {
        let shop = try await StorefrontShop()
        let id = try await shop.add("Engines")
        let path = "/us/book/engines/id\(id)"
        #expect(try await shop.open("/us/review/\(id)").words.contains("Sign in"))
        try await shop.signIn()
        #expect(try await shop.open("/us/review/\(id)").words.contains("Only those who got it"))
        _ = try await shop.buy(id)
        var page = try await shop.review(id, 9, "Good", "Very")
        #expect(page.status == 422 && page.words.contains("Choose 1 to 5 stars"))
        #expect(page.text.contains("value=\"Good\""))
        page = try await shop.review(id, 4, "Good", "First\r\nSecond")
        #expect(page.status == 200)
        #expect(page.text.contains("First\nSecond") && page.words.contains("Edit Your Review"))
        #expect(try await shop.get(path).text.contains("First\nSecond"))
        page = try await shop.review(id, 2, "Worse", "Later")
        #expect(page.words.contains("Worse") && !page.words.contains("First"))
        let form = try await shop.open("/us/review/\(id)")
        page = try await shop.browser.submit(form, "remove")
        #expect(!page.words.contains("Worse") && page.words.contains("Nobody has rated it yet."))
    }

    @Test func `reviews are sorted and paged, and votes count once`() async throws {
        let shop = try await StorefrontShop()
        let id = try await shop.add("Engines", price: 0)
        let accounts = shop.shop.store.services.accounts
        let (sales, reviews) = (
            shop.shop.store.services.itemSales, shop.shop.store.services.customerReviews
        )
        for number in 1...12 {
            let account = try await accounts.create(
                email: "reader\(number)@example.com", password: TestStore.password,
                storefront: .unitedStates, environment: .production)
            _ = try await sales.buy(
                id, expecting: Money(thousandths: 0, currency: "USD"), by: account,
                referral: Referral())
            _ = try await reviews.write(
                ReviewDraft(
                    rating: number % 5 + 1, title: "Title-\(number)-", body: "Body",
                    nickname: "Reader \(number)"), on: id, by: account)
        }
        let path = "/us/book/engines/id\(id)"
        let first = try await shop.get(path).text
        #expect(first.matches(of: /class="review"/).count == ItemPage.reviewsPerPage)
        #expect(first.contains("Page 1 of 2") && first.contains("?page=2#reviews"))
        let second = try await shop.get(path + "?page=2").text
        #expect(second.matches(of: /class="review"/).count == 2)
        #expect(try await shop.get(path + "?page=99").text.contains("Page 2 of 2"))
        let critical = try await shop.get(path + "?sort=mostcritical").text
        #expect(
            critical.firstMatch(of: /Title-([0-9]+)-/)?.1 == "5"
                || critical.firstMatch(of: /Title-([0-9]+)-/)?.1 == "10")
        let favorable = try await shop.get(path + "?sort=mostfavorable").text
        #expect(["4", "9"].contains(favorable.firstMatch(of: /Title-([0-9]+)-/)?.1))

        // Whoever is not signed in is led to signing in by the button.
        #expect(first.contains("action=\"/us/account\""))
        try await shop.signIn()
        let page = try await shop.open(path)
        let button = try #require(page.text.firstMatch(of: /value="([0-9]+)-yes"/)).1
        let token = try #require(page.text.firstMatch(of: /name="form" value="([^"]+)"/)).1
        let voting = PageBrowser.Page(
            status: 200, headers: [:], text: "", url: shop.url("/us/vote/\(id)"))
        for _ in 1...2 {
            let voted = try await shop.browser.submit(
                voting, "", ["form": String(token), "vote": "\(button)-yes"])
            #expect(voted.text.contains("1 of 1 found this helpful"))
        }
        let wrong = try await shop.browser.submit(
            voting, "", ["form": "wrong", "vote": "\(button)-no"])
        #expect(wrong.status == 403)
        for vote in ["", "x-yes", "\(button)-perhaps", "\(button)"] {
            let refused = try await shop.browser.submit(
                voting, "", ["form": String(token), "vote": vote])
            #expect(refused.status == 400, "\(vote)")
        }
    }

    @Test func `what somebody writes is escaped wherever it stands`() async throws {
        let shop = try await StorefrontShop()
        try await shop.signIn()
        for text in HostileStrings.all {
            let id = try await shop.add("Engines", price: 0) {
                $0.texts["en_US"]?.description = text
                $0.texts["en_US"]?.subtitle = text
            }
            _ = try await shop.buy(id)
            let page = try await shop.review(id, 5, String(text.prefix(90)), text)
            _ = try StrictMarkup(page.text)
            // Characters that turn the direction of writing are refused.
            #expect(page.status == 200 || page.text.contains("role=\"alert\""), "\(text)")
            _ = try StrictMarkup(try await shop.open("/us/review/\(id)").text)
        }
        _ = try StrictMarkup(try await shop.open("/us/account").text)
    }
}
