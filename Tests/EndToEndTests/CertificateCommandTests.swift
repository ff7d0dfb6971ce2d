import Foundation
import StoreTestSupport
import Testing

/// `openstore certificate`, beside a running store.
struct CertificateCommands {
    private struct Row: Decodable, Equatable {
        var serial: String
        var use: String
        var state: String
        var ocspAddress: String?
    }

    private func rows(_ shop: Shop, _ words: String...) async throws -> [Row] {
        let output = try await shop.command(
            ["certificate"] + words + ["--data", shop.data, "--json"])
        return try JSONDecoder().decode([Row].self, from: Data(output.utf8))
    }

    private func current(_ shop: Shop) async throws -> [String: Row] {
        try await rows(shop, "list").filter { $0.state == "current" }
            .reduce(into: [:]) { $0[$1.use] = $1 }
    }

    /// What a running store has, when it has made the key for receipts as well.
    private func complete(_ shop: Shop) async throws -> [String: Row] {
        try await until { try await current(shop)["receipts"] != nil }
        return try await current(shop)
    }

    @Test func `an app goes on to buy while the store's keys are rotated`() async throws {
        let shop = try await Shop(noiseBytes: 1000)
        let (server, address) = try await shop.serve()
        let environment = try await shop.device("phone", address: address)
        let first = try await complete(shop)
        #expect(Set(first.keys) == ["root", "intermediate", "signing", "receipts"])
        for (use, row) in first where use != "root" {
            #expect(row.ocspAddress == "\(address)/ocsp")
        }
        func buy() async throws {
            let result = try await Program.run(
                "StoreTestApp", ["--expect", "1", "--buy", "\(SampleShop.badge):1"],
                environment: environment)
            #expect(result.code == 0, "\(result.errors)")
            let receipt = try await Program.run(
                "StoreTestApp", ["--receipt"], environment: environment)
            #expect(receipt.code == 0, "\(receipt.errors)")
            #expect(receipt.output.contains("receipt \(SampleShop.bundleID)"))
        }
        try await buy()
        #expect(try await rows(shop, "rotate").count == 2)
        try await buy()
        #expect(try await rows(shop, "rotate", "--intermediate").count == 3)
        try await buy()
        let last = try await current(shop)
        for use in ["intermediate", "signing", "receipts"] {
            #expect(last[use]?.serial != first[use]?.serial)
            #expect(last[use]?.ocspAddress == "\(address)/ocsp")
        }
        #expect(last["root"] == first["root"])
        server.send(SIGTERM)
        _ = await server.end()

        // Another address is another place to ask at.
        let (other, moved) = try await shop.serve(port: 0)
        #expect(try await current(shop)["signing"]?.ocspAddress == "\(moved)/ocsp")
        #expect(try await current(shop)["signing"]?.serial != last["signing"]?.serial)
        other.send(SIGTERM)
        _ = await other.end()
    }

    @Test(.enabled(if: CommandLineTool.openssl != nil, "needs openssl"))
    func `a running store tells openssl which certificates are good`() async throws {
        let shop = try await Shop(noiseBytes: 1000)
        let (server, address) = try await shop.serve()
        let tool = try #require(CommandLineTool.openssl)
        let keys = shop.folder.file("store/keys")
        let rows = try await complete(shop)
        func status(_ use: String, issuer: String) async throws -> String {
            let serial = try #require(rows[use]?.serial)
            return try await tool.run(
                [
                    "ocsp", "-issuer", issuer, "-cert", "issued/\(serial).pem", "-url",
                    "\(address)/ocsp", "-CAfile", "root.pem",
                ], in: keys
            ).output
        }
        let intermediate = "issued/\(try #require(rows["intermediate"]?.serial)).pem"
        for (use, issuer) in [
            ("intermediate", "root.pem"), ("signing", intermediate), ("receipts", intermediate),
        ] {
            let answer = try await status(use, issuer: issuer)
            #expect(answer.contains("Response verify OK") && answer.contains(": good"), "\(answer)")
        }
        let serial = try #require(rows["signing"]?.serial)
        // The key had a certificate before the store knew its address.
        let revoked = try await self.rows(shop, "revoke", serial.lowercased())
        #expect(revoked.allSatisfy { $0.state == "revoked" && $0.use == "signing" })
        #expect(revoked.contains { $0.serial == serial })
        let answer = try await status("signing", issuer: intermediate)
        #expect(answer.contains("Response verify OK") && answer.contains(": revoked"), "\(answer)")
        server.send(SIGTERM)
        _ = await server.end()
    }

    @Test(arguments: [
        (["certificate", "revoke"], 64, "SERIAL"),
        (["certificate", "revoke", "xyz"], 64, "hexadecimal"),
        (["certificate", "revoke", "00"], 1, "has issued no certificate 00"),
        (["certificate"], 64, "  rotate "),
    ])
    func `a wrong command says what is wrong`(
        _ words: [String], _ code: Int32, _ text: String
    ) async throws {
        let folder = try TemporaryFolder()
        let result = try await Program.run(
            "openstore", words, environment: ["OPENSTORE_DATA": try await folder.makeStore()])
        #expect(result.code == code)
        #expect(result.errors.contains(text), "\(result.errors)")
    }

    /// The files in a folder and below, each with its number: one that was replaced has another.
    private static func files(in folder: URL) -> Set<String> {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return Set(
            paths.compactMap { path -> String? in
                var status = stat()
                guard lstat(folder.appendingPathComponent(path).path, &status) == 0,
                    status.st_mode & S_IFMT == S_IFREG
                else { return nil }
                return "\(path) \(status.st_ino)"
            })
    }

    /// Wherever the process dies, the keys are whole and the next one goes on.
    @Test func `rotation may be killed at any time`() async throws {
        let folder = try TemporaryFolder()
        let data = try await folder.makeStore()
        func list() async throws -> [Row] {
            let result = try await Program.run(
                "openstore", ["certificate", "list", "--json", "--data", data])
            #expect(result.code == 0, "\(result.errors)")
            return try JSONDecoder().decode([Row].self, from: Data(result.output.utf8))
        }
        let keys = URL(fileURLWithPath: data).appendingPathComponent("keys")
        let root = try await list().last
        let first = try await Program.run("openstore", ["certificate", "rotate", "--data", data])
        #expect(first.code == 0, "\(first.errors)")
        // A rotation keeps the old intermediate, and writes three certificates, each twice: it dies
        // when so many of these files are new, at each step two times.
        for attempt in 0..<14 {
            var code: Int32 = 0
            // One that was quicker than the signal says nothing.
            while code == 0 {
                let before = Self.files(in: keys)
                let program = try await Program(
                    "openstore", ["certificate", "rotate", "--intermediate", "--data", data])
                code = try await program.end(killingOnce: {
                    Self.files(in: keys).subtracting(before).count >= attempt / 2
                }).code
            }
            #expect(code == 128 + SIGKILL)
            let rows = try await list()
            #expect(rows.last == root)
            let current = rows.filter { $0.state == "current" }.map(\.use).sorted()
            #expect(current == ["intermediate", "receipts", "root", "signing"])
        }
        let last = try await Program.run("openstore", ["certificate", "rotate", "--data", data])
        #expect(last.code == 0, "\(last.errors)")
    }
}
