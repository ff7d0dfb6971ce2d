import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Apps that customers get from a store with nothing but its address, and in which they buy: on an
/// account of Linux that is new, without a variable of the environment, at a terminal.
struct InstalledApps {
    private static let password = "correct-horse-battery"

    /// Somebody with an account of Linux and one of the store.
    private struct Person {
        let email: String
        let home: URL

        init(_ email: String, at publisher: SellingPublisher) async throws {
            self.email = email
            home = publisher.folder.file("home-\(email.prefix { $0 != "@" })")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            try await publisher.addCustomer(email, password: InstalledApps.password)
        }

        /// What a login sets, and nothing else.
        private var environment: [String: String] {
            ["HOME": home.path, "PATH": "/usr/local/bin:/usr/bin:/bin"]
        }

        func openstore(
            _ words: [String], _ answers: [TerminalProgram.Answer]
        ) async throws -> TerminalProgram.Result {
            try await TerminalProgram.run(
                URL(fileURLWithPath: Program.path("openstore")), words, environment: environment,
                answers)
        }

        /// Starts the app as its entry in the menu does.
        func app(
            _ words: [String], _ answers: [TerminalProgram.Answer]
        ) async throws -> TerminalProgram.Result {
            let entry = home.appendingPathComponent(
                ".local/share/applications/\(SampleShop.bundleID).desktop")
            let text = try String(contentsOf: entry, encoding: .utf8)
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Exec=") })
            let program = try #require(line.dropFirst(5).split(separator: " ").first)
            return try await TerminalProgram.run(
                URL(fileURLWithPath: String(program)), words, environment: environment, answers)
        }

        var signIn: [TerminalProgram.Answer] {
            [
                ("Email address: ", email),
                ("Password for \(email): ", InstalledApps.password),
            ]
        }
    }

    private static let buyBadge = [
        "--customer", "--expect", "1", "--buy", "\(SampleShop.badge):1",
    ]

    private func expectPurchase(
        by person: Person, at publisher: SellingPublisher
    ) async throws {
        let result = try await person.app(Self.buyBadge, [("Buy? [y/n] ", "y")])
        #expect(result.isComplete && result.code == 0, "\(result)")
        // The price of the production store, and no sandbox.
        #expect(result.screens[0].contains("$0.99") && result.screens[0].contains(person.email))
        #expect(!result.text.contains("Sandbox"))
        #expect(result.text.contains("transaction \(SampleShop.badge) purchased"))
        let bought = try await publisher.bought(by: person.email)
        #expect(bought.products == [SampleShop.badge] && bought.finished == [true])
        #expect(bought.items.map(String.init) == [publisher.number])
    }

    @Test func `a free app is installed, started, and sells in production`() async throws {
        let publisher = try await SellingPublisher(tier: "0")
        let ada = try await Person("ada@example.com", at: publisher)
        let installed = try await ada.openstore(
            ["install", "Lamp", "--store", publisher.address], ada.signIn)
        try #require(installed.isComplete && installed.code == 0, "\(installed)")
        #expect(installed.text.contains("Lamp 1.0 is installed"))
        #expect(!installed.text.contains(Self.password))

        // Who declines has bought nothing.
        let declined = try await ada.app(Self.buyBadge, [("Buy? [y/n] ", "n")])
        #expect(declined.isComplete && declined.code == 0, "\(declined)")
        #expect(declined.text.contains("transaction \(SampleShop.badge) failed"))
        #expect(try await publisher.bought(by: ada.email).products.isEmpty)
        try await expectPurchase(by: ada, at: publisher)

        // Another account of Linux: the app is installed from the address of its page, and what was
        // bought is restored.
        let other = try await Person("grace@example.com", at: publisher)
        let page = "\(publisher.address)/us/app/lamp/id\(publisher.number)"
        let again = try await other.openstore(["install", page], ada.signIn)
        try #require(again.isComplete && again.code == 0, "\(again)")
        let restored = try await other.app(["--customer", "--expect", "1", "--restore"], [])
        #expect(restored.code == 0, "\(restored)")
        #expect(restored.text.contains("transaction \(SampleShop.badge) restored"))
    }

    @Test func `a paid app is bought by command or on its page, installed, and sells too`()
        async throws
    {
        let publisher = try await SellingPublisher(tier: "3")
        let ada = try await Person("ada@example.com", at: publisher)
        let install = ["install", "Lamp", "--store", publisher.address]
        let question = "Buy Lamp for $2.99 as \(ada.email)? [y/N] "
        let declined = try await ada.openstore(install, ada.signIn + [(question, "n")])
        #expect(declined.isComplete && declined.code == 77, "\(declined)")
        #expect(try await publisher.bought(by: ada.email).items.isEmpty)
        let installed = try await ada.openstore(install, [(question, "y")])
        try #require(installed.isComplete && installed.code == 0, "\(installed)")
        try await expectPurchase(by: ada, at: publisher)

        // Bought on the page: the command asks nothing but who it is.
        let grace = try await Person("grace@example.com", at: publisher)
        let port = try #require(URL(string: publisher.address)?.port)
        let browser = PageBrowser(port: UInt16(port))
        let offer = try await browser.open("\(publisher.address)/us/buy/\(publisher.number)")
        let signedIn = try await browser.submit(
            offer, "signIn", ["email": grace.email, "password": Self.password])
        let bought = try await browser.submit(signedIn, "buy")
        #expect(bought.words.contains("It is yours"), "\(bought.words)")
        let owned = try await grace.openstore(install, grace.signIn)
        try #require(owned.isComplete && owned.code == 0, "\(owned)")
        try await expectPurchase(by: grace, at: publisher)
    }
}
