import Foundation
import StoreCore
import StoreServer
import StoreTestSupport
import Testing

@Suite struct SignInTests {
    private func refusal(
        _ fixture: PeopleFixture, _ email: String, _ password: String, address: String? = nil
    ) async throws -> ConnectRefusal? {
        do {
            _ = try await fixture.signIn(email, password, address: address)
            return nil
        } catch let refusal as ConnectRefusal {
            return refusal
        }
    }

    @Test func `nobody learns from the answer whether an account is there`() async throws {
        let fixture = try await PeopleFixture()
        let known = try await refusal(fixture, "ada@example.com", "wrong password")
        #expect(known?.rule == "signInWrong")
        #expect(try await refusal(fixture, "nobody@example.com", "wrong password") == known)
        let grace = try await fixture.join("grace@example.com", [.developer])
        _ = try await fixture.people.staff.update(
            grace.id, role: nil, isDisabled: true, by: fixture.admin)
        #expect(try await refusal(fixture, "grace@example.com", PeopleFixture.password) == known)
        let long = String(repeating: "a", count: 5000)
        #expect(try await refusal(fixture, "ada@example.com", long) == known)
        #expect(try await refusal(fixture, "\(long)@example.com", "x") == known)
    }

    @Test(arguments: ["ada@example.com", "nobody@example.com"])
    func `after five wrong passwords nothing is looked at, whether or not there is an account`(
        email: String
    ) async throws {
        let fixture = try await PeopleFixture()
        for _ in 1...5 {
            #expect(try await refusal(fixture, email, "wrong")?.rule == "signInWrong")
        }
        for delay: TimeInterval in [60, 120, 240, 480, 900, 900] {
            let right = try await refusal(fixture, email, PeopleFixture.password)
            #expect(right?.rule == "signInDelayed")
            #expect(right?.kind == .tooMany)
            fixture.clock.advance(by: delay - 1)
            #expect(try await refusal(fixture, email, "wrong")?.rule == "signInDelayed")
            fixture.clock.advance(by: 1)
            #expect(try await refusal(fixture, email, "wrong")?.rule == "signInWrong")
        }
    }

    @Test func `a right password ends the counting, and other accounts are not delayed`()
        async throws
    {
        let fixture = try await PeopleFixture()
        for _ in 1...2 {
            for _ in 1...4 { _ = try await refusal(fixture, "ada@example.com", "wrong") }
            #expect(
                try await refusal(fixture, "ADA@example.com ", PeopleFixture.password) == nil)
        }
        for _ in 1...5 { _ = try await refusal(fixture, "ada@example.com", "wrong") }
        #expect(try await refusal(fixture, "op@example.com", PeopleFixture.password) == nil)
    }

    @Test func `an address that has failed thirty times waits, and others don't`() async throws {
        let fixture = try await PeopleFixture()
        for number in 1...30 {
            let refused = try await refusal(
                fixture, "nobody\(number)@example.com", "wrong", address: "192.0.2.1")
            #expect(refused?.rule == "signInWrong")
        }
        func own(from address: String) async throws -> String? {
            try await refusal(fixture, "ada@example.com", PeopleFixture.password, address: address)?
                .rule
        }
        #expect(try await own(from: "192.0.2.1") == "signInDelayed")
        #expect(try await own(from: "192.0.2.2") == nil)
        fixture.clock.advance(by: 60)
        #expect(try await own(from: "192.0.2.1") == nil)
    }

    @Test func `many wrong passwords at once are not more than five`() async throws {
        let fixture = try await PeopleFixture()
        let looked = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<20 {
                group.addTask { try await refusal(fixture, "ada@example.com", "wrong")?.rule }
            }
            return try await group.reduce(into: 0) { $0 += $1 == "signInWrong" ? 1 : 0 }
        }
        #expect(looked == 5)
    }

    @Test func `the counts outlive the process`() async throws {
        let fixture = try await PeopleFixture()
        for _ in 1...5 { _ = try await refusal(fixture, "ada@example.com", "wrong") }
        let other = try Store(
            directory: fixture.folder.file("store"), clock: fixture.clock,
            vault: OpenSSLVault.forTests, log: .silent)
        defer { other.close() }
        await #expect {
            _ = try await other.services.people.sessions.signIn(
                email: "ada@example.com", password: PeopleFixture.password, kind: .browser,
                client: "", address: nil)
        } throws: {
            ($0 as? ConnectRefusal)?.rule == "signInDelayed"
        }
    }

    @Test func `customers are delayed as well`() async throws {
        let opened = try await OpenedStore()
        let accounts = opened.store.services.accounts
        _ = try await accounts.create(
            email: "cus@example.com", password: "password", storefront: .named("USA")!,
            environment: .production)
        func attempt(_ password: String) async throws -> AccountRefusal? {
            do {
                _ = try await accounts.signIn(
                    email: "cus@example.com", password: password, environment: .production)
                return nil
            } catch let refusal as AccountRefusal {
                return refusal
            }
        }
        for _ in 1...5 { #expect(try await attempt("wrong") == .signInWrong) }
        let end = opened.clock.now().addingTimeInterval(60)
        #expect(
            try await attempt("password")
                == .signInDelayed(SignInDelay(end: end, now: opened.clock.now())))
        opened.clock.advance(by: 60)
        #expect(try await attempt("password") == nil)
    }
}
