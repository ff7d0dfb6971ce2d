import Foundation
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// How somebody comes back who has lost a password.
struct PasswordPageTests {
    private static let old = "a long password"
    private static let new = "quite another password"

    private let clock = SettableClock()
    private let shop: TestStore
    private let op: PortalClient

    init() async throws {
        shop = try await TestStore(hasContent: false, clock: clock)
        op = PortalClient(shop.store, roles: [.operator], team: nil)
        _ = try await shop.store.services.people.firstOperator.create(
            email: "olga@example.com", name: "Olga", password: Self.old, by: .machine)
    }

    /// The path of the link that the page shows once.
    private func link(_ place: String, _ email: String) async throws -> String {
        let form = try await op.open("/connect/passwords")
        let made = try await op.send(
            form, to: "/connect/passwords", ["place": place, "email": email])
        let found = made.text.firstMatch(of: /http:\/\/[^\/]+(\/connect\/passwords\/[\w\-]+)/)
        return String(try #require(found, "\(made.words)").1)
    }

    @Test func `a person of Connect sets a new password by a link, which ends all sessions`()
        async throws
    {
        let people = shop.store.services.people
        let session = try await people.sessions.signIn(
            email: "olga@example.com", password: Self.old, kind: .browser, client: "",
            address: nil)
        #expect(try await people.sessions.opened(session.token) != nil)
        let path = try await link("connect", "Olga@Example.com")
        let nobody = PortalClient(shop.store)
        let page = try await nobody.open(path)
        #expect(page.status == 200 && page.words.contains("olga@example.com"))
        let short = try await nobody.send(page, to: path, ["password": "short"])
        #expect(short.status == 422)
        let set = try await nobody.send(page, to: path, ["password": Self.new])
        #expect(set.status == 200 && set.words.contains("Your Password Is Set"))
        #expect(try await people.sessions.opened(session.token) == nil)
        await #expect(throws: ConnectRefusal.self) {
            try await people.sessions.signIn(
                email: "olga@example.com", password: Self.old, kind: .browser, client: "",
                address: nil)
        }
        _ = try await people.sessions.signIn(
            email: "olga@example.com", password: Self.new, kind: .browser, client: "",
            address: nil)
        // It works once, and says so.
        let again = try await nobody.open(path)
        #expect(again.status == 404 && again.words.contains("used already"))
        #expect(try await nobody.send(page, to: path, ["password": Self.old]).status == 404)
        let log = try await shop.store.database.read {
            try $0.audit.entries(team: nil, before: nil, limit: 10).map(\.entry.action)
        }
        #expect(log.contains("password.makeLink") && log.contains("password.setByLink"))
    }

    @Test(arguments: StoreEnvironment.allCases)
    func `a customer and a tester do so as well`(environment: StoreEnvironment) async throws {
        let accounts = shop.store.services.accounts
        let signedIn = try await accounts.signIn(
            email: TestStore.american, password: TestStore.password, environment: environment)
        let path = try await link(environment.word, TestStore.american)
        let nobody = PortalClient(shop.store)
        let page = try await nobody.open(path)
        let set = try await nobody.send(page, to: path, ["password": Self.new])
        #expect(set.status == 200)
        #expect(
            try await accounts.session(token: signedIn.token, environment: environment) == nil)
        await #expect(throws: AccountRefusal.signInWrong) {
            try await accounts.authenticate(
                email: TestStore.american, password: TestStore.password,
                environment: environment)
        }
        _ = try await accounts.authenticate(
            email: TestStore.american, password: Self.new, environment: environment)
        // The account of the other environment has its own.
        let other: StoreEnvironment = environment == .sandbox ? .production : .sandbox
        _ = try await accounts.authenticate(
            email: TestStore.american, password: TestStore.password, environment: other)
    }

    @Test func `a link works for an hour, and a new one takes its place`() async throws {
        let nobody = PortalClient(shop.store)
        let first = try await link("connect", "olga@example.com")
        let second = try await link("connect", "olga@example.com")
        #expect(try await nobody.open(first).status == 404)
        #expect(try await nobody.open(second).status == 200)
        clock.advance(by: PasswordReset.duration)
        let late = try await nobody.open(second)
        #expect(late.status == 404 && late.words.contains("expired"))
    }

    /// The link opened accounts for an operator who was dismissed, as long as it worked.
    @Test(arguments: ["disabled", "made a reviewer", "a key that is revoked"])
    func `a link ends with the rights of whoever has made it`(change: String) async throws {
        let people = shop.store.services.people
        let machine = ConnectActor(kind: .machine, team: nil, roles: [.operator])
        let otto = try await people.firstOperator.create(
            email: "otto@example.com", name: "Otto", password: Self.old, by: .machine)
        let key = try await people.keys.create(
            name: "Key", role: .operator, team: nil, by: machine
        ).key
        let issued = try await people.passwordResets.issue(
            email: "olga@example.com", in: nil,
            by: change.contains("key")
                ? key.actor
                : ConnectActor(
                    kind: .person(otto.id, email: otto.email), team: nil, roles: [.operator]))
        switch change {
        case "disabled":
            _ = try await people.staff.update(otto.id, role: nil, isDisabled: true, by: machine)
        case "made a reviewer":
            _ = try await people.staff.update(
                otto.id, role: .reviewer, isDisabled: nil, by: machine)
        default: _ = try await people.keys.revoke(key.id, by: machine)
        }
        await #expect(throws: ConnectRefusal.self) {
            try await people.passwordResets.email(token: issued.token, address: nil)
        }
    }

    @Test func `who changes the own password ends links to it`() async throws {
        let people = shop.store.services.people
        let path = try await link("connect", "olga@example.com")
        let session = try await people.sessions.signIn(
            email: "olga@example.com", password: Self.old, kind: .browser, client: "",
            address: nil)
        try await people.persons.changePassword(
            from: Self.old, to: Self.new, token: session.token, address: nil,
            by: try #require(session.visitor.actor))
        #expect(try await PortalClient(shop.store).open(path).status == 404)
    }

    @Test func `only operators make links, and only for who there is`() async throws {
        let form = try await op.open("/connect/passwords")
        for (place, email) in [
            ("connect", "eve@example.com"), ("production", "eve@example.com"),
            ("", "olga@example.com"), ("sandbox", ""),
        ] {
            let refused = try await op.send(
                form, to: "/connect/passwords", ["place": place, "email": email])
            #expect(refused.status == 422, "\(place) \(email)")
        }
        for role in [ConnectRole.reviewer, .admin] {
            let actor = ConnectActor(kind: .nobody, team: nil, roles: [role])
            await #expect(throws: ConnectRefusal.self) {
                try await shop.store.services.people.passwordResets.issue(
                    email: "olga@example.com", in: nil, by: actor)
            }
        }
    }

    @Test func `guessed links are counted as wrong passwords are`() async throws {
        let resets = shop.store.services.people.passwordResets
        var rules: [String] = []
        for number in 0...SignInRules.address.freeFailures {
            do {
                _ = try await resets.email(token: "guess\(number)", address: "192.0.2.1")
            } catch let refusal as ConnectRefusal {
                rules.append(refusal.rule)
            }
        }
        #expect(rules.first == "passwordLink" && rules.last == "signInDelayed")
        // From elsewhere links work as before.
        let path = try await link("connect", "olga@example.com")
        #expect(try await PortalClient(shop.store).open(path).status == 200)
    }
}
