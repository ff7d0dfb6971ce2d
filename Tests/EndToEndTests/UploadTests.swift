import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// Packages that the built program brings into a store, whatever dies on the way.
struct Uploads {
    /// A shop whose badge hosts content that has not been uploaded, and a package for it.
    private struct Publisher {
        let shop: Shop
        let package: URL
        let size: Int
        private let contents: URL

        /// Three parts, the last one small, unless `noiseBytes` says otherwise.
        init(noiseBytes: Int = 5 << 19) async throws {
            shop = try await Shop(noiseBytes: 1000)
            let folder = shop.folder
            try await shop.command([
                "content", "host", SampleShop.badge, "--app", SampleShop.bundleID.text, "--data",
                shop.data,
            ])
            try await shop.command([
                "api-key", "create", "--name", "test", "--data", shop.data, "-o", shop.data,
            ])
            contents = folder.file("badge/Contents")
            try folder.write(
                "badge/ContentInfo.plist", SampleShop.contentInfo(SampleShop.badge, version: "1.0"))
            try folder.write("badge/Contents/noise", SampleShop.noise(noiseBytes, seed: 11))
            try folder.write("badge/Contents/text", "It was a bright day.")
            package = folder.file("badge.pkg")
            try await shop.command([
                "content", "build", folder.file("badge").path, "-o", package.path,
            ])
            size = try Data(contentsOf: package).count
        }

        func upload(to address: String, as data: String? = nil) -> [String] {
            [
                "content", "upload", package.path, "--app", SampleShop.bundleID.text, "--product",
                SampleShop.badge, "--store", address, "--data", data ?? shop.data, "--json",
            ]
        }

