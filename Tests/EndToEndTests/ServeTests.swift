import Foundation
import FoundationNetworking
import StoreTestSupport
import Testing

struct Serving {
    @Test func `a fresh folder becomes a store that stops on SIGTERM`() async throws {
        let folder = try TemporaryFolder()
        let server = try await Program(
            "openstore", ["serve", "--data", folder.file("store").path, "--listen", "127.0.0.1:0"])
        let line = try #require(await server.line(with: "production"))
        let address = try #require(line.split(separator: " ").last.map(String.init))
        let health = try await get("\(address)/healthz")
        #expect(health.status == 200)
        #expect(health.body == #"{"status":"ok"}"#)
        let root = try await get("\(address)/.well-known/openstore/root.pem")
        #expect(root.body.hasPrefix("-----BEGIN CERTIFICATE-----"))

        server.send(SIGTERM)
        let result = await server.end()
        #expect(result.code == 0)
        for event in ["listening", "request", "stopping", "stopped"] {
            #expect(result.errors.contains("event=\(event)"), "\(result.errors)")
        }
        let again = try await Program(
            "openstore", ["serve", "--data", folder.file("store").path, "--listen", "127.0.0.1:0"])
        let second = try #require(await again.line(with: "production")?.split(separator: " ").last)
        #expect(try await get("\(second)/.well-known/openstore/root.pem").body == root.body)
        again.send(SIGINT)
        #expect(await again.end().code == 0)
    }

    @Test(arguments: [["serve", "--listen", "127.0.0.1:0"], ["content", "clean-up"]])
    func `keys without rows become no other store`(words: [String]) async throws {
        let folder = try TemporaryFolder()
        let keys = folder.file("store/keys")
        try FileManager.default.createDirectory(at: keys, withIntermediateDirectories: true)
        try Data("a root".utf8).write(to: keys.appendingPathComponent("root.pem"))
        let data = folder.file("store").path
        let result = try await Program.run("openstore", words + ["--data", data])
        #expect(result.code == 64)
        #expect(result.errors.contains("no store.sqlite: say with --database"), "\(result.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: data) == ["keys"])
    }

    @Test(arguments: [
        (["serve", "--listen", "nowhere"], 64, "--listen"),
        (["serve", "--listen", "host.invalid:1"], 1, "not an address"),
        (["serve", "--port", "80"], 64, "unknown option --port"),
        (["frobnicate"], 64, "is no command"),
        (["catalog"], 64, "import"),
        (["catalog", "import"], 64, "FILE.storekit is missing"),
        (["catalog", "import", "/nowhere.storekit"], 64, "can't be read"),
        (["content", "inspect", "/nowhere.pkg"], 65, "/nowhere.pkg"),
        (["tester", "create", "--email", "x"], 64, "--storefront is missing"),
    ])
    func `a wrong command line says what is wrong`(
        _ words: [String], _ code: Int32, _ text: String
    ) async throws {
        let folder = try TemporaryFolder()
        let result = try await Program.run(
            "openstore", words, environment: ["OPENSTORE_DATA": folder.file("store").path])
        #expect(result.code == code)
        #expect(result.errors.contains(text), "\(result.errors)")
        #expect(result.output.isEmpty)
    }

    private func get(_ address: String) async throws -> (status: Int, body: String) {
        let url = try #require(URL(string: address))
        let (data, response) = try await url.fetched()
        return (response.statusCode, String(decoding: data, as: UTF8.self))
    }
}
