import Foundation
import StoreTestSupport
import Testing

@testable import StoreCommands

/// Commands that open the store's folder and database, where only a store's address is known.
@Suite("Commands on the store's own machine")
struct LocalCommandTests {
    private static let account = "--email a@example.com"
    private static let product = "--bundle-id com.example.app --product-id com.example.app.gem"

    /// Each of them, with what it can't do without.
    private static let lines: [String: String] = [
        "backup": "--to backup.tar",
        "catalog import": "FILE",
        "certificate list": "",
        "certificate rotate": "",
        "certificate revoke": "1",
        "content clean-up": "",
        "content list": "",
        "customer create": "\(account) --storefront USA --password correct-horse",
        "customer update": "\(account) --interrupt on",
        "doctor": "",
        "family add": "\(account) --organizer b@example.com",
        "family remove": account,
        "family list": "",
        "feed export": "FOLDER",
        "item import": "FILE",
        "message list": "",
        "message approve": "M1",
        "message reject": "M1",
        "offer-code create": product,
        "operator create": "\(account) --password correct-horse",
        "password reset": account,
        "price-consent request": "\(account) \(product) --price 2.99",
        "purchase list": "",
        "purchase approve": "1",
        "purchase decline": "1",
        "purchase revoke": "1",
        "purchase promote": "\(account) \(product)",
        "refund request": "1",
        "refund list": "",
        "refund approve": "1",
        "refund decline": "1",
        "refund reverse": "1",
        "subscription list": account,
        "subscription cancel": "1 \(account)",
        "subscription resume": "1 \(account)",
        "subscription change": "1 \(account) --product-id com.example.app.gem",
    ]

    /// Commands that make a store.
    private static let makers: Set = ["serve", "restore"]

    @Test func `each of them has a line here`() {
        let all = CommandTree.commands.filter { $0.spec.isLocal }
            .map { $0.spec.words.joined(separator: " ") }
        #expect(Set(all).subtracting(Self.makers) == Set(Self.lines.keys))
        #expect(all.count == Set(all).count)
    }

    @Test(arguments: lines.keys.sorted())
    func `it refuses to run where only an address is known, and makes no store`(
        _ name: String
    ) async throws {
        let folder = try TemporaryFolder()
        let store = folder.file("store")
        let input = try folder.write("input.storekit", Data("{}".utf8))
        let settings = try folder.write("openstore.conf", Data("data = \(store.path)\n".utf8))
        let command = try #require(
            CommandTree.commands.first { $0.spec.words.joined(separator: " ") == name })
        let words = (Self.lines[name] ?? "").split(separator: " ").map { word in
            word == "FILE" ? input.path : word == "FOLDER" ? folder.file("feed").path : "\(word)"
        }
        let address = "http://store.example"
        let arguments = try ParsedArguments(
            words, for: command.spec, environment: ["OPENSTORE_URL": address],
            file: settings.path)
        let error = await #expect(throws: UsageError.self) {
            try await command.run(arguments, output: .standard)
        }
        let sentence = error?.description ?? ""
        #expect(
            sentence.contains("openstore \(name) runs on the store's own machine only, not at")
                && sentence.contains(address), "\(sentence)")
        #expect(!FileManager.default.fileExists(atPath: store.path))
        #expect(command.spec.help.contains("Runs on the store's own machine only"))
    }

    @Test func `commands over the API don't call themselves local`() {
        for command in CommandTree.commands where command is any ConnectCommand.Type {
            #expect(!command.spec.isLocal && !command.spec.help.contains("own machine only"))
        }
        #expect(ProductList.spec.help.contains("--store") && !ProductList.spec.isLocal)
    }
}
