import Foundation
import StoreTestSupport
import Testing

struct ReceiptPrograms {
    @Test func `an app finds its receipt where Foundation says, after a refresh`() async throws {
        let shop = try await Shop(noiseBytes: 1000)
        let (server, address) = try await shop.serve()
        var environment = try await shop.device("phone", address: "\(address)")
        let bought = try await Program.run(
            "StoreTestApp", ["--expect", "1", "--buy", "\(SampleShop.badge):1"],
            environment: environment)
        #expect(bought.code == 0, "\(bought.errors)")
        let result = try await Program.run(
            "StoreTestApp", ["--receipt"], environment: environment)
        #expect(result.code == 0, "\(result.errors)")
        let path =
            environment["XDG_STATE_HOME"]! + "/\(SampleShop.bundleID)/StoreKit"
            + "/sandboxReceipt"
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(
            lines.prefix(4) == ["bundle \(path)", "other nil", "openstore \(path)", "refreshed"])
        let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
        #expect(
            lines.dropFirst(4).prefix(2) == [
                "bytes \(size)", "receipt \(SampleShop.bundleID) ProductionSandbox",
            ])
        let device = try #require(lines.last).dropFirst("device ".count)
        #expect(lines.count == 7 && UUID(uuidString: String(device)) != nil)

        environment["OPENSTORE_PROFILE"] = "/nonexistent"
        let lost = try await Program.run(
            "StoreTestApp", ["--receipt"], environment: environment)
        #expect(lost.output == "bundle nil\nother nil\nopenstore nil\n")
        server.send(SIGTERM)
        _ = await server.end()
    }

    /// A sandbox receipt of an app that has bought a badge, and the device that it is for.
    private func receipt(_ shop: Shop, from address: String) async throws -> (
        file: URL, device: String
    ) {
        let environment = try await shop.device("phone", address: address)
        _ = try await Program.run(
            "StoreTestApp", ["--expect", "1", "--buy", "\(SampleShop.badge):1"],
            environment: environment)
        let result = try await Program.run(
            "StoreTestApp", ["--receipt"], environment: environment)
        let lines = result.output.split(separator: "\n")
        let device = try #require(lines.last).dropFirst("device ".count)
        let path =
            environment["XDG_STATE_HOME"]! + "/\(SampleShop.bundleID)/StoreKit/sandboxReceipt"
        return (URL(fileURLWithPath: path), String(device))
    }

    @Test(.enabled(if: CommandLineTool.openssl != nil, "needs openssl"))
    func `openssl accepts a receipt against the exported root, before and after rotation`()
        async throws
    {
        let tool = try #require(CommandLineTool.openssl)
        let shop = try await Shop(noiseBytes: 1000)
        let (server, address) = try await shop.serve()
        let root = try #require(URL(string: "\(address)/.well-known/openstore/root.pem"))
        try shop.folder.write("root.pem", try await root.fetched().data)
        let other = try await Shop(noiseBytes: 1000, isCopy: false)
        try shop.folder.write("other.pem", Data(contentsOf: other.rootFile))
        func verify(_ file: URL, root: String) async throws -> (status: Int32, output: String) {
            try await tool.run(
                [
                    "cms", "-verify", "-inform", "DER", "-in", file.path, "-CAfile", root,
                    "-purpose", "any", "-x509_strict", "-out", "payload",
                ], in: shop.folder.url)
        }
        for rotation in [[], ["certificate", "rotate", "--intermediate"]] {
            if !rotation.isEmpty { try await shop.command(rotation + ["--data", shop.data]) }
            let receipt = try await receipt(shop, from: address).file
            let result = try await verify(receipt, root: "root.pem")
            #expect(result.status == 0, "\(result.output)")
            let payload = try Data(contentsOf: shop.folder.file("payload"))
            #expect(payload.range(of: Data(SampleShop.badge.utf8)) != nil)
            #expect(try await verify(receipt, root: "other.pem").status != 0)
        }
        server.send(SIGTERM)
        _ = await server.end()
    }

    /// A receipt with its certificates in DER's order of a set, as stores wrote them once.
    private func inFormerOrder(_ receipt: Data, of shop: Shop) throws -> Data {
        let keys = URL(fileURLWithPath: shop.data).appendingPathComponent("keys")
        let chain: [Data] = try ["receipt-signing.pem", "root.pem"].flatMap { name in
            let text = try String(
                contentsOf: keys.appendingPathComponent(name), encoding: .utf8)
            return text.matches(of: /BEGIN CERTIFICATE-----([^-]+)-----END/).compactMap {
                Data(base64Encoded: String($0.1), options: .ignoreUnknownCharacters)
            }
        }
        let place = try #require(receipt.range(of: Data(chain.joined())))
        var former = receipt
        former.replaceSubrange(
            place, with: Data(chain.sorted { $0.lexicographicallyPrecedes($1) }.joined()))
        try #require(former != receipt)
        return former
    }

    @Test func `openstore receipt verify tells what a receipt says, or why it does not count`()
        async throws
    {
        let shop = try await Shop(noiseBytes: 1000)
        let (server, address) = try await shop.serve()
        let (file, device) = try await receipt(shop, from: address)
        let data = try Data(contentsOf: file)
        let text = try shop.folder.write("receipt.txt", data.base64EncodedString() + "\n")
        func verify(_ file: URL, _ options: String...) async throws -> Program.Result {
            try await Program.run(
                "openstore", ["receipt", "verify", file.path, "--data", shop.data] + options)
        }
        let app = SampleShop.bundleID.text
        let former = try shop.folder.write("former", inFormerOrder(data, of: shop))
        for file in [file, text, former] {
            let result = try await verify(
                file, "--bundle-id", app, "--app-version", "1", "--device", device)
            #expect(result.code == 0, "\(result.errors)")
            #expect(result.output.contains("The receipt is valid."))
            #expect(result.output.contains(SampleShop.badge))
        }
        let json = try await verify(file, "--json")
        let contents = try #require(
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect(contents["bundleId"] as? String == app)
        #expect((contents["inApp"] as? [Any])?.count == 1)

        let other = try await Shop(noiseBytes: 1000, isCopy: false)
        let broken = try shop.folder.write("broken", data.dropLast(40) + Data(count: 40))
        for (file, options, reason) in [
            (file, ["--bundle-id", "com.example.other"], "for the app \(app)"),
            (file, ["--app-version", "999"], "for version 1"),
            (file, ["--device", UUID().uuidString], "for another device"),
            (file, ["--root", other.rootFile.path], "not signed by this store"),
            (broken, [], "signature"), (shop.folder.file("shop.storekit"), [], "receipt"),
        ] {
            let result = try await Program.run(
                "openstore", ["receipt", "verify", file.path, "--data", shop.data] + options)
            #expect(result.code == 173, "\(options) \(result.errors)")
            #expect(result.errors.contains(reason), "\(result.errors)")
            #expect(result.output.isEmpty)
        }
        let missing = try await verify(shop.folder.file("nothing"))
        #expect(missing.code == 1 && missing.errors.contains("can't be read"))
        server.send(SIGTERM)
        _ = await server.end()
    }

    @Test func `an app with an invalid receipt ends with the status 173`() async throws {
        let result = try await Program.run("StoreTestApp", ["--invalid-receipt"])
        #expect(result.code == 173)
        #expect(result.errors.contains("SKReceiptRefreshRequest"))
    }
}

extension Shop {
    /// The root certificate of a store that was opened at least once.
    var rootFile: URL { URL(fileURLWithPath: data).appendingPathComponent("keys/root.pem") }
}