        /// The one version that there is, whose bytes are all in the store and are those of
        /// the folder that it was made of.
        func expectReady(_ result: Program.Result) async throws {
            #expect(result.code == 0, "\(result.errors)")
            let json = try report(result)
            #expect(json["state"] as? String == "COMPLETE")
            #expect(json["version"] as? String == "1.0")
            #expect(json["productState"] as? String == "READY_TO_SUBMIT")
            let database = try SQLiteDatabase(path: "\(shop.data)/store.sqlite")
            defer { database.close() }
            let app = try #require(
                try await database.read { try $0.catalog.app(SampleShop.bundleID) })
            let releases = try await database.read { repositories in
                try repositories.content.releases(of: ProductID(SampleShop.badge)!, in: app.id)
            }
            #expect(releases.map(\.version.text) == ["1.0"])
            for digest in releases.flatMap(\.digests) {
                let file = shop.folder.file(
                    "store/content/\(digest.text.prefix(2))/\(digest.text)")
                #expect(FileManager.default.fileExists(atPath: file.path))
            }
            let uploads = shop.folder.file("store/uploads").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: uploads).isEmpty)
        }

        func report(_ result: Program.Result) throws -> [String: Any] {
            try #require(
                try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        }
    }

    /// Noting that the key is used, beginning, three parts, handing over, taking up, and being
    /// ready: each is a transaction.
    ///
    /// The store dies before or after each, with `TEST_EXHAUSTIVE` before and after each.
    static let deaths: [(Int, String)] = (1...8).flatMap { number in
        let both = [(number, "before"), (number, "after")]
        let isExhaustive = ProcessInfo.processInfo.environment["TEST_EXHAUSTIVE"] != nil
        return isExhaustive ? both : [both[number % 2]]
    }

    @Test(arguments: deaths)
    func `a store killed on the way costs nothing but time`(
        transaction: Int, moment: String
    ) async throws {
        let publisher = try await Publisher()
        let (doomed, address) = try await publisher.shop.serveUntil(transaction, moment)
        let upload = try await Program("openstore", publisher.upload(to: address))
        doomed.stop(after: upload)
        #expect(await doomed.end().code == 128 + SIGKILL)
        let (server, _) = try await publisher.shop.serve()
        // The same command goes on by itself.
        try await publisher.expectReady(await upload.end())
        server.send(SIGTERM)
        #expect(await server.end().code == 0)
    }

    @Test(arguments: [3, 5, 6])
    func `killed on both sides, only what is missing is sent again`(
        transaction: Int
    ) async throws {
        let publisher = try await Publisher()
        let (doomed, address) = try await publisher.shop.serveUntil(transaction, "after")
        let killed = try await Program("openstore", publisher.upload(to: address))
        doomed.stop(after: killed)
        #expect(await doomed.end().code == 128 + SIGKILL)
        killed.send(SIGKILL)
        #expect(await killed.end().code == 128 + SIGKILL)
        let (server, _) = try await publisher.shop.serve()
        let again = try await Program.run("openstore", publisher.upload(to: address))
        try await publisher.expectReady(again)
        let sent = try #require(try publisher.report(again)["sentBytes"] as? Int)
        // At least so many parts were there; the smallest is the last one.
        let parts = min(3, transaction - 2)
        let most = publisher.size - (parts == 3 ? publisher.size : (parts - 1) << 20)
        #expect(sent <= most)
        // And a third time there is nothing to be done.
        let third = try await Program.run("openstore", publisher.upload(to: address))
        try await publisher.expectReady(third)
        #expect(try publisher.report(third)["sentBytes"] as? Int == 0)
        server.send(SIGTERM)
        #expect(await server.end().code == 0)
    }

    private func lastWord(_ line: String?) throws -> String {
        let words: [Substring] = try #require(line).split(separator: " ")
        return String(try #require(words.last))
    }

    @Test func `a fresh store's first key is enough to upload`() async throws {
        let publisher = try await Publisher(noiseBytes: 1000)
        // Another folder, so that the key is one that serve has made.
        let shop = try await Shop(noiseBytes: 1000)
        try await shop.command(["content", "host", SampleShop.badge, "--data", shop.data])
        let server = try await Program(
            "openstore", ["serve", "--data", shop.data, "--listen", "127.0.0.1:0"])
        let line = try #require(await server.line(with: "production"))
        let address: String = try lastWord(line)
        let key: String = try await lastWord(server.line(with: "AuthKey_"))
        let issuer: String = try await lastWord(server.line(with: "issuer"))
        let mode =
            try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions]
            as? Int
        #expect(mode == 0o600)
        let named =
            publisher.upload(to: address, as: "/nowhere")
            + ["--key", key, "--issuer", issuer]
        let result = try await Program.run("openstore", named)
        #expect(result.code == 0, "\(result.errors)")
        #expect(try publisher.report(result)["state"] as? String == "COMPLETE")
        // The key can be taken back, and does not come back with the next start.
        let id = String(try #require(key.split(separator: "_").last).dropLast(3))
        try await shop.command(["api-key", "revoke", id, "--data", shop.data])
        let refused = try await Program.run("openstore", named)
        #expect(refused.code == 1)
        #expect(refused.errors.contains("revoked"))
        server.send(SIGTERM)
        #expect(await server.end().code == 0)
        let (again, _) = try await shop.serve()
        again.send(SIGTERM)
        #expect(await again.end().code == 0)
        let keys = try await shop.command(["api-key", "list", "--data", shop.data, "--json"])
        #expect(keys.components(separatedBy: "issuerId").count == 2)
    }

    @Test func `uploaded content is downloaded by whoever buys it in the sandbox`() async throws {
        let publisher = try await Publisher()
        let shop = publisher.shop
        let (server, address) = try await shop.serve()
        try await publisher.expectReady(
            await Program.run("openstore", publisher.upload(to: address)))
        let installed = shop.folder.file("installed")
        let bought = try await Program.run(
            "StoreTestApp",
            ["--expect", "1", "--install", installed.path, "--buy", "\(SampleShop.badge):1"],
            environment: try await shop.device("phone", address: address))
        #expect(bought.code == 0, "\(bought.errors)")
        for name in ["noise", "text"] {
            #expect(
                FileManager.default.contentsEqual(
                    atPath: shop.folder.file("badge/Contents/\(name)").path,
                    andPath: installed.appendingPathComponent(name).path))
        }
        // On its way to the customers.
        func number(_ words: String...) async throws -> String {
            try await shop.command(words + ["--quiet", "--data", shop.data])
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
        _ = try await number("product", "screenshot", SampleShop.badge, try shop.screenshot().path)
        let submission = try await number("submission", "create", "--product", SampleShop.badge)
        _ = try await number("review", "claim", submission)
        let part = try await number("submission", "show", submission)
        let decided = try await shop.command(["review", "approve", part, "--data", shop.data])
        #expect(decided.contains("APPROVED"), "\(decided)")
        let status = try await shop.command([
            "content", "list", "--product", SampleShop.badge, "--data", shop.data, "--json",
        ])
        #expect(status.contains(#""productionVersion" : "1.0""#), "\(status)")
        server.send(SIGTERM)
        #expect(await server.end().code == 0)
    }

    @Test func `who has signed in compares a package with the store, and sends it`() async throws {
        let publisher = try await Publisher(noiseBytes: 1000)
        let shop = publisher.shop
        let (server, address) = try await shop.serve()
        func run(_ words: [String], typing line: String? = nil) async throws -> Program.Result {
            let program = try await Program(
                "openstore", words,
                environment: ["XDG_CONFIG_HOME": shop.folder.file("config").path])
            if let line { program.type(line) }
            return await program.end()
        }
        let (email, password) = (["--email", "op@example.com"], "correct horse battery")
        let made = try await run(
            ["operator", "create", "--data", shop.data] + email, typing: password)
        #expect(made.code == 0, "\(made.errors)")
        let login = try await run(["login", "--store", address] + email, typing: password)
        #expect(login.code == 0, "\(login.errors)")

        let package = [publisher.package.path, "--product", SampleShop.badge, "--app"]
        let app = SampleShop.bundleID.text
        let checked = try await run(["content", "validate"] + package + [app])
        #expect(
            checked.output.contains(
                "\(SampleShop.badge) 1.0 keeps all rules, and the store would take it"),
            "\(checked)")
        let elsewhere = try await run(["content", "validate"] + package + ["com.example.nobody"])
        #expect(elsewhere.code == 65 && elsewhere.errors.contains("would not take it"))
        let uploads = shop.folder.file("store/uploads").path
        #expect(try FileManager.default.contentsOfDirectory(atPath: uploads).isEmpty)

        let sent = try await run(["content", "upload"] + package + [app])
        #expect(
            sent.output.contains(
                "Version 1.0 of \(SampleShop.badge) is processed; the product is Ready to Submit."),
            "\(sent)")
        server.send(SIGTERM)
        #expect(await server.end().code == 0)
    }

    @Test func `a package that breaks rules is not sent`() async throws {
        let publisher = try await Publisher(noiseBytes: 1000)
        let other = publisher.shop.folder.file("other.pkg")
        try await publisher.shop.command([
            "content", "build", publisher.shop.folder.file("content/\(SampleShop.chapter)").path,
            "-o", other.path,
        ])
        let broken = try publisher.shop.folder.write("broken.pkg", "this is no package")
        for file in [other, broken] {
            // Nobody listens there, and nobody has to.
            var words = publisher.upload(to: "http://127.0.0.1:9")
            words[2] = file.path
            let result = try await Program.run("openstore", words)
            #expect(result.code == 65)
            #expect(try publisher.report(result)["state"] as? String == "FAILED")
            let problems = try #require(try publisher.report(result)["problems"] as? [Any])
            #expect(problems.count == 1)
        }
    }

    @Test(
        arguments: [
            (["content", "upload", "x.pkg"], 64, "--app and --product are missing"),
            (
                [
                    "content", "upload", "x.pkg", "--app", "a.b", "--product", "p", "--key", "x.p8",
                    "--issuer", "me",
                ], 64, "not a UUID"
            ),
            (
                [
                    "content", "upload", "x.pkg", "--app", "a.b", "--product", "p", "--key", "x.p8",
                    "--issuer", "57246542-96fe-1a63-e053-0824d011072a",
                ], 1, "AuthKey_"
            ),
            (["content", "host", "p"], 66, "There is no app yet"),
            (["content", "clean-up", "--keep-days", "-1"], 64, "--keep-days"),
            (["review", "reject", "1"], 64, "--message is missing"),
            (["submission", "create"], 64, "nothing is to be submitted"),
            (["submission", "withdraw"], 64, "name a submission"),
            (["api-key", "create"], 64, "--name is missing"),
            (["api-key", "create", "--name", "x", "--role", "king"], 64, "--role"),
            (["api-key", "create", "--name", "x", "--team", "nobody"], 66, "no team \"nobody\""),
            (["api-key", "create", "--name", "x"], 65, "The store has no team yet"),
            (["api-key", "revoke", "x"], 66, "$OPENSTORE_DATA"),
            (["api-key", "revoke", "ABCDEFGHIJ"], 66, "ABCDEFGHIJ"),
        ] as [([String], Int32, String)])
    func `a wrong command line says what is wrong`(
        _ words: [String], _ code: Int32, _ text: String
    ) async throws {
        let folder = try TemporaryFolder()
        let result = try await Program.run(
            "openstore", words, environment: ["OPENSTORE_DATA": try await folder.makeStore()])
        #expect(result.code == code, "\(result.errors)")
        #expect(result.errors.contains(text), "\(result.errors)")
        #expect(result.output.isEmpty)
    }
}
