import Foundation
@testable import StoreCore
import StoreModel
import StoreTestSupport
import Testing

struct TesterTests {
    @Test func `a tester signs in to the sandbox, and is listed by the team`() async throws {
        let fixture = try await SandboxFixture()
        let tester = try await fixture.makeTester()
        #expect(tester.name == "Tess Ter")
        #expect(tester.status == .active)
        #expect(tester.renewalRate == .fiveMinutes)
        let session = try await fixture.accounts.signIn(
            email: tester.email, password: TestStore.password, environment: .sandbox)
        #expect(session.account.id == tester.account)
        let page = PageRequest(limit: 10)
        #expect(try await fixture.testers.testers(page, by: fixture.actor()).items == [tester])
        #expect(try await fixture.testers.testers(page, by: fixture.stranger).items.isEmpty)
        #expect(try await fixture.testers.testers(page, by: .machine).items == [tester])
        #expect(try await fixture.testers.tester(tester.account, by: fixture.actor()) == tester)
        #expect(try await fixture.actions() == ["tester.create tess@example.com"])
    }

    @Test func `testers are found by a part of name or address, a page at a time`() async throws {
        let fixture = try await SandboxFixture()
        for number in 1...5 { _ = try await fixture.makeTester("t\(number)@example.com") }
        func names(_ text: String, limit: Int, cursor: String? = nil) async throws -> (
            [String], String?, Int?
        ) {
            let page = try await fixture.testers.testers(
                matching: text, PageRequest(limit: limit, cursor: cursor), by: fixture.actor())
            return (page.items.map(\.email), page.next, page.total)
        }
        let first = try await names("", limit: 2)
        #expect(first.0 == ["t1@example.com", "t2@example.com"])
        #expect(first.2 == 5)
        let second = try await names("", limit: 2, cursor: first.1)
        #expect(second.0 == ["t3@example.com", "t4@example.com"])
        let third = try await names("", limit: 2, cursor: second.1)
        #expect(third.0 == ["t5@example.com"])
        #expect(third.1 == nil)
        #expect(try await names("T3@", limit: 10).0 == ["t3@example.com"])
        #expect(try await names("ss ter", limit: 10).2 == 5)
        #expect(try await names("%", limit: 10).0.isEmpty)
        #expect(
            try await fixture.rule { _ = try await names("", limit: 2, cursor: "x") } == "cursor")
    }

    @Test func `every step takes the right to manage testers, and the right team`() async throws {
        let fixture = try await SandboxFixture()
        let tester = try await fixture.makeTester()
        let id = tester.account
        let entry = try await fixture.sold(1, by: id)
        typealias Step = (String, @Sendable (ConnectActor) async throws -> Void)
        let page = PageRequest(limit: 10)
        let steps: [Step] = [
            ("tester", { _ = try await fixture.testers.tester(id, by: $0) }),
            ("change", { _ = try await fixture.testers.change(id, TesterChange(), by: $0) }),
            ("delete", { try await fixture.testers.delete(id, by: $0) }),
            ("clear", { try await fixture.testers.clearHistory(of: [id], by: $0) }),
            ("purchases", { _ = try await fixture.purchases.purchases(of: id, page, by: $0) }),
            ("attempts", { _ = try await fixture.purchases.attempts(of: id, by: $0) }),
            ("refund", { _ = try await fixture.purchases.refund(entry.id, of: id, by: $0) }),
            (
                "decide",
                {
                    _ = try await fixture.purchases.decide(
                        .approved, on: PendingPurchaseID(number: 1), of: id, by: $0)
                }
            ),
        ]
        let allowed: Set<ConnectRole> = [
            .accountHolder, .admin, .appManager, .developer, .operator,
        ]
        for (name, step) in steps {
            for role in ConnectRole.allCases where !allowed.contains(role) {
                #expect(
                    try await fixture.rule { try await step(fixture.actor([role])) } == "role",
                    "\(name) by \(role)")
            }
            #expect(
                try await fixture.rule { try await step(fixture.actor([])) } == "role", "\(name)")
            #expect(
                try await fixture.rule { try await step(fixture.stranger) } == "notFound", "\(name)"
            )
        }
        for role in ConnectRole.allCases where !allowed.contains(role) {
            #expect(
                try await fixture.rule {
                    _ = try await fixture.testers.create(
                        SandboxFixture.draft("new@example.com"), by: fixture.actor([role]))
                } == "role")
            #expect(
                try await fixture.rule {
                    _ = try await fixture.testers.testers(page, by: fixture.actor([role]))
                } == "role")
        }
    }

    @Test func `a tester is made for one's own team only`() async throws {
        let fixture = try await SandboxFixture()
        var draft = SandboxFixture.draft()
        draft.team = fixture.otherTeam.id
        #expect(
            try await fixture.rule {
                _ = try await fixture.testers.create(draft, by: fixture.actor())
            }
                == "notFound")
        #expect(try await fixture.testers.create(draft, by: .machine).team == fixture.otherTeam.id)
        draft = SandboxFixture.draft("new@example.com")
        #expect(
            try await fixture.rule { _ = try await fixture.testers.create(draft, by: .machine) }
                == "teamMissing")
        draft.team = 77
        #expect(
            try await fixture.rule { _ = try await fixture.testers.create(draft, by: .machine) }
                == "notFound")
    }

    @Test func `an address is good for one tester, for ever`() async throws {
        let fixture = try await SandboxFixture()
        let tester = try await fixture.makeTester()
        func isTaken(by actor: ConnectActor) async throws -> Bool {
            try await fixture.rule {
                var draft = SandboxFixture.draft(" Tess@EXAMPLE.com")
                draft.team = actor.team
                _ = try await fixture.testers.create(draft, by: actor)
            } == "testerEmailTaken"
        }
        #expect(try await isTaken(by: fixture.actor()))
        try await fixture.testers.delete(tester.account, by: fixture.actor())
        #expect(try await isTaken(by: fixture.actor()))
        #expect(try await isTaken(by: fixture.stranger))
    }

    @Test func `an address that is taken is told with whose it is or was`() async throws {
        let fixture = try await SandboxFixture()
        let tester = try await fixture.makeTester()
        func sentence(_ email: String, by actor: ConnectActor? = nil) async throws -> String? {
            do {
                _ = try await fixture.testers.create(
                    SandboxFixture.draft(email), by: actor ?? fixture.actor())
                return nil
            } catch let refusal as ConnectRefusal { return refusal.problem }
        }
        #expect(
            try await sentence(tester.email)?.hasSuffix("is a tester's address already.") == true)
        #expect(
            try await sentence(TestStore.american)?.contains("made on the store's machine") == true)
        try await fixture.testers.delete(tester.account, by: fixture.actor())
        #expect(
            try await sentence(tester.email)
                == "\(tester.email) was the address of a tester that is deleted.")
        #expect(
            try await sentence(tester.email, by: fixture.stranger)?.hasSuffix("or was one before.")
                == true)
        await #expect(throws: AccountRefusal.emailOfDeletedTester(tester.email)) {
            try await fixture.accounts.create(
                email: tester.email, password: TestStore.password, storefront: .unitedStates,
                environment: .sandbox)
        }
        await #expect(throws: AccountRefusal.emailTaken(TestStore.american)) {
            try await fixture.accounts.create(
                email: TestStore.american, password: TestStore.password,
                storefront: .unitedStates, environment: .sandbox)
        }
    }

    @Test func `what is deleted is signed out, and gone for everybody`() async throws {
        let fixture = try await SandboxFixture()
        let tester = try await fixture.makeTester()
        let id = tester.account
        let session = try await fixture.accounts.signIn(
            email: tester.email, password: TestStore.password, environment: .sandbox)
        try await fixture.testers.delete(id, by: fixture.actor())
        #expect(
            try await fixture.accounts.session(token: session.token, environment: .sandbox) == nil)
        for environment in StoreEnvironment.allCases {
            await #expect(throws: AccountRefusal.signInWrong) {
                try await fixture.accounts.authenticate(
                    email: tester.email, password: TestStore.password, environment: environment)
            }
        }
        for step in [
            { _ = try await fixture.testers.tester(id, by: .machine) },
            { _ = try await fixture.testers.change(id, TesterChange(), by: .machine) },
            { try await fixture.testers.delete(id, by: .machine) },
            { try await fixture.testers.clearHistory(of: [id], by: .machine) },
        ] as [() async throws -> Void] {
            #expect(try await fixture.rule(step) == "notFound")
        }
        let all = try await fixture.testers.testers(
            includesConverted: true, PageRequest(limit: 10), by: .machine)
        #expect(all.items.isEmpty)
        #expect(all.total == 0)
    }

    @Test func `only what can be changed of a tester changes`() async throws {
        let fixture = try await SandboxFixture()
        let tester = try await fixture.makeTester()
        let changed = try await fixture.testers.change(
            tester.account,
            TesterChange(
                territory: Storefront.named("JPN"), renewalRate: .oneHour,
                interruptsPurchases: true, asksToBuy: true, paymentFailure: .all),
            by: fixture.actor())
        #expect(changed.territory.code == "JPN")
        #expect(changed.renewalRate == .oneHour)
        #expect(
            changed.settings
                == AccountSettings(
                    asksToBuy: true, interruptsPurchases: true, paymentFailure: .all))
        #expect(changed.email == tester.email)
        let session = try await fixture.accounts.signIn(
            email: tester.email, password: TestStore.password, environment: .sandbox)
        #expect(session.account.storefront.currency == "JPY")
        let entries = try await fixture.shop.store.database.read { repositories in
            try repositories.audit.entries(team: tester.team, before: nil, limit: 1)
        }
        let entry = try #require(entries.first).entry
        #expect(entry.action == "tester.update")
        #expect(entry.before?.hasPrefix("territory USA,") == true)
        #expect(entry.after?.hasPrefix("territory JPN,") == true)
    }

    @Test func `accounts made on the store's machine become testers of a team once`() async throws {
        let fixture = try await SandboxFixture()
        let ada = try await fixture.accounts.account(
            email: TestStore.american, environment: .sandbox)
        let customer = try await fixture.accounts.account(
            email: TestStore.american, environment: .production)
        #expect(
            try await fixture.rule {
                _ = try await fixture.testers.adopt(
                    ada.id, for: fixture.app.teamID, by: fixture.actor())
            } == "role")
        #expect(
            try await fixture.rule {
                _ = try await fixture.testers.adopt(
                    customer.id, for: fixture.app.teamID, by: .machine)
            } == "notFound")
        let tester = try await fixture.testers.adopt(ada.id, for: fixture.app.teamID, by: .machine)
        #expect(tester.name == TestStore.american)
        #expect(
            try await fixture.rule {
                _ = try await fixture.testers.adopt(ada.id, for: fixture.otherTeam.id, by: .machine)
            } == "testerHasTeam")
    }
}
