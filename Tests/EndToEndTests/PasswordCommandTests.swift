import Foundation
import StoreCore
import StoreServer
import StoreTestSupport
import Testing

/// How an operator helps somebody who has lost a password, with a command only.
struct PasswordCommandTests {
    private static let new = "quite another password"

    @Test func `a link of the command sets a password once, and is in the audit log`()
        async throws
    {
        let shop = try await Shop(noiseBytes: 1000)
        let nobody = try await Program.run(
            "openstore", ["password", "reset", "--email", Shop.email, "--data", shop.data])
        #expect(nobody.code == 65 && nobody.output.isEmpty, "a tester is nobody in Connect")
        let text = try await shop.command([
            "password", "reset", "--email", Shop.email, "--environment", "sandbox", "--store",
            "https://store.example/", "--json", "--data", shop.data,
        ])
        let made = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: String])
        #expect(made["email"] == Shop.email)
        let prefix = "https://store.example/connect/passwords/"
        let link = try #require(made["link"])
        try #require(link.hasPrefix(prefix))
        let token = String(link.dropFirst(prefix.count))

        let store = try Store(
            directory: URL(fileURLWithPath: shop.data), vault: OpenSSLVault.forTests, log: .silent)
        defer { store.close() }
        let resets = store.services.people.passwordResets
        _ = try await resets.set(Self.new, token: token, address: nil)
        await #expect(throws: ConnectRefusal.self) {
            try await resets.set(Shop.password, token: token, address: nil)
        }
        _ = try await store.services.accounts.authenticate(
            email: Shop.email, password: Self.new, environment: .sandbox)
        let log = try await store.database.read {
            try $0.audit.entries(team: nil, before: nil, limit: 10).map(\.entry)
        }
        let entry = try #require(log.first { $0.action == "password.makeLink" })
        #expect(entry.subject == Shop.email && entry.after == "sandbox")
        #expect(log.contains { $0.action == "password.setByLink" })
    }
}
