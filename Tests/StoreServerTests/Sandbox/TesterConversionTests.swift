import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// Signing in to the production store with a tester.
struct TesterConversionTests {
    @Test func `it makes the tester a real account, which tests no longer`() async throws {
        let fixture = try await SandboxFixture()
        let tester = try await fixture.makeTester()
        _ = try await fixture.testers.change(
            tester.account, TesterChange(territory: Storefront.named("JPN")), by: fixture.actor())
        let session = try await fixture.accounts.signIn(
            email: tester.email, password: TestStore.password, environment: .sandbox)

        let customer = try await fixture.accounts.authenticate(
            email: tester.email, password: TestStore.password, environment: .production,
            mayConvert: true)
        #expect(customer.environment == .production)
        #expect(customer.id != tester.account)
        #expect(customer.storefront.code == "JPN")
        #expect(
            try await fixture.accounts.session(token: session.token, environment: .sandbox) == nil)
        // The sandbox says why, to whoever knows the password.
        await #expect(throws: AccountRefusal.testerConverted(tester.email)) {
            try await fixture.accounts.signIn(
                email: tester.email, password: TestStore.password, environment: .sandbox)
        }
        await #expect(throws: AccountRefusal.signInWrong) {
            try await fixture.accounts.signIn(
                email: tester.email, password: "wrong-horse", environment: .sandbox)
        }
        // It is the same customer from then on.
        let again = try await fixture.accounts.signIn(
            email: tester.email, password: TestStore.password, environment: .production)
        #expect(again.account.id == customer.id)
    }

    @Test func `who has not agreed stays a tester`() async throws {
        let fixture = try await SandboxFixture()
        let tester = try await fixture.makeTester()
        let session = try await fixture.accounts.signIn(
            email: tester.email, password: TestStore.password, environment: .sandbox)
        await #expect(throws: AccountRefusal.wouldConvert(tester.email)) {
            try await fixture.accounts.authenticate(
                email: tester.email, password: TestStore.password, environment: .production)
        }
        await #expect(throws: AccountRefusal.wouldConvert(tester.email)) {
            try await fixture.accounts.signIn(
                email: tester.email, password: TestStore.password, environment: .production)
        }
        #expect(
            try await fixture.testers.tester(tester.account, by: fixture.actor()).status == .active)
        #expect(
            try await fixture.accounts.session(token: session.token, environment: .sandbox) != nil)
    }

    @Test func `a tester who signs in where another account is meant stays a tester`() async throws
    {
        let fixture = try await SandboxFixture()
        let tester = try await fixture.makeTester()
        let prompts = fixture.shop.store.services.prompts
        let app = try #require(
            try await fixture.shop.store.database.read {
                try $0.catalog.app(SampleShop.bundleID)
            })
        let ticket = try await prompts.ask(
            .signIn(email: "someone@example.com"), for: app.id, of: nil, in: .production,
            address: "http://store.example")
        for mayConvert in [false, true] {
            await #expect(throws: PromptRefusal.otherAccount) {
                _ = try await prompts.prove(
                    email: tester.email, password: TestStore.password, for: ticket.prompt,
                    mayConvert: mayConvert)
            }
        }
        #expect(
            try await fixture.testers.tester(tester.account, by: fixture.actor()).status == .active)
    }

    @Test func `a converted tester is listed as such, and can only be deleted`() async throws {
        let fixture = try await SandboxFixture()
        let tester = try await fixture.makeTester()
        let id = tester.account
        let entry = try await fixture.sold(1, by: id)
        _ = try await fixture.accounts.authenticate(
            email: tester.email, password: TestStore.password, environment: .production,
            mayConvert: true)
        let page = PageRequest(limit: 10)
        #expect(try await fixture.testers.testers(page, by: fixture.actor()).items.isEmpty)
        let shown = try await fixture.testers.testers(
            includesConverted: true, page, by: fixture.actor())
        #expect(shown.items.map(\.status) == [.converted])
        for step in [
            { _ = try await fixture.testers.change(id, TesterChange(), by: fixture.actor()) },
            { try await fixture.testers.clearHistory(of: [id], by: fixture.actor()) },
            { try await fixture.purchases.refund(entry.id, of: id, by: fixture.actor()) },
        ] as [() async throws -> Void] {
            #expect(try await fixture.rule(step) == "testerConverted")
        }
        try await fixture.testers.delete(id, by: fixture.actor())
        #expect(
            try await fixture.rule { _ = try await fixture.testers.tester(id, by: .machine) }
                == "notFound")
        // The customer stays.
        _ = try await fixture.accounts.authenticate(
            email: tester.email, password: TestStore.password, environment: .production)
    }

    @Test func `a wrong password converts nobody, and tells nobody of the tester`() async throws {
        let fixture = try await SandboxFixture()
        let tester = try await fixture.makeTester()
        await #expect(throws: AccountRefusal.signInWrong) {
            try await fixture.accounts.authenticate(
                email: tester.email, password: "wrong-horse", environment: .production,
                mayConvert: true)
        }
        #expect(
            try await fixture.testers.tester(tester.account, by: fixture.actor()).status == .active)
    }

    @Test func `who is a customer already signs in as that one, and the tester stays`()
        async throws
    {
        let fixture = try await SandboxFixture()
        let tester = try await fixture.makeTester()
        let customer = try await fixture.accounts.create(
            email: tester.email, password: "another-horse", storefront: .unitedStates,
            environment: .production)
        await #expect(throws: AccountRefusal.signInWrong) {
            try await fixture.accounts.authenticate(
                email: tester.email, password: TestStore.password, environment: .production)
        }
        let known = try await fixture.accounts.authenticate(
            email: tester.email, password: "another-horse", environment: .production)
        #expect(known.id == customer.id)
        #expect(
            try await fixture.testers.tester(tester.account, by: fixture.actor()).status == .active)
    }

    @Test func `two sign-ins at once make one customer`() async throws {
        let fixture = try await SandboxFixture()
        let tester = try await fixture.makeTester()
        let customers = try await withThrowingTaskGroup(of: AccountID.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await fixture.accounts.authenticate(
                        email: tester.email, password: TestStore.password,
                        environment: .production, mayConvert: true
                    ).id
                }
            }
            return try await group.reduce(into: Set<AccountID>()) { $0.insert($1) }
        }
        #expect(customers.count == 1)
    }
}
