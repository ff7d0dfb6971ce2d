import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

@testable import StorePages

/// What customers see of what they have bought, and who pays for it.
@Suite struct OwnerPageTests {
    @Test func `whoever types a password buys, also where somebody else has signed in since`()
        async throws
    {
        let shop = try await StorefrontShop()
        let id = try await shop.add("Engines")
        let form = try await shop.open("/us/buy/\(id)")
        #expect(form.fields["password"] != nil)
        // In another tab.
        try await shop.signIn(TestStore.japanese)
        let services = shop.shop.store.services
        let accounts = [try await shop.account(), try await shop.account(TestStore.japanese)]
        func owners() async throws -> [Bool] {
            var owners: [Bool] = []
            for account in accounts {
                owners.append(try await services.itemSales.owned(id, by: account.id) != nil)
            }
            return owners
        }
        let wrong = try await shop.browser.submit(
            form, "buy", ["email": "nobody@example.com", "password": "whatever-it-is"])
        #expect(wrong.status == 422 && wrong.fields["password"] != nil)
        #expect(try await owners() == [false, false])
        _ = try await shop.browser.submit(
            form, "buy", ["email": TestStore.american, "password": TestStore.password])
        #expect(try await owners() == [true, false])
    }

    @Test func `the buyer of an album has its songs after they were removed from sale`()
        async throws
    {
        let shop = try await StorefrontShop()
        let (album, song) = try await shop.addAlbum()
        try await shop.signIn()
        _ = try await shop.buy(album)
        for id in [song, album] { try await shop.change(id) { $0.state = .removed } }
        let page = try await shop.open("/us/buy/\(album)")
        #expect(page.words.contains("Download Waltz"))
        #expect(try await shop.open("/us/downloads/\(song)").status == 200)
    }

    @Test func `who has an item writes a review of it after it was removed from sale`()
        async throws
    {
        let shop = try await StorefrontShop()
        let id = try await shop.add("Engines")
        try await shop.signIn()
        _ = try await shop.buy(id)
        try await shop.change(id) { $0.state = .removed }
        let page = try await shop.open("/us/review/\(id)")
        #expect(page.status == 200 && page.fields["title"] != nil)
    }

    @Test func `a referral for the visit only is remembered until the browser closes`() throws {
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        let text = ReferralCookie.text(Referral(affiliateToken: "1001lABC"), at: date)
        let later = date.addingTimeInterval(86_400)
        let found = ReferralCookie.referral(of: text, at: later, duration: 0)
        #expect(found?.affiliateToken == "1001lABC")
        #expect(ReferralCookie.referral(of: text, at: later, duration: 3600) == nil)
    }
}
