import Foundation
import StoreCore
import StoreModel
import StorePages
import StoreServer
import StoreTestSupport
import Testing

/// Who shares with a customer, and parting from them.
struct FamilyPageTests {
    private static let child = "tim@example.com"

    /// A family of Ada, who organizes it, Haruki and Tim.
    private func shop() async throws -> AccountShop {
        let shop = try await AccountShop()
        for product in [SampleShop.chapter, SampleShop.badge, SampleShop.monthly] {
            try await shop.change(product) { $0.isFamilyShareable = true }
        }
        try await shop.change(SampleShop.badge) { $0.prices = ["USA": 990, "JPN": 120_000] }
        _ = try await shop.services.accounts.create(
            email: Self.child, password: TestStore.password, storefront: .unitedStates,
            environment: .production)
        for email in [TestStore.japanese, Self.child] {
            try await shop.services.families.add(
                email, toFamilyOf: TestStore.american, in: .production)
        }
        return shop
    }

    private func path(_ shop: AccountShop, _ email: String) async throws -> String {
        "/us/account/family/\(try await shop.shop.account(email).id.number)"
    }

    private func members(_ shop: AccountShop) async throws -> [String] {
        let account = try await shop.shop.account(TestStore.american)
        return try await shop.services.families.household(of: account.id)?.members.map(\.email)
            ?? []
    }

    @Test func `a member sees who is in it, and what goes with leaving`() async throws {
        let shop = try await shop()
        try await shop.buy(SampleShop.chapter)
        try await shop.buy(SampleShop.monthly)
        try await shop.buy(SampleShop.badge, by: TestStore.japanese)
        try await shop.shop.signIn(TestStore.japanese)
        let page = try await shop.shop.open("/us/account/family")
        for email in [TestStore.american, TestStore.japanese, Self.child] {
            #expect(page.words.contains(email))
        }
        #expect(page.words.contains("Organizer") && page.words.contains("Leave"))
        #expect(!page.words.contains("Remove"))
        let shared = try await shop.shop.open("/us/account/subscriptions")
        #expect(shared.words.contains("Through your family"))
        #expect(shared.words.contains("Pro monthly"))
        let orders = try await shop.shop.open("/us/account/orders")
        #expect(orders.words.contains("第一章"))
        #expect(orders.text.matches(of: /class="mark chosen"/).count == 2)
        let question = try await shop.shop.open(try await path(shop, TestStore.japanese))
        for words in [
            "You lose at once what came through the family:", "第一章, Sample shop", "Pro monthly",
            "The others lose at once what you bought:", "バッジ", "What you bought stays yours.",
        ] {
            #expect(question.words.contains(words), "\(words)")
        }
        let left = try await shop.browser.submit(question, "yes")
        #expect(left.words.contains("You share with nobody."))
        #expect(try await members(shop) == [Self.child])
        #expect(
            try await shop.shop.open("/us/account/orders").words.contains("No longer shared"))
        #expect(!(try await shop.shop.open("/us/account/subscriptions")).words.contains("Pro"))
        #expect(try await shop.browser.submit(question, "yes").status == 404)
    }

    @Test func `a member takes nobody else out`() async throws {
        let shop = try await shop()
        try await shop.shop.signIn(TestStore.japanese)
        let own = try await shop.shop.open(try await path(shop, TestStore.japanese))
        for email in [TestStore.american, Self.child] {
            let other = try await path(shop, email)
            #expect(try await shop.shop.open(other).status == 404)
            let moved = PageBrowser.Page(
                status: 200, headers: own.headers, text: own.text, url: shop.shop.url(other))
            #expect(try await shop.browser.submit(moved, "yes").status == 404)
        }
        for wrong in ["x", "0", "99999999999999999999", "-1"] {
            #expect(try await shop.shop.open("/us/account/family/\(wrong)").status == 404)
        }
        #expect(
            try await shop.browser.submit(own, "yes", headers: ["Origin": "https://evil.example"])
                .status == 403)
        #expect(try await members(shop).count == 2)
    }

    @Test func `the organizer removes members, and ends it`() async throws {
        let shop = try await shop()
        try await shop.buy(SampleShop.chapter)
        try await shop.shop.signIn()
        let page = try await shop.shop.open("/us/account/family")
        #expect(page.words.contains("You, the organizer"))
        #expect(page.words.contains("Remove \(Self.child)"))
        let question = try await shop.shop.open(try await path(shop, Self.child))
        for words in [
            "Remove from the family?", Self.child,
            "They lose at once what came through the family:", "The first chapter",
            "Nobody else has anything that they bought.",
        ] {
            #expect(question.words.contains(words), "\(words)")
        }
        let removed = try await shop.browser.submit(question, "yes")
        #expect(!removed.words.contains(Self.child))
        #expect(try await members(shop) == [TestStore.japanese])
        let end = try await shop.shop.open(try await path(shop, TestStore.american))
        #expect(end.words.contains("End the family?"))
        #expect(end.words.contains("Everybody loses at once what came through the family:"))
        let ended = try await shop.browser.submit(end, "yes")
        #expect(ended.words.contains("You share with nobody."))
        #expect(try await members(shop).isEmpty)
    }

    @Test func `who is in none reads so`() async throws {
        let shop = try await AccountShop()
        try await shop.shop.signIn()
        let page = try await shop.shop.open("/us/account/family")
        #expect(page.words.contains("You share with nobody."))
        #expect(try await shop.shop.open(try await path(shop, TestStore.american)).status == 404)
    }
}
