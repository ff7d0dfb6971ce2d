import Foundation
import StoreAPI
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Synchronization
import Testing

@Suite struct FeedPartnerTests {
    @Test func `only operators approve partners`() async throws {
        let shop = try await FeedShop()
        let partners = shop.store.services.feedPartners
        for role in ConnectRole.allCases where role != .operator {
            let actor = ConnectActor(kind: .nobody, team: nil, roles: [role])
            await #expect(throws: ConnectRefusal.self) {
                _ = try await partners.create(name: "Search", by: actor)
            }
            await #expect(throws: ConnectRefusal.self) {
                _ = try await partners.page(PageRequest(limit: 1), by: actor)
            }
        }
        #expect(try await partners.page(PageRequest(limit: 9), by: .machine).items.isEmpty)
    }

    @Test(arguments: [
        ("", nil, "textMissing"), ("a\u{7}b", nil, "textCharacters"),
        (String(repeating: "x", count: 101), nil, "textLength"), ("Search", "A", "userNameInvalid"),
        ("Search", "a:b", "userNameInvalid"), ("Search", "ab\nc", "userNameInvalid"),
        ("Search", "Ada", "userNameInvalid"), ("Search", "taken", "userNameTaken"),
    ])
    func `names are checked`(_ name: String, _ userName: String?, _ rule: String) async throws {
        let shop = try await FeedShop()
        let partners = shop.store.services.feedPartners
        _ = try await partners.create(name: "One", userName: "taken", by: .machine)
        let refusal = await #expect(throws: ConnectRefusal.self) {
            _ = try await partners.create(name: name, userName: userName, by: .machine)
        }
        #expect(refusal?.rule == rule)
        #expect(try await partners.page(PageRequest(limit: 9), by: .machine).total == 1)
    }

    @Test func `what operators do stands in the audit log, without passwords`() async throws {
        let shop = try await FeedShop()
        let partners = shop.store.services.feedPartners
        let (partner, first) = try await partners.create(name: "Search", by: .machine)
        _ = try await partners.change(partner.id, name: "Find", by: .machine)
        _ = try await partners.change(partner.id, name: "Find", by: .machine)
        let (_, second) = try await partners.renewPassword(of: partner.id, by: .machine)
        #expect(first != second)
        let entries = try await shop.store.database.read {
            try $0.audit.entries(team: nil, before: nil, limit: 10)
        }
        try #require(
            entries.map(\.entry.action) == [
                "feedPartner.password", "feedPartner.update", "feedPartner.create",
            ])
        #expect(entries[1].entry.before == "Search, active")
        #expect(entries[1].entry.after == "Find, active")
        let told = entries.map { "\($0)" }.joined()
        #expect(!told.contains(first) && !told.contains(second))
        let kept = try await partners.partner(partner.id, by: .machine)
        #expect(kept.passwordHash.hasPrefix("scrypt$"))
    }

    @Test func `a right password is hashed once in a while`() async throws {
        let shop = try await FeedShop()
        let (partner, password) = try await shop.store.services.feedPartners.create(
            name: "Search", by: .machine)
        let vault = CountingVault()
        let gate = try FeedPartnerGate(
            database: shop.store.database, vault: vault, clock: shop.clock)
        func enter(_ password: String) async throws -> FeedPartner? {
            try await gate.partner(
                userName: partner.userName, password: password, address: "192.0.2.1")
        }
        for _ in 0..<10 { #expect(try await enter(password)?.id == partner.id) }
        #expect(vault.hashes == 1)
        shop.clock.advance(by: FeedPartnerGate.memory)
        #expect(try await enter(password)?.id == partner.id)
        #expect(vault.hashes == 2)
        #expect(try await enter("wrong") == nil)
        #expect(vault.hashes == 3)
        // Nobody is remembered for longer because the clock goes back.
        shop.clock.advance(by: -3600)
        #expect(try await enter(password)?.id == partner.id)
        #expect(vault.hashes == 4)
        let used = try await shop.store.services.feedPartners.partner(partner.id, by: .machine)
        #expect(used.lastUse == FeedShop.start)

        // What an operator takes back is gone at once, remembered or not.
        let partners = shop.store.services.feedPartners
        _ = try await partners.change(partner.id, isActive: false, by: .machine)
        #expect(try await enter(password) == nil)
        _ = try await partners.change(partner.id, isActive: true, by: .machine)
        let (_, renewed) = try await partners.renewPassword(of: partner.id, by: .machine)
        #expect(try await enter(password) == nil)
        #expect(try await enter(renewed)?.id == partner.id)
    }

    @Test func `wrong passwords are slowed down, also of nobody`() async throws {
        let shop = try await FeedShop()
        let (partner, password) = try await shop.store.services.feedPartners.create(
            name: "Search", by: .machine)
        for name in [partner.userName, "nobody"] {
            for _ in 0..<5 {
                let wrong = try await shop.store.services.feedGate.partner(
                    userName: name, password: "wrong", address: nil)
                #expect(wrong == nil)
            }
            await #expect(throws: SignInDelay.self) {
                _ = try await shop.store.services.feedGate.partner(
                    userName: name, password: password, address: nil)
            }
        }
        shop.clock.advance(by: 120)
        let admitted = try await shop.store.services.feedGate.partner(
            userName: partner.userName, password: password, address: nil)
        #expect(admitted?.id == partner.id)
    }
}

/// Counts how often passwords are compared.
private final class CountingVault: CredentialVault {
    private let vault = OpenSSLVault(logN: 10, threads: .passwordsOfTests)
    private let count = Mutex(0)

    var hashes: Int { count.withLock { $0 } }

    func hash(password: String) async throws -> String { try await vault.hash(password: password) }

    func verify(password: String, against hash: String) async throws -> Bool {
        count.withLock { $0 += 1 }
        return try await vault.verify(password: password, against: hash)
    }

    func makeDecoyHash() throws -> String { try vault.makeDecoyHash() }
    func makeToken() throws -> String { try vault.makeToken() }
    func makeIdentifier() -> String { vault.makeIdentifier() }
    func digest(of token: String) -> Data { vault.digest(of: token) }
}
