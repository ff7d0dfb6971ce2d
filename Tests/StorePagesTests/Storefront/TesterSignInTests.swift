import Foundation
@testable import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// Testers on pages of the production store.
struct TesterSignInTests {
    private func tester(_ shop: TestStore) async throws -> Account {
        let account = try await shop.store.services.accounts.create(
            email: "tess@example.com", password: TestStore.password, storefront: .unitedStates,
            environment: .sandbox)
        let team = try await shop.store.database.read { try $0.sampleApp().teamID }
        try await shop.store.database.write {
            try $0.testers.insert(
                TesterProfile(team: team, firstName: "", lastName: "", secret: nil),
                of: account.id, at: SampleItems.date)
        }
        return account
    }

    private func status(_ account: Account, _ shop: TestStore) async throws -> TesterStatus {
        try await shop.store.database.read { try $0.testers.status(of: account.id) }
    }

    @Test func `a page says what becomes of a tester who signs in, and does it after a yes`()
        async throws
    {
        let shop = try await StorefrontShop()
        let tester = try await tester(shop.shop)
        let page = try await shop.open("/us/account")
        let typed = ["email": tester.email, "password": TestStore.password]
        let asked = try await shop.browser.submit(page, "signIn", typed)
        #expect(asked.status == 422)
        #expect(asked.words.contains("makes it a customer of the production store for good"))
        #expect(asked.words.contains("Become a Customer"))
        #expect(try await status(tester, shop.shop) == .active)
        // A wrong password is told nothing of it.
        let wrong = try await shop.browser.submit(
            page, "signIn", ["email": tester.email, "password": "wrong"])
        #expect(!wrong.words.contains("tester"))
        let done = try await shop.browser.submit(asked, "signIn", typed)
        #expect(done.status == 200 && done.words.contains("Signed in as \(tester.email)"))
        #expect(try await status(tester, shop.shop) == .converted)
    }

    @Test func `an item's page asks as well`() async throws {
        let shop = try await StorefrontShop()
        let tester = try await tester(shop.shop)
        let id = try await shop.add("Engines")
        let asked = try await shop.browser.submit(
            try await shop.open("/us/buy/\(id)"), "signIn",
            ["email": tester.email, "password": TestStore.password])
        #expect(asked.status == 422 && asked.words.contains("Become a Customer"))
        #expect(try await status(tester, shop.shop) == .active)
    }

    @Test func `the sandbox's pages ask nothing`() async throws {
        let shop = try await StorefrontShop(.sandbox)
        let tester = try await tester(shop.shop)
        try await shop.signIn(tester.email)
        #expect(try await shop.open("/us/account").words.contains("Signed in as \(tester.email)"))
        #expect(try await status(tester, shop.shop) == .active)
    }
}
