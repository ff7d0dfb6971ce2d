import Foundation
import StoreTestSupport
import Testing

/// What somebody at another terminal does while an app runs: the commands work on the same
/// database as `openstore serve`, in a process of their own.
struct Waiting {
    @Test func `an app hears of an approval that another process made`() async throws {
        let shop = try await Shop(noiseBytes: 1000)
        let (server, address) = try await shop.serve()
        try await shop.command([
            "tester", "update", Shop.email, "--ask-to-buy", "on", "--data", shop.data,
        ])
        let environment = try await shop.device("phone", address: address)
        let app = try await Program(
            "StoreTestApp", ["--buy", "\(SampleShop.credits):2", "--expect", "1"],
            environment: environment)
        #expect(await app.line(with: "deferred") != nil)
        let list = try await shop.command(["purchase", "list", "--data", shop.data])
        #expect(list.contains(SampleShop.credits) && list.contains("approval"))
        try await shop.command(["purchase", "approve", "1", "--data", shop.data])
        let result = await app.end()
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output.contains("purchased"))
        let ledger = try await shop.ledger()
        #expect(ledger.count == 1)
        #expect(ledger.first?.entry.details.quantity == 2)
        let again = try await Program.run(
            "openstore", ["purchase", "approve", "1", "--data", shop.data])
        #expect(again.code == 65)
        #expect(again.errors.contains("approved already"))
        server.send(SIGTERM)
        _ = await server.end()
    }

    @Test func `a guardian is named by command, and the operator sees the page`() async throws {
        let shop = try await Shop(noiseBytes: 1000)
        let data = ["--data", shop.data]
        try await shop.command(
            [
                "tester", "create", "--email", "grace@example.com", "--password", Shop.password,
                "--storefront", "USA",
            ] + data)
        let change = ["tester", "update", Shop.email] + data
        for (guardian, problem) in [
            (
                "nobody@example.com",
                "There is no tester with the address \"nobody@example.com\", or not for you."
            ),
            (" Ada@Example.com", "ada@example.com can't be the guardian of itself."),
        ] {
            let refused = try await Program.run("openstore", change + ["--guardian", guardian])
            #expect([65, 66].contains(refused.code))
            #expect(refused.errors.hasPrefix("openstore: \(problem)"), "\(refused.errors)")
        }
        let named = try await shop.command(
            change + ["--ask-to-buy", "on", "--guardian", "grace@example.com"])
        #expect(named == "ada@example.com is changed.\n")
        // What is not said stays.
        let guardian = try await shop.command(
            ["tester", "show", "grace@example.com", "--quiet"] + data
        ).trimmingCharacters(in: .whitespacesAndNewlines)
        let kept = try await shop.command(change + ["--interrupt", "off", "--json"])
        #expect(kept.contains("\"guardian\" : \"\(guardian)\""), "\(kept)")

        let (server, address) = try await shop.serve()
        let app = try await Program(
            "StoreTestApp", ["--buy", SampleShop.credits + ":1", "--expect", "1"],
            environment: try await shop.device("phone", address: address))
        #expect(await app.line(with: "deferred") != nil)
        let path = try await shop.command(["purchase", "list"] + data)
            .firstMatch(of: /(\/approvals\/\S+)\n/)?.1
        let url = "\(address)/sandbox\(try #require(path))"
        let list = ["purchase", "list", "--store", address] + data
        #expect(try await shop.command(list).contains(" \(url)\n"))
        let bad = try await Program.run("openstore", ["purchase", "list", "--store", "x"] + data)
        #expect(bad.code == 64)

        let browser = PageBrowser(port: Shop.port(of: address))
        let page = try await browser.open(url)
        let done = try await browser.submit(page, "yes", ["password": Shop.password])
        #expect(done.words.contains("Approved"))
        let result = await app.end()
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.errors.contains("waits for approval at \(url)"))
        #expect(result.output.contains("purchased"))
        let none = try await shop.command(change + ["--guardian", "none", "--json"])
        #expect(!none.contains("\"guardian\" : \""), "\(none)")
        server.send(SIGTERM)
        _ = await server.end()
    }

    @Test func `accounts sign in, switch and sign out by command`() async throws {
        let shop = try await Shop(noiseBytes: 1000)
        try await shop.command([
            "tester", "create", "--email", "haruki@example.com", "--password", Shop.password,
            "--storefront", "JPN", "--data", shop.data,
        ])
        let (server, address) = try await shop.serve()
        let environment = try await shop.device("phone", address: address)
        func account(
            _ words: [String], password: String? = nil
        ) async throws -> Program.Result {
            let program = try await Program(
                "openstore", ["account"] + words, environment: environment)
            if let password { program.type(password) }
            return await program.end()
        }
        #expect(try await account(["show"]).output == "Nobody is signed in (sandbox).\n")
        let wrong = try await account(
            ["sign-in", "--email", Shop.email], password: "wrong-horse")
        #expect(wrong.code == 1)
        #expect(wrong.errors == "openstore: The email address or the password is wrong.\n")
        let signedIn = try await account(
            ["sign-in", "--email", Shop.email], password: Shop.password)
        #expect(signedIn.output == "ada@example.com: sandbox, storefront USA\n")
        let switched = try await account(
            ["sign-in", "--email", "haruki@example.com", "--json"], password: Shop.password)
        let json = try JSONDecoder().decode([String: String].self, from: Data(switched.output.utf8))
        #expect(
            json == [
                "email": "haruki@example.com", "storefront": "JPN", "environment": "sandbox",
            ])
        #expect(try await account(["sign-out"]).output == "Nobody is signed in (sandbox).\n")
        server.send(SIGTERM)
        _ = await server.end()
        let offline = try await account(["sign-in", "--email", Shop.email], password: "x")
        #expect(offline.code == 1)
        #expect(!offline.errors.isEmpty && !offline.errors.contains("URLError"))
    }

    @Test func `codes, promoted products and price questions are made by command`() async throws {
        let shop = try await Shop(noiseBytes: 1000)
        let product = [
            "--bundle-id", SampleShop.bundleID.text, "--product-id", SampleShop.credits, "--data",
            shop.data,
        ]
        let codes = try await shop.command(["offer-code", "create", "--count", "3"] + product)
            .split(separator: "\n")
        #expect(codes.count == 3 && Set(codes).count == 3)
        #expect(codes.allSatisfy { $0.count == 16 })
        #expect(
            try await shop.command(["purchase", "promote", "--email", Shop.email] + product)
                == "ada@example.com is offered com.example.shop.credits\n")
        #expect(
            try await shop.command(
                ["price-consent", "request", "--email", Shop.email, "--price", "1.99"] + product)
                == "ada@example.com is asked about the price of com.example.shop.credits\n")
        let lower = try await Program.run(
            "openstore",
            ["price-consent", "request", "--email", Shop.email, "--price", "0.49"] + product)
        #expect(lower.code == 65)
        #expect(lower.errors.contains("only a higher price needs consent"))
        let nobody = try await Program.run(
            "openstore", ["purchase", "promote", "--email", "nobody@example.com"] + product)
        #expect(nobody.errors.contains("no account nobody@example.com in the sandbox"))
    }
}
